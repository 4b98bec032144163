// Results of DIAGONAL_MATRIX1: the worked examples and common settings, the page's formula for all small and
// extreme bounds, every data type, dimension counts, layouts, in place. Refusals: diagonal_matrix1_rules.cpp.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/operators/diagonal_matrix1.hpp>
#include <goldml/reference/diagonal_matrix1.hpp>

#include "../catch.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::from_bits;
using layouts::laid_out;
using layouts::layout;
using layouts::strides_of;
using floats = std::vector<float>;

constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();

// The input of the page's examples.
tensor<float> page_input() {
  return {{4, 5}, {4, 7, 3, 7, 9,  //
                   1, 2, 8, 6, 9,  //
                   9, 4, 1, 8, 7,  //
                   4, 3, 4, 2, 4}};
}

// Value 7 filled into a 4x5 matrix of zeros.
floats sevens(std::int32_t begin, std::int32_t end) {
  return diagonal_matrix1<float>(
             reference, {4, 5},
             diagonal_matrix1_desc{.value = 7.0f, .diagonal_fill_begin = begin, .diagonal_fill_end = end})
      .elements();
}

// Zero filled into `input`.
template <class T>
std::vector<T> cleared(const tensor<T>& input, std::int32_t begin, std::int32_t end) {
  return diagonal_matrix1(reference, input,
                          diagonal_matrix1_desc{.diagonal_fill_begin = begin, .diagonal_fill_end = end})
      .elements();
}

// The page's formula, on mathematical integers.
bool page_formula(std::int64_t t, std::int64_t begin, std::int64_t end) {
  return (end >= begin) != ((t >= begin) != (t < end));
}

}  // namespace

TEST_CASE("DIAGONAL_MATRIX1: the page's first example; Value 7 gives sevens", "[diagonal_matrix1]") {
  // The page prints ones; its formula gives the Value (ledger 7.10a).
  CHECK(sevens(0, 1) == floats{7, 0, 0, 0, 0,  //
                               0, 7, 0, 0, 0,  //
                               0, 0, 7, 0, 0,  //
                               0, 0, 0, 7, 0});
  CHECK(diagonal_matrix1<float>(reference, {4, 5},
                                diagonal_matrix1_desc{.value = 1.0f, .diagonal_fill_begin = 0, .diagonal_fill_end = 1})
            .elements() == floats{1, 0, 0, 0, 0,  //
                                  0, 1, 0, 0, 0,  //
                                  0, 0, 1, 0, 0,  //
                                  0, 0, 0, 1, 0});
}

TEST_CASE("DIAGONAL_MATRIX1: the page's other examples", "[diagonal_matrix1]") {
  CHECK(sevens(0, 3) == floats{7, 7, 7, 0, 0,  //
                               0, 7, 7, 7, 0,  //
                               0, 0, 7, 7, 7,  //
                               0, 0, 0, 7, 7});
  CHECK(cleared(page_input(), least, 1) == floats{0, 7, 3, 7, 9,  //
                                                  0, 0, 8, 6, 9,  //
                                                  0, 0, 0, 8, 7,  //
                                                  0, 0, 0, 0, 4});
  CHECK(cleared(page_input(), 1, 0) == floats{4, 0, 0, 0, 0,  //
                                              0, 2, 0, 0, 0,  //
                                              0, 0, 1, 0, 0,  //
                                              0, 0, 0, 2, 0});
}

