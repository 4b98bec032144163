// DIAGONAL_MATRIX1 on `cpu` at the boundaries of its algorithms: row lengths near vectors, cache lines and blocks, all
// kinds of bounds, transposed matrices, layouts of input and output, tensors that end at the end of their memory.
#include <goldml/cpu/diagonal_matrix1.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/reference/diagonal_matrix1.hpp>

#include "../support/cpu_variants.hpp"
#include "moving.hpp"

namespace {

using namespace goldml;
using goldml_test::for_each_type;
using goldml_test::placed;
using goldml_test::placing;
using goldml_test::size_types;
using layouts::all_layouts;
using layouts::strides_of;

constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();

using bounds = std::pair<std::int32_t, std::int32_t>;

// A band, its complement, the triangles, and no diagonal.
const std::vector<bounds> usual_bounds{{-1, 2}, {2, -1}, {least, 1}, {1, most}, {0, least}, {3, 3}};

const goldml_test::cpu_variants& variants() {
  static const goldml_test::cpu_variants all;
  return all;
}

enum class input_kind { none, given, output };

// All variants of `cpu` against `reference`: the bytes of the output's memory, and of the input's.
template <class T>
void compare(const dimensions& sizes, input_kind kind, const placing& of_input, const placing& of_output,
             const bounds& range) {
  const diagonal_matrix1_desc desc{.value = layouts::different_elements<T>(1, 9)[0],
                                   .diagonal_fill_begin = range.first,
                                   .diagonal_fill_end = range.second,
                                   .in_place = kind == input_kind::output};
  placed<T> input(sizes, kind == input_kind::given ? of_input : placing{}, 1);
  placed<T> output(sizes, of_output, 2);
  const std::vector<std::byte> input_before = input.bytes();
  const std::vector<std::byte> output_before = output.bytes();
  const auto call = [&](const auto& backend) {
    if (kind == input_kind::none) diagonal_matrix1(backend, output.view(), desc);
    if (kind == input_kind::given) diagonal_matrix1(backend, input.view(), output.view(), desc);
    if (kind == input_kind::output) diagonal_matrix1(backend, output.view(), output.view(), desc);
  };
  call(reference);
  const std::vector<std::byte> wanted = output.bytes();
  for (const auto& [name, backend] : variants().list()) {
    output.restore(output_before);
    call(backend);
    if (output.bytes() == wanted && input.bytes() == input_before) continue;
    INFO(name << ": " << fmt::format("{} {} input kind {} strides {} shift {} output strides {} shift {} range {} {}",
                                     name_of(data_type_of<T>), sizes, static_cast<int>(kind), of_input.strides,
                                     of_input.shift, of_output.strides, of_output.shift, range.first, range.second));
    REQUIRE((output.bytes() == wanted));  // too long to print
    REQUIRE((input.bytes() == input_before));
  }
}

template <class T>
void compare_kinds(const dimensions& sizes, const placing& of_input, const placing& of_output, const bounds& range) {
  for (const input_kind kind : {input_kind::none, input_kind::given, input_kind::output})
    compare<T>(sizes, kind, of_input, of_output, range);
}

}  // namespace

