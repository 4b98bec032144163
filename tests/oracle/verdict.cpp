// oracle/verdict.hpp: what each operator leaves open, by hand and over generated cases.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/goldml.hpp>

#include "../catch.hpp"
#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"
#include "allowed.hpp"

using namespace goldml;

namespace {

template <class Desc>
oracle::golden golden_of(const Desc& desc, const std::vector<const_tensor_ref>& inputs,
                         const std::vector<tensor_desc>& outputs) {
  return oracle::expect(desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_desc>(outputs));
}

// "10 11 12", "2 below 3": each value once, ascending.
std::string text_of(judged::element_rule rule) {
  if (!rule.defined) return "any";
  std::sort(rule.allowed.begin(), rule.allowed.end());
  rule.allowed.erase(std::unique(rule.allowed.begin(), rule.allowed.end()), rule.allowed.end());
  return fmt::format("{}", fmt::join(rule.allowed, " ")) +
         (rule.any_below > 0 ? fmt::format(" below {}", rule.any_below) : "");
}

// All values that an answer allows for each element, including the flushed values if `flush`.
std::vector<std::string> allowed(const oracle::golden& golden, std::size_t output = 0, bool flush = false) {
  std::vector<std::string> result;
  const oracle::golden_output& judged = golden.answers.front()[output];
  const judged::values expected = judged::values_of(judged.values.ref());
  const judged::values flushed = flush && judged.flushed ? judged::values_of(judged.flushed->ref()) : expected;
  for (std::size_t element = 0; element < expected.size(); ++element) {
    judged::element_rule rule{true, {expected[element], flushed[element]}};
    const auto add = [&](const output_verdicts& verdicts) {
      if (verdicts[element] == verdict::undefined) rule.defined = false;
      if (verdicts[element] == verdict::exact) return;
      const alternatives& others = verdicts.alternatives_of(element);
      rule.any_below = others.any_index_below;
      for (const scalar& other : others.values)
        rule.allowed.push_back(judged::bits_of_scalar(other, judged.values.desc().data_type));
    };
    // All numbers of an interval.
    const auto add_interval = [&](const output_verdicts& verdicts) {
      const data_type type = judged.values.desc().data_type;
      if (type == data_type::float64)
        if (const auto* only = verdicts.interval_of<double>(element); only != nullptr && only->low == only->high)
          judged::allow_between<double>(rule.allowed, judged::bits_of(only->low), judged::bits_of(only->high));
      const interval* const range = verdicts.interval_of(element);
      if (range == nullptr) return;
      visit_data_type(type_list<std::uint8_t, std::int8_t>{}, type, [&]<class T>(std::type_identity<T>) {
        for (float x = range->low; x <= range->high; ++x) rule.allowed.push_back(judged::bits_of(static_cast<T>(x)));
      });
      visit_data_type(type_list<float, float16>{}, type, [&]<class T>(std::type_identity<T>) {
        const auto at = [](float x) { return judged::bits_of(T(x)); };
        if (range->low <= range->high) judged::allow_between<T>(rule.allowed, at(range->low), at(range->high));
        // Judged strictly, nothing overflows on the way to a finite number.
        const bool overflows = !flush && std::isfinite(static_cast<float>(judged::value_of<T>(expected[element]))) &&
                               (range->also & interval_also::infinities) != 0;
        const auto add_if = [&](std::uint8_t flag, float x) {
          if ((range->also & flag) != 0 && !overflows) rule.allowed.push_back(at(x));
        };
        add_if(interval_also::positive_infinity, std::numeric_limits<float>::infinity());
        add_if(interval_also::negative_infinity, -std::numeric_limits<float>::infinity());
        add_if(interval_also::nan, std::numeric_limits<float>::quiet_NaN());
      });
    };
    add_interval(judged.verdicts);
    add(judged.verdicts);
    if (flush && judged.flushed_verdicts) add(*judged.flushed_verdicts);
    result.push_back(text_of(rule));
  }
  return result;
}

using texts = std::vector<std::string>;

const float not_a_number = std::numeric_limits<float>::quiet_NaN();
const float infinity = std::numeric_limits<float>::infinity();
const float least = std::numeric_limits<float>::denorm_min();

// Compares what an answer allows with the pages, judged strictly and by default. Returns whether some elements have
// values that are allowed by default only.
bool check_pages(const oracle::generated_case<any_desc>& c) {
  // The direction determines the golden index of a slice of NaN; any index is correct.
  const auto wanted = [&](const judged::output_rules& rules, std::size_t output) {
    const judged::values expected = judged::values_of(c.expected.answers[0][output].values.ref());
    texts result;
    for (judged::element_rule rule : rules) {
      if (rule.any_below > 0) rule.allowed = {expected[result.size()]};
      result.push_back(text_of(rule));
    }
    return result;
  };
  // DYNAMIC_QUANTIZE_LINEAR is judged by the scale that a device wrote; and the second rules of averages of quantised
  // windows do not know half precision.
  if (judged::is<dynamic_quantize_linear_desc>(c.text.desc)) return false;
  if (judged::is<quantized_linear_average_pooling_desc>(c.text.desc) &&
      c.line().find(" accumulation=half") != std::string::npos)
    return false;
  const judged::all_rules strictly = judged::rules_of_case(c);
  const judged::all_rules by_default = judged::right_answers(c, false).front();
  bool more = false;
  const auto has_range = [](const judged::element_rule& rule) { return rule.range.has_value(); };
  for (std::size_t i = 0; i < strictly.size(); ++i) {
    // Ranges of sums cannot be listed; fault injection tries their numbers.
    if (std::any_of(strictly[i].begin(), strictly[i].end(), has_range) ||
        std::any_of(by_default[i].begin(), by_default[i].end(), has_range))
      continue;
    const texts exact = wanted(strictly[i], i);
    const texts loose = wanted(by_default[i], i);
    more = more || loose != exact;
    CAPTURE(c.line(), i);
    if (allowed(c.expected, i) != exact) CHECK(allowed(c.expected, i) == exact);
    if (allowed(c.expected, i, true) != loose) CHECK(allowed(c.expected, i, true) == loose);
  }
  return more;
}

}  // namespace

