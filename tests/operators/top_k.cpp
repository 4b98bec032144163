// TOP_K and TOP_K1: results, allowed results of a device, and violations.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <goldml/operators/top_k.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdict.hpp>
#include <goldml/reference/top_k.hpp>

#include "../core/flush_subnormals.hpp"
#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::bits;
using layouts::from_bits;
using layouts::laid_out;
using layouts::strides_of;
using indices = std::vector<std::uint32_t>;
using floats = std::vector<float>;

constexpr auto least = axis_direction::increasing;
constexpr auto greatest = axis_direction::decreasing;
constexpr auto propagate = nan_policy::propagate;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// The positions of all elements of a list, in the order of the operator.
template <class T>
indices order_of(const std::vector<T>& list, axis_direction direction, nan_policy policy = nan_policy::skip) {
  const tensor<T> x({static_cast<std::uint32_t>(list.size())}, list);
  const top_k1_desc desc{
      .k = static_cast<std::uint32_t>(list.size()), .axis_direction = direction, .nan_policy = policy};
  const auto result = top_k1(reference, x, desc);
  for (std::size_t i = 0; i < list.size(); ++i)
    CHECK(bits(result.values.elements()[i]) == bits(list[result.indices.elements()[i]]));
  return result.indices.elements();
}

// The same numbers in FLOAT32 and FLOAT16.
void check_order(const floats& list, axis_direction direction, const indices& wanted,
                 nan_policy policy = nan_policy::skip) {
  CHECK(order_of(list, direction, policy) == wanted);
  std::vector<float16> half;
  for (const float x : list) half.push_back(static_cast<float16>(x));
  CHECK(order_of(half, direction, policy) == wanted);
}

void check_subnormals() {
  const floats list{0, from_bits<float>(2), from_bits<float>(0x8000'0001), from_bits<float>(1), -0.0f};
  CHECK(order_of(list, greatest) == indices{1, 3, 0, 4, 2});
  CHECK(order_of(list, least) == indices{2, 0, 4, 3, 1});
}

// FLOAT32 {2,3,4} with K 2 on axis 1. Valid; each test changes it.
template <class Desc>
struct selection {
  Desc desc{.axis = 1, .k = 2};
  tensor_desc input{.data_type = data_type::float32, .sizes = {2, 3, 4}};
  tensor_desc values{.data_type = data_type::float32, .sizes = {2, 2, 4}};
  tensor_desc positions{.data_type = data_type::uint32, .sizes = {2, 2, 4}};

  std::string refused() const {
    return goldml_test::refused(
        512, desc, [&](const auto&... t) { top_k_function<Desc>{}(reference, t..., desc); }, input, values, positions);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, input, values, positions)); }
};

template <class Desc>
std::string refused_at(feature_level level, data_type type, data_type index_type, std::size_t rank) {
  selection<Desc> s;
  s.desc = {.axis = 0, .k = 1, .feature_level = level};
  s.input = s.values = {.data_type = type, .sizes = dimensions::filled(rank, 1)};
  s.positions = {.data_type = index_type, .sizes = dimensions::filled(rank, 1)};
  return s.refused();
}

}  // namespace

