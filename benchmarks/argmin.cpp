// Workloads of ARGMIN: types, axes and strides.
#include <goldml/cpu/argmin.hpp>
#include <goldml/reference/argmin.hpp>

#include "argmin.hpp"

namespace benchmarks {
namespace {

using namespace goldml;

template <class T>
workload make(std::string name, std::string title, bars bar, const dimensions& sizes, const dimensions& axes,
              const dimensions& strides = {}) {
  return {std::move(name), std::move(title), bar, [=] {
            const auto data = std::make_shared<argmin_data<T>>(sizes, strides, axes);
            prepared_workload p;
            p.contenders = goldml_contenders(data);
            for (contender& peer : argmin_peers(data)) p.contenders.push_back(std::move(peer));
            p.least = {bytes_of(data->elements), bytes_of(data->output.golden())};
            return p;
          }};
}

}  // namespace

std::vector<workload> argmin_workloads(scale how) {
  const std::uint32_t all = scaled(std::uint32_t{1} << 26, how);
  const std::uint32_t side = scaled(4096, how);
  const std::uint32_t page = scaled(512, how);
  const std::uint32_t rows = scaled(std::uint32_t{1} << 20, how);
  return {
      make<float>("argmin_f32_all", "argmin f32, all of 64 Mi", {}, {all}, {0}),
      make<float>("argmin_f32_last", "argmin f32, last axis of 4096x4096", {},
                  {side, side}, {1}),
      make<float>("argmin_f32_first", "argmin f32, first axis of 4096x4096", {},
                  {side, side}, {0}),
      make<float>("argmin_f32_middle", "argmin f32, middle axis of 64x512x512", {},
                  {scaled(64, how), page, page}, {1}),
      make<float>("argmin_f32_rows_of_8", "argmin f32, 1 Mi rows of 8", {}, {rows, 8},
                  {1}),
      make<float16>("argmin_f16_all", "argmin f16, all of 64 Mi", {}, {all}, {0}),
      make<std::int8_t>("argmin_i8_all", "argmin i8, all of 64 Mi", {}, {all}, {0}),
      make<std::int64_t>("argmin_i64_last", "argmin i64, last axis of 4096x4096", {},
                         {side, side}, {1}),
      make<float>("argmin_f32_transposed", "argmin f32, transposed view, last axis",
                  {}, {side, side}, {1}, {1, side}),
      make<float>("argmin_f32_stride_2", "argmin f32, every second of 64 Mi", {},
                  {all / 2}, {0}, {2}),
      make<float>("argmin_f32_broadcast", "argmin f32, all of a row broadcast to 4096x4096", {},
                  {side, side}, {0, 1}, {0, 1}),
      make<float>("argmin_16x16", "argmin f32, last axis of 16x16", small_call, {16, 16}, {1}),
      make<float>("argmin_128x128", "argmin f32, last axis of 128x128", {}, {128, 128}, {1}),
  };
}

}  // namespace benchmarks
