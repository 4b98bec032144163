// oracle/chain.hpp: what a device may hold in an intermediate, and what it may then answer.
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <goldml/operators/activations.hpp>
#include <goldml/operators/cast.hpp>
#include <goldml/operators/convolution.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/operators/gemm.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/operators/softmax.hpp>
#include <goldml/oracle/chain.hpp>
#include <goldml/oracle/judge.hpp>
#include <goldml/oracle/verdicts/convolution.hpp>
#include <goldml/oracle/verdicts/gemm.hpp>
#include <goldml/oracle/verdicts/reduce.hpp>
#include <goldml/oracle/verdicts/softmax.hpp>

#include "../catch.hpp"
#include "golden.hpp"

using namespace goldml;
using oracle::certainty;
using oracle::compare_options;
using oracle::legal_values;
using oracle::outcome;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

host_tensor tensor_of(float value) {
  const tensor<float> one({1}, {value});
  return host_tensor(const_tensor_ref(one.view()));
}

// An input {1} whose golden value is `golden`, and which a device may hold between two numbers.
struct held {
  held(const held&) = delete;

  tensor<float> golden;
  legal_values values;

  held(float low, float value, float high) : golden({1}, {value}), values(const_tensor_ref(golden.view())) {
    if (low == high) return;
    values.low = tensor_of(low);
    values.high = tensor_of(high);
    values.states = {certainty::between};
  }
};

template <class T, class Desc, class... Held>
outcome outcome_of(T answer, const Desc& desc, const Held&... inputs) {
  const std::vector<legal_values> values{inputs.values...};
  const std::vector<tensor_desc> outputs{{.data_type = data_type_of<T>, .sizes = {1}}};
  return oracle::judge(oracle::expect_in_chain(desc, values, outputs), tensor<T>({1}, {answer})).outcome();
}

// What may be held where a golden element has this interval.
legal_values legal(const oracle::golden& golden, const compare_options& options = {}) {
  return oracle::legal_values_of(golden, 0, options);
}
float low_of(const legal_values& values) { return values.low.ref().as<float>()[{0}]; }
float high_of(const legal_values& values) { return values.high.ref().as<float>()[{0}]; }

}  // namespace

TEST_CASE("A2: what a verdict allows is what a device may hold", "[oracle]") {
  oracle::golden golden = judged::golden_of<float>({1}, {2});
  CHECK(legal(golden).exact());
  golden.answers[0][0].verdicts.allow_interval(0, interval{1, 3, 1, 3, 0});
  golden.answers[0][0].verdicts.allow(0, scalar(7.0F));
  const legal_values both = legal(golden);
  CHECK(both.states == std::vector{certainty::between});
  CHECK(low_of(both) == 1);
  CHECK(high_of(both) == 7);
  golden.answers[0][0].verdicts.allow_interval(0, interval{1, 3, 1, 3, interval_also::negative_infinity});
  CHECK(low_of(legal(golden)) == -infinity);
  CHECK(low_of(legal(golden, {.stable = true})) == 1);  // which refuses the infinity
  golden.answers[0][0].verdicts.allow(0, scalar(nan_value));
  CHECK(legal(golden).states == std::vector{certainty::unknown});
  golden.answers[0][0].verdicts.make_undefined(0);
  CHECK(legal(golden).states == std::vector{certainty::unknown});

  // A NaN may have any bits; a zero of an interval either sign; a tolerance adds to both sides.
  const oracle::golden nan = judged::golden_of<float>({1}, {nan_value});
  CHECK(legal(nan).states == std::vector{certainty::any_nan});
  CHECK(legal(nan, compare_options::strict()).exact());
  const legal_values close = legal(judged::golden_of<float>({1}, {2}), {.floats = oracle::float_match::ulp, .ulp = 2});
  CHECK(low_of(close) == 2 - 0x1p-22F);
  CHECK(high_of(close) == 2 + 0x1p-21F);
  const legal_values near = legal(judged::golden_of<float>({1}, {2}),
                                  {.floats = oracle::float_match::tolerance, .absolute = 0.5, .relative = 0.25});
  CHECK((low_of(near) <= 1 && low_of(near) > 0.99F));
  CHECK((high_of(near) >= 3 && high_of(near) < 3.01F));
  CHECK(legal(judged::golden_of<float>({1}, {0}), {.zeros = oracle::zero_match::either_sign}).states ==
        std::vector{certainty::between});
  // A flushed result, unless that is refused.
  oracle::golden flushed = judged::golden_of<float>({1}, {1e-39F});
  flushed.answers[0][0].flushed = std::make_shared<const host_tensor>(tensor_of(0));
  CHECK(low_of(legal(flushed)) == 0);
  CHECK(legal(flushed, compare_options::strict()).exact());
}

