// Workloads of GEMM: products of square matrices, alone and together with the intervals of what a device may answer.
// The peer is Eigen's product in FLOAT32, which is neither exact nor judged.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <Eigen/Core>

#include <goldml/cpu/gemm.hpp>
#include <goldml/oracle/verdicts/gemm.hpp>
#include <goldml/reference/gemm.hpp>

#include "workloads.hpp"

namespace benchmarks {
namespace {

using namespace goldml;

struct gemm_data {
  std::uint32_t size;
  bool with_intervals;
  std::vector<float> a, b, output;
  std::vector<float> golden;  // of some rows: `reference` computes sums without rounding, which takes a minute for all
  std::vector<output_verdicts> verdicts;
  std::vector<output_verdicts> flushed_verdicts;

  gemm_data(std::uint32_t n, bool intervals)
      : size(n),
        with_intervals(intervals),
        a(random_elements<float>(std::size_t{n} * n)),
        b(random_elements<float>(std::size_t{n} * n)),
        output(a.size()) {
    std::reverse(b.begin(), b.end());
    golden.resize(std::size_t{rows()} * n);
    gemm(reference, tensor_view{a, {rows(), n}, {row_step() * n, 1u}}, tensor_view{b, {n, n}},
         tensor_view{golden, {rows(), n}});
  }

  std::uint32_t rows() const { return (std::min)(size, 8u); }
  std::uint32_t row_step() const { return size / rows(); }

  void call(const cpu_backend& backend) {
    const tensor_view left{a, {size, size}}, right{b, {size, size}};
    const tensor_view result{output, {size, size}};
    gemm(backend, left, right, result);
    if (!with_intervals) return;
    const std::array<const_tensor_ref, 3> inputs{
        const_tensor_ref(tensor_view<const float>(left)), const_tensor_ref(tensor_view<const float>(right)), {}};
    const std::array<tensor_ref, 1> outputs{tensor_ref(result)};
    verdicts.assign(1, output_verdicts(output.size()));
    flushed_verdicts.assign(1, output_verdicts(output.size()));
    oracle::verdict_traits<gemm_desc>::verdicts({}, inputs, outputs, verdicts);
    oracle::verdict_traits<gemm_desc>::flushed_verdicts({}, inputs, outputs, flushed_verdicts);
  }
  void spoil() { std::fill(output.begin(), output.end(), -1e30F); }
  std::string difference() const {
    for (std::uint32_t row = 0; row < rows(); ++row)
      if (std::memcmp(&golden[std::size_t{row} * size], &output[std::size_t{row} * row_step() * size],
                      size * sizeof(float)) != 0)
        return fmt::format("row {} differs from reference", row * row_step());
    return {};
  }

  void call_eigen() {
    using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto n = static_cast<Eigen::Index>(size);
    Eigen::Map<matrix>(output.data(), n, n).noalias() =
        Eigen::Map<const matrix>(a.data(), n, n) * Eigen::Map<const matrix>(b.data(), n, n);
  }
  // Whether all of the output is what a device may answer.
  std::string refused() {
    const std::vector<float> answer = output;
    const bool judges = std::exchange(with_intervals, true);
    call(cpu);
    with_intervals = judges;
    for (std::size_t i = 0; i < answer.size(); ++i) {
      const interval* const allowed = verdicts[0].interval_of(i);
      const bool same = order_key(answer[i]) == order_key(output[i]);
      if (!same && (allowed == nullptr || place_in(*allowed, answer[i]) == interval_place::outside))
        return fmt::format("element {} is not what a device may answer", i);
    }
    return {};
  }
};

workload make(std::string name, std::string title, bars bar, std::uint32_t size, bool with_intervals) {
  return {std::move(name), std::move(title), bar, [=] {
            const auto data = std::make_shared<gemm_data>(size, with_intervals);
            prepared_workload p;
            p.contenders = cpu_contenders(data);
            p.contenders.push_back({"Eigen", [data] { data->call_eigen(); },
                                    [data] {
                                      data->spoil();
                                      data->call_eigen();
                                      return data->refused();
                                    }});
            p.least = {2 * std::uint64_t{size} * size * sizeof(float), std::uint64_t{size} * size * sizeof(float)};
            return p;
          }};
}

}  // namespace

// Products are not limited by memory.
std::vector<workload> gemm_workloads(scale how) {
  const std::uint32_t size = scaled(1024, how);
  return {make("gemm_f32", "gemm f32, 1024 cubed, rounded once", {.of_peer = 6, .of_limit = std::nullopt}, size, false),
          make("gemm_f32_intervals", "gemm f32, 1024 cubed, with intervals", {.of_peer = 12, .of_limit = std::nullopt},
               size, true)};
}

}  // namespace benchmarks
