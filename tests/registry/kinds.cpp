// Every kind of attribute in case text, JSON and the C++ source of --explain, for a test operator.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/io/attributes_json.hpp>
#include <goldml/io/model_attributes.hpp>
#include <goldml/oracle/case.hpp>

#include "../../tools/directml_source.hpp"
#include "../catch.hpp"
#include "../support/descs.hpp"
#include "../support/every_kind.hpp"

using namespace goldml;
using goldml_test::differing_members;
using goldml_test::every_kind_desc;
using goldml_test::filled_desc;

namespace {

using test_case = oracle::test_case<every_kind_desc>;

test_case filled_case() {
  test_case c;
  c.desc = filled_desc();
  c.tensors = {tensor_desc{.data_type = data_type::float32, .sizes = {2, 3}, .strides = {1, 2}},
               tensor_desc{.data_type = data_type::int8, .sizes = {4}}, std::nullopt,
               tensor_desc{.data_type = data_type::float16, .sizes = {1}}};
  c.seed = 5;
  return c;
}

std::string outcome_of(std::string_view words) {
  const std::string rule = refusal_of([&] { oracle::parse_case<every_kind_desc>("EVERY_KIND " + std::string(words)); });
  return rule == "none" ? "parsed" : rule;
}

// The same text with one part replaced.
std::string with(std::string text, std::string_view part, std::string_view other) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

constexpr std::string_view filled_json =
    R"({"GroupCount": 4294967295, "Offset": -2147483648, "Limit": 18446744073709551615, "Alpha": 0.1, )"
    R"("Inclusive": true, "AxisDirection": "DML_AXIS_DIRECTION_DECREASING", "DimensionCount": 3, )"
    R"("Sizes": [2,4294967295,3], "Strides": [-1,2147483647,-2147483648], "Scales": [0.5,-0,1e-45], )"
    R"("AxisCount": 1, "Axes": [1], "ValueDataType": "INT16", "ValueStart": -7, "ValueDelta": 32767, )"
    R"("WindowSize": { "Width": 5, "Height": 4294967295 }, "ScaleBias": { "Scale": 2.5, "Bias": -1 }, )"
    R"("FusedActivation": { "Type": "ACTIVATION_ELU", "Alpha": 0.25 }, "ActivationDescCount": 2, )"
    R"("ActivationDescs": [{ "Type": "ACTIVATION_LINEAR", "Alpha": 1.5, "Beta": -2 },{ "Type": "ACTIVATION_RELU" }]})";

std::string json_of(const every_kind_desc& desc) {
  std::string text;
  for (const std::string& member :
       io::attributes_json(operator_traits<every_kind_desc>::attributes, &desc, data_type::float32))
    text += (text.empty() ? "{" : ", ") + member;
  return text + "}";
}

every_kind_desc read_json(std::string_view text) {
  const auto document = io::parse_json(text);
  every_kind_desc desc;
  for (const attribute& row : operator_traits<every_kind_desc>::attributes)
    io::detail::read_attribute(document, row, &desc, "the test");
  return desc;
}

// The text of the violation, or "".
std::string json_refusal(std::string_view text) {
  try {
    read_json(text);
  } catch (const error& refusal) {
    return refusal.what();
  }
  return "";
}

}  // namespace