TEST_CASE("verdicts: a list, initially exact", "[oracle]") {
  output_verdicts verdicts(4);
  CHECK(verdicts.size() == 4);
  CHECK(verdicts[3] == verdict::exact);
  verdicts.allow(1, scalar(7));
  verdicts.allow(1, scalar(8));
  CHECK(verdicts[1] == verdict::one_of);
  CHECK(verdicts.alternatives_of(1).values == std::vector<scalar>{7, 8});
  CHECK(verdicts.alternatives_of(1).any_index_below == 0);
  verdicts.allow_any_index_below(2, 5);
  CHECK(verdicts[2] == verdict::one_of);
  CHECK(verdicts.alternatives_of(2).any_index_below == 5);
  verdicts.make_undefined(0);
  verdicts.allow(0, scalar(1));
  verdicts.allow_any_index_below(0, 3);
  CHECK(verdicts[0] == verdict::undefined);
  CHECK(verdicts[3] == verdict::exact);
  verdicts.make_all_undefined();
  CHECK(verdicts[3] == verdict::undefined);
}

TEST_CASE("verdicts: alternatives are distinct, and can be read on demand", "[oracle]") {
  output_verdicts verdicts(3);
  for (const int value : {7, 8, 7, 7, 8}) verdicts.allow(0, scalar(value));
  CHECK(verdicts.alternatives_of(0).values == std::vector<scalar>{7, 8});

  int calls = 0;
  verdicts.read_alternatives_with([&calls](std::size_t element, const std::function<bool(const scalar&)>& f) {
    for (int i = 0; i < 100; ++i) {
      ++calls;
      if (f(scalar(static_cast<int>(element) * 10 + i % 4))) return;
    }
  });
  CHECK(verdicts[1] == verdict::exact);  // alternatives are not read until they are needed
  verdicts.allow_what_is_read(1);
  verdicts.allow_what_is_read(0);
  CHECK(verdicts[1] == verdict::one_of);
  CHECK(verdicts.alternatives_of(1).values == std::vector<scalar>{10, 11, 12, 13});
  CHECK(verdicts.alternatives_of(0).values == std::vector<scalar>{7, 8, 0, 1, 2, 3});
  CHECK(verdicts.alternatives_of(2).values.empty());
  calls = 0;
  CHECK(verdicts.any_alternative(1, [](const scalar& value) { return value == scalar(11); }));
  CHECK(calls == 2);  // the search ends at the first match
  CHECK_FALSE(verdicts.any_alternative(1, [](const scalar& value) { return value == scalar(14); }));
  CHECK(calls == 102);
  CHECK(verdicts.any_alternative(0, [](const scalar& value) { return value == scalar(8); }));
  CHECK(calls == 102);  // it was among the values, so nothing is read
  verdicts.make_undefined(1);
  verdicts.allow_what_is_read(1);
  CHECK(verdicts[1] == verdict::undefined);
  CHECK_FALSE(verdicts.any_alternative(1, [](const scalar&) { return true; }));
}

TEST_CASE("verdicts: the bound of the allowed indices is the same for a whole output", "[oracle]") {
  output_verdicts verdicts(3);
  verdicts.allow_any_index_below(0, 5);
  verdicts.allow_any_index_below(2, 5);
  CHECK(verdicts.any_index_below(0) == 5);
  CHECK(verdicts.any_index_below(1) == 0);
  CHECK(verdicts.any_index_below(2) == 5);
  CHECK_THROWS_AS(verdicts.allow_any_index_below(1, 4), std::invalid_argument);
  CHECK(verdicts[1] == verdict::exact);
}

TEST_CASE("verdicts: a golden answer can outlive the inputs of the call", "[oracle]") {
  const auto make = [] {
    const std::vector<std::int32_t> x{1, 2, 3};
    const std::vector<std::int32_t> at{1, 1, 1};
    const std::vector<std::int32_t> updates{10, 20, 30};
    const std::vector<const_tensor_ref> inputs{tensor_view(x, {1, 3}), tensor_view(at, {3, 1}),
                                               tensor_view(updates, {1, 3})};
    const std::vector<tensor_desc> outputs{{.data_type = data_type::int32, .sizes = {1, 3}}};
    return golden_of(scatter_nd_desc{.input_dimension_count = 1, .indices_dimension_count = 2}, inputs, outputs);
  };
  const oracle::golden first = make();
  const oracle::golden copy = first;
  CHECK(allowed(copy) == texts{"1", "10 20 30", "3"});
  const oracle::golden flushed = [] {
    const std::vector<float> subnormals{0, -least};
    return golden_of(argmin_desc{.axes = {0}}, {tensor_view(subnormals, {2})},
                     {{.data_type = data_type::uint32, .sizes = {1}}});
  }();
  CHECK(allowed(flushed) == texts{"1"});
  CHECK(allowed(flushed, 0, true) == texts{"0 1"});
}