TEST_CASE("A2: a range is carried by its ends, by 0 and by what both inputs have", "[oracle]") {
  const held one(0.5F, 1, 1.5F);
  const held two(2, 2, 2);
  const held sign(-1, 0.5F, 1);
  const auto is = [&](float answer, const auto& desc, const auto&... inputs) {
    return outcome_of(answer, desc, inputs...) == outcome::agrees;
  };
  CHECK(is(2.5F, element_wise_add_desc{}, one, two));
  CHECK(is(3.5F, element_wise_add_desc{}, one, two));
  CHECK_FALSE(is(3.6F, element_wise_add_desc{}, one, two));
  CHECK(is(3, element_wise_multiply_desc{}, two, one));
  CHECK_FALSE(is(0.9F, element_wise_multiply_desc{}, two, one));
  CHECK(is(-1.5F, element_wise_multiply_desc{}, one, sign));
  CHECK(is(0, element_wise_abs_desc{}, sign));
  CHECK_FALSE(is(-0.1F, element_wise_abs_desc{}, sign));
  CHECK_FALSE(is(1.1F, element_wise_abs_desc{}, sign));
  CHECK(is(2, element_wise_ceil_desc{}, one));
  CHECK_FALSE(is(1.5F, element_wise_ceil_desc{}, one));  // no integer
  CHECK(is(0, activation_relu_desc{}, sign));
  CHECK_FALSE(is(-1, activation_relu_desc{}, sign));
  CHECK(is(0, activation_relu_grad_desc{}, sign, two));
  CHECK(is(2, activation_relu_grad_desc{}, sign, two));
  CHECK_FALSE(is(2.1F, activation_relu_grad_desc{}, sign, two));
  CHECK(is(1.5F, activation_relu_grad_desc{}, two, one));
  CHECK_FALSE(is(0, activation_relu_grad_desc{}, two, one));
  CHECK(is(0, activation_leaky_relu_desc{.alpha = -1}, sign));
  CHECK_FALSE(is(-0.5F, activation_leaky_relu_desc{.alpha = -1}, sign));

  using byte = std::uint8_t;
  const held half(0.5F, 0.5F, 0.5F);
  const held three(3, 3, 3);
  CHECK(outcome_of(byte{1}, element_wise_logical_equals_desc{}, sign, half) == outcome::agrees);
  CHECK(outcome_of(byte{0}, element_wise_logical_equals_desc{}, sign, half) == outcome::agrees);
  CHECK(outcome_of(byte{1}, element_wise_logical_equals_desc{}, sign, three) == outcome::differs);
  CHECK(outcome_of(byte{1}, element_wise_logical_greater_than_desc{}, sign, three) == outcome::differs);
  CHECK(outcome_of(byte{0}, element_wise_logical_greater_than_desc{}, sign, half) == outcome::agrees);
  CHECK(outcome_of(byte{2}, element_wise_logical_greater_than_desc{}, sign, half) == outcome::differs);
  CHECK(outcome_of(std::int32_t{-1}, cast_desc{}, sign) == outcome::agrees);
  CHECK(outcome_of(std::int32_t{2}, cast_desc{}, sign) == outcome::differs);
}

TEST_CASE("A2: what cannot be carried soundly depends", "[oracle]") {
  const held sign(-1, 0.5F, 1);
  const held infinite(infinity, infinity, infinity);
  const held zero(0, 0, 0);
  const held open(1, 2, infinity);
  CHECK(outcome_of(5.0F, element_wise_multiply_desc{}, sign, infinite) == outcome::depends);  // 0 * inf
  CHECK(outcome_of(5.0F, element_wise_divide_desc{}, sign, zero) == outcome::depends);        // 0 / 0
  CHECK(outcome_of(5.0F, element_wise_divide_desc{}, zero, sign) == outcome::depends);
  CHECK(outcome_of(5.0F, element_wise_divide_desc{}, sign, sign) == outcome::depends);
  CHECK(outcome_of(5.0F, element_wise_subtract_desc{}, open, open) == outcome::depends);  // inf - inf
  // 0 at both ends of the range, the gradient between.
  const element_wise_clip_grad_desc between{.min = -0.5F, .max = 0.75F};
  CHECK(outcome_of(2.0F, between, sign, zero) == outcome::depends);
  CHECK(outcome_of(0.0F, between, zero, zero) == outcome::agrees);
  // A number that an integer type does not hold.
  const held large(1, 2, 1e30F);
  CHECK(outcome_of(std::int32_t{7}, cast_desc{.cast_overflow = cast_overflow::wrap}, large) == outcome::depends);
  // More calls than are permitted.
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {1}}};
  const std::array values{sign.values};
  const auto outcome_in = [&](std::size_t most_calls) {
    return oracle::judge(oracle::expect_in_chain(element_wise_ceil_desc{}, values, outputs, {}, most_calls),
                         tensor<float>({1}, {1}))
        .outcome();
  };
  CHECK(outcome_in(3) == outcome::depends);
  CHECK(outcome_in(4) == outcome::agrees);  // the golden value, both ends, and 0
}

