// ONE_HOT: results and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/operators/one_hot.hpp>
#include <goldml/reference/one_hot.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::different_elements;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;
using floats = std::vector<float>;

const tensor<float> zero_one({1, 1, 1, 2}, {0, 1});

// The row of one index, with off 0 and on 1.
template <class Index>
floats row_of(Index index, std::uint32_t depth = 4) {
  return one_hot(reference, tensor<Index>({1}, {index}), tensor<float>({2}, {0, 1}), depth, {}).elements();
}
const floats none(4, 0);

// FLOAT32 {2,3,4} from indices {2,1,4}. Valid; each test changes it.
struct hot {
  one_hot_desc desc{.axis = 1};
  tensor_desc indices{.data_type = data_type::uint32, .sizes = {2, 1, 4}};
  tensor_desc values{.data_type = data_type::float32, .sizes = {1, 1, 2}};
  tensor_desc output{.data_type = data_type::float32, .sizes = {2, 3, 4}};

  std::string refused() const {
    return goldml_test::refused(
        512, desc, [&](const auto&... t) { one_hot(reference, t..., desc); }, indices, values, output);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, indices, values, output)); }
};

}  // namespace

TEST_CASE("ONE_HOT: the page's examples", "[one_hot]") {
  const tensor<std::uint32_t> column({1, 1, 3, 1}, {0, 3, 2});
  CHECK(one_hot(reference, column, zero_one, 4, {.axis = 3}) ==
        tensor<float>({1, 1, 3, 4}, {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0}));
  CHECK(one_hot(reference, tensor<std::uint32_t>({1, 1, 1, 4}, {0, 2, 1, 0}), zero_one, 3, {.axis = 2}) ==
        tensor<float>({1, 1, 3, 4}, {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}));
  CHECK(one_hot(reference, column, tensor<float>({1, 1, 3, 1}, {4, 2, 9}), 4, {.axis = 3}) ==
        tensor<float>({1, 1, 3, 4}, {2, 4, 4, 4, 4, 4, 4, 2, 4, 4, 2, 4}));
  CHECK(one_hot(reference, tensor<std::int32_t>({1, 1, 3, 1}, {-3, 100, 3}), zero_one, 4, {.axis = 3}) ==
        tensor<float>({1, 1, 3, 4}, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST_CASE("ONE_HOT L49: indices at and beyond the ends; nothing is refused", "[one_hot]") {
  CHECK(row_of(std::uint32_t{3}) == floats{0, 0, 0, 1});
  CHECK(row_of(std::uint32_t{4}) == none);
  CHECK(row_of(0xFFFF'FFFF) == none);  // not -1
  CHECK(row_of(0xFFFF'FFFC) == none);  // not -4
  CHECK(row_of(std::int32_t{-1}) == floats{0, 0, 0, 1});
  CHECK(row_of(std::int32_t{-4}) == floats{1, 0, 0, 0});
  CHECK(row_of(std::int32_t{-5}) == none);
  CHECK(row_of(std::int32_t{4}) == none);
  CHECK(row_of((std::numeric_limits<std::int32_t>::min)()) == none);
  CHECK(row_of((std::numeric_limits<std::int32_t>::max)()) == none);
  CHECK(row_of(std::int64_t{-1}) == floats{0, 0, 0, 1});
  CHECK(row_of(std::int64_t{-4}) == floats{1, 0, 0, 0});
  CHECK(row_of(std::int64_t{-5}) == none);
  CHECK(row_of((std::numeric_limits<std::int64_t>::min)()) == none);
  CHECK(row_of(std::uint64_t{2}) == floats{0, 0, 1, 0});
  CHECK(row_of(~std::uint64_t{0}) == none);
  // Truncated to 32 bits, these would be 0.
  CHECK(row_of(std::uint64_t{1} << 32) == none);
  CHECK(row_of(std::int64_t{1} << 32) == none);
  CHECK(row_of(-(std::int64_t{1} << 32)) == none);
  CHECK(row_of(std::uint32_t{0}, 1) == floats{1});
  CHECK(row_of(std::uint32_t{1}, 1) == floats{0});
}

TEMPLATE_LIST_TEST_CASE("ONE_HOT: all data types; the first two values, moved bit by bit", "[one_hot]", a11_types) {
  const auto elements = different_elements<TestType>(6, 0);
  const tensor<TestType> values({2, 3}, elements);
  const tensor<std::uint32_t> indices({2, 1}, {1, 0});
  const auto y = one_hot(reference, indices, values, 2, {.axis = 1});
  const std::uint64_t off = bits(elements[0]);
  const std::uint64_t on = bits(elements[1]);
  CHECK(bits(y.elements()) == std::vector<std::uint64_t>{off, on, on, off});
  tensor<TestType> z({2, 2});
  one_hot(reference, const_tensor_ref(indices.view()), const_tensor_ref(values.view()), tensor_ref(z.view()),
          one_hot_desc{.axis = 1});
  CHECK(bits(z.elements()) == bits(y.elements()));
}

TEST_CASE("ONE_HOT: the values are the first in logical order, whatever the strides; NaN payloads and -0.0",
          "[one_hot]") {
  const floats stored{7, from_bits<float>(0x7FA1'2345), 8, 9, -0.0f, 6};  // {3,2} transposed: off 1, on 4
  const tensor<std::int32_t> indices({1, 1}, {0});
  floats y(2);
  one_hot(reference, indices, tensor_view{stored.data() + 1, {1, 2}, {1, 3}}, tensor_view{y, {1, 2}},
          one_hot_desc{.axis = 1});
  CHECK(bits(y) == std::vector<std::uint64_t>{0x8000'0000, 0x7FA1'2345});
  const floats one{5};
  one_hot(reference, indices, tensor_view{one, {1, 2}, {0, 0}}, tensor_view{y, {1, 2}}, one_hot_desc{.axis = 1});
  CHECK(y == floats{5, 5});
}

TEST_CASE("ONE_HOT: one to eight dimensions, along each axis, in all layouts; gaps are unchanged", "[one_hot]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank)
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      dimensions index_sizes = dimensions::filled(rank, 2);
      index_sizes[axis] = 1;
      dimensions sizes = index_sizes;
      sizes[axis] = 3;
      tensor<std::int64_t> indices(index_sizes);
      tensor<std::int16_t> wanted(sizes, std::vector<std::int16_t>(static_cast<std::size_t>(element_count(sizes)), -1));
      std::int64_t number = 0;
      for (const coordinate_tuple& c : coordinates_of(index_sizes)) {
        indices[c] = number % 5 - 1;  // -1 to 3: the last is out of range
        coordinate_tuple at = c;
        at[axis] = static_cast<std::uint32_t>((number % 5 + 2) % 3);
        if (number % 5 != 4) wanted[at] = 9;
        ++number;
      }
      INFO("rank " << rank << " axis " << axis);
      dimensions value_sizes = dimensions::filled(rank, 1);
      value_sizes[rank - 1] = 2;
      const tensor<std::int16_t> values(value_sizes, {-1, 9});
      for (const auto each : all_layouts) {
        laid_out<std::int64_t> in(index_sizes, strides_of(each, index_sizes), indices.elements());
        laid_out<std::int16_t> out(sizes, strides_of(each, sizes), std::vector<std::int16_t>(wanted.size(), 77));
        one_hot(reference, in.view(), values, out.view(), {.axis = axis});
        CHECK(out.elements() == wanted.elements());
        CHECK((in.gaps_untouched() && out.gaps_untouched()));
      }
    }
}

TEST_CASE("ONE_HOT: a valid desc violates no rule", "[one_hot]") {
  CHECK(hot{}.refused() == "");
  hot h;
  h.values.sizes = {5, 1, 1};
  CHECK(h.refused() == "");
  h.output.sizes[1] = 1;
  CHECK(h.refused() == "");
}

TEST_CASE("ONE_HOT: memory, T12; the call that returns its output refuses before it allocates", "[one_hot]") {
  std::vector<std::uint32_t> memory(12, 1);
  std::vector<std::uint32_t> other(12, 1);
  const auto rule = [](const auto& indices, const auto& values, const auto& output) {
    return refusal_of([&] { one_hot(reference, indices, values, output, one_hot_desc{.axis = 0}); });
  };
  CHECK(rule(tensor_view{memory, {1}}, tensor_view{other, {2}}, tensor_view{memory, {4}}) == "T12");
  CHECK(rule(tensor_view{memory, {1}}, tensor_view{other, {2}}, tensor_view{other, {4}}) == "T12");
  CHECK(memory == std::vector<std::uint32_t>(12, 1));
  CHECK(other == std::vector<std::uint32_t>(12, 1));
  const auto returned = [](std::uint32_t axis, std::uint32_t depth) {
    return refusal_of([&] {
      static_cast<void>(
          one_hot(reference, tensor<std::uint32_t>({2, 1}), tensor<float>({1, 2}), depth, {.axis = axis}));
    });
  };
  CHECK(returned(1, 3) == "none");
  CHECK(returned(0, 3) == "OH4");
  CHECK(returned(2, 3) == "OH3");
  CHECK(returned(1, 0) == "T5");
}
