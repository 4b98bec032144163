// Uses what docs/adding-an-operator.md adds: compiled by check_walk_through.sh with the headers that it has written.
// With GOLDML_WALK_THROUGH_DIRECTML also against DirectML.h.
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <goldml/cpu/cpu.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/generate_illegal.hpp>
#include <goldml/reference/reference.hpp>
#ifdef GOLDML_WALK_THROUGH_DIRECTML
#include <goldml/directml/from_directml.hpp>
#include <goldml/directml/to_directml.hpp>
#endif

namespace {

using namespace goldml;

int failures = 0;
int passed = 0;

void expect(bool holds, const std::string& what) {
  if (holds) {
    ++passed;
  } else if (++failures <= 10) {
    std::printf("FAILED: %s\n", what.c_str());
  }
}

// The outputs of a case on a backend, padding included.
template <class Desc, class Backend>
std::vector<host_tensor> outputs_of(const Backend& backend, const oracle::generated_case<Desc>& c) {
  std::vector<host_tensor> outputs;
  for (const tensor_desc& desc : c.outputs) outputs.emplace_back(desc, std::byte{0x5A});
  std::vector<tensor_ref> refs;
  for (host_tensor& output : outputs) refs.push_back(output.ref());
  evaluate(backend, c.text.desc, std::span<const const_tensor_ref>(c.input_refs()), std::span<const tensor_ref>(refs));
  return outputs;
}

#ifdef GOLDML_WALK_THROUGH_DIRECTML
// To DirectML's structure and back: the same valid desc, and the same result.
template <class Desc>
void check_directml(const oracle::generated_case<Desc>& c) {
  const directml::operator_structure<Desc> made(c.text.desc, c.text.tensors);
  expect(made.get().Type == directml::structure<Desc>::enumerator, c.line());
  expect(!directml::validate(made.get(), c.text.desc.feature_level), c.line());
  std::vector<host_tensor> outputs;
  for (const tensor_desc& desc : c.outputs) outputs.emplace_back(desc, std::byte{0x5A});
  std::vector<directml::input_buffer> inputs;
  std::vector<directml::output_buffer> results;
  for (const host_tensor& input : c.inputs) inputs.emplace_back(input.bytes());
  for (host_tensor& output : outputs) results.emplace_back(output.bytes());
  directml::evaluate(reference, made.get(), inputs, results, {.feature_level = c.text.desc.feature_level});
  const std::vector<host_tensor> wanted = outputs_of(reference, c);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    expect(outputs[i].bytes() == wanted[i].bytes(), c.line() + " through DirectML's structure");
}
#endif

template <class Desc>
void check_operator() {
  for (const feature_level level : {first_feature_level<Desc>(), feature_level::latest}) {
    const oracle::generate_options options{.count = 300, .feature_level = level};
    for (const auto& c : oracle::cases<Desc>(options)) {
      expect(to_string(oracle::parse_case<Desc>(c.line())) == c.line(), "case text: " + c.line());
      const std::vector<host_tensor> outputs = outputs_of(reference, c);
      expect(outputs_of(cpu, c) == outputs, "cpu: " + c.line());
      std::vector<const_tensor_ref> refs;
      for (const host_tensor& output : outputs) refs.push_back(output.ref());
      expect(oracle::compare(c.expected, std::span<const const_tensor_ref>(refs)).result.agrees(), c.line());
#ifdef GOLDML_WALK_THROUGH_DIRECTML
      check_directml(c);
#endif
    }
    for (std::uint64_t i = 0; i < 300; ++i) {
      const auto broken = oracle::sample_illegal_case<Desc>(options, i);
      auto operands = to_operands<Desc>(broken.text.tensors);
      violation_sink sink;
      check(broken.text.desc, operands, sink);
      expect(sink.first() && sink.first()->rule == broken.rule,
             to_string(broken.text) + ": " + std::string(broken.rule));
    }
  }
}

}  // namespace

int main() {
  check_operator<activation_thresholded_relu_desc>();
  const std::vector<float> a{1, 2};
  std::vector<float> clipped(2);
  activation_thresholded_relu(cpu, a, clipped, {.alpha = 1});
  expect(clipped == std::vector<float>{0, 2}, "the call of ACTIVATION_THRESHOLDED_RELU");
#ifdef GOLDML_WALK_THROUGH_DIRECTML
  std::printf("with DirectML's structures: ");
#endif
  std::printf("%d passed, %d failed\n", passed, failures);
  return failures == 0 ? 0 : 1;
}