TEST_CASE("verdicts: the memory of a golden answer, computed by hand", "[oracle]") {
  const auto memory = []<class Desc>(const Desc& desc, const std::vector<tensor_desc>& tensors) {
    operands_of<Desc> operands;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (!tensors[i].sizes.empty()) operands[i].desc = tensors[i];
    return oracle::memory_of_expect(desc, operands);
  };
  const tensor_desc input{.data_type = data_type::float32, .sizes = {3, 4}};  // 48 bytes
  const tensor_desc index{.data_type = data_type::uint32, .sizes = {3, 1}};   // 12 bytes, 3 verdicts
  const tensor_desc halves{.data_type = data_type::float16, .sizes = {3, 4}};
  const tensor_desc one{.data_type = data_type::uint32, .sizes = {1, 1}};
  CHECK(memory(argmin_desc{.axes = {1}}, {halves, index}) == 15);
  CHECK(memory(argmin_desc{.axes = {1}}, {input, index}) == 48 + 2 * 15);  // a flushed input and its answer
  CHECK(memory(argmin_desc{.axes = {0, 1}}, {halves, one}) == 5);
  CHECK(memory(argmin_desc{.axes = {1, 0}}, {halves, one}) == 2 * 5);  // two answers, one for each order
  CHECK(memory(argmin_desc{.axes = {1, 0}}, {input, one}) == 48 + 2 * 2 * 5);
  CHECK(memory(diagonal_matrix1_desc{}, {input, input}) == 60);  // it copies bits: nothing is flushed
  const tensor_desc tuples{.data_type = data_type::int64, .sizes = {5, 1}};
  const tensor_desc updates{.data_type = data_type::float32, .sizes = {5, 4}, .strides = {0, 1}};  // 16 bytes
  scatter_nd_desc scatter{.input_dimension_count = 2, .indices_dimension_count = 2};
  // In addition to the answer: updates, five tuples and three places and two in 4 bytes each, 8 bytes with a bit per
  // place.
  CHECK(memory(scatter, {input, tuples, updates, input}) == 60 + 16 + (5 + 3 + 2) * 4 + 8);
  scatter.duplicates = duplicates::last_wins;
  CHECK(memory(scatter, {input, tuples, updates, input}) == 60);
  // Verdicts in a byte per element; operands that are flushed only where they are compared.
  CHECK(memory(element_wise_ceil_desc{}, {halves, halves}) == 24 + 12 + 12);
  CHECK(memory(element_wise_min_desc{}, {halves, halves, halves}) == 24 + 12 + 12);
  CHECK(memory(element_wise_min_desc{}, {input, input, input}) == 2 * 48 + 2 * (48 + 12 + 12 * 5));
  // Intervals with ScaleBias, also where subnormals are flushed, and for rounded attributes.
  static_assert(sizeof(interval) == 20 && sizeof(basic_interval<double>) == 40);
  element_wise_identity_desc scaled{.scale_bias = scale_bias{0.5F, 1}};
  CHECK(memory(element_wise_identity_desc{}, {input, input}) == 48 + 12);
  CHECK(memory(scaled, {input, input}) == 2 * (48 + 12 + 12 * 22));
  CHECK(memory(scaled, {halves, halves}) == 2 * (24 + 12 + 12 * 22));
  scaled.scale_bias->scale = 0.1F;
  CHECK(memory(scaled, {halves, halves}) == 4 * (24 + 12 + 12 * 22));
  // Both roundings, and zeros.
  const tensor_desc doubles{.data_type = data_type::float64, .sizes = {3, 4}};
  CHECK(memory(cast_desc{}, {doubles, halves}) == 24 + 12 + 12 * 2);
  CHECK(memory(cast_desc{}, {doubles, input}) == 48 + 12 + 12 * (4 + 4 + 1));
  // The positions of a sequence, and the values in another order.
  const tensor_desc best{.data_type = data_type::float32, .sizes = {3, 2}};
  const tensor_desc places{.data_type = data_type::uint32, .sizes = {3, 2}};
  CHECK(memory(top_k_desc{.axis = 1, .k = 2}, {input, best, places}) == 48 + 2 * (2 * (24 + 6) + 24) + 4 * 8);
  const tensor_desc best_halves{.data_type = data_type::float16, .sizes = {3, 2}};
  CHECK(memory(top_k_desc{.axis = 1, .k = 2}, {halves, best_halves, places}) == 12 + 6 + 24 + 6 + 4 * 8);
  // As SCATTER_ND.
  const tensor_desc rows{.data_type = data_type::int64, .sizes = {2, 4}};
  const tensor_desc eight{.data_type = data_type::float32, .sizes = {2, 4}};
  scatter_elements_desc elements{};
  CHECK(memory(elements, {input, rows, eight, input}) == 60 + 32 + (8 + 12 + 2) * 4 + 12 / 8 + 8);
  elements.duplicates = duplicates::last_wins;
  CHECK(memory(elements, {input, rows, eight, input}) == 60);
}

