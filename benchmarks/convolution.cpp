// Workloads of CONVOLUTION: a layer of a residual network, alone and together with the intervals of what a device may
// answer. The peer is Eigen's product of matrices of doubles with as many multiplications.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <fmt/format.h>

#include <goldml/cpu/convolution.hpp>
#include <goldml/oracle/verdicts/convolution.hpp>
#include <goldml/reference/convolution.hpp>

#include "workloads.hpp"

namespace benchmarks {

namespace {

using namespace goldml;

struct convolution_data {
  std::uint32_t channels, side;
  bool with_intervals;
  convolution_desc desc{.strides = {1, 1},
                        .dilations = {1, 1},
                        .start_padding = {1, 1},
                        .end_padding = {1, 1},
                        .output_padding = {0, 0}};
  std::vector<float> input, filter, output;
  std::vector<float> golden;  // of the first output channel: `reference` takes long for all
  std::vector<output_verdicts> verdicts;
  using matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  matrix weights, patches, product;

  convolution_data(std::uint32_t channel_count, std::uint32_t size, bool intervals)
      : channels(channel_count),
        side(size),
        with_intervals(intervals),
        input(random_elements<float>(std::size_t{channels} * side * side)),
        filter(random_elements<float>(std::size_t{channels} * channels * 9)),
        output(input.size()),
        golden(std::size_t{side} * side),
        weights(matrix::Random(channels, channels * 9)),
        patches(matrix::Random(channels * 9, side * side)),
        product(matrix::Zero(channels, side * side)) {
    convolution(reference, image(), tensor_view{std::as_const(filter), {1u, channels, 3u, 3u}},
                tensor_view{golden, {1u, 1u, side, side}}, desc);
  }

  tensor_view<const float> image() const { return {input, {1u, channels, side, side}}; }
  tensor_view<const float> taps() const { return {filter, {channels, channels, 3u, 3u}}; }

  void call(const cpu_backend& backend) {
    const tensor_view<float> result{output, {1u, channels, side, side}};
    convolution(backend, image(), taps(), result, desc);
    if (!with_intervals) return;
    const std::array<const_tensor_ref, 3> inputs{const_tensor_ref(image()), const_tensor_ref(taps()), {}};
    const std::array<tensor_ref, 1> outputs{tensor_ref(result)};
    verdicts.assign(1, output_verdicts(output.size()));
    oracle::verdict_traits<convolution_desc>::flushed_verdicts(desc, inputs, outputs, verdicts);
  }
  void spoil() { std::fill(output.begin(), output.end(), -1e30F); }
  std::string difference() const {
    const bool same = std::memcmp(golden.data(), output.data(), golden.size() * sizeof(float)) == 0;
    return same ? std::string() : "the first channel differs from reference";
  }
  void call_eigen() { product.noalias() = weights * patches; }
};

workload make(std::string name, std::string title, bars bar, std::uint32_t channels, std::uint32_t side,
              bool with_intervals) {
  return {std::move(name), std::move(title), bar, [=] {
            const auto data = std::make_shared<convolution_data>(channels, side, with_intervals);
            prepared_workload p;
            p.contenders = cpu_contenders(data);
            p.contenders.push_back(
                {"Eigen", [data] { data->call_eigen(); }, [data] { return std::string(); }});  // other numbers
            const std::uint64_t bytes = std::uint64_t{channels} * side * side * sizeof(float);
            p.least = {bytes, bytes};
            return p;
          }};
}

}  // namespace

// Products are not limited by memory.
std::vector<workload> convolution_workloads(scale how) {
  const std::uint32_t channels = how == scale::full ? 64 : 8;
  return {make("convolution_f32", "convolution f32, 64x56x56 by 64x64x3x3, rounded once",
               {.of_peer = 2, .of_limit = std::nullopt}, channels, 56, false),
          make("convolution_f32_intervals", "convolution f32, the same with intervals",
               {.of_peer = 4, .of_limit = std::nullopt}, channels, 56, true)};
}

}  // namespace benchmarks
