// judge(): what it takes, what it says, and when it counts as true.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <goldml/goldml.hpp>
#include <goldml/oracle/judge.hpp>

#include "../catch.hpp"
#include "golden.hpp"

using namespace goldml;

TEST_CASE("judge: the answer converts to bool and prints its report", "[oracle]") {
  const oracle::golden golden = judged::golden_of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  tensor<std::int32_t> actual({2, 2}, {1, 2, 3, 4});
  const auto right = oracle::judge(golden, actual);
  CHECK(right);
  CHECK(right.outcome() == oracle::outcome::agrees);
  actual[{1, 0}] = -3;
  const auto wrong = oracle::judge(golden, actual);
  CHECK_FALSE(wrong);
  CHECK(wrong.outcome() == oracle::outcome::differs);
  CHECK(wrong.report.find("{1,0}: expected 3") != std::string::npos);
  std::ostringstream stream;
  stream << wrong;
  CHECK(stream.str() == wrong.report);
  CHECK(oracle::judge<slice1_desc>(golden, actual).report.find("SLICE1: differs") == 0);
}

TEST_CASE("judge: an answer of which nothing is defined is not wrong", "[oracle]") {
  oracle::golden golden = judged::golden_of<std::int32_t>({2}, {1, 2});
  golden.answers[0][0].verdicts.make_all_undefined();
  const tensor<std::int32_t> anything({2}, {7, 7});
  const auto judged = oracle::judge(golden, anything);
  CHECK(judged);
  CHECK(judged.outcome() == oracle::outcome::nothing_defined);
}

TEST_CASE("judge: a NaN for another NaN is right by default, and wrong if judged strictly", "[oracle]") {
  const auto test = oracle::make_case(oracle::parse_case<slice1_desc>(
      "SLICE1 InputTensor=FLOAT32{1}:{nan} OutputTensor=FLOAT32{1} "
      "InputWindowOffsets={0} InputWindowSizes={1} InputWindowStrides={1} data=ramp seed=1"));
  const tensor<float> other({1}, {std::bit_cast<float>(0xFFC0'0001)});
  CHECK(oracle::judge(test, other));
  CHECK_FALSE(oracle::judge(test, other, oracle::compare_options::strict()));
}

TEST_CASE("judge: an output that was written outside is wrong", "[oracle]") {
  const oracle::golden golden = judged::golden_of<std::uint8_t>({4}, {1, 2, 3, 4});
  oracle::watched_output output({.data_type = data_type::uint8, .sizes = {4}});
  for (std::uint32_t i = 0; i < 4; ++i) output.ref().as<std::uint8_t>()[{i}] = static_cast<std::uint8_t>(i + 1);
  CHECK(oracle::judge(golden, output));
  output.bytes()[output.offset_in_bytes() - 1] ^= std::byte{1};
  const auto judged = oracle::judge(golden, output);
  CHECK_FALSE(judged);
  CHECK(judged.report.find("wrote outside its tensor") != std::string::npos);
}

TEST_CASE("judge: what is run is run again for the smallest case", "[oracle]") {
  const auto test = oracle::make_case(oracle::parse_case<argmin_desc>(
      "ARGMIN InputTensor=FLOAT32{4,6} OutputTensor=UINT32{4,1} Axes={1} data=ramp seed=1"));
  int runs = 0;
  const auto right = [&runs](const oracle::generated_case<argmin_desc>& c) {
    ++runs;
    return c.expected.answers[0][0].values;
  };
  CHECK(oracle::judge_run(test, right));
  CHECK(runs == 1);
  const auto wrong = [](const oracle::generated_case<argmin_desc>& c) {
    host_tensor output = c.expected.answers[0][0].values;
    for (std::byte& byte : output.bytes()) byte ^= std::byte{1};
    return output;
  };
  const auto judged = oracle::judge_run(test, wrong);
  CHECK_FALSE(judged);
  CHECK(judged.report.find("the smallest case that still fails") != std::string::npos);
}

TEST_CASE("A5: a wrong value that fits half precision is said to, where tensors are FLOAT16", "[oracle]") {
  const reduce_desc sum{.function = reduce_function::sum, .axes = {0}};
  const auto report = [&](const auto& x, const auto& y) {
    const std::vector<const_tensor_ref> inputs{x.view()};
    const std::vector<tensor_desc> outputs{const_tensor_ref(y.view()).desc()};
    const auto judged = oracle::judge(sum, inputs, oracle::expect(sum, inputs, outputs), y);
    CHECK_FALSE(judged);
    return judged.report;
  };
  // A serial FLOAT16 accumulator sticks at 2048.
  const tensor<float16> ones({4096}, std::vector<float16>(4096, static_cast<float16>(1.0F)));
  const std::string text = report(ones, tensor<float16>({1}, {static_cast<float16>(2048.0F)}));
  INFO(text);
  CHECK(text.find(", fits half precision (ledger AR-R1)\n") != std::string::npos);
  CHECK(text.find("accumulation") == std::string::npos);
  CHECK(text.find("REDUCE: differs\nOutputTensor FLOAT16 {1}: ") == 0);
  // As far off, but nothing is FLOAT16.
  const std::string single =
      report(tensor<float>({4096}, std::vector<float>(4096, 1.0F)), tensor<float>({1}, {2048.0F}));
  CHECK(single.find("half") == std::string::npos);
  // The same of a generated case.
  const auto test = oracle::make_case(oracle::parse_case<reduce_desc>(
      "REDUCE InputTensor=FLOAT16{3}:{2048,1,1} OutputTensor=FLOAT16{1} Function=SUM Axes={0}"));
  const auto judged = oracle::judge(test, tensor<float16>({1}, {static_cast<float16>(2048.0F)}));
  CHECK(judged.report.find(", fits half precision (ledger AR-R1)\n") != std::string::npos);
}