TEST_CASE("verdicts: the memory of intervals, computed by hand", "[oracle]") {
  const auto memory = []<class Desc>(const Desc& desc, const std::vector<tensor_desc>& tensors) {
    operands_of<Desc> operands;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (!tensors[i].sizes.empty()) operands[i].desc = tensors[i];
    return oracle::memory_of_expect(desc, operands);
  };
  const tensor_desc floats{.data_type = data_type::float32, .sizes = {3, 4}};
  const tensor_desc halves{.data_type = data_type::float16, .sizes = {3, 4}};
  const tensor_desc doubles{.data_type = data_type::float64, .sizes = {3, 4}};
  const tensor_desc integers{.data_type = data_type::int32, .sizes = {3, 4}};
  // Each element, its verdict, and a byte and an interval of 20 bytes; all again where subnormals are flushed.
  constexpr std::uint64_t of_floats = 48 + 12 + 12 * 21, of_halves = 24 + 12 + 12 * 21;
  // Of activations also what more intervals may have.
  CHECK(memory(activation_relu_desc{}, {floats, floats}) == 2 * (of_floats + 12 * more_interval_memory));
  CHECK(memory(activation_relu_desc{}, {halves, halves}) == 2 * (of_halves + 12 * more_interval_memory));
  CHECK(memory(element_wise_add_desc{}, {halves, halves, halves}) == 2 * of_halves);
  CHECK(memory(element_wise_identity_desc{.scale_bias = scale_bias{0.5F, 1}}, {doubles, doubles}) ==
        2 * (96 + 12 + 12 * (2 + 40)));
  CHECK(memory(fill_value_sequence_desc{}, {floats}) == 2 * of_floats);
  CHECK(memory(fill_value_sequence_desc{}, {halves}) == 2 * of_halves);
  CHECK(memory(fill_value_sequence_desc{}, {integers}) == 2 * (48 + 12 + 12));
  // The first three elements of each line may have other values where subnormals are flushed.
  CHECK(memory(cumulative_summation_desc{.axis = 1}, {floats, floats}) == 2 * (of_floats + 9 * 192));
  CHECK(memory(cumulative_summation_desc{.axis = 1}, {halves, halves}) == 2 * of_halves);
  CHECK(memory(cumulative_summation_desc{.axis = 1}, {integers, integers}) == 2 * (48 + 12));
  // A slice as doubles, in verdicts and in `reference`; and what the interval narrowed by an option may have.
  CHECK(memory(activation_softmax_desc{}, {floats, floats}) ==
        2 * (of_floats + 12 * more_interval_memory + 4 * 8) + 4 * 8);
  CHECK(memory(activation_softmax1_desc{.axes = {0}}, {halves, halves}) ==
        2 * (of_halves + 12 * more_interval_memory + 3 * 8) + 3 * 8);
  // A slice as it is and as doubles, in verdicts and in `reference`; the values of an extreme and a copy of the input;
  // the input of a device that flushes.
  const tensor_desc column{.data_type = data_type::float32, .sizes = {3, 1}};
  reduce_desc reduce{.function = reduce_function::sum, .axes = {1}};
  CHECK(memory(reduce, {floats, column}) == 48 + 2 * (12 + 3 + 3 * 21 + 4 * 12) + 4 * 12);
  reduce.function = reduce_function::max;
  CHECK(memory(reduce, {floats, column}) == 48 + 2 * (12 + 3 + 3 * 193 + 4 * 12 + 48) + 4 * 12);
  reduce.function = reduce_function::argmax;
  CHECK(memory(reduce, {floats, {.data_type = data_type::uint32, .sizes = {3, 1}}}) == 48 + 2 * (12 + 3));
  // Only LINEAR computes.
  const tensor_desc small{.data_type = data_type::float32, .sizes = {1, 1, 2, 2}};
  const tensor_desc large{.data_type = data_type::float32, .sizes = {1, 1, 4, 4}};
  upsample_2d_desc upsample{.scale_size = {2, 2}, .interpolation_mode = interpolation_mode::linear};
  CHECK(memory(upsample, {small, large}) == 2 * (64 + 16 + 16 * (21 + more_interval_memory)));
  upsample.interpolation_mode = interpolation_mode::nearest_neighbor;
  CHECK(memory(upsample, {small, large}) == 2 * (64 + 16));
  // Seven matrices of a tile, of 512 by 512 doubles; with SOFTMAX, two bounds of each element, and exact sums of a row.
  const tensor_desc right{.data_type = data_type::float32, .sizes = {4, 2}};
  const tensor_desc product{.data_type = data_type::float32, .sizes = {3, 2}};
  gemm_desc gemm;
  CHECK(memory(gemm, {floats, right, {}, product}) == 2 * (24 + 6 + 6 * 21 + 7 * 512 * 512 * 8));
  gemm.fused_activation = activations::softmax();
  CHECK(memory(gemm, {floats, right, {}, product}) ==
        2 * (24 + 6 + 6 * (21 + more_interval_memory + 2 * sizeof(bound)) + 7 * 512 * 512 * 8) +
            2 * (3 * sizeof(detail::extended_sum) + 64));
  // 64 bytes of each channel, the matrices of a block, and of the two axes the taps and their numbers; `reference` has
  // the taps of each coordinate, on three axes.
  const tensor_desc image{.data_type = data_type::float32, .sizes = {1, 2, 4, 4}};
  const tensor_desc filter{.data_type = data_type::float32, .sizes = {3, 2, 1, 1}};
  const tensor_desc channels{.data_type = data_type::float32, .sizes = {1, 3, 4, 4}};
  CHECK(memory(convolution_desc{}, {image, filter, {}, channels}) ==
        2 * (192 + 48 + 48 * 21 + 3 * 64 + (std::uint64_t{16} << 20) + 2 * (48 + 4 * 8)) + (16 + 24) +
            2 * 4 * (16 + 24));
}

