// REDUCE: results of ARGMIN and ARGMAX, violations, levels. The other functions' results: reduce_functions.cpp.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <goldml/operators/reduce.hpp>
#include <goldml/oracle/verdicts/reduce.hpp>
#include <goldml/reference/reduce.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using layouts::all_layouts;
using layouts::laid_out;
using layouts::strides_of;
using indices = std::vector<std::uint32_t>;
constexpr auto least = reduce_function::argmin;
constexpr auto greatest = reduce_function::argmax;

template <class T>
indices reduced(reduce_function function, const tensor<T>& input, const dimensions& axes,
                nan_policy policy = nan_policy::skip) {
  const reduce_desc desc{.function = function, .axes = axes, .nan_policy = policy};
  return reduce<std::uint32_t>(reference, input, desc).elements();
}

// FLOAT32 {2,3,4} to UINT32 {2,1,4}. Valid; each test changes it.
struct reduction {
  reduce_desc desc{.function = reduce_function::argmax, .axes = {1}};
  tensor_desc input{.data_type = data_type::float32, .sizes = {2, 3, 4}};
  tensor_desc output{.data_type = data_type::uint32, .sizes = {2, 1, 4}};

  std::string refused() const {
    return goldml_test::refused(
        512, desc, [&](const auto&... t) { reduce(reference, t..., desc); }, input, output);
  }
  std::string message() const { return to_string(goldml_test::only_violation(desc, input, output)); }
};

std::string refused_at(feature_level level, data_type type, data_type index_type = data_type::uint32,
                       std::size_t rank = 4) {
  reduction r;
  r.desc = {.function = least, .axes = {0}, .feature_level = level};
  r.input = {.data_type = type, .sizes = dimensions::filled(rank, 1)};
  r.output = {.data_type = index_type, .sizes = dimensions::filled(rank, 1)};
  return r.refused();
}

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("REDUCE: the data of the page's examples, with ARGMIN and ARGMAX", "[reduce]") {
  const tensor<float> x({3, 3}, {1, 2, 3, 3, 0, 4, 2, 4, 2});
  CHECK(reduced(greatest, x, {0}) == indices{1, 2, 1});
  CHECK(reduced(greatest, x, {1}) == indices{2, 2, 1});
  CHECK(reduced(greatest, x, {0, 1}) == indices{5});  // 4 ties at 5 and 7
  CHECK(reduced(least, x, {0}) == indices{0, 1, 2});
  CHECK(reduced(least, x, {1}) == indices{0, 1, 0});
  CHECK(reduced(least, x, {0, 1}) == indices{4});
  CHECK(reduced(greatest, x, {1, 0}) == indices{5});  // Axes is a set
}