TEST_CASE("TOP_K, TOP_K1: the pages' examples", "[top_k]") {
  const tensor<float> x({1, 1, 3, 4}, {0, 1, 10, 11, 3, 2, 9, 8, 4, 5, 6, 7});
  const auto rows = top_k(reference, x, {.axis = 3, .k = 2});
  CHECK(rows.values == tensor<float>({1, 1, 3, 2}, {11, 10, 9, 8, 7, 6}));
  CHECK(rows.indices == tensor<std::uint32_t>({1, 1, 3, 2}, {3, 2, 2, 3, 3, 2}));
  const auto columns = top_k(reference, x, {.axis = 2, .k = 2});
  CHECK(columns.values == tensor<float>({1, 1, 2, 4}, {4, 5, 10, 11, 3, 2, 9, 8}));
  CHECK(columns.indices == tensor<std::uint32_t>({1, 1, 2, 4}, {2, 2, 0, 0, 1, 1, 1, 1}));

  const tensor<float> ties({1, 1, 3, 4}, {1, 2, 2, 3, 3, 4, 5, 5, 6, 6, 6, 6});
  const auto down = top_k1(reference, ties, {.axis = 3, .k = 3, .axis_direction = greatest});
  CHECK(down.values == tensor<float>({1, 1, 3, 3}, {3, 2, 2, 5, 5, 4, 6, 6, 6}));
  CHECK(down.indices == tensor<std::uint32_t>({1, 1, 3, 3}, {3, 1, 2, 2, 3, 1, 0, 1, 2}));
  const auto same = top_k(reference, ties, {.axis = 3, .k = 3});
  CHECK((same.values == down.values && same.indices == down.indices));
  const auto up = top_k1(reference, ties, {.axis = 3, .k = 3});
  CHECK(up.values == tensor<float>({1, 1, 3, 3}, {1, 2, 2, 3, 4, 5, 6, 6, 6}));
  CHECK(up.indices == tensor<std::uint32_t>({1, 1, 3, 3}, {0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST_CASE("TOP_K1: equal elements are in the order of their positions, in both directions", "[top_k]") {
  CHECK(order_of<int>({2, 1, 2, 1, 2}, greatest) == indices{0, 2, 4, 1, 3});
  CHECK(order_of<int>({2, 1, 2, 1, 2}, least) == indices{1, 3, 0, 2, 4});
  check_order({-0.0f, 0.0f, 1, 0.0f, -0.0f}, greatest, {2, 0, 1, 3, 4});
  check_order({-0.0f, 0.0f, 1, 0.0f, -0.0f}, least, {0, 1, 3, 4, 2});
  for (const auto direction : {least, greatest}) {  // the zero that comes first, with its sign
    const auto zero = top_k1(reference, tensor<float>({2}, {-0.0f, 0.0f}), {.k = 1, .axis_direction = direction});
    CHECK(zero.indices[{0}] == 0);
    CHECK(bits(zero.values[{0}]) == 0x8000'0000);
  }
}

TEST_CASE("TOP_K1 L47: NaN comes last in both directions, or with propagate it is greatest", "[top_k]") {
  const floats list{not_a_number, 1, 3, not_a_number, 2};
  check_order(list, greatest, {2, 4, 1, 0, 3});
  check_order(list, least, {1, 4, 2, 0, 3});
  check_order(list, greatest, {0, 3, 2, 4, 1}, propagate);
  check_order(list, least, {1, 4, 2, 0, 3}, propagate);
  check_order({not_a_number, infinity, -infinity}, greatest, {1, 2, 0});
  check_order({not_a_number, infinity, -infinity}, greatest, {0, 1, 2}, propagate);
  check_order({not_a_number, infinity, -infinity}, least, {2, 1, 0});
  check_order({-not_a_number, not_a_number, 1}, greatest, {0, 1, 2}, propagate);  // the sign of a NaN has no meaning
  check_order({-not_a_number, not_a_number, 1}, least, {2, 0, 1});
  const auto first = top_k(reference, tensor<float>({5}, list), {.k = 3, .nan_policy = propagate});
  CHECK(first.indices.elements() == indices{0, 3, 2});
  const auto payload = from_bits<float>(0xFFA1'2345);
  CHECK(bits(top_k(reference, tensor<float>({1}, {payload}), {.k = 1}).values[{0}]) == 0xFFA1'2345);
}

TEST_CASE("TOP_K1: infinities, and subnormals also when the processor flushes them", "[top_k]") {
  check_order({1, -infinity, infinity, -65504, 65504}, greatest, {2, 4, 0, 3, 1});
  check_order({1, -infinity, infinity, -65504, 65504}, least, {1, 3, 0, 4, 2});
  check_subnormals();
  const flush_subnormals flushing;
  check_subnormals();
}

TEMPLATE_TEST_CASE("TOP_K1: the least and greatest numbers of every data type", "[top_k]", float, std::uint32_t,
                   std::uint16_t, std::uint8_t, std::int32_t, std::int16_t, std::int8_t, std::uint64_t, std::int64_t) {
  using limits = std::numeric_limits<TestType>;
  const std::vector<TestType> list{1, limits::lowest(), limits::max(), limits::lowest(), 2, limits::max()};
  CHECK(order_of(list, greatest) == indices{2, 5, 4, 0, 1, 3});
  CHECK(order_of(list, least) == indices{1, 3, 0, 4, 2, 5});
}

TEST_CASE("TOP_K1: 64-bit numbers are compared in full, and UINT64 indices are written in full", "[top_k]") {
  CHECK(order_of<std::int64_t>({4611686018427387905, 4611686018427387906, 4611686018427387904}, greatest) ==
        indices{1, 0, 2});
  CHECK(order_of<std::uint64_t>({9223372036854775808u, 1, 9223372036854775809u}, least) == indices{1, 0, 2});
  const std::vector<std::int8_t> x{5, 3, 9};
  std::vector<std::int8_t> values(2);
  std::vector<std::uint64_t> positions(2, ~std::uint64_t{0});
  top_k(reference, tensor_view{x, {3}}, tensor_view{values, {2}}, tensor_view{positions, {2}}, top_k_desc{.k = 2});
  CHECK(positions == std::vector<std::uint64_t>{2, 0});
  top_k1(reference, const_tensor_ref(tensor_view{x, {3}}), tensor_ref(tensor_view{values, {2}}),
         tensor_ref(tensor_view{positions, {2}}), top_k1_desc{.k = 2});
  CHECK(positions == std::vector<std::uint64_t>{1, 0});
  CHECK(values == std::vector<std::int8_t>{3, 5});
}

TEST_CASE("TOP_K1: one to eight dimensions, along each axis, in all layouts; gaps are unchanged", "[top_k]") {
  for (std::uint32_t rank = 1; rank <= 8; ++rank)
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      dimensions sizes = dimensions::filled(rank, 2);
      sizes[axis] = 4;
      dimensions output_sizes = sizes;
      output_sizes[axis] = 3;
      tensor<float> x(sizes);
      tensor<float> wanted(output_sizes);
      tensor<std::uint32_t> positions(output_sizes);
      dimensions sequences = sizes;
      sequences[axis] = 1;
      std::uint32_t number = 0;
      // The elements of a sequence are -i, rotated by its number.
      for (const coordinate_tuple& s : coordinates_of(sequences)) {
        for (std::uint32_t i = 0; i < 4; ++i) {
          coordinate_tuple c = s;
          c[axis] = (i + number) % 4;
          x[c] = -static_cast<float>(i);
          if (i == 3) continue;
          coordinate_tuple to = s;
          to[axis] = i;
          wanted[to] = -static_cast<float>(i);
          positions[to] = (i + number) % 4;
        }
        ++number;
      }
      INFO("rank " << rank << " axis " << axis);
      for (const auto each : all_layouts) {
        const dimensions strides = strides_of(each, output_sizes);
        laid_out<float> in(sizes, strides_of(each, sizes), x.elements());
        laid_out<float> values(output_sizes, strides, floats(wanted.size(), 77));
        laid_out<std::uint32_t> out(output_sizes, strides, indices(wanted.size(), 77));
        top_k(reference, in.view(), values.view(), out.view(), {.axis = axis, .k = 3});
        CHECK(values.elements() == wanted.elements());
        CHECK(out.elements() == positions.elements());
        CHECK((in.gaps_untouched() && values.gaps_untouched() && out.gaps_untouched()));
      }
    }
  const floats one{7};
  floats values(3);
  indices positions(3);
  top_k1(reference, tensor_view{one, {3}, {0}}, tensor_view{values, {3}}, tensor_view{positions, {3}},
         top_k1_desc{.k = 3, .axis_direction = greatest});
  CHECK(positions == indices{0, 1, 2});
}

TEST_CASE("TOP_K1: allowed results for a sequence with a NaN, and for flushed subnormals", "[top_k]") {
  const auto tiny = from_bits<float>(1);
  const tensor<float> x({3, 3}, {5, not_a_number, 7, 0, tiny, 0, 3, 1, 2});
  const std::vector<const_tensor_ref> inputs{x.view()};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {3, 2}},
                                         {.data_type = data_type::uint32, .sizes = {3, 2}}};
  const auto golden_of = [&](nan_policy policy) {
    const auto golden = oracle::expect(top_k1_desc{.axis = 1, .k = 2, .axis_direction = greatest, .nan_policy = policy},
                                       inputs, outputs);
    REQUIRE(golden.answers.size() == 1);
    return golden.answers[0];
  };
  const oracle::golden_outputs golden = golden_of(nan_policy::skip);
  REQUIRE(golden.size() == 2);
  for (const oracle::golden_output& output : golden)
    for (std::size_t i = 0; i < 6; ++i) CHECK(output.verdicts[i] == (i < 2 ? verdict::undefined : verdict::exact));
  CHECK(golden[1].values.ref().as<std::uint32_t>()[{1, 0}] == 1);
  REQUIRE(golden[1].flushed);
  CHECK(golden[1].flushed->ref().as<std::uint32_t>()[{1, 0}] == 0);  // the subnormal is a zero
  CHECK(bits(golden[0].flushed->ref().as<float>()[{1, 1}]) == 0);
  // The subnormal is moved to its place among zeros as it is.
  const auto may_be = [&](float first, float second, const oracle::compare_options& options = {}) {
    const tensor<float> values({3, 2}, {9, 9, first, second, 3, 2});
    const tensor<std::uint32_t> positions({3, 2}, {9, 9, 0, 1, 0, 2});
    const std::vector<const_tensor_ref> actual{values.view(), positions.view()};
    return oracle::compare({{golden}}, actual, options).tolerated();
  };
  CHECK(may_be(0, tiny));
  CHECK(may_be(0, 0));
  CHECK_FALSE(may_be(0, 2 * tiny));
  CHECK_FALSE(may_be(0, tiny, oracle::compare_options::strict()));
  for (const oracle::golden_output& output : golden_of(propagate))
    for (std::size_t i = 0; i < 6; ++i) CHECK(output.verdicts[i] == verdict::exact);
}

TEST_CASE("TOP_K, TOP_K1: a valid desc violates no rule; K may be the size of the axis", "[top_k]") {
  CHECK(selection<top_k_desc>{}.refused() == "");
  selection<top_k1_desc> all;
  all.desc.k = 3;
  all.values.sizes = all.positions.sizes = all.input.sizes;
  CHECK(all.refused() == "");
  all.desc.k_limit = k_limit::exclusive;
  CHECK(all.refused() == "TK4");
  CHECK(all.message() == "TOP_K1 TK4: K is 3, wanted 1 to 2 (InputTensor has size 3 on axis 1)");
  all.desc.k = 2;
  all.values.sizes = all.positions.sizes = {2, 2, 4};
  CHECK(all.refused() == "");
}

TEST_CASE("TOP_K, TOP_K1 TK1, TK2: ranks and data types", "[top_k]") {
  selection<top_k_desc> s;
  s.values.sizes = {2, 4};
  CHECK(s.refused() == "TK1");
  CHECK(s.message() == "TOP_K TK1: OutputValueTensor.DimensionCount is 2, wanted 3 (the input's)");
  s.positions.sizes = {1, 2, 2, 4};
  CHECK(s.refused() == "TK1 TK1");
  selection<top_k1_desc> other;
  other.values.data_type = data_type::float16;
  CHECK(other.refused() == "TK2");
  CHECK(other.message() == "TOP_K1 TK2: OutputValueTensor.DataType is FLOAT16, wanted FLOAT32 (the input's)");
  other.positions.sizes = {2, 2};
  CHECK(other.refused() == "TK1 TK2");
}

TEST_CASE("TOP_K, TOP_K1 TK3, TK4: Axis and K; sizes are not checked", "[top_k]") {
  selection<top_k1_desc> s;
  s.values.sizes = {9, 9, 9};
  for (const std::uint32_t axis : {3u, 0xFFFF'FFFFu}) {
    s.desc.axis = axis;
    CHECK(s.refused() == "TK3");
    CHECK(s.message() == "TOP_K1 TK3: Axis is " + std::to_string(axis) + ", wanted below DimensionCount 3");
  }
  s.desc.axis = 1;
  for (const std::uint32_t k : {0u, 4u, 0xFFFF'FFFFu}) {
    s.desc.k = k;
    CHECK(s.refused() == "TK4");
    CHECK(s.message() ==
          "TOP_K1 TK4: K is " + std::to_string(k) + ", wanted 1 to 3 (InputTensor has size 3 on axis 1)");
  }
}

TEST_CASE("TOP_K, TOP_K1 TK5, TK6: the sizes of the outputs", "[top_k]") {
  selection<top_k_desc> s;
  s.values.sizes = {2, 3, 4};
  CHECK(s.refused() == "TK5");
  CHECK(s.message() ==
        "TOP_K TK5: OutputValueTensor.Sizes is {2,3,4}, wanted {2,2,4} (InputTensor's with K 2 on axis 1)");
  s.positions.sizes = {2, 2, 5};
  CHECK(s.refused() == "TK5 TK6");
  s.values.sizes = {2, 2};
  CHECK(s.refused() == "TK1 TK6");
  s.values.sizes = {2, 2, 4};
  CHECK(s.refused() == "TK6");
  CHECK(s.message() ==
        "TOP_K TK6: OutputIndexTensor.Sizes is {2,2,5}, wanted {2,2,4} (InputTensor's with K 2 on axis 1)");
}

TEST_CASE("TOP_K1 TK7: AxisDirection, after the rules on sizes", "[top_k]") {
  for (const std::uint32_t direction : {2u, 0xFFFF'FFFFu}) {
    selection<top_k1_desc> s;
    s.desc.axis_direction = static_cast<axis_direction>(direction);
    CHECK(s.refused() == "TK7");
    CHECK(s.message() ==
          "TOP_K1 TK7: AxisDirection is " + std::to_string(direction) + ", wanted 0 (INCREASING) or 1 (DECREASING)");
    s.positions.sizes = {2, 2, 5};
    CHECK(s.refused() == "TK6 TK7");
    s.desc.axis = 3;
    CHECK(s.refused() == "TK3 TK7");
  }
}

TEST_CASE("TOP_K, TOP_K1: levels, data types and dimensions", "[top_k]") {
  using enum feature_level;
  using enum data_type;
  const auto old = [](feature_level level, data_type type, data_type index_type = uint32, std::size_t rank = 4) {
    return refused_at<top_k_desc>(level, type, index_type, rank);
  };
  const auto with_direction = [](feature_level level, data_type type, data_type index_type = uint32,
                                 std::size_t rank = 4) {
    return refused_at<top_k1_desc>(level, type, index_type, rank);
  };
  for (const data_type type : {float32, float16}) {
    CHECK(old(level_1_0, type) == "");
    CHECK(old(level_2_0, type) == "");
  }
  CHECK(with_direction(level_2_0, float32) == "T11");
  for (const data_type type : {int32, int16, int8, uint32, uint16, uint8}) {
    CHECK(old(level_2_0, type) == "T3 T3");
    CHECK(old(level_2_1, type) == "");
    CHECK(with_direction(level_2_1, type) == "");
  }
  for (const data_type type : {int64, uint64}) {
    CHECK(old(level_4_1, type) == "T3 T3");
    CHECK(with_direction(level_4_1, type) == "T3 T3");
    CHECK(old(level_5_0, type) == "");
    CHECK(with_direction(level_5_0, type) == "");
  }
  for (const data_type type : {float64, unknown}) CHECK(with_direction(level_6_4, type) == "T3 T3");
  CHECK(old(level_4_1, float32, uint64) == "T3");
  CHECK(with_direction(level_4_1, float32, uint64) == "T3");
  CHECK(old(level_5_0, float32, uint64) == "");
  CHECK(with_direction(level_5_0, float32, uint64) == "");
  for (const data_type type : {int64, int32, float32, uint16, unknown})
    CHECK(with_direction(level_6_4, float32, type) == "T3");
  for (const std::size_t rank : {1u, 3u, 5u, 8u}) {
    for (const feature_level level : {level_2_1, level_3_0}) {
      CHECK(old(level, float32, uint32, rank) == "T4 T4 T4");
      CHECK(with_direction(level, float32, uint32, rank) == "T4 T4 T4");
    }
    CHECK(old(level_3_1, float32, uint32, rank) == "");
    CHECK(with_direction(level_3_1, float32, uint32, rank) == "");
  }
}

TEST_CASE("TOP_K, TOP_K1: memory, T12; the call that returns its outputs refuses before it allocates", "[top_k]") {
  std::vector<std::uint32_t> memory(12, 1);
  std::vector<std::uint32_t> other(12, 1);
  const tensor_view x{memory, {4}};
  const top_k_desc desc{.k = 2};
  const auto rule = [&](const tensor_view<std::uint32_t>& values, const tensor_view<std::uint32_t>& positions) {
    return refusal_of([&] { top_k(reference, x, values, positions, desc); });
  };
  CHECK(rule(tensor_view{memory, {2}}, tensor_view{other, {2}}) == "T12");
  CHECK(rule(tensor_view{other, {2}}, tensor_view{memory, {2}}) == "T12");
  CHECK(rule(tensor_view{other, {2}}, tensor_view{other, {2}}) == "T12");
  CHECK(memory == std::vector<std::uint32_t>(12, 1));
  CHECK(other == std::vector<std::uint32_t>(12, 1));
  const auto returned = [](const top_k1_desc& wanted) {
    return refusal_of([&] { static_cast<void>(top_k1(reference, tensor<float>({2, 3}), wanted)); });
  };
  CHECK(returned({.axis = 1, .k = 3}) == "none");
  CHECK(returned({.axis = 2, .k = 1}) == "TK3");
  CHECK(returned({.axis = 1, .k = 0}) == "TK4");
  CHECK(returned({.axis = 1, .k = 4}) == "TK4");
}