TEST_CASE("verdicts: ARGMIN, a slice with only NaN gives any index (ledger 7.1)", "[oracle]") {
  const std::vector<float> x{not_a_number, not_a_number, not_a_number, not_a_number, 5,
                             not_a_number, infinity,     infinity,     not_a_number};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {3, 3})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::int32, .sizes = {3, 1}}};
  argmin_desc desc{.axes = {1}};
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"0 below 3", "1", "0"});
  desc.axis_direction = axis_direction::decreasing;
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"2 below 3", "1", "1"});
  // With nan_policy::propagate the index of the NaN is the answer.
  desc.nan_policy = nan_policy::propagate;
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"2", "2", "2"});
}

TEST_CASE(
    "verdicts: NONZERO_COORDINATES, rows from the count on are undefined "
    "(ledger 7.9d)",
    "[oracle]") {
  const std::vector<float> x{1, 0, 0, 2, -0.0F, 3.5F, 0, -5.2F};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {1, 1, 2, 4})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::uint32, .sizes = {1, 1, 1, 1}},
                                         {.data_type = data_type::uint32, .sizes = {1, 1, 8, 3}}};
  const oracle::golden golden = golden_of(nonzero_coordinates_desc{}, inputs, outputs);
  CHECK(allowed(golden, 0) == texts{"4"});
  texts rows{"0", "0", "0", "0", "0", "3", "0", "1", "1", "0", "1", "3"};
  rows.resize(24, "any");
  CHECK(allowed(golden, 1) == rows);
}

TEST_CASE("verdicts: SCATTER_ND, any winner of a collision (ledger 7.6)", "[oracle]") {
  const std::vector<std::int32_t> x{1, 2, 3, 4, 5, 6};
  std::vector<std::int32_t> at{0, -3, 1, 0};
  const std::vector<std::int32_t> updates{10, 20, 11, 20, 30, 30, 12, 21};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {3, 2}), tensor_view(at, {4, 1}),
                                             tensor_view(updates, {4, 2})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::int32, .sizes = {3, 2}}};
  scatter_nd_desc desc{.input_dimension_count = 2, .indices_dimension_count = 2};
  // Tuples 0, 1 and 3 select row 0: each element may have any of their updates; equal updates are listed once.
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"10 11 12", "20 21", "30", "30", "5", "6"});
  const oracle::golden golden = golden_of(desc, inputs, outputs);
  const output_verdicts& verdicts = golden.answers.front()[0].verdicts;
  CHECK(verdicts[0] == verdict::one_of);
  CHECK(verdicts[2] == verdict::exact);  // one tuple selects row 1
  CHECK(verdicts[4] == verdict::exact);  // no tuple selects row 2
  // With duplicates::last_wins the last update is the only alternative.
  desc.duplicates = duplicates::last_wins;
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"12", "21", "30", "30", "5", "6"});
  desc.duplicates = duplicates::refuse;
  at = {0, 1, 2, -3};
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"10 12", "20 21", "11", "20", "30", "30"});
  // A tuple that the policy drops updates nothing.
  desc.range_policy = range_policy::drop;
  at = {0, -3, 9, 0};
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"10 11 12", "20 21", "3", "4", "5", "6"});
}

TEST_CASE("verdicts: SCATTER_ELEMENTS, any winner of a collision, and no index that is dropped", "[oracle]") {
  const std::vector<std::int32_t> x{1, 2, 3};
  std::vector<std::int32_t> at{0, 1, 0};
  const std::vector<std::int32_t> updates{10, 20, 30};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {3}), tensor_view(at, {3}), tensor_view(updates, {3})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::int32, .sizes = {3}}};
  scatter_elements_desc desc;
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"10 30", "20", "3"});
  desc.range_policy = range_policy::drop;
  at = {0, 9, 0};
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"10 30", "2", "3"});
}