TEST_CASE("kinds: as case text", "[registry]") {
  const test_case c = filled_case();
  const std::string text =
      "EVERY_KIND InputTensors=[FLOAT32{2,3}/{1,2};INT8{4}] OutputTensor=FLOAT16{1} GroupCount=4294967295 "
      "Offset=-2147483648 Limit=18446744073709551615 Alpha=0.1 Inclusive=true AxisDirection=DECREASING "
      "Sizes={2,4294967295,3} Strides={-1,2147483647,-2147483648} Scales={0.5,-0,1e-45} Axes={1} "
      "ValueStart=INT16:0xFFF9 ValueDelta=INT16:0x7FFF WindowSize={5,4294967295} ScaleBias={2.5,-1} "
      "FusedActivation=ACTIVATION_ELU{0.25} ActivationDescs={ACTIVATION_LINEAR{1.5,-2},ACTIVATION_RELU} "
      "nan_policy=propagate in_place=true feature_level=4_0 data=uniform seed=5";
  CHECK(to_string(c) == text);
  CHECK(goldml_test::same_case(oracle::parse_case<every_kind_desc>(text), c));

  test_case refused = c;
  refused.desc.fused->has_tensors = true;
  refused.desc.activations[1].has_tensors = true;
  refused.desc.activations.push_back({8, {-1, 6}, true, scale_bias{2, -0.5F}});
  refused.desc.activations.push_back(activations::softmax1({2, 0}));
  CHECK(to_string(refused).find("FusedActivation=ACTIVATION_ELU{0.25}+tensors ") != std::string::npos);
  CHECK(to_string(refused).find("ActivationDescs={ACTIVATION_LINEAR{1.5,-2},ACTIVATION_RELU+tensors,"
                                "ELEMENT_WISE_CLIP{-1,6}+scale_bias{2,-0.5}+tensors,ACTIVATION_SOFTMAX1{2,0}} ") !=
        std::string::npos);
  CHECK(goldml_test::same_case(oracle::parse_case<every_kind_desc>(to_string(refused)), refused));

  CHECK(to_string(test_case{}) == to_string(oracle::parse_case<every_kind_desc>("EVERY_KIND")));
  CHECK(to_string(test_case{}).starts_with("EVERY_KIND InputTensors=[] GroupCount=1 "));

  test_case plain;  // every default
  plain.tensors.resize(2);
  CHECK(goldml_test::same_case(oracle::parse_case<every_kind_desc>(to_string(plain)), plain));
  CHECK(goldml_test::same_case(oracle::parse_case<every_kind_desc>("EVERY_KIND"), plain));
  CHECK(to_string(plain).find(" InputTensors=[] ") != std::string::npos);
  CHECK(to_string(plain).find(" ScaleBias=none FusedActivation=none ActivationDescs={} ") != std::string::npos);

  // A NaN keeps its bits; a tensor of an array may be missing.
  test_case odd = c;
  odd.desc.alpha = std::bit_cast<float>(0xFFC1'2345u);
  odd.desc.scales = {odd.desc.alpha};
  odd.tensors[1].reset();
  CHECK(to_string(odd).find(" Alpha=0xFFC12345 ") != std::string::npos);
  CHECK(to_string(odd).find("InputTensors=[FLOAT32{2,3}/{1,2};none]") != std::string::npos);
  CHECK(goldml_test::same_case(oracle::parse_case<every_kind_desc>(to_string(odd)), odd));
}

TEST_CASE("kinds: an enumerator without a name is its number in JSON", "[registry]") {
  every_kind_desc desc = filled_desc();
  desc.axis_direction = static_cast<axis_direction>(7);
  CHECK(json_of(desc) ==
        with(std::string(filled_json), "\"AxisDirection\": \"DML_AXIS_DIRECTION_DECREASING\"", "\"AxisDirection\": 7"));
}

TEST_CASE("kinds: invalid case text (M10)", "[registry]") {
  for (const std::string_view words : {"GroupCount=4294967296",
                                       "GroupCount=-1",
                                       "Offset=2147483648",
                                       "Limit=18446744073709551616",
                                       "Alpha=",
                                       "Alpha=one",
                                       "Alpha=0x",
                                       "Alpha=0x100000000",
                                       "Alpha=1.0f",
                                       "Inclusive=1",
                                       "Inclusive=TRUE",
                                       "AxisDirection=UP",
                                       "Strides={-2147483649}",
                                       "Strides=-1",
                                       "Strides={1,}",
                                       "Scales={1;2}",
                                       "Scales={x}",
                                       "ValueStart=INT16:7",
                                       "ValueStart=INT16:0x10000",
                                       "WindowSize={1}",
                                       "WindowSize={1,2,3}",
                                       "WindowSize=1,2",
                                       "ScaleBias={1}",
                                       "ScaleBias=null",
                                       "FusedActivation=ELU{1}",
                                       "FusedActivation=ACTIVATION_ELU",
                                       "FusedActivation=ACTIVATION_ELU{}",
                                       "FusedActivation=ACTIVATION_ELU{1,2}",
                                       "FusedActivation=ACTIVATION_RELU{1}",
                                       "FusedActivation=ARGMIN",
                                       "ActivationDescs=ACTIVATION_RELU",
                                       "ActivationDescs={ACTIVATION_RELU,}",
                                       "ActivationDescs={ACTIVATION_LINEAR{1}}",
                                       "InputTensors=INT8{1}",
                                       "InputTensors=[INT8{1}",
                                       "InputTensors=[INT8{1},INT8{1}]",
                                       "InputTensors=[;]",
                                       "OutputTensor=[INT8{1}]",
                                       "BiasTensor=none",
                                       "DimensionCount=3",
                                       "in_place=yes"}) {
    INFO(words);
    CHECK(outcome_of(words) == "M10");
  }
  for (const std::string_view words :
       {"Alpha=1", "Alpha=-1e30", "Alpha=inf", "Alpha=0x7FC00000", "Strides={}", "FusedActivation=ACTIVATION_RELU{}",
        "FusedActivation=DML_OPERATOR_ACTIVATION_ELU{0.5}", "InputTensors=[]", "InputTensors=[none;INT8{1}]",
        "AxisDirection=7", "ScaleBias=none"}) {
    INFO(words);
    CHECK(outcome_of(words) == "parsed");
  }
}

TEST_CASE("kinds: as JSON and back; a shared companion is written once", "[registry]") {
  const every_kind_desc desc = filled_desc();
  CHECK(json_of(desc) == filled_json);
  every_kind_desc read = read_json(filled_json);
  read.nan_policy = desc.nan_policy;  // policies are not in models
  read.in_place = desc.in_place;
  read.feature_level = desc.feature_level;
  CHECK(differing_members(read, desc) == "");

  // Counts may be omitted, optional values may be null or omitted, and "Desc" may be in between.
  std::string text = with(std::string(filled_json), R"("DimensionCount": 3, )", "");
  text = with(text, R"("AxisCount": 1, )", "");
  text = with(text, R"("ActivationDescCount": 2, )", "");
  text = with(text, R"({ "Type": "ACTIVATION_ELU", "Alpha": 0.25 })",
              R"({ "type": "DML_OPERATOR_ACTIVATION_ELU", "Desc": { "Alpha": 0.25 } })");
  CHECK(differing_members(read_json(text), read_json(filled_json)) == "");
  text = with(text, R"({ "Scale": 2.5, "Bias": -1 })", "null");
  CHECK_FALSE(read_json(text).adjustment);
  text = with(text, R"("ScaleBias": null, )", "");
  CHECK_FALSE(read_json(text).adjustment);

  every_kind_desc special = desc;
  special.alpha = INFINITY;
  special.scales = {-INFINITY, std::numeric_limits<float>::quiet_NaN()};
  special.sizes = {1, 2};
  special.strides = {1, 2};
  special.start = special.delta = scalar{};  // omitted: zeros of the output's type
  special.adjustment.reset();
  special.fused.reset();
  special.activations = {};
  every_kind_desc again = read_json(json_of(special));
  CHECK(again.alpha == INFINITY);
  CHECK(again.scales.size() == 2);
  CHECK(std::isnan(again.scales[1]));
  CHECK(again.start == scalar(0.0f));
  CHECK((!again.adjustment && !again.fused && again.activations.empty()));
}

TEST_CASE("kinds: invalid JSON", "[registry]") {
  const std::string good(filled_json);
  CHECK(json_refusal(good) == "");
  CHECK(json_refusal(with(good, R"("DimensionCount": 3)", R"("DimensionCount": 2)")) ==
        "model M2: DimensionCount is 2, wanted 3, as many as there are Sizes (the test)");
  const auto begins = [&](std::string_view part, std::string_view other, std::string_view code,
                          std::string_view member) {
    const std::string refusal = json_refusal(with(good, part, other));
    INFO(refusal);
    CHECK(refusal.find(std::string(code) + ": " + std::string(member) + " ") != std::string::npos);
  };
  begins("[2,4294967295,3]", "[2,3]", "M2", "DimensionCount");  // the others have three
  begins("[-1,2147483647,-2147483648]", "[-1,2]", "M2", "DimensionCount");
  begins("[-1,2147483647,-2147483648]", "[-1,2,2147483648]", "M4", "Strides");
  begins("[0.5,-0,1e-45]", "[0.5,-0,1e39]", "M4", "Scales");
  begins("[0.5,-0,1e-45]", "7", "M2", "Scales");
  begins(R"("Alpha": 0.1, )", "", "M2", "Alpha");
  begins(R"("Alpha": 0.1, )", R"("Alpha": "high", )", "M2", "Alpha");
  begins(R"("Inclusive": true)", R"("Inclusive": 1)", "M2", "Inclusive");
  begins("18446744073709551615", "-1", "M4", "Limit");
  begins(R"("ValueDelta": 32767)", R"("ValueDelta": 32768)", "M4", "ValueDelta");
  begins(R"("ValueDataType": "INT16", )", "", "M2", "ValueDataType");
  begins(R"({ "Width": 5, "Height": 4294967295 })", "5", "M2", "WindowSize");
  begins(R"("Height": 4294967295)", R"("Depth": 1)", "M2", "Height");
  begins(R"("Bias": -1)", R"("Offset": -1)", "M2", "Bias");
  begins("ACTIVATION_ELU", "ACTIVATION_LU", "M5", "Type");
  begins(R"("Alpha": 0.25)", R"("Beta": 0.25)", "M2", "Alpha");
  begins(R"("ActivationDescCount": 2)", R"("ActivationDescCount": 3)", "M2", "ActivationDescCount");
  begins(R"({ "Type": "ACTIVATION_RELU" })", R"("ACTIVATION_RELU")", "M2", "ActivationDescs");
}

TEST_CASE("kinds: as the C++ source of DirectML's structures", "[registry]") {
  const test_case c = filled_case();
  auto operands = make_operands<every_kind_desc>(3, 1);
  for (std::size_t i = 0; i < operands.size(); ++i) operands[i].desc = c.tensors[i];
  using traits = operator_traits<every_kind_desc>;
  CHECK(tool::detail::operator_source(traits::name, traits::attributes, traits::operands, &c.desc, operands) ==
        R"(  const UINT Sizes[] = {2, 4294967295u, 3};
  const INT Strides[] = {-1, 2147483647, -2147483647 - 1};
  const FLOAT Scales[] = {0.5f, -0.0f, 1e-45f};
  const UINT Axes[] = {1};
  const DML_SCALE_BIAS ScaleBias = {2.5f, -1.0f};
  DML_ACTIVATION_ELU_OPERATOR_DESC FusedActivation = {};
  FusedActivation.Alpha = 0.25f;
  const DML_OPERATOR_DESC FusedActivationOperator = {DML_OPERATOR_ACTIVATION_ELU, &FusedActivation};
  DML_ACTIVATION_LINEAR_OPERATOR_DESC ActivationDescs0 = {};
  ActivationDescs0.Alpha = 1.5f;
  ActivationDescs0.Beta = -2.0f;
  const DML_OPERATOR_DESC ActivationDescs0Operator = {DML_OPERATOR_ACTIVATION_LINEAR, &ActivationDescs0};
  DML_ACTIVATION_RELU_OPERATOR_DESC ActivationDescs1 = {};
  const DML_OPERATOR_DESC ActivationDescs1Operator = {DML_OPERATOR_ACTIVATION_RELU, &ActivationDescs1};
  const DML_OPERATOR_DESC ActivationDescs[] = {ActivationDescs0Operator, ActivationDescs1Operator};
  const DML_TENSOR_DESC InputTensors[] = {InputTensors0, InputTensors1};
  DML_EVERY_KIND_OPERATOR_DESC desc = {};
  desc.InputCount = 2;
  desc.InputTensors = InputTensors;
  desc.BiasTensor = nullptr;
  desc.OutputTensor = &OutputTensor;
  desc.GroupCount = 4294967295u;
  desc.Offset = -2147483647 - 1;
  desc.Limit = 18446744073709551615u;
  desc.Alpha = 0.1f;
  desc.Inclusive = TRUE;
  desc.AxisDirection = DML_AXIS_DIRECTION_DECREASING;
  desc.DimensionCount = 3;
  desc.Sizes = Sizes;
  desc.Strides = Strides;
  desc.Scales = Scales;
  desc.AxisCount = 1;
  desc.Axes = Axes;
  desc.ValueDataType = DML_TENSOR_DATA_TYPE_INT16;
  desc.ValueStart.Int16 = -7;
  desc.ValueDelta.Int16 = 32767;
  desc.WindowSize = {5, 4294967295u};
  desc.ScaleBias = &ScaleBias;
  desc.FusedActivation = &FusedActivationOperator;
  desc.ActivationDescCount = 2;
  desc.ActivationDescs = ActivationDescs;
  const DML_OPERATOR_DESC operatorDesc = {DML_OPERATOR_EVERY_KIND, &desc};
)");

  const every_kind_desc plain;
  operands = make_operands<every_kind_desc>(1, 1);
  const std::string text =
      tool::detail::operator_source(traits::name, traits::attributes, traits::operands, &plain, operands);
  for (const std::string_view line :
       {"desc.InputCount = 0;\n  desc.InputTensors = nullptr;", "desc.Inclusive = FALSE;", "desc.Sizes = nullptr;",
        "desc.ScaleBias = nullptr;", "desc.FusedActivation = nullptr;",
        "desc.ActivationDescCount = 0;\n  desc.ActivationDescs = nullptr;", "desc.Alpha = 0.0f;"}) {
    INFO(line << " in " << text);
    CHECK(text.find(line) != std::string::npos);
  }
}
