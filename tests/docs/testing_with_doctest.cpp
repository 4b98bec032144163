// Runs the doctest code of docs/testing-your-kernel.md.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <cstddef>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <goldml/oracle/doctest.hpp>

namespace my_device {

std::vector<goldml::host_tensor> gather(const goldml::gather_desc& desc,
                                        const std::vector<goldml::const_tensor_ref>& inputs,
                                        const std::vector<goldml::tensor_desc>& outputs) {
  std::vector<goldml::host_tensor> results{goldml::host_tensor(outputs[0])};
  goldml::gather(goldml::reference, inputs[0], inputs[1], results[0].ref(), desc);
  return results;
}

}  // namespace my_device

TEST_CASE("my GATHER agrees with goldml") {
  for (const auto& test : goldml::oracle::cases<goldml::gather_desc>({.count = 500, .seed = 1}))
    CHECK(goldml::oracle::agrees(test, my_device::gather(test.text.desc, test.input_refs(), test.outputs)));
}

namespace {

using gather_case = goldml::oracle::generated_case<goldml::gather_desc>;

std::vector<goldml::host_tensor> wrong_gather(const gather_case& test) {
  auto outputs = my_device::gather(test.text.desc, test.input_refs(), test.outputs);
  for (std::byte& b : outputs[0].bytes()) b ^= std::byte{1};
  return outputs;
}

gather_case first_case() { return *goldml::oracle::cases<goldml::gather_desc>({.count = 1, .seed = 1}).begin(); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
std::string printed(const goldml::oracle::judged_answer& answer) { return doctest::toString(answer).c_str(); }

// Keeps the messages that tests print.
struct listener : doctest::IReporter {
  static inline std::vector<std::string> messages;

  explicit listener(const doctest::ContextOptions&) {}
  void log_message(const doctest::MessageData& message) override { messages.emplace_back(message.m_string.c_str()); }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("listener", 1, listener);

}  // namespace

TEST_CASE("a wrong answer fails" * doctest::should_fail()) {
  const auto test = first_case();
  CHECK(goldml::oracle::agrees(test, wrong_gather(test)));
}

TEST_CASE("a wrong answer is printed with its report") {
  const auto test = first_case();
  CHECK(contains(printed(goldml::oracle::agrees(test, wrong_gather(test))), "\nGATHER: differs"));
  const auto shrunk = goldml::oracle::agrees_when_run(test, wrong_gather);
  CHECK_FALSE(shrunk);
  CHECK(contains(printed(shrunk), "the smallest case that still fails"));
}

TEST_CASE("an answer without a defined element passes with a message, others without") {
  const auto test = first_case();
  goldml::oracle::golden undefined = test.expected;
  undefined.answers[0][0].verdicts.make_all_undefined();
  listener::messages.clear();
  CHECK(goldml::oracle::agrees(undefined, wrong_gather(test)));
  REQUIRE(listener::messages.size() == 1);
  CHECK(contains(listener::messages[0], "no element is defined"));
  CHECK(goldml::oracle::agrees(test, my_device::gather(test.text.desc, test.input_refs(), test.outputs)));
  CHECK_FALSE(goldml::oracle::agrees(test, wrong_gather(test)));
  CHECK(listener::messages.size() == 1);
}