TEST_CASE("cpu DIAGONAL_MATRIX1: a worked example") {
  const tensor<float> input({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  for (const auto& [name, backend] : variants().list()) {
    INFO(name);
    const diagonal_matrix1_desc desc{.value = 0.5f, .diagonal_fill_begin = 0, .diagonal_fill_end = 2};
    CHECK(diagonal_matrix1(backend, input, desc).elements() ==
          std::vector<float>{0.5f, 0.5f, 3, 4, 5, 0.5f, 0.5f, 8, 9, 10, 0.5f, 0.5f});
    CHECK(diagonal_matrix1<float>(backend, {2, 3}, {.value = 7.0f, .diagonal_fill_begin = 0, .diagonal_fill_end = -1})
              .elements() == std::vector<float>{7, 7, 7, 0, 7, 7});
  }
}

TEST_CASE("cpu DIAGONAL_MATRIX1: rows of all lengths near vectors and cache lines, at any address") {
  for_each_type(size_types{}, [&]<class T>(std::type_identity<T>) {
    const auto line = static_cast<std::uint32_t>(64 / sizeof(T));
    std::vector<std::uint32_t> widths;
    for (std::uint32_t width = 1; width <= 2 * line + 2 && width <= 70; ++width) widths.push_back(width);
    for (const std::uint32_t lines : {1u, 2u, 4u, 5u})
      for (const std::uint32_t width : {lines * line - 1, lines * line, lines * line + 1}) widths.push_back(width);
    for (const std::uint32_t width : widths)
      for (std::size_t shift = 0; shift < 4; ++shift) {
        const placing where{{}, shift == 3 ? line - 1 : shift};
        compare_kinds<T>({5, width}, {{}, 2 - shift % 3}, where, usual_bounds[(width + shift) % usual_bounds.size()]);
        compare_kinds<T>({width, 3}, {{}, shift}, where, usual_bounds[(width + shift + 1) % usual_bounds.size()]);
      }
  });
}

TEST_CASE("cpu DIAGONAL_MATRIX1: all pairs of bounds, including the limits of INT32") {
  const std::vector<std::int32_t> ends{least, least + 1, -9, -5, -3, -2, -1, 0, 1, 2, 3, 5, 9, most - 1, most};
  for (const dimensions& sizes : {dimensions{3, 6}, dimensions{6, 3}, dimensions{1, 5}, dimensions{5, 1},
                                  dimensions{1, 1}, dimensions{2, 1, 4, 4}})
    for (const std::int32_t begin : ends)
      for (const std::int32_t end : ends) {
        compare_kinds<std::uint16_t>(sizes, {}, {}, {begin, end});
        compare_kinds<std::uint8_t>(sizes, {}, {strides_of(layouts::layout::permuted, sizes), 0}, {begin, end});
      }
}

TEST_CASE("cpu DIAGONAL_MATRIX1: any layout of input and output") {
  for_each_type(size_types{}, [&]<class T>(std::type_identity<T>) {
    std::size_t number = 0;
    for (const dimensions& sizes :
         {dimensions{6, 5}, dimensions{3, 4, 19}, dimensions{2, 3, 7, 9}, dimensions{2, 1, 9}})
      for (const auto of_input : all_layouts)
        for (const auto of_output : all_layouts) {
          const bounds& range = usual_bounds[number++ % usual_bounds.size()];
          compare_kinds<T>(sizes, {strides_of(of_input, sizes), 1}, {strides_of(of_output, sizes), 3}, range);
        }
    // Permuted batches, a dimension of size 1 with any stride, inputs broadcast along each dimension.
    compare_kinds<T>({2, 3, 4, 5}, {{100, 20, 5, 1}}, {{20, 40, 5, 1}, 1}, {-1, 1});
    compare_kinds<T>({1, 3, 1, 5}, {{7, 5, 0, 1}}, {{0, 5, 0, 1}}, {1, -1});
    compare_kinds<T>({1, 1}, {{0, 0}}, {{9, 9}}, {0, 1});
    for (const dimensions& strides : {dimensions{0, 1}, dimensions{1, 0}, dimensions{0, 0}, dimensions{1, 1}}) {
      compare<T>({40, 33}, input_kind::given, {strides}, {}, {least, 0});
      compare<T>({33, 40}, input_kind::given, {strides}, {{1, 33}}, {-3, 4});
    }
  });
}

TEST_CASE("cpu DIAGONAL_MATRIX1: blocks of columns and of rows, in place and gathered") {
  // The bounds are at the ends of blocks: 256 KiB in place, 128 columns of 128 bytes gathered.
  compare_kinds<float>({3, 65'536 + 40}, {}, {{}, 5}, {65'535, 65'537});
  compare_kinds<double>({2, 32'768 * 2 + 3}, {}, {}, {32'767, most});
  compare_kinds<std::uint8_t>({70'000, 5}, {}, {}, {-69'999, -65'000});
  for_each_type(size_types{}, [&]<class T>(std::type_identity<T>) {
    const auto rows = static_cast<std::uint32_t>(128 / sizeof(T));
    for (const std::uint32_t height : {rows - 1, rows, 2 * rows + 1})
      for (const std::uint32_t width : {127u, 128u, 129u, 300u}) {
        const bounds& range = usual_bounds[(height + width) % usual_bounds.size()];
        compare<T>({height, width}, input_kind::given, {{1, height}}, {}, range);
        compare<T>({height, width}, input_kind::given, {{1, height + 2}, 1}, {{width + 3, 1}, 1}, {127, 129});
        compare<T>({height, width}, input_kind::given, {{2 * width, 2}}, {}, {least, 1});
        compare<T>({height, width}, input_kind::given, {{2, 2 * height}}, {{2 * width, 2}}, range);
      }
  });
}

TEST_CASE("cpu DIAGONAL_MATRIX1: no memory outside the tensors is accessed") {
  for_each_type(size_types{}, [&]<class T>(std::type_identity<T>) {
    const auto rows = static_cast<std::uint32_t>(128 / sizeof(T));  // gathered at a time, from a transposed input
    for (const dimensions& sizes : {dimensions{1, 1}, dimensions{1, 3}, dimensions{3, 1}, dimensions{7, 9},
                                    dimensions{16, 16}, dimensions{2, 33, 31}, dimensions{rows - 1, 130}}) {
      const auto count = static_cast<std::size_t>(element_count(sizes));
      for (const bool at_end : {false, true})
        for (const auto of_input : {layouts::layout::packed, layouts::layout::permuted})
          for (const bounds& range : usual_bounds) {
            const diagonal_matrix1_desc desc{.value = layouts::different_elements<T>(1, 9)[0],
                                             .diagonal_fill_begin = range.first,
                                             .diagonal_fill_end = range.second};
            goldml_test::guarded<T> elements(sizes, at_end, layouts::different_elements<T>(count, 1));
            const tensor_view<T> input{elements.view().data(), sizes, strides_of(of_input, sizes)};
            tensor<T> wanted(sizes);
            diagonal_matrix1(reference, input, wanted, desc);
            for (const auto& [name, backend] : variants().list()) {
              goldml_test::guarded<T> output(sizes, at_end, std::vector<T>(count));
              diagonal_matrix1(backend, input, output.view(), desc);
              INFO(name << ", a range from " << range.first << " to " << range.second);
              REQUIRE((layouts::bits(output.elements()) == layouts::bits(wanted.elements())));
            }
          }
    }
  });
}

TEST_CASE("cpu DIAGONAL_MATRIX1: what is copied after a long fill") {
  constexpr std::uint32_t rows = 64, columns = 1000;
  tensor<float> x({rows, columns}), y({rows, columns}), wanted({rows, columns});
  for (std::uint32_t r = 0; r < rows; ++r)
    for (std::uint32_t c = 0; c < columns; ++c) {
      x[{r, c}] = static_cast<float>(r * columns + c);
      wanted[{r, c}] = c < r + 100 ? -1 : x[{r, c}];
    }
  const diagonal_matrix1_desc desc{
      .value = -1.0F, .diagonal_fill_begin = std::numeric_limits<std::int32_t>::min(), .diagonal_fill_end = 100};
  diagonal_matrix1(cpu.with(cpu_tuning{0, 0}), x, y, desc);
  CHECK(y == wanted);
}
