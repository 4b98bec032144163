// The Catch2 matcher: what it accepts, when it matches, and its messages. clang-format off: Catch2 comes first.
#include "../catch.hpp"
// clang-format on

#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/goldml.hpp>
#include <goldml/oracle/catch2.hpp>

#include "../support/every_operator.hpp"
#include "../support/long_run.hpp"
#include "device.hpp"
#include "golden.hpp"

using namespace goldml;
using oracle::agrees_with;

namespace {

// Whether the matcher matches. Checks that it prints a report if it does not, and only its description if it does.
template <class Actual>
bool matched(const oracle::agreement_matcher& matcher, const Actual& actual) {
  const bool result = matcher.match(actual);
  const std::string text = matcher.describe();
  CHECK(matcher.toString() == text);
  CHECK(text.substr(0, 30) == "agrees with the golden answer\n");
  CHECK((text.find(": agrees\n") != std::string::npos) == result);
  return result;
}

}  // namespace

TEST_CASE("catch2: one output in any form that a call accepts", "[oracle]") {
  const oracle::golden golden = judged::golden_of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  const auto matcher = agrees_with(golden);
  tensor<std::int32_t> owner({2, 2}, {1, 2, 3, 4});
  const std::vector<std::int32_t> transposed{1, 3, 2, 4};
  CHECK(matched(matcher, owner));
  CHECK(matched(matcher, owner.view()));
  CHECK(matched(matcher, tensor_view(transposed, {2, 2}, {1, 2})));
  CHECK(matched(matcher, tensor_ref(owner.view())));
  CHECK(matched(matcher, const_tensor_ref(tensor_view(transposed, {2, 2}, {1, 2}))));
  CHECK(matched(matcher, golden.answers[0][0].values));
  CHECK_FALSE(matched(matcher, tensor_view(transposed, {2, 2})));
  CHECK_FALSE(matched(matcher, const_tensor_ref()));
  CHECK_FALSE(matched(matcher, std::vector<std::int32_t>{1, 2, 3, 4}));  // one dimension
  owner[{1, 0}] = -3;
  CHECK_FALSE(matched(matcher, owner));
  CHECK_FALSE(matched(matcher, owner.view()));
  host_tensor copy = golden.answers[0][0].values;
  copy.ref().as<std::int32_t>()[{1, 1}] = 5;
  CHECK_FALSE(matched(matcher, copy));

  const oracle::golden flat = judged::golden_of<std::int32_t>({4}, {1, 2, 3, 4});
  const std::array<std::int32_t, 4> array{1, 2, 3, 4};
  CHECK(matched(agrees_with(flat), std::vector<std::int32_t>{1, 2, 3, 4}));
  CHECK(matched(agrees_with(flat), array));
  CHECK(matched(agrees_with(flat), std::span<const std::int32_t>(array)));
  CHECK_FALSE(matched(agrees_with(flat), std::vector<std::int32_t>{1, 2, 3}));
  CHECK_FALSE(matched(agrees_with(flat), std::vector<std::uint32_t>{1, 2, 3, 4}));
}

TEST_CASE("catch2: a list of outputs", "[oracle]") {
  oracle::golden golden;
  golden.answers.push_back({judged::output_of<std::uint32_t>({1}, {2}), judged::output_of<std::uint32_t>({2}, {0, 5})});
  const auto matcher = agrees_with<nonzero_coordinates_desc>(golden);
  std::vector<host_tensor> outputs{golden.answers[0][0].values, golden.answers[0][1].values};
  std::vector<std::vector<std::uint32_t>> vectors{{2}, {0, 5}};
  CHECK(matched(matcher, outputs));
  CHECK(matched(matcher, judged::refs_of(outputs)));
  CHECK(matched(matcher, vectors));
  CHECK(matched(matcher, std::array{tensor_view(vectors[0], {1}), tensor_view(vectors[1], {2})}));
  CHECK(matched(matcher, std::vector{tensor<std::uint32_t>({1}, {2}), tensor<std::uint32_t>({2}, {0, 5})}));
  vectors[1][1] = 6;
  CHECK_FALSE(matched(matcher, vectors));
  CHECK(matcher.describe().find("OutputCoordinatesTensor UINT32 {2}: 2 compared, 0 ignored, 1 differs\n  {1}: ") !=
        std::string::npos);
  std::swap(outputs[0], outputs[1]);
  CHECK_FALSE(matched(matcher, outputs));
  outputs.pop_back();
  CHECK_FALSE(matched(matcher, outputs));
  CHECK_FALSE(matched(matcher, std::vector<host_tensor>{}));
  CHECK_FALSE(matched(matcher, host_tensor()));
}