TEST_CASE(
    "verdicts: SCATTER_ND, an index out of range makes all undefined "
    "(ledger 7.5)",
    "[oracle]") {
  const std::vector<std::uint8_t> x{1, 2, 3};
  const std::vector<std::int64_t> at{0, 3, 2};
  const std::vector<std::uint8_t> updates{7, 8, 9};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {1, 3}), tensor_view(at, {3, 1}),
                                             tensor_view(updates, {1, 3})};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::uint8, .sizes = {1, 3}}};
  scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"any", "any", "any"});
  // A policy defines the result. With clamp, the tuples 3 and 2 collide.
  desc.range_policy = range_policy::clamp;
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"7", "2", "8 9"});
  desc.range_policy = range_policy::drop;
  CHECK(allowed(golden_of(desc, inputs, outputs)) == texts{"7", "2", "9"});
}

TEST_CASE(
    "verdicts: flushed FLOAT32 subnormals where numbers are compared, "
    "and nothing else (ledger 7.4)",
    "[oracle]") {
  // A subnormal after a zero ties with it only if it is flushed; without a zero nothing changes.
  const std::vector<float> x{0, -least, least, 0, 2, least};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {3, 2})};
  const std::vector<tensor_desc> index{{.data_type = data_type::uint64, .sizes = {3, 1}}};
  const oracle::golden argmin = golden_of(argmin_desc{.axes = {1}}, inputs, index);
  CHECK(argmin.answers.size() == 1);
  CHECK(allowed(argmin) == texts{"1", "1", "1"});
  CHECK(allowed(argmin, 0, true) == texts{"0 1", "0 1", "1"});

  const std::vector<tensor_desc> coordinates{{.data_type = data_type::uint32, .sizes = {1}},
                                             {.data_type = data_type::uint32, .sizes = {6, 2}}};
  oracle::golden both = golden_of(nonzero_coordinates_desc{}, inputs, coordinates);
  REQUIRE(both.answers.size() == 2);
  CHECK(oracle::deviation_of(both.answers[0]) == oracle::deviation::none);
  CHECK(oracle::deviation_of(both.answers[1]) == oracle::deviation::fp32_flush);
  CHECK(allowed(both, 0) == texts{"4"});
  std::swap(both.answers[0], both.answers[1]);
  CHECK(allowed(both, 0) == texts{"1"});
  texts rows{"2", "0"};
  rows.resize(12, "any");
  CHECK(allowed(both, 1) == rows);

  // The largest subnormal is flushed, the smallest normal number is not.
  const std::vector<float> border{std::bit_cast<float>(0x007F'FFFFU), std::bit_cast<float>(0x8080'0000U)};
  const oracle::golden at_border =
      golden_of(nonzero_coordinates_desc{}, {tensor_view(border, {2})},
                {{.data_type = data_type::uint32, .sizes = {1}}, {.data_type = data_type::uint32, .sizes = {2, 1}}});
  REQUIRE(at_border.answers.size() == 2);
  CHECK(judged::values_of(at_border.answers[1][0].values.ref()) == judged::values{1});
  CHECK(judged::values_of(at_border.answers[1][1].values.ref())[0] == 1);

  // Subnormals of FLOAT16 are not flushed, nor are copied ones.
  const std::vector<float16> halves{float16(0), std::numeric_limits<float16>::denorm_min()};
  const std::vector<tensor_desc> half_index{{.data_type = data_type::uint32, .sizes = {1}}};
  CHECK_FALSE(golden_of(argmin_desc{.axes = {0}}, {tensor_view(halves, {2})}, half_index).answers[0][0].flushed);
  const std::vector<tensor_desc> copy{{.data_type = data_type::float32, .sizes = {3, 2}}};
  const oracle::golden moved = golden_of(diagonal_matrix1_desc{}, inputs, copy);
  CHECK(moved.answers.size() == 1);
  CHECK_FALSE(moved.answers[0][0].flushed);
  CHECK(allowed(moved, 0, true)[2] == "1");
}

TEST_CASE(
    "verdicts: unsorted Axes have a second answer, numbered in the order "
    "of the list (ledger 7.3)",
    "[oracle]") {
  // Sizes {2,3}: 5 4 9 / 1 7 3. The least is at row 1, column 0: number 3 in row-major order, 1 in column-major order.
  const std::vector<std::int32_t> x{5, 4, 9, 1, 7, 3};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {2, 3})};
  const std::vector<tensor_desc> index{{.data_type = data_type::uint32, .sizes = {1, 1}}};
  CHECK(golden_of(argmin_desc{.axes = {0, 1}}, inputs, index).answers.size() == 1);
  const oracle::golden listed = golden_of(argmin_desc{.axes = {1, 0}}, inputs, index);
  REQUIRE(listed.answers.size() == 2);
  CHECK(judged::values_of(listed.answers[0][0].values.ref()) == judged::values{3});
  CHECK(oracle::deviation_of(listed.answers[0]) == oracle::deviation::none);
  CHECK(judged::values_of(listed.answers[1][0].values.ref()) == judged::values{1});
  CHECK(oracle::deviation_of(listed.answers[1]) == oracle::deviation::listing_order);

  // Three of four axes, in the order 3, 0, 2, with strides; ties are decided by these numbers. Two lowest elements in
  // each slice of axis 1, at (a, c, d) = (0, 2, 1) and (1, 1, 0) of sizes 2, 3, 2: row-major 5 and 8, listed (d, a, c)
  // 8 and 4.
  const dimensions sizes{2, 2, 3, 2};
  const dimensions strides{12, 1, 4, 2};
  std::vector<std::int32_t> y(24, 7);
  for (std::uint32_t b = 0; b < 2; ++b) y[0 + b + 2 * 4 + 2] = y[12 + b + 4] = -1;
  const std::vector<const_tensor_ref> strided{tensor_view(y, sizes, strides)};
  const std::vector<tensor_desc> kept{{.data_type = data_type::int64, .sizes = {1, 2, 1, 1}}};
  const oracle::golden three = golden_of(argmin_desc{.axes = {3, 0, 2}}, strided, kept);
  REQUIRE(three.answers.size() == 2);
  CHECK(judged::values_of(three.answers[0][0].values.ref()) == judged::values{5, 5});
  CHECK(judged::values_of(three.answers[1][0].values.ref()) == judged::values{4, 4});

  // Each may also be flushed.
  const std::vector<float> tiny{0, 1, 1, -least};
  const oracle::golden flushed = golden_of(argmin_desc{.axes = {1, 0}}, {tensor_view(tiny, {2, 2})}, index);
  REQUIRE(flushed.answers.size() == 2);
  for (const oracle::golden_outputs& answer : flushed.answers) {
    REQUIRE(answer[0].flushed);
    CHECK(judged::values_of(answer[0].flushed->ref()) == judged::values{0});
  }
}

