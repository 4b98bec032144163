// Runs the Catch2 code of docs/testing-your-kernel.md. `my_device` is a stand-in that gives correct results.
// clang-format off: Catch2 comes first.
#include "catch.hpp"
// clang-format on

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

#include <goldml/oracle/catch2.hpp>

namespace my_device {

using namespace goldml;

// Would upload the inputs, dispatch, and read the outputs back.
std::vector<host_tensor> argmin(const argmin_desc& desc, const std::vector<const_tensor_ref>& inputs,
                                const std::vector<tensor_desc>& outputs) {
  std::vector<host_tensor> results{host_tensor(outputs[0])};
  goldml::argmin(reference, inputs[0], results[0].ref(), desc);
  return results;
}

void argmin_into(const argmin_desc& desc, const std::vector<const_tensor_ref>& inputs, const tensor_ref& output) {
  goldml::argmin(reference, inputs[0], output, desc);
}

void attention_into(const multihead_attention1_desc& desc, const std::vector<const_tensor_ref>& inputs,
                    std::vector<host_tensor>& outputs) {
  std::vector<tensor_ref> refs;
  for (host_tensor& output : outputs) refs.push_back(output.ref());
  evaluate(reference, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(refs));
}

}  // namespace my_device

TEST_CASE("my ARGMIN agrees with goldml") {
  using namespace goldml;
  for (const auto& test : oracle::cases<argmin_desc>({.count = 500, .seed = 1})) {
    const std::vector<host_tensor> actual = my_device::argmin(test.text.desc, test.input_refs(), test.outputs);
    REQUIRE_THAT(actual, oracle::agrees_with(test));
  }
}

TEST_CASE("my ARGMIN writes nothing but its output") {
  using namespace goldml;
  for (const auto& test : oracle::cases<argmin_desc>({.count = 500, .seed = 1})) {
    oracle::watched_output output(test.outputs[0]);
    my_device::argmin_into(test.text.desc, test.input_refs(), output.ref());
    REQUIRE_THAT(output, oracle::agrees_with(test));
  }
}

TEST_CASE("my attention agrees with goldml, also with caches in place") {
  using namespace goldml;
  for (const auto& test : oracle::cases<multihead_attention1_desc>({.count = 100, .seed = 1})) {
    std::vector<host_tensor> outputs;
    for (std::size_t i = 0; i < test.outputs.size(); ++i) outputs.push_back(test.new_output(i));
    my_device::attention_into(test.text.desc, test.input_refs(), outputs);
    REQUIRE_THAT(outputs, oracle::agrees_with(test));
  }
}

TEST_CASE("my ARGMIN agrees with goldml, or shows the smallest case that fails") {
  using namespace goldml;
  const auto run = [](const oracle::generated_case<argmin_desc>& test) {
    return my_device::argmin(test.text.desc, test.input_refs(), test.outputs);
  };
  for (const auto& test : oracle::cases<argmin_desc>({.count = 500, .seed = 2}))
    REQUIRE_THAT(run(test), oracle::agrees_with(test, run));
}

TEST_CASE("a sample of a large output of my ARGMIN agrees with goldml") {
  using namespace goldml;
  const tensor<float> input({1000, 300}, std::vector<float>(300'000, 1.0F));
  const std::vector<const_tensor_ref> inputs{input.view()};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::uint32, .sizes = {1000, 1}}};
  const argmin_desc desc{.axes = {1}};
  const oracle::golden expected = oracle::expect(desc, inputs, outputs, {.elements = 100});
  const auto judged = oracle::judge<argmin_desc>(expected, my_device::argmin(desc, inputs, outputs));
  INFO(judged.report);  // OutputTensor UINT32 {1000,1}: 100 of 1000 elements: 100 compared, 0 ignored, 0 differ
  CHECK(judged);
}

// The number of wrong answers, with a report of each on standard error.
int count_wrong_answers() {
  using namespace goldml;
  int wrong = 0;
  for (const auto& test : oracle::cases<argmin_desc>({.count = 500, .seed = 4})) {
    const auto judged = oracle::judge(test, my_device::argmin(test.text.desc, test.input_refs(), test.outputs));
    if (judged) continue;
    std::fputs(judged.report.c_str(), stderr);
    ++wrong;
  }
  return wrong;
}

TEST_CASE("judged without a framework") { CHECK(count_wrong_answers() == 0); }

TEST_CASE("37.8: my ARGMIN for packed FLOAT32 of four dimensions agrees with goldml") {
  using namespace goldml;
  using oracle::stride_pattern;
  for (const auto& test : oracle::cases<argmin_desc>({.count = 100,
                          .strides = {stride_pattern::packed},
                          .data_types = {data_type::float32},
                          .dimension_counts = {4},
                          .attributes = {"AxisDirection=INCREASING"}})) {
    REQUIRE(test.text.tensors[0]->sizes.size() == 4);
    REQUIRE_THAT(my_device::argmin(test.text.desc, test.input_refs(), test.outputs), oracle::agrees_with(test));
  }
}
