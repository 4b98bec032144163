// TILE, PADDING, PADDING1 and SLICE_GRAD on `cpu` give the bytes of `reference`: in every mode, with long padding, in
// all layouts, for each width, with one thread and two.
#include <array>
#include <cstddef>
#include <cstdint>
#include <unsupported/Eigen/CXX11/ThreadPool>
#include <vector>

#include <goldml/cpu/padding.hpp>
#include <goldml/cpu/slice_grad.hpp>
#include <goldml/cpu/tile.hpp>
#include <goldml/reference/padding.hpp>
#include <goldml/reference/slice_grad.hpp>
#include <goldml/reference/tile.hpp>

#include "../catch.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::filled;
using layouts::laid_out;

constexpr std::array all_modes{padding_mode::constant, padding_mode::edge, padding_mode::reflection,
                               padding_mode::symmetric, padding_mode::wrap};

// f(backend, input, output) on reference, on cpu, and on cpu with two threads and the ways for large tensors.
template <class T, class F>
void check(const laid_out<T>& input, const dimensions& sizes, layouts::layout of_output, const F& f) {
  static Eigen::ThreadPool pool(2);
  auto x = input;
  auto wanted = filled<T>(sizes, of_output, 1);
  f(reference, x.view(), wanted.view());
  for (const cpu_backend& backend : {cpu_backend(cpu), cpu.with(cpu_tuning{0, 0}).on(pool)}) {
    auto y = filled<T>(sizes, of_output, 2);
    f(backend, x.view(), y.view());
    CHECK(bits(y.elements()) == bits(wanted.elements()));
    CHECK(y.gaps_untouched());
  }
}

// The sizes of the output.
template <class Desc>
dimensions padded(const dimensions& sizes, const Desc& desc) {
  dimensions result = sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) result[i] += desc.start_padding[i] + desc.end_padding[i];
  return result;
}

template <class T>
void check_padding(const laid_out<T>& x, const dimensions& sizes, layouts::layout of_output,
                   const padding1_desc& desc) {
  CAPTURE(sizes, static_cast<int>(desc.padding_mode), desc.start_padding, desc.end_padding);
  check(x, padded(sizes, desc), of_output,
        [&](const auto& backend, const auto& input, const auto& output) { padding1(backend, input, output, desc); });
}

}  // namespace

TEMPLATE_TEST_CASE("TILE on cpu: every layout, in each width", "[cpu][tile]", std::uint8_t, float16, float,
                   std::uint64_t) {
  for (const dimensions& repeats : {dimensions{1, 1, 1}, dimensions{2, 1, 3}, dimensions{1, 5, 1}, dimensions{3, 2, 7}})
    for (const auto of_input : all_layouts)
      for (const auto of_output : all_layouts)
        check(filled<TestType>({2, 3, 4}, of_input, 0), {2 * repeats[0], 3 * repeats[1], 4 * repeats[2]}, of_output,
              [&](const auto& backend, const auto& input, const auto& output) {
                tile(backend, input, output, {.repeats = repeats});
              });
}

TEST_CASE("TILE on cpu: eight dimensions, all of them repeated; broadcast inputs; a long row of one element",
          "[cpu][tile]") {
  check(filled<std::uint16_t>(dimensions::filled(8, 2), layouts::layout::permuted, 0), dimensions::filled(8, 4),
        layouts::layout::padded, [](const auto& backend, const auto& input, const auto& output) {
          tile(backend, input, output, {.repeats = dimensions::filled(8, 2)});
        });
  check(laid_out<float>({2, 3}, {0, 1}, {1, 2, 3, 1, 2, 3}), {4, 9}, layouts::layout::stepped,
        [](const auto& backend, const auto& input, const auto& output) {
          tile(backend, input, output, {.repeats = {2, 3}});
        });
  for (std::uint32_t count = 1; count < 70; ++count)
    check(filled<std::uint8_t>({1, 3}, layouts::layout::packed, 0), {1, 3 * count}, layouts::layout::packed,
          [&](const auto& backend, const auto& input, const auto& output) {
            tile(backend, input, output, {.repeats = {1, count}});
          });
}

TEST_CASE("PADDING1 on cpu: every padding of short rows on both sides, in every mode", "[cpu][padding]") {
  for (const padding_mode mode : all_modes)
    for (std::uint32_t size = 1; size <= 5; ++size) {
      const auto x = filled<std::uint16_t>({size}, layouts::layout::packed, 0);
      for (std::uint32_t start = 0; start < 26; ++start)
        for (std::uint32_t end = 0; end < 26; end += end < 12 ? 1 : 13)
          check_padding(x, {size}, layouts::layout::packed,
                        {.padding_mode = mode,
                         .padding_value = std::uint16_t{0xABCD},
                         .start_padding = {start},
                         .end_padding = {end}});
    }
}