TEST_CASE("catch2: the options of the comparison apply", "[oracle]") {
  const oracle::golden golden = judged::golden_of<float>({2}, {0.0F, 1.0F});
  const std::vector<float> near_enough{-0.0F, 1.0000001F};
  CHECK_FALSE(matched(agrees_with(golden), near_enough));
  const oracle::compare_options options{
      .floats = oracle::float_match::ulp, .zeros = oracle::zero_match::either_sign, .ulp = 1};
  CHECK(matched(agrees_with(golden, options), near_enough));
  CHECK(matched(agrees_with<argmin_desc>(golden, options), near_enough));
  CHECK_FALSE(matched(agrees_with(oracle::golden{}), near_enough));
}

TEST_CASE("catch2: if nothing is defined, or the output is flagged, it matches with a warning", "[oracle]") {
  oracle::golden undefined = judged::golden_of<float>({2}, {0.0F, 1.0F});
  undefined.answers[0][0].verdicts.make_all_undefined();
  const std::vector<float> anything{5, 6};
  const auto matcher = agrees_with(undefined);
  CHECK(matcher.match(anything));
  CHECK(matcher.describe().find(": tolerated, nothing to compare: no element is defined\n") != std::string::npos);
  CHECK_FALSE(matched(agrees_with(undefined), std::vector<float>{5, 6, 7}));

  const std::vector<std::int32_t> x{5, 4, 9, 1, 7, 3};
  const std::vector<const_tensor_ref> inputs{tensor_view(x, {2, 3})};
  const std::vector<tensor_desc> index{{.data_type = data_type::uint32, .sizes = {1, 1}}};
  const oracle::golden unsorted = oracle::expect(argmin_desc{.axes = {1, 0}}, std::span<const const_tensor_ref>(inputs),
                                                 std::span<const tensor_desc>(index));
  const tensor<std::uint32_t> listed({1, 1}, {1});
  const auto flagged = agrees_with<argmin_desc>(unsorted);
  CHECK(flagged.match(listed));
  CHECK(flagged.describe().find("\nARGMIN: tolerated and flagged: numbered in the order of Axes") != std::string::npos);
  CHECK_FALSE(matched(agrees_with<argmin_desc>(unsorted, oracle::compare_options::strict()), listed));
}

TEST_CASE("catch2: generated cases, with their line in the report", "[oracle]") {
  for (const oracle::any_operator* op : goldml_test::visited_operators()) {
    oracle::random_source random(1);
    for (const auto& c : oracle::cases<any_desc>(*op, {.count = goldml_test::random_count(20), .seed = 6})) {
      auto elements = judged::golden_values(c.expected.answers.front());
      REQUIRE_THAT(judged::in_memory(random, c.outputs, elements, judged::layout::any), agrees_with(c));
      const judged::all_rules rules = judged::rules_of_case(c);
      std::size_t changed = 0;
      for (; changed < elements[0].size(); ++changed) {
        elements[0][changed] ^= 1;
        if (judged::broken_elements(rules, elements, c.outputs, true) != 0) break;
        elements[0][changed] ^= 1;
      }
      if (changed == elements[0].size()) continue;                             // nothing is defined
      const auto matcher = agrees_with(c, oracle::compare_options::strict());  // it may be a NaN
      CHECK_FALSE(matched(matcher, judged::in_memory(random, c.outputs, elements, judged::layout::as_golden)));
      const std::string text = matcher.describe();
      CHECK(text.find("\n" + std::string(op->name()) + ": differs\n") != std::string::npos);
      CHECK(text.substr(text.size() - c.line().size() - 7) == "case: " + c.line() + "\n");
    }
  }
}

