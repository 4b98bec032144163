// What reports say of quantised results: both integers near the middle between two, and what explains a wrong one.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/oracle/judge.hpp>

#include "../catch.hpp"

using namespace goldml;

namespace {

template <class X>
oracle::judged_answer judged(const std::vector<float>& x, float scale, const std::vector<std::uint8_t>& answer) {
  std::vector<X> elements, scales;
  for (const float each : x) {
    elements.push_back(static_cast<X>(each));
    scales.push_back(static_cast<X>(scale));
  }
  const auto size = static_cast<std::uint32_t>(x.size());
  const tensor<X> input({size}, elements), steps({size}, scales);
  const tensor<std::uint8_t> got({size}, answer);
  const std::vector<const_tensor_ref> inputs{input.view(), steps.view(), const_tensor_ref()};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::uint8, .sizes = {size}}};
  const element_wise_quantize_linear_desc desc;
  return oracle::judge(desc, inputs, oracle::expect(desc, inputs, outputs), got);
}

}  // namespace

TEST_CASE("quantised: reports name halves away from zero and half precision", "[oracle]") {
  const auto away = judged<float>({0.5F, 1.5F, 2.5F, 7}, 1, {1, 2, 3, 8});
  INFO(away.report);
  CHECK_FALSE(away);
  CHECK(away.report.find(
            "{0}: expected 0 (0x00), got 1 (0x01), off by +1, fits halves away from zero (ledger QU-R1)\n") !=
        std::string::npos);
  CHECK(away.report.find(
            "{2}: expected 2 (0x02), got 3 (0x03), off by +1, fits halves away from zero (ledger QU-R1)\n") !=
        std::string::npos);
  CHECK(away.report.find("{3}: expected 7 (0x07), got 8 (0x08), off by +1\n") != std::string::npos);
  const auto half = judged<float16>({25}, 0.4F, {62});
  CHECK_FALSE(half);
  CHECK(half.report.find(", fits half precision (ledger AR-R1)\n") != std::string::npos);
}

TEST_CASE("quantised: both integers near a middle are accepted, and a wrong one is told", "[oracle]") {
  CHECK(judged<float>({3}, 0.039215686F, {76}));
  CHECK(judged<float>({3}, 0.039215686F, {77}));
  const auto wrong = judged<float>({3}, 0.039215686F, {78});
  CHECK_FALSE(wrong);
  INFO(wrong.report);
  CHECK(wrong.report.find("expected 76 (0x4C) or from 76 to 77, got 78") != std::string::npos);
  const auto suspicious = judged<float>({200.49994F}, 1.0000001F, {201});
  CHECK(suspicious);
  CHECK(suspicious.report.find("1 suspicious") != std::string::npos);
}

TEST_CASE("quantised: reports name what explains products", "[oracle]") {
  const auto judged_product = [](int a, float scale, float output_scale, std::int8_t answer) {
    const tensor<std::int8_t> left({1, 1}, {static_cast<std::int8_t>(a)}), right({1, 1}, {1});
    const tensor<float> of_left({1}, {scale}), one({1}, {1}), of_output({1}, {output_scale});
    const tensor<std::int8_t> got({1, 1}, {answer});
    const std::vector<const_tensor_ref> inputs{left.view(), of_left.view(),   {}, right.view(), one.view(),
                                               {},          of_output.view(), {}};
    const std::vector<tensor_desc> outputs{{.data_type = data_type::int8, .sizes = {1, 1}}};
    const quantized_linear_matrix_multiply_desc desc;
    return oracle::judge(desc, inputs, oracle::expect(desc, inputs, outputs), got);
  };
  const auto fixed = judged_product(5, 7, 80, 1);
  CHECK_FALSE(fixed);
  INFO(fixed.report);
  CHECK(fixed.report.find(", fits fixed point (ledger QU-R12)\n") != std::string::npos);
  const auto away = judged_product(5, 1, 2, 3);
  CHECK_FALSE(away);
  CHECK(away.report.find(", fits halves away from zero (ledger QU-R1)") != std::string::npos);
  const auto half = judged_product(111, 0.37F, 0.41F, 101);
  CHECK_FALSE(half);
  INFO(half.report);
  CHECK(half.report.find(", fits half precision (ledger AR-R1)") != std::string::npos);
}

