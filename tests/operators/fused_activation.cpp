// The rules on an activation that an operator fuses.
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <goldml/operators/fused_activation.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;
using detail::fusing_operator;
using level = feature_level;

template <class Given>
std::vector<violation> violations(const Given& given, fusing_operator host, feature_level at) {
  std::vector<violation> all;
  violation_sink sink(&all);
  detail::check_fused("FusedActivation", given, host, at, rule_report("OPERATOR", sink));
  return all;
}
std::string codes(const activation& f, fusing_operator host = fusing_operator::convolution,
                  feature_level at = level::latest) {
  std::string text;
  for (const violation& v : violations(f, host, at)) text += (text.empty() ? "" : " ") + std::string(v.rule);
  return text;
}
activation make(std::uint32_t type, float first = 1, float second = 1) { return {type, {first, second}}; }

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("fused activations: AR7, no tensors", "[fused]") {
  activation f = make(47);
  CHECK(codes(f).empty());
  f.has_tensors = true;
  CHECK(codes(f) == "AR7");
  f.operator_type = 1;
  CHECK(codes(f) == "AR7 AR8");
}

TEST_CASE("fused activations: AR8, those that operators fuse, by level", "[fused]") {
  for (const std::uint32_t type :
       std::initializer_list<std::uint32_t>{35, 37, 38, 39, 40, 43, 44, 45, 46, 47, 49, 50, 51, 52, 90, 128})
    for (const fusing_operator host :
         {fusing_operator::element_wise, fusing_operator::convolution, fusing_operator::gemm}) {
      INFO(type);
      const level first = type == 90    ? level::level_2_0
                          : type == 128 ? level::level_3_0
                                        : level::level_1_0;  // SHRINK, CELU
      CHECK(codes(make(type), host, first).empty());
      CHECK(codes(make(type), host, level::level_6_4).empty());
    }
  // GELU from 5_1 on; SWISH and HARD_SWISH in recurrent layers only, from 6_2.
  for (const fusing_operator host : {fusing_operator::element_wise, fusing_operator::convolution, fusing_operator::gemm,
                                     fusing_operator::recurrent}) {
    CHECK(codes(make(157), host, level::level_5_0) == "AR8");
    CHECK(codes(make(157), host, level::level_5_1).empty());
    for (const std::uint32_t type : std::initializer_list<std::uint32_t>{167, 168}) {
      CHECK(codes(make(type), host, level::level_6_1) == "AR8");
      CHECK(codes(make(type), host, level::level_6_2) == (host == fusing_operator::recurrent ? "" : "AR8"));
    }
  }
  // SOFTMAX and SOFTMAX1 in GEMM only, from 6_1; HARDMAX (36), LOG_SOFTMAX (41) and operators that are no activations
  // (ELEMENT_WISE_ABS, 2; JOIN, 62) nowhere.
  for (const std::uint32_t type : std::initializer_list<std::uint32_t>{48, 158}) {
    CHECK(codes(make(type), fusing_operator::convolution, level::level_6_4) == "AR8");
    CHECK(codes(make(type), fusing_operator::gemm, level::level_6_0) == "AR8");
  }
  CHECK(codes(make(48), fusing_operator::gemm, level::level_6_1).empty());
  CHECK(codes(make(158), fusing_operator::gemm, level::level_6_1).empty());
  for (const std::uint32_t type : std::initializer_list<std::uint32_t>{0, 2, 36, 41, 62})
    CHECK(codes(make(type), fusing_operator::gemm) == "AR8");
  // ELEMENT_WISE_CLIP in CONVOLUTION and GEMM only, from 6_0.
  for (const fusing_operator host : {fusing_operator::convolution, fusing_operator::gemm}) {
    CHECK(codes(make(8), host, level::level_5_2) == "AR8");
    CHECK(codes(make(8), host, level::level_6_0).empty());
  }
  for (const fusing_operator host : {fusing_operator::element_wise, fusing_operator::recurrent})
    CHECK(codes(make(8), host, level::level_6_4) == "AR8");
}