TEST_CASE("verdicts: expect() refuses what the call refuses, before it allocates memory", "[oracle]") {
  const std::vector<float> x(6);
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {3, 2})};
  const auto refusal = [&](const dimensions& axes, const std::vector<tensor_desc>& outputs) {
    return refusal_of([&] { golden_of(argmin_desc{.axes = axes}, inputs, outputs); });
  };
  const tensor_desc index{.data_type = data_type::uint32, .sizes = {3, 2}};
  CHECK(refusal({1}, {index}) == "A3");
  CHECK(refusal({2}, {index}) == "A4");
  CHECK(refusal({1}, {tensor_desc{}}) == "T3");
  CHECK(refusal({1}, {{.data_type = data_type::uint32, .sizes = {0xFFFF'FFFF, 0xFFFF'FFFF}}}) == "T6");
  CHECK(refusal({1}, {{.data_type = data_type::uint32, .sizes = {3, 1}, .total_tensor_size_in_bytes = 8}}) == "T7");
  CHECK_THROWS_WITH(golden_of(argmin_desc{.axes = {1}}, inputs, {index, index}),
                    "goldml: ARGMIN: got 1 inputs and 2 outputs, wanted InputTensor, OutputTensor");
  CHECK_THROWS_AS(golden_of(argmin_desc{.axes = {1}}, {}, {index, index}), std::invalid_argument);
  // Other numbers of tensors than the operator has.
  const std::vector<float> values{1, 2};
  const tensor_desc one_index{.data_type = data_type::uint32, .sizes = {1}};
  const const_tensor_ref two_values = tensor_view(values, {2});
  CHECK_THROWS_AS(golden_of(argmin_desc{.axes = {0}}, {two_values}, {}), std::invalid_argument);
  CHECK_THROWS_AS(golden_of(argmin_desc{.axes = {0}}, {}, {one_index, one_index}), std::invalid_argument);
  CHECK_THROWS_AS(golden_of(argmin_desc{.axes = {0}}, {two_values}, {one_index, one_index}), std::invalid_argument);
}