namespace {

// The report on a device that answers this, which is wrong; and for how many elements it names an absent zero point.
template <class Desc, class Output>
std::string report_of(const Desc& desc, const std::vector<const_tensor_ref>& inputs, const Output& answer) {
  const std::vector<tensor_desc> outputs{const_tensor_ref(answer.view()).desc()};
  const auto judged = oracle::judge(desc, inputs, oracle::expect(desc, inputs, outputs), answer);
  CHECK_FALSE(judged);
  return judged.report;
}
int absent_in(const std::string& report) {
  int count = 0;
  constexpr std::string_view note = ", fits absent zero point (ledger QU-R13)";
  for (auto at = report.find(note); at != std::string::npos; at = report.find(note, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("quantised: reports name an absent zero point", "[oracle]") {
  using bytes = std::vector<std::uint8_t>;
  const tensor<float> x({3}, {1, 2, 3}), one({1}, {1}), ones({3}, {1, 1, 1});
  const tensor<std::uint8_t> fives({3}, bytes{5, 5, 5}), five({1}, bytes{5}), q({3}, bytes{7, 8, 9});
  // The device takes no notice of the zero point 5; of other differences nothing is said.
  const element_wise_quantize_linear_desc quantise;
  CHECK(absent_in(report_of(quantise, {x.view(), ones.view(), fives.view()}, tensor<std::uint8_t>({3}, {1, 2, 3}))) ==
        3);
  CHECK(absent_in(report_of(quantise, {x.view(), ones.view(), fives.view()}, tensor<std::uint8_t>({3}, {6, 7, 9}))) ==
        0);
  CHECK(absent_in(report_of(element_wise_dequantize_linear_desc{}, {q.view(), ones.view(), fives.view()},
                            tensor<float>({3}, {7, 8, 9}))) == 3);
  // By blocks also as the middle, 128, of what is not given; and of that as 0.
  const quantize_desc with_zero_point;
  const quantize_desc scale_only{.quantization_type = quantization_type::scale};
  for (const std::uint8_t middle : bytes{0, 128}) {
    const tensor<std::uint8_t> answer({3},
                                      {static_cast<std::uint8_t>(middle + 1), static_cast<std::uint8_t>(middle + 2),
                                       static_cast<std::uint8_t>(middle + 3)});
    CHECK(absent_in(report_of(with_zero_point, {x.view(), one.view(), five.view()}, answer)) == 3);
  }
  CHECK(absent_in(report_of(scale_only, {x.view(), one.view()}, tensor<std::uint8_t>({3}, {1, 2, 3}))) == 3);
  const dequantize_desc back{.quantization_type = quantization_type::scale,
                             .absent_zero_point = absent_zero_point::zero};
  CHECK(absent_in(report_of(back, {q.view(), one.view()}, tensor<float>({3}, {-121, -120, -119}))) == 3);
  CHECK(absent_in(report_of(back, {q.view(), one.view()}, tensor<float>({3}, {8, 8, 9}))) == 0);
  // Of several each, or all: (7 - 5) (3 - 1), (7 - 5) 3, 7 (3 - 1), 7 * 3.
  const tensor<std::uint8_t> a({1, 1}, bytes{7}), b({1, 1}, bytes{3}), of_b({1}, bytes{1});
  for (const auto& [answer, named] : {std::pair(6, 1), {14, 1}, {21, 1}, {7, 0}})
    CHECK(absent_in(report_of(matrix_multiply_integer_desc{}, {a.view(), five.view(), b.view(), of_b.view()},
                              tensor<std::int32_t>({1, 1}, {answer}))) == named);
}

TEST_CASE("quantised: float accumulation is counted", "[oracle]") {
  // SPEC-quantised 4.3 (c): sums of FLOAT32 give 0.4999976, a sum of integers 0.500002.
  std::vector<std::int8_t> a(64, 127), b(64);
  for (std::size_t i = 0; i < 64; ++i) b[i] = i % 2 == 0 ? std::int8_t{127} : std::int8_t{-127};
  b[63] = -126;
  const tensor<std::int8_t> left({1, 64}, a), right({64, 1}, b), got({1, 1}, {0});
  const tensor<float> tenth({1}, {0.1F}), of_output({1}, {2.53999F});
  const std::vector<const_tensor_ref> inputs{left.view(), tenth.view(),     {}, right.view(), tenth.view(),
                                             {},          of_output.view(), {}};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::int8, .sizes = {1, 1}}};
  const quantized_linear_matrix_multiply_desc desc;
  const auto judged = oracle::judge(desc, inputs, oracle::expect(desc, inputs, outputs), got);
  INFO(judged.report);
  CHECK(judged);
  CHECK(judged.report.find("1 suspicious: float accumulation") != std::string::npos);
}