// As that of ELEMENT_WISE_CLIP it may be anything.
TEST_CASE("fused activations: CLIP's ScaleBias", "[fused]") {
  activation f = make(8);
  for (const scale_bias by : {scale_bias{2, 1}, scale_bias{0, -0.0F}, scale_bias{infinity, 1}, scale_bias{1, -infinity},
                              scale_bias{not_a_number, not_a_number}}) {
    f.scale_bias = by;
    CHECK(codes(f, fusing_operator::convolution, level::level_6_0).empty());
    CHECK(codes(f, fusing_operator::gemm, level::level_6_4).empty());
    CHECK(codes(f, fusing_operator::convolution, level::level_5_2) == "AR8");
  }
  f.has_tensors = true;
  f.parameters[1] = not_a_number;
  CHECK(codes(f, fusing_operator::convolution, level::level_6_0) == "AR7 AR9");
}

TEST_CASE("fused activations: AR9, finite parameters", "[fused]") {
  for (const float wrong : {infinity, -infinity, not_a_number}) {
    CHECK(codes(make(35, wrong)) == "AR9");
    CHECK(codes(make(40, 1, wrong)) == "AR9");
    CHECK(codes(make(49, wrong)) == "AR9");
    CHECK(codes(make(47, wrong)).empty());  // SIGMOID has none
    // An infinite bound of CLIP bounds nothing, or everything. Min may be above Max.
    CHECK(codes(make(8, wrong, 1)) == (wrong == wrong ? "" : "AR9"));
    CHECK(codes(make(8, 0, wrong)) == (wrong == wrong ? "" : "AR9"));
  }
  CHECK(codes(make(90, not_a_number, not_a_number)) == "AR9 AR9");
}

TEST_CASE("fused activations: AR10, SOFTPLUS' Steepness", "[fused]") {
  CHECK(codes(make(49, 0.5F), fusing_operator::convolution, level::level_6_3) == "AR10");
  CHECK(codes(make(49, 1), fusing_operator::convolution, level::level_6_3).empty());
  CHECK(codes(make(49, 0.5F), fusing_operator::convolution, level::level_6_4).empty());
  CHECK(codes(make(43, 0.5F), fusing_operator::convolution, level::level_1_0).empty());
  CHECK(codes(make(49, -infinity), fusing_operator::convolution, level::level_6_3) == "AR9");  // that is enough
}

TEST_CASE("fused activations: texts, none, and lists", "[fused]") {
  const auto text = [](const auto& given, feature_level at) {
    const auto all = violations(given, fusing_operator::convolution, at);
    return all.size() == 1 ? to_string(all[0]) : std::to_string(all.size());
  };
  CHECK(text(make(48), level::level_6_0) ==
        "OPERATOR AR8: FusedActivation is ACTIVATION_SOFTMAX, wanted an activation that this operator fuses "
        "(at feature level 6_0)");
  CHECK(text(make(1000), level::level_6_0) ==
        "OPERATOR AR8: FusedActivation is operator 1000, wanted an activation that this operator fuses "
        "(at feature level 6_0)");
  CHECK(text(make(8, 0, not_a_number), level::level_6_0) ==
        "OPERATOR AR9: FusedActivation is ELEMENT_WISE_CLIP with Max FLOAT32 nan, wanted numbers or infinities");
  CHECK(text(make(40, 1, infinity), level::level_6_0) ==
        "OPERATOR AR9: FusedActivation is ACTIVATION_LINEAR with Beta FLOAT32 inf, wanted finite parameters");
  CHECK(text(make(49, 0.5F), level::level_6_0) ==
        "OPERATOR AR10: FusedActivation is ACTIVATION_SOFTPLUS with Steepness FLOAT32 0.5, wanted a Steepness of at "
        "least 1 "
        "(before feature level 6_4)");
  CHECK(text(std::optional<activation>(), level::level_1_0) == "0");
  CHECK(text(std::optional(make(35, not_a_number)), level::level_1_0) ==
        "OPERATOR AR9: FusedActivation is ACTIVATION_ELU with Alpha FLOAT32 nan, wanted finite parameters");
  CHECK(
      text(activation_list{make(47), make(48)}, level::level_6_4).starts_with("OPERATOR AR8: FusedActivation[1] is "));
}