TEST_CASE("verdicts: for generated cases they agree with the pages", "[oracle]") {
  oracle::generate_options options{
      .count = goldml_test::random_count(goldml_test::share_of_each(20'000)), .seed = 11, .most_elements = 60};
  options.data = oracle::all_data_classes();
  std::uint64_t choices = 0;
  std::uint64_t undefined = 0;
  std::uint64_t flushed = 0;
  for (const oracle::any_operator* op : goldml_test::visited_operators()) {
    for (const auto& c : oracle::cases<any_desc>(*op, options)) {
      if (check_pages(c)) ++flushed;
      for (const oracle::golden_output& output : c.expected.answers.front())
        for (std::size_t element = 0; element < output.verdicts.size(); ++element) {
          if (output.verdicts[element] == verdict::undefined) ++undefined;
          if (output.verdicts[element] == verdict::one_of) ++choices;
        }
    }
    oracle::generate_options subnormals = options;
    subnormals.count /= 4;
    subnormals.data = {oracle::data_class::subnormals};
    for (const auto& c : oracle::cases<any_desc>(*op, subnormals))
      if (check_pages(c)) ++flushed;
  }
  if (!goldml_test::visits_every_operator()) return;
  CHECK(choices > goldml_test::random_count(1'000));
  CHECK(undefined > goldml_test::random_count(5'000));
  CHECK(flushed > goldml_test::random_count(150));
}

TEST_CASE("verdicts: for generated cases with any policies they agree with the pages", "[oracle]") {
  oracle::generate_options options{.seed = 12, .most_elements = 40};
  options.data = oracle::all_data_classes();
  oracle::random_source random(4);
  const std::uint64_t count = goldml_test::random_count(goldml_test::share_of_each(16'000));
  for (const oracle::any_operator* op : goldml_test::visited_operators()) {
    if (judged::has_default_policies_only(any_desc(*op->description))) continue;
    std::uint64_t judged_cases = 0;
    for (std::uint64_t number = 0; number < count; ++number) {
      auto text = oracle::sample_case(*op, options, number);
      for (const attribute& policy : op->policies())
        store_enumerator(policy.address(text.desc.get()),
                         static_cast<std::uint32_t>(random.below(policy.names.rows.size())));
      auto operands = to_operands(text.tensors);
      violation_sink sink;
      check(text.desc, operands, sink);
      if (sink.first()) continue;  // a policy refuses it
      check_pages(oracle::make_case(*op, text));
      ++judged_cases;
    }
    CHECK(2 * judged_cases > count);
  }
}

TEST_CASE("verdicts: numbers at the ends of ranges and among subnormals agree with the pages", "[oracle]") {
  const std::string doubles =
      "FLOAT64{14}:{1e-40,-1e-40,1e-46,-7e-46,1.1754943508222874e-38,-1.17549428e-38,16777217,-16777219,65519.999,"
      "65520,-3.4028235677973366e38,1e300,inf,1.0004882816225290}";
  const std::string wide = "UINT64{6}:{9223372586610589697,18446744073709551615,18446744073709550591,65519,65520,2049}";
  const std::string small = "FLOAT32{9}:{0,-0,1e-40,-1e-40,1e-45,0x7FC00000,5,-5,1e-38}";
  const std::string mirrored = "FLOAT32{9}:{1e-40,1e-40,2e-40,1e-45,-0,1e-40,-1e-40,0,-1e-38}";
  std::vector<std::string> lines;
  for (const char* const type : {"FLOAT32", "FLOAT16", "FLOAT64", "INT8", "UINT64"}) {
    lines.push_back(fmt::format("CAST InputTensor={} OutputTensor={}{{14}}", doubles, type));
    lines.push_back(fmt::format("CAST InputTensor={} OutputTensor={}{{6}}", wide, type));
    lines.push_back(fmt::format("CAST InputTensor={} OutputTensor={}{{9}}", small, type));
  }
  for (const char* const bounds : {"Min=1e-40 Max=2e-40", "Min=2e-40 Max=1e-40", "Min=1e-40 Max=-1e-40", "Min=-0 Max=0",
                                   "Min=0 Max=-0", "Min=-1e-40 Max=5", "Min=5 Max=1e-40", "Min=0x7FC00000 Max=1e-40"})
    lines.push_back(fmt::format("ELEMENT_WISE_CLIP InputTensor={} OutputTensor=FLOAT32{{9}} {}", small, bounds));
  for (const char* const bounds :
       {"Min=FLOAT32:0x1 Max=FLOAT32:0x2", "Min=FLOAT32:0x2 Max=FLOAT32:0x1", "Min=FLOAT32:0x1 Max=FLOAT32:0x80000001",
        "Min=FLOAT32:0x80000000 Max=FLOAT32:0x0", "Min=FLOAT32:0xBF800000 Max=FLOAT32:0x1"})
    lines.push_back(fmt::format("ELEMENT_WISE_CLIP1 InputTensor={} OutputTensor=FLOAT32{{9}} {}", small, bounds));
  for (const char* const name :
       {"MIN", "MAX", "LOGICAL_EQUALS", "LOGICAL_LESS_THAN", "LOGICAL_GREATER_THAN_OR_EQUAL"}) {
    const std::string_view output = std::string_view(name).size() == 3 ? "FLOAT32" : "UINT8";
    lines.push_back(
        fmt::format("ELEMENT_WISE_{} ATensor={} BTensor={} OutputTensor={}{{9}}", name, small, mirrored, output));
  }
  for (const char* const bounds : {"Min=0.1 Max=0.3", "Min=-0.1 Max=-0.1", "Min=0.3 Max=0.1", "Min=65519 Max=65520"})
    lines.push_back(
        fmt::format("ELEMENT_WISE_CLIP InputTensor=FLOAT16{{9}}:{{0,-0,0.1,0x2E65,0x2E66,0x2E67,0x7E00,5,"
                    "inf}} OutputTensor=FLOAT16{{9}} {}",
                    bounds));
  for (const char* const value : {"0.1", "-65520", "1e-40", "0x7FC00000"})
    for (const char* const type : {"FLOAT16", "FLOAT32", "FLOAT64", "INT8"})
      lines.push_back(
          fmt::format("PADDING InputTensor={}{{2}} OutputTensor={}{{4}} PaddingMode=CONSTANT "
                      "PaddingValue={} StartPadding={{1}} EndPadding={{1}}",
                      type, type, value));
  for (const char* const direction : {"INCREASING", "DECREASING"})
    lines.push_back(
        fmt::format("TOP_K1 InputTensor=FLOAT32{{2,4}}:{{1e-45,1e-40,-1e-40,0,5,1e-40,2e-40,-0}} "
                    "OutputValueTensor=FLOAT32{{2,3}} OutputIndexTensor=UINT64{{2,3}} Axis=1 K=3 "
                    "AxisDirection={}",
                    direction));
  for (const std::string& line : lines) {
    CAPTURE(line);
    const operator_description& op = *find_operator(line.substr(0, line.find(' ')));
    check_pages(oracle::make_case(oracle::any_operator_of(op), oracle::parse_case(op, line)));
  }
}