TEST_CASE("REDUCE: the first of equals, NaN and zeros", "[reduce]") {
  const tensor<float> some_nan({4}, {not_a_number, 2, not_a_number, 2});
  for (const reduce_function function : {least, greatest}) {
    CHECK(reduced(function, some_nan, {0}) == indices{1});
    CHECK(reduced(function, some_nan, {0}, nan_policy::propagate) == indices{0});
    CHECK(reduced(function, tensor<float>({2}, {-0.0f, 0.0f}), {0}) == indices{0});
    CHECK(reduced(function, tensor<float>({3}, {not_a_number, not_a_number, not_a_number}), {0}) == indices{0});
  }
  CHECK(reduced(greatest, tensor<float>({2}, {not_a_number, -std::numeric_limits<float>::infinity()}), {0}) ==
        indices{1});
  CHECK(reduced(greatest, tensor<std::uint32_t>({2}, {0x8000'0000, 1}), {0}) == indices{0});
  CHECK(reduced(least, tensor<std::int32_t>({2}, {1, (std::numeric_limits<std::int32_t>::min)()}), {0}) == indices{1});
  CHECK(reduced(greatest, tensor<std::int64_t>({2}, {9007199254740992, 9007199254740993}), {0}) == indices{1});
}

TEST_CASE("REDUCE: without axes every index is 0", "[reduce]") {
  CHECK(reduced(greatest, tensor<float>({2, 2}, {4, 3, 2, 1}), {}) == indices(4, 0));
}

TEST_CASE("REDUCE: what ARGMIN and ARGMAX give with INCREASING, in all layouts, with every type of index", "[reduce]") {
  const dimensions sizes{3, 2, 4, 2};
  std::vector<std::int16_t> elements;
  for (int i = 0; i < 48; ++i) elements.push_back(static_cast<std::int16_t>(i * 37 % 11 - 5));
  const tensor<std::int16_t> packed(sizes, elements);
  for (const dimensions& axes :
       {dimensions{0}, dimensions{3}, dimensions{1, 2}, dimensions{3, 0}, dimensions{0, 1, 2, 3}})
    for (const auto each : all_layouts) {
      INFO(axes.size() << " axes, the first " << axes[0]);
      laid_out<std::int16_t> x(sizes, strides_of(each, sizes), elements);
      const dimensions reduced_sizes = sizes_after_reduction(sizes, axes);
      const auto check = [&]<class Index>(Index) {
        const std::vector<Index> none(static_cast<std::size_t>(element_count(reduced_sizes)), 77);
        laid_out<Index> y(reduced_sizes, strides_of(each, reduced_sizes), none);
        reduce(reference, x.view(), y.view(), {.function = least, .axes = axes});
        CHECK(y.elements() == goldml::argmin<Index>(reference, packed, {.axes = axes}).elements());
        reduce(reference, x.view(), y.view(), {.function = greatest, .axes = axes});
        CHECK(y.elements() == goldml::argmax<Index>(reference, packed, {.axes = axes}).elements());
        CHECK((x.gaps_untouched() && y.gaps_untouched()));
      };
      check(std::uint32_t{});
      check(std::int32_t{});
      check(std::uint64_t{});
      check(std::int64_t{});
    }
}

TEST_CASE("REDUCE: verdicts are those of ARGMIN and ARGMAX", "[reduce]") {
  const tensor<float> x({2, 2}, {not_a_number, not_a_number, 1, not_a_number});
  tensor<std::uint32_t> y({2, 1});
  const std::vector<const_tensor_ref> inputs{x.view()};
  const std::vector<tensor_ref> golden{y.view()};
  reduce_desc desc{.function = least, .axes = {1}};
  std::vector<output_verdicts> result{output_verdicts(2)};
  oracle::verdict_traits<reduce_desc>::verdicts(desc, inputs, golden, result);
  CHECK(result[0][0] == verdict::one_of);  // only NaN: any index
  CHECK(result[0].any_index_below(0) == 2);
  CHECK(result[0][1] == verdict::exact);
  desc.nan_policy = nan_policy::propagate;
  result[0] = output_verdicts(2);
  oracle::verdict_traits<reduce_desc>::verdicts(desc, inputs, golden, result);
  CHECK(result[0][0] == verdict::exact);
}

TEST_CASE("REDUCE: a valid desc violates no rule", "[reduce]") {
  CHECK(reduction{}.refused() == "");
  reduction r;
  r.desc = {.function = least, .axes = {2, 0, 1}};
  r.output = {.data_type = data_type::int64, .sizes = {1, 1, 1}};
  CHECK(r.refused() == "");
}

TEST_CASE("REDUCE RE1: Function is not a function; tensors are not checked", "[reduce]") {
  for (const std::uint32_t number : {12u, 0xFFFF'FFFFu}) {
    reduction r;
    r.desc.function = static_cast<reduce_function>(number);
    CHECK(r.refused() == "RE1");
    CHECK(r.message() == "REDUCE RE1: Function is " + std::to_string(number) + ", wanted 0 to 11");
    r.output.data_type = data_type::float32;
    r.desc.axes = {9};
    CHECK(r.refused() == "RE1");
  }
}

TEST_CASE("37.8: REDUCE without a function is refused", "[reduce]") {
  reduction r;
  r.desc = {.axes = {1}};
  CHECK(r.refused() == "RE1");
  CHECK(r.message() == "REDUCE RE1: Function is not given, wanted 0 to 11");
}

TEST_CASE("REDUCE RE2: the data types of functions that give no index", "[reduce]") {
  reduction r;
  r.desc.function = reduce_function::sum;
  r.output.data_type = data_type::float32;
  CHECK(r.refused() == "");
  r.output.data_type = data_type::int32;
  CHECK(r.refused() == "RE2");
  CHECK(r.message() == "REDUCE RE2: OutputTensor.DataType is INT32, wanted FLOAT32 (the input's)");
  r.output.sizes = {2, 4};
  CHECK(r.refused() == "RE2 RE3");
  r.desc.axes = {3};
  CHECK(r.refused() == "RE6 RE2 RE3");
  r.output.data_type = data_type::uint8;  // never legal for SUM
  CHECK(r.refused() == "T3 RE6");
}

TEST_CASE("REDUCE RE3: DimensionCount", "[reduce]") {
  reduction r;
  r.output.sizes = {2, 4};
  CHECK(r.refused() == "RE3");
  CHECK(r.message() == "REDUCE RE3: OutputTensor.DimensionCount is 2, wanted 3 (the input's)");
}

TEST_CASE("REDUCE RE4, RE5: the sizes of the output", "[reduce]") {
  reduction r;
  r.output.sizes = {2, 1, 5};
  CHECK(r.refused() == "RE4");
  r.output.sizes = {2, 3, 4};
  CHECK(r.refused() == "RE5");
  CHECK(r.message() ==
        "REDUCE RE5: OutputTensor.Sizes[1] is 3, wanted 1 (Sizes {2,3,4}, wanted {2,1,4}: 1 on a reduced axis)");
  r.output.sizes = {1, 2, 5};
  CHECK(r.refused() == "RE4 RE4 RE5");
}

TEST_CASE("REDUCE RE6, RE7: axes; sizes are not checked, and DimensionCount comes after", "[reduce]") {
  reduction r;
  r.output.sizes = {9, 9, 9};
  r.desc.axes = {3};
  CHECK(r.refused() == "RE6");
  CHECK(r.message() == "REDUCE RE6: Axes[0] is 3, wanted below DimensionCount 3 (Axes {3})");
  r.desc.axes = {1, 1};
  CHECK(r.refused() == "RE7");
  CHECK(r.message() == "REDUCE RE7: Axes[1] is 1 again, wanted each axis once (Axes {1,1})");
  r.desc.axes = {3, 3};
  r.output.sizes = {9};
  CHECK(r.refused() == "RE6 RE6 RE7 RE3");
}

TEST_CASE("REDUCE RE8: no axes", "[reduce]") {
  reduction r;
  r.desc.axes = {};
  r.output.sizes = {2, 3, 4};
  CHECK(r.refused() == "");
  r.desc.empty_axes = empty_axes::refuse;
  CHECK(r.refused() == "RE8");
  CHECK(r.message() == "REDUCE RE8: AxisCount is 0, wanted at least 1");
  r.desc.empty_axes = empty_axes::allow;
  r.desc.axes = dimensions::null();
  CHECK(r.refused() == "RE8");
}

TEST_CASE("REDUCE RE9: an index that does not fit INT32", "[reduce]") {
  reduction r;
  r.desc = {.function = reduce_function::argmax, .axes = {0, 1}};
  r.input = {.data_type = data_type::int8, .sizes = {2, 0x4000'0001}, .strides = {0, 0}};
  r.output = {.data_type = data_type::int32, .sizes = {1, 1}};
  CHECK(r.message() == "REDUCE RE9: OutputTensor.DataType is INT32, wanted a type that holds the index 2147483649");
  r.output.data_type = data_type::uint32;
  CHECK(violations(r.desc, r.input, r.output).empty());
  r.desc.function = reduce_function::max;  // gives no index
  r.input.data_type = r.output.data_type = data_type::int32;
  CHECK(violations(r.desc, r.input, r.output).empty());
}

TEST_CASE("REDUCE: levels, data types and dimensions", "[reduce]") {
  using enum feature_level;
  using enum data_type;
  for (const data_type type : {float32, float16}) CHECK(refused_at(level_1_0, type) == "");
  for (const data_type type : {int32, int16, int8, uint32, uint16, uint8}) {
    CHECK(refused_at(level_2_0, type) == "T3");
    CHECK(refused_at(level_2_1, type) == "");
  }
  for (const data_type type : {int64, uint64}) {
    CHECK(refused_at(level_4_0, type) == "T3");
    CHECK(refused_at(level_4_1, type) == "");
  }
  CHECK(refused_at(level_6_4, float64) == "T3");
  CHECK(refused_at(level_6_4, unknown) == "T3");
  for (const data_type type : {int32, int64, uint64}) {
    CHECK(refused_at(level_2_1, float32, type) == "T3");
    CHECK(refused_at(level_3_0, float32, type) == "");
  }
  for (const data_type type : {float32, float16, float64, int16, uint16, int8, uint8, unknown})
    CHECK(refused_at(level_6_4, float32, type) == "T3");
  for (const std::size_t rank : {1u, 3u, 5u, 8u}) {
    CHECK(refused_at(level_2_1, float32, uint32, rank) == "T4 T4");
    CHECK(refused_at(level_3_0, float32, uint32, rank) == "");
  }
}

TEST_CASE("REDUCE: levels, data types and dimensions of the functions that give no index", "[reduce]") {
  using enum feature_level;
  using enum data_type;
  using function = reduce_function;
  const auto refused = [](function f, feature_level level, data_type type, std::size_t rank = 4) {
    reduction r;
    r.desc = {.function = f, .axes = {0}, .feature_level = level};
    r.input = {.data_type = type, .sizes = dimensions::filled(rank, 1)};
    r.output = r.input;
    return r.refused();
  };
  // The first level of a type, in the order FLOAT16, INT32 and UINT32, (U)INT16 and (U)INT8, 64 bits.
  struct row {
    function f;
    feature_level of_32, of_small, of_64;
  };
  constexpr auto never = static_cast<feature_level>(0xFFFF);
  for (const row& each :
       {row{function::average, never, never, never}, row{function::l2, never, never, never},
        row{function::log_sum, never, never, never}, row{function::log_sum_exp, never, never, never},
        row{function::l1, level_5_0, never, level_5_0}, row{function::sum_square, level_5_0, never, level_5_0},
        row{function::min, level_2_1, level_3_0, level_5_0}, row{function::max, level_2_1, level_3_0, level_5_0},
        row{function::multiply, level_2_1, never, level_5_0}, row{function::sum, level_2_1, never, level_5_0}})
    for (const auto& level : feature_levels) {
      INFO(enumerator_name(each.f) << " at " << level.name);
      const auto check = [&](data_type type, feature_level from) {
        CHECK(refused(each.f, level.value, type) == (level.value >= from ? "" : "T3 T3"));
      };
      for (const data_type type : {float32, float16}) check(type, level_1_0);
      for (const data_type type : {int32, uint32}) check(type, each.of_32);
      for (const data_type type : {int16, uint16, int8, uint8}) check(type, each.of_small);
      for (const data_type type : {int64, uint64}) check(type, each.of_64);
      check(float64, never);
      for (const std::size_t rank : {1u, 3u, 5u, 8u})
        CHECK(refused(each.f, level.value, float32, rank) == (level.value >= level_3_0 ? "" : "T4 T4"));
    }
}

TEST_CASE("REDUCE: memory, T12, and the policy same_resource", "[reduce]") {
  std::vector<std::uint32_t> memory(12, 1);
  const auto rule = [&](std::uint32_t* output) {
    return refusal_of([&] {
      reduce(reference, tensor_view{memory.data(), {4}}, tensor_view{output, {1}},
             {.function = reduce_function::argmax, .axes = {0}});
    });
  };
  CHECK(rule(memory.data() + 3) == "T12");
  CHECK(memory == std::vector<std::uint32_t>(12, 1));
  CHECK(rule(memory.data() + 4) == "none");
}