TEMPLATE_TEST_CASE("PADDING1 on cpu: every mode and layout, in each width", "[cpu][padding]", std::uint8_t, float16,
                   float, std::uint64_t) {
  const auto value = layouts::from_bits<TestType>(0xA1B2'C3D4'E5F6'0718);
  for (const padding_mode mode : all_modes)
    for (const auto of_input : all_layouts)
      for (const auto of_output : all_layouts)
        for (const dimensions& start : {dimensions{1, 0, 2}, dimensions{0, 9, 0}})
          check_padding(
              filled<TestType>({2, 1, 4}, of_input, 0), {2, 1, 4}, of_output,
              {.padding_mode = mode, .padding_value = value, .start_padding = start, .end_padding = {3, 1, 9}});
}

TEST_CASE("PADDING1 on cpu: eight dimensions, all of them padded", "[cpu][padding]") {
  for (const padding_mode mode : all_modes)
    check_padding(filled<std::uint8_t>(dimensions::filled(8, 2), layouts::layout::packed, 0), dimensions::filled(8, 2),
                  layouts::layout::permuted,
                  {.padding_mode = mode,
                   .padding_value = std::uint8_t{9},
                   .start_padding = dimensions{1, 0, 1, 2, 0, 1, 0, 1},
                   .end_padding = dimensions{0, 1, 1, 0, 1, 1, 0, 2}});
}

TEST_CASE("PADDING on cpu: the value is converted to each data type", "[cpu][padding]") {
  const float nan = layouts::from_bits<float>(0xFFC1'2345);
  for (const float value : {0.0F, -0.0F, 10.6F, -1.5F, 300.0F, -1e30F, 1e30F, 65520.0F, 0.1F, 1e-45F, nan}) {
    const auto run = [&]<class T>(T) {
      check(filled<T>({2, 3}, layouts::layout::packed, 0), {3, 6}, layouts::layout::padded,
            [&](const auto& backend, const auto& input, const auto& output) {
              padding(backend, input, output, {.padding_value = value, .start_padding = {1, 1}, .end_padding = {0, 2}});
            });
    };
    run(std::int8_t{});
    run(std::uint16_t{});
    run(std::int64_t{});
    run(float16{});
    run(float{});
    run(double{});
  }
}

TEMPLATE_TEST_CASE("SLICE_GRAD on cpu: strides of both signs, every layout, in each width", "[cpu][slice_grad]",
                   std::uint8_t, float16, float, std::uint64_t) {
  const dimensions sizes{2, 3, 1};
  for (const int32_list& strides : {int32_list{1, 1, 1}, int32_list{-2, 3, 0x7FFF'FFFF},
                                    int32_list{3, -1, -0x7FFF'FFFF - 1}, int32_list{-1, -2, 2}})
    for (const auto of_input : all_layouts)
      for (const auto of_output : all_layouts)
        check(filled<TestType>(sizes, of_input, 0), {5, 9, 4}, of_output,
              [&](const auto& backend, const auto& input, const auto& output) {
                slice_grad(backend, input, output,
                           {.input_window_offsets = {1, 1, 0},
                            .input_window_sizes = {4, 8, 3},
                            .input_window_strides = strides});
              });
}

TEST_CASE("SLICE_GRAD on cpu: a broadcast input, and all of eight dimensions", "[cpu][slice_grad]") {
  check(laid_out<float>({2, 3}, {0, 1}, {1, 2, 3, 1, 2, 3}), {4, 6}, layouts::layout::permuted,
        [](const auto& backend, const auto& input, const auto& output) {
          slice_grad(backend, input, output,
                     {.input_window_offsets = {0, 0}, .input_window_sizes = {4, 6}, .input_window_strides = {-2, -2}});
        });
  int32_list strides;
  for (std::size_t i = 0; i < 8; ++i) strides.push_back(i % 2 == 0 ? -1 : 2);
  check(filled<std::int16_t>(dimensions::filled(8, 2), layouts::layout::stepped, 0), dimensions::filled(8, 3),
        layouts::layout::padded, [&](const auto& backend, const auto& input, const auto& output) {
          slice_grad(backend, input, output,
                     {.input_window_offsets = dimensions::filled(8, 0),
                      .input_window_sizes = dimensions::filled(8, 3),
                      .input_window_strides = strides});
        });
}

TEST_CASE("TILE, PADDING, SLICE_GRAD on cpu: refusals leave the output unchanged", "[cpu]") {
  std::vector<float> memory(4, 1);
  const std::vector<float> x(2, 2);
  CHECK(refusal_of([&] { tile(cpu, x, memory, {.repeats = {3}}); }) == "TI3");
  CHECK(refusal_of([&] { padding(cpu, x, memory, {.start_padding = {1}, .end_padding = {2}}); }) == "PA3");
  CHECK(refusal_of([&] {
          slice_grad(cpu, x, memory,
                     {.input_window_offsets = {1}, .input_window_sizes = {4}, .input_window_strides = {2}});
        }) == "SG7");
  CHECK(memory == std::vector<float>(4, 1));
}
