// What reports say of quantised results: both integers near the middle between two, and what explains a wrong one.
#include <cstdint>
#include <string>
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