TEST_CASE("DIAGONAL_MATRIX1: bounds left of the main diagonal, equal, and inverted", "[diagonal_matrix1]") {
  CHECK(sevens(-1, 2) == floats{7, 7, 0, 0, 0,  //
                                7, 7, 7, 0, 0,  //
                                0, 7, 7, 7, 0,  //
                                0, 0, 7, 7, 7});
  CHECK(sevens(-3, -2) == floats{0, 0, 0, 0, 0,  //
                                 0, 0, 0, 0, 0,  //
                                 0, 0, 0, 0, 0,  //
                                 7, 0, 0, 0, 0});
  // Inverted: all diagonals except [End, Begin) are filled. [2,-1) keeps -1, 0 and 1; [3,-2) keeps -2 to 2.
  CHECK(sevens(2, -1) == floats{0, 0, 7, 7, 7,  //
                                0, 0, 0, 7, 7,  //
                                7, 0, 0, 0, 7,  //
                                7, 7, 0, 0, 0});
  CHECK(sevens(3, -2) == floats{0, 0, 0, 7, 7,  //
                                0, 0, 0, 0, 7,  //
                                0, 0, 0, 0, 0,  //
                                7, 0, 0, 0, 0});
  // Equal bounds fill nothing; the limits of INT32 make a side unbounded.
  for (const std::int32_t both : {least, -3, -1, 0, 1, 4, most}) CHECK(sevens(both, both) == floats(20, 0));
  CHECK(sevens(least, most) == floats(20, 7));
  CHECK(sevens(most, least) == floats(20, 0));
  CHECK(sevens(4, most) == floats{0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(sevens(least, -2) == floats{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0});
  CHECK(sevens(most, 3) == floats{7, 7, 7, 0, 0,  // inverted: all but 3 and more
                                  7, 7, 7, 7, 0,  //
                                  7, 7, 7, 7, 7,  //
                                  7, 7, 7, 7, 7});
}

TEST_CASE("DIAGONAL_MATRIX1: triangles and bands", "[diagonal_matrix1]") {
  const tensor<std::int32_t> input({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  using ints = std::vector<std::int32_t>;
  // Upper from diagonal k: [INT32_MIN, k). Strictly upper is k = 1.
  CHECK(cleared(input, least, 0) == ints{1, 2, 3, 4, 0, 6, 7, 8, 0, 0, 11, 12});
  CHECK(cleared(input, least, 1) == ints{0, 2, 3, 4, 0, 0, 7, 8, 0, 0, 0, 12});
  CHECK(cleared(input, least, -1) == ints{1, 2, 3, 4, 5, 6, 7, 8, 0, 10, 11, 12});
  // Lower up to diagonal k: [k+1, INT32_MAX).
  CHECK(cleared(input, 1, most) == ints{1, 0, 0, 0, 5, 6, 0, 0, 9, 10, 11, 0});
  CHECK(cleared(input, 0, most) == ints{0, 0, 0, 0, 5, 0, 0, 0, 9, 10, 0, 0});
  CHECK(cleared(input, 3, most) == ints{1, 2, 3, 0, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(cleared(input, most, most) == input.elements());  // k = INT32_MAX, saturated
  // The band of l diagonals below the main one and u above: [u+1, -l), inverted.
  CHECK(cleared(input, 2, -1) == ints{1, 2, 0, 0, 5, 6, 7, 0, 0, 10, 11, 12});
  CHECK(cleared(input, 1, 0) == ints{1, 0, 0, 0, 0, 6, 0, 0, 0, 0, 11, 0});
  CHECK(cleared(input, 3, 0) == ints{1, 2, 3, 0, 0, 6, 7, 8, 0, 0, 11, 12});
}

TEST_CASE("DIAGONAL_MATRIX1: an omitted Value is zero, and so are elements that are not filled", "[diagonal_matrix1]") {
  const tensor<float> ones({2, 2}, {1, 1, 1, 1});
  CHECK(diagonal_matrix1(reference, ones, diagonal_matrix1_desc{.diagonal_fill_end = 1}).elements() ==
        floats{0, 1, 1, 0});
  CHECK(diagonal_matrix1(reference, ones, diagonal_matrix1_desc{}) == ones);  // [0,0)
  tensor<float> output({2, 2}, {9, 9, 9, 9});
  diagonal_matrix1(reference, output.view(), diagonal_matrix1_desc{.diagonal_fill_end = 1});
  CHECK(bits(output.elements()) == std::vector<std::uint64_t>{0, 0, 0, 0});  // positive zeros
}

TEST_CASE("DIAGONAL_MATRIX1: the page's formula for all small bounds and the ends of INT32", "[diagonal_matrix1]") {
  std::vector<std::int32_t> bounds{least, least + 1, most - 1, most};
  for (std::int32_t bound = -6; bound <= 6; ++bound) bounds.push_back(bound);

  for (const dimensions& sizes : {dimensions{1, 1}, dimensions{4, 5}, dimensions{5, 4}, dimensions{1, 6},
                                  dimensions{6, 1}, dimensions{2, 3, 4}, dimensions{2, 2, 3, 3}}) {
    const auto count = static_cast<std::size_t>(element_count(sizes));
    const std::size_t height = sizes[sizes.size() - 2];
    const std::size_t width = sizes[sizes.size() - 1];
    const tensor<std::uint8_t> input(sizes, different_elements<std::uint8_t>(count, 0));
    REQUIRE(!std::count(input.begin(), input.end(), std::uint8_t{200}));  // the Value differs from all elements
    std::size_t wrong = 0;
    for (const std::int32_t begin : bounds)
      for (const std::int32_t end : bounds) {
        const diagonal_matrix1_desc desc{
            .value = std::uint8_t{200}, .diagonal_fill_begin = begin, .diagonal_fill_end = end};
        std::vector<std::uint8_t> over_input = input.elements();
        std::vector<std::uint8_t> over_zeros(count, 0);
        for (std::size_t i = 0; i < count; ++i) {
          const auto x = static_cast<std::int64_t>(i % width);
          const auto y = static_cast<std::int64_t>(i / width % height);
          if (page_formula(x - y, begin, end)) over_input[i] = over_zeros[i] = 200;
        }
        wrong += diagonal_matrix1(reference, input, desc).elements() != over_input;
        wrong += diagonal_matrix1<std::uint8_t>(reference, sizes, desc).elements() != over_zeros;
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("DIAGONAL_MATRIX1: diagonals beyond INT32", "[diagonal_matrix1]") {
  // They exist with a width above 2^31. INT32_MAX as End is exclusive.
  constexpr std::int64_t int32_end = std::int64_t{1} << 31;
  CHECK(diagonal_is_filled(int32_end - 2, 0, most));
  CHECK_FALSE(diagonal_is_filled(int32_end - 1, 0, most));
  CHECK_FALSE(diagonal_is_filled(int32_end, 0, most));
  CHECK_FALSE(diagonal_is_filled(int32_end, least, most));
  CHECK_FALSE(diagonal_is_filled(-int32_end - 1, least, most));
  CHECK(diagonal_is_filled(-int32_end, least, most));
  CHECK(diagonal_is_filled(int32_end, most, least));  // inverted: all but INT32_MIN .. INT32_MAX-1
  CHECK(diagonal_is_filled(-int32_end - 1, 0, least));
  CHECK(diagonal_is_filled(2 * int32_end - 2, 5, 4));
}

TEMPLATE_LIST_TEST_CASE("DIAGONAL_MATRIX1: all data types", "[diagonal_matrix1]", a11_types) {
  const tensor<TestType> input({2, 3}, different_elements<TestType>(6, 0));
  const auto value = different_elements<TestType>(1, 3)[0];
  const diagonal_matrix1_desc desc{.value = value, .diagonal_fill_begin = 1, .diagonal_fill_end = 2};
  auto over_input = bits(input.elements());
  over_input[1] = over_input[5] = bits(value);
  std::vector<std::uint64_t> over_zeros(6, 0);
  over_zeros[1] = over_zeros[5] = bits(value);

  CHECK(bits(diagonal_matrix1(reference, input, desc).elements()) == over_input);
  CHECK(bits(diagonal_matrix1<TestType>(reference, {2, 3}, desc).elements()) == over_zeros);

  tensor<TestType> output({2, 3}, different_elements<TestType>(6, 5));
  const std::array<tensor_ref, 1> outputs{output.view()};
  const auto run_time = [&](const const_tensor_ref& given) {
    const std::array<const_tensor_ref, 1> inputs{given};
    evaluate(reference, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(outputs));
    return bits(output.elements());
  };
  CHECK(run_time(input.view()) == over_input);
  CHECK(run_time({}) == over_zeros);
  diagonal_matrix1(reference, const_tensor_ref(input.view()), outputs[0], desc);
  CHECK(bits(output.elements()) == over_input);
  diagonal_matrix1(reference, outputs[0], desc);
  CHECK(bits(output.elements()) == over_zeros);
}

TEST_CASE("DIAGONAL_MATRIX1: NaN payloads, -0.0 and subnormals are moved bit by bit", "[diagonal_matrix1]") {
  // Each pattern as an element that is kept, and as the Value that fills the main diagonal of {2,4}.
  const auto check = []<class T>(std::type_identity<T>, const std::vector<std::uint64_t>& patterns) {
    std::vector<T> special;
    for (const std::uint64_t pattern : patterns) special.push_back(from_bits<T>(pattern));
    const tensor<T> input({2, 4}, special);
    for (std::size_t i = 0; i < special.size(); ++i) {
      const diagonal_matrix1_desc desc{.value = special[i], .diagonal_fill_begin = 0, .diagonal_fill_end = 1};
      auto wanted = patterns;
      wanted[0] = wanted[5] = patterns[i];
      CHECK(bits(diagonal_matrix1(reference, input, desc).elements()) == wanted);
    }
  };
  check(std::type_identity<float>{},
        {0x7FC1'2345, 0x7F81'2345, 0xFFC0'0001, 0xFFBF'FFFF, 0x8000'0000, 0x0000'0001, 0x807F'FFFF, 0xFF80'0000});
  check(std::type_identity<float16>{}, {0x7E12, 0x7C12, 0xFE01, 0xFDFF, 0x8000, 0x0001, 0x83FF, 0xFC00});
  check(std::type_identity<double>{},
        {0x7FF8'1234'5678'9ABC, 0x7FF0'1234'5678'9ABC, 0xFFF8'0000'0000'0001, 0xFFF7'FFFF'FFFF'FFFF,
         0x8000'0000'0000'0000, 0x0000'0000'0000'0001, 0x800F'FFFF'FFFF'FFFF, 0xFFF0'0000'0000'0000});
}

TEST_CASE("DIAGONAL_MATRIX1: every matrix of a batch, in all layouts", "[diagonal_matrix1]") {
  for (const dimensions& sizes : {dimensions{3, 4}, dimensions{2, 3, 4}, dimensions{3, 2, 3, 4}}) {
    const auto count = static_cast<std::size_t>(element_count(sizes));
    const auto data = different_elements<float16>(count, 0);
    const auto value = from_bits<float16>(0x1234);
    std::vector<std::uint64_t> wanted = bits(data);
    // Below the main diagonal by one, and on it: (0,0) (1,0) (1,1) (2,1) (2,2) of 3x4.
    for (std::size_t matrix = 0; matrix < count; matrix += 12)
      for (const std::size_t i : {0u, 4u, 5u, 9u, 10u}) wanted[matrix + i] = 0x1234;
    for (const layout of_input : all_layouts)
      for (const layout of_output : all_layouts) {
        laid_out<float16> x(sizes, strides_of(of_input, sizes), data);
        laid_out<float16> y(sizes, strides_of(of_output, sizes), std::vector<float16>(count));
        diagonal_matrix1(reference, x.view(), y.view(),
                         diagonal_matrix1_desc{.value = value, .diagonal_fill_begin = -1, .diagonal_fill_end = 1});
        CHECK(bits(y.elements()) == wanted);
        CHECK(bits(x.elements()) == bits(data));
        CHECK((x.gaps_untouched() && y.gaps_untouched()));
      }
  }
}

TEST_CASE("DIAGONAL_MATRIX1: an input broadcast by strides of 0", "[diagonal_matrix1]") {
  const floats row{1, 2, 3};
  tensor<float> output({2, 2, 3});
  diagonal_matrix1(reference, tensor_view{row, {2, 2, 3}, {0, 0, 1}}, output,
                   diagonal_matrix1_desc{.value = 7.0f, .diagonal_fill_begin = 0, .diagonal_fill_end = 1});
  CHECK(output.elements() == floats{7, 2, 3, 1, 7, 3, 7, 2, 3, 1, 7, 3});
  const floats five{5};
  diagonal_matrix1(reference, tensor_view{five, {2, 2, 3}, {0, 0, 0}}, output,
                   diagonal_matrix1_desc{.diagonal_fill_begin = least, .diagonal_fill_end = 0});
  CHECK(output.elements() == floats{5, 5, 5, 0, 5, 5, 5, 5, 5, 0, 5, 5});
}

TEST_CASE("DIAGONAL_MATRIX1: in_place fills the input itself", "[diagonal_matrix1]") {
  const diagonal_matrix1_desc desc{.value = 7.0f, .diagonal_fill_begin = 1, .diagonal_fill_end = 2, .in_place = true};
  for (const layout each : all_layouts) {
    laid_out<float> both({2, 3}, strides_of(each, {2, 3}), {1, 2, 3, 4, 5, 6});
    diagonal_matrix1(reference, both.view(), both.view(), desc);
    CHECK(both.elements() == floats{1, 7, 3, 4, 5, 7});
    CHECK(both.gaps_untouched());
  }
  // The policy allows it but does not require it.
  CHECK(diagonal_matrix1(reference, tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}), desc).elements() ==
        floats{1, 7, 3, 4, 5, 7});
}