namespace {

// Of each output element: d for one that depends, u for an undefined one, r and a for an answer that is refused or not.
template <class Desc>
std::string judged_from(const Desc& desc, const std::vector<tensor<float>>& inputs, std::size_t uncertain_input,
                        std::size_t uncertain_element, const dimensions& sizes, const std::vector<float>& answer) {
  std::vector<legal_values> values;
  for (const tensor<float>& input : inputs) values.emplace_back(const_tensor_ref(input.view()));
  legal_values& open = values[uncertain_input];
  open.low = open.high = host_tensor(open.golden);
  open.states.resize(inputs[uncertain_input].elements().size());
  open.states[uncertain_element] = certainty::between;
  open.high.ref().as<float>()[coordinate_at(open.golden.desc().sizes, uncertain_element)] += 1;
  for (std::size_t i = inputs.size(); i + 1 < operator_traits<Desc>::operands.size(); ++i) values.emplace_back();
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = sizes}};
  const oracle::golden golden = oracle::expect_in_chain(desc, values, outputs);
  const oracle::golden_output& output = golden.answers.front().front();
  const auto expected = output.values.ref().as<float>();
  std::string text;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const float wanted = expected[coordinate_at(sizes, i)];
    text += output.verdicts[i] == verdict::depends                                                 ? 'd'
            : oracle::place_of<float>(output, i, wanted, answer[i], {}) == interval_place::outside ? 'r'
                                                                                                   : 'a';
  }
  return text;
}

}  // namespace

TEST_CASE("A2: of GEMM, REDUCE and SOFTMAX only what reads an uncertain element depends", "[oracle]") {
  // A is {1,2},{3,4}, B {5,6},{7,8}, the product {19,22},{43,50}; B[1] is read by the second column.
  const tensor<float> a({2, 2}, {1, 2, 3, 4}), b({2, 2}, {5, 6, 7, 8});
  CHECK(judged_from(gemm_desc{}, {a, b}, 1, 1, {2, 2}, {19, 22, 43, 50}) == "adad");
  CHECK(judged_from(gemm_desc{}, {a, b}, 1, 1, {2, 2}, {19, 0, 44, 0}) == "adrd");
  CHECK(judged_from(gemm_desc{}, {a, b}, 0, 3, {2, 2}, {19, 22, 0, 0}) == "aadd");
  CHECK(judged_from(gemm_desc{.trans_a = matrix_transform::transpose}, {a, b}, 0, 1, {2, 2}, {26, 30, 0, 0}) == "aadd");
  CHECK(judged_from(gemm_desc{}, {a, b, a}, 2, 2, {2, 2}, {20, 24, 0, 54}) == "aada");
  // With SOFTMAX the row of the element.
  const gemm_desc soft{.fused_activation = activation{.operator_type = 48}};
  CHECK(judged_from(soft, {a, b}, 0, 3, {2, 2}, {0.04742587F, 0.95257413F, 0, 0}) == "aadd");
  // Rows {1,2} and {3,4}: sums, averages, maxima; and what they are not.
  for (const auto& [function, row] :
       {std::pair(reduce_function::sum, 3.0F), {reduce_function::average, 1.5F}, {reduce_function::max, 2.0F}}) {
    const reduce_desc reduce{.function = function, .axes = {1}};
    CHECK(judged_from(reduce, {a}, 0, 2, {2, 1}, {row, 0}) == "ad");
    CHECK(judged_from(reduce, {a}, 0, 2, {2, 1}, {row + 1, 0}) == "rd");
  }
  CHECK(judged_from(activation_softmax1_desc{.axes = {1}}, {a}, 0, 3, {2, 2}, {0.26894143F, 0.73105860F, 0, 0}) ==
        "aadd");
  // CONVOLUTION's verdicts look at whole tensors.
  const convolution_desc two{
      .strides = {1}, .dilations = {1}, .start_padding = {0}, .end_padding = {0}, .output_padding = {0}};
  const tensor<float> x({1, 1, 4}, {1, 2, 3, 4}), w({1, 1, 2}, {1, 1});
  CHECK(judged_from(two, {x, w}, 0, 2, {1, 1, 3}, {3, 0, 0}) == "ddd");
}