TEST_CASE("catch2: a failing assertion prints the descs of tensors, not their elements", "[oracle]") {
  const tensor<float> owner({2, 300});
  CHECK(Catch::Detail::stringify(owner) == "the tensor FLOAT32 {2,300} strides {300,1}");
  const host_tensor host({.data_type = data_type::int8, .sizes = {2, 3}, .strides = {1, 2}});
  CHECK(Catch::Detail::stringify(host) == "the tensor INT8 {2,3} strides {1,2}");
  CHECK(Catch::Detail::stringify(host.ref()) == "the tensor INT8 {2,3} strides {1,2}");
  CHECK(Catch::Detail::stringify(oracle::watched_output({.data_type = data_type::int8, .sizes = {2}})) ==
        "the tensor INT8 {2}");
  CHECK(Catch::Detail::stringify(const_tensor_ref()) == "no tensor");
  CHECK(Catch::Detail::stringify(std::vector{host}) == "{ the tensor INT8 {2,3} strides {1,2} }");
}

TEST_CASE("catch2: with a function that runs cases, the report has the smallest failing case", "[oracle]") {
  // Wrong for three or more elements along the axes; INT8 is not supported.
  const auto run = [](const oracle::generated_case<argmax_desc>& c) {
    if (c.inputs[0].desc().data_type == data_type::int8) throw std::runtime_error("no INT8");
    std::vector<host_tensor> outputs{c.expected.answers[0][0].values};
    if (element_count(candidate_box(c.inputs[0].desc().sizes, c.text.desc.axes)) >= 3)
      for (std::byte& b : outputs[0].bytes()) b ^= std::byte{0x10};
    return outputs;
  };
  const auto test = oracle::make_case(oracle::parse_case<argmax_desc>(
      "ARGMAX InputTensor=INT16{2,3,4}/{48,8,2} OutputTensor=INT64{2,1,4}/{8,4,1} Axes={1} data=dense seed=3"));
  const auto matcher = agrees_with(test, run);
  CHECK_FALSE(matched(matcher, run(test)));
  const std::string text = matcher.describe();
  INFO(text);
  CHECK(text.find("\ncase: " + test.line() + "\nthe smallest case that still fails, of ") != std::string::npos);
  CHECK(text.find("ARGMAX: differs\nOutputTensor UINT32 {1}: 1 compared") != std::string::npos);
  const std::string smallest =
      "case: ARGMAX InputTensor=FLOAT32{3}:{0,0,0} OutputTensor=UINT32{1} Axes={0} AxisDirection=INCREASING "
      "nan_policy=skip empty_axes=allow same_resource=refuse feature_level=6_4 data=uniform seed=0\n";
  CHECK(text.substr(text.size() - smallest.size()) == smallest);
  CHECK(matched(matcher, test.expected.answers[0][0].values));
  // The report mentions a failure that is not reproducible.
  const auto flaky = agrees_with(test, [](const auto& c) { return c.expected.answers[0][0].values; });
  CHECK_FALSE(matched(flaky, run(test)));
  CHECK(flaky.describe().ends_with("run again, the case does not fail\n"));
}

// Run by tests/tool/check_wrapped.sh, which reads the line back from what Catch2 prints.
TEST_CASE("37.7: a failing assertion, whose case line Catch2 wraps", "[.wrapped]") {
  const auto test = oracle::make_case(oracle::parse_case<argmax_desc>(
      "ARGMAX "
      "InputTensor=FLOAT32{2,3,4}/{24,8,2}:{-0.0078125,0x7FC00000,-1.5,3e-30,1,2,3,4,5,6,7,8,-0.0078125,0x7FC00000,"
      "-12.625,3e+30,1,2,3,4,5,6,7,80} OutputTensor=INT64{2,1,4}/{8,4,1} Axes={1}"));
  std::cout << "line: " << test.line() << "\n";
  CHECK_THAT(tensor<std::int64_t>({2, 1, 4}), agrees_with(test));
}
