// The generator: the same cases on every platform, legal and of every kind, and illegal cases that break the stated
// rule.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/goldml.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/generate_illegal.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../support/every_operator.hpp"
#include "../support/refusals.hpp"

using namespace goldml;

namespace {

// FNV-1a, 64 bits.
struct hash {
  std::uint64_t value = 0xCBF2'9CE4'8422'2325;

  void add(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) value = (value ^ std::to_integer<std::uint64_t>(b)) * 0x0000'0100'0000'01B3;
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
};

// Lines, inputs and golden outputs, including gaps.
std::uint64_t hash_of(const oracle::any_operator& op, const oracle::generate_options& options) {
  hash result;
  for (const oracle::generated_case<any_desc>& c : oracle::cases<any_desc>(op, options)) {
    result.add(c.line());
    for (const host_tensor& input : c.inputs) result.add(input.bytes());
    for (const oracle::golden_output& output : c.expected.answers.front()) result.add(output.values.bytes());
  }
  return result.value;
}
// Lines, and the rules that are broken.
std::uint64_t hash_of_illegal(const oracle::any_operator& op, std::uint64_t count) {
  hash result;
  for (std::uint64_t number = 0; number < count; ++number) {
    const auto illegal = oracle::sample_illegal_case(op, {}, number);
    result.add(to_string(illegal.text));
    result.add(illegal.rule);
  }
  return result.value;
}
std::vector<std::string> broken_rules(const oracle::test_case<any_desc>& c) {
  std::vector<std::string> rules;
  for (const violation& v : goldml_test::violations_of(c.desc, c.tensors)) rules.emplace_back(v.rule);
  return rules;
}

// Whether each dimension of more than one element has a stride within the span of those with smaller strides.
bool interleaves(const dimensions& sizes, const dimensions& strides) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::uint64_t reach = 0;
    for (std::size_t j = 0; j < sizes.size(); ++j)
      if (strides[j] < strides[i]) reach += (sizes[j] - std::uint64_t{1}) * strides[j];
    if (sizes[i] > 1 && strides[i] <= reach) return true;
  }
  return false;
}

// The stride patterns that the strides of a tensor belong to, for tensors with gaps or more than one element.
std::string_view pattern_of(const tensor_desc& tensor) {
  const dimensions strides = effective_strides(tensor);
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (strides[i] == 0 && tensor.sizes[i] > 1) return "broadcast";
  if (addresses_shared(tensor.sizes, strides) == address_sharing::shared) return "overlapping";
  if (interleaves(tensor.sizes, strides)) return "interleaved";
  if (last_index(tensor.sizes, strides) + 1 > element_count(tensor.sizes)) return "padded";
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (strides[i] != packed_strides(tensor.sizes)[i] && tensor.sizes[i] > 1) return "permuted";
  return tensor.strides.empty() ? "no strides" : "packed";
}

using seen = std::map<std::string, std::set<std::string>>;

oracle::generate_options all_classes(std::uint64_t seed) {
  oracle::generate_options options{.seed = seed};
  options.data = oracle::all_data_classes();
  return options;
}

std::set<std::string> names_of_types(data_type_set types) {
  std::set<std::string> names;
  for (std::uint32_t value = 1; value <= 13; ++value)
    if (types.contains(static_cast<data_type>(value))) names.emplace(name_of(static_cast<data_type>(value)));
  return names;
}

std::set<std::string> numbers(std::uint32_t first, std::uint32_t last) {
  std::set<std::string> result;
  for (std::uint32_t i = first; i <= last; ++i) result.insert(std::to_string(i));
  return result;
}

// The ranks of an operand that are legal by the default policies: `one_dimensional` refuses 3 of integer convolutions.
std::set<std::string> ranks_of(std::string_view name, std::string_view operand, const operand_limits& limits) {
  const bool refuses = (name == "CONVOLUTION_INTEGER" || name == "QUANTIZED_LINEAR_CONVOLUTION") &&
                       operand != "FilterScaleTensor" && limits.fewest_dimensions == 3;
  return numbers(refuses ? 4 : limits.fewest_dimensions, limits.most_dimensions);
}

// The rules of its own that the sampler of an operator breaks at the latest level.
std::set<std::string> own_rules(std::string_view name) {
  struct row {
    std::string_view operators;  // their names, or the beginnings of their names with a star
    std::vector<std::string> rules;
  };
  static const std::vector<row> rows{
      {" ARGMIN ", {"A1", "A2", "A3", "A4", "A5", "A6", "A8", "A10"}},
      {" ARGMAX ", {"AX1", "AX2", "AX3", "AX4", "AX5", "AX6", "AX8", "AX10"}},
      {" NONZERO_COORDINATES ", {"N1", "N3", "N4", "N5"}},
      {" SCATTER_ND ", {"S1", "S2", "S3", "S4", "S5", "S6", "S7", "S9"}},
      {" DIAGONAL_MATRIX1 ", {"D1", "D2", "D3", "D5"}},
      {" DIAGONAL_MATRIX ", {"DM1"}},
      {" FILL_VALUE_CONSTANT ", {"FC1"}},
      {" SLICE ", {"SL1", "SL2", "SL3", "SL4", "SL5", "SL7"}},
      {" SLICE1 ", {"SL1", "SL2", "SL4", "SL5", "SL6", "SL7", "SL8"}},
      {" SLICE_GRAD ", {"SG1", "SG2", "SG4", "SG5", "SG6", "SG7", "SG8"}},
      {" JOIN ", {"JO1", "JO2", "JO3", "JO4", "JO5", "JO6"}},
      {" SPLIT ", {"SP1", "SP2", "SP3", "SP4", "SP5", "SP6"}},
      {" TILE ", {"TI1", "TI2", "TI3", "TI4", "TI5"}},
      {" PADDING PADDING1 ", {"PA1", "PA2", "PA3", "PA4", "PA5"}},
      {" PADDING1 ", {"PA6"}},
      {" SPACE_TO_DEPTH SPACE_TO_DEPTH1 ", {"SD1", "SD3", "SD4", "SD5"}},
      {" SPACE_TO_DEPTH1 ", {"SD6"}},
      {" DEPTH_TO_SPACE DEPTH_TO_SPACE1 ", {"DS1", "DS3", "DS4", "DS5"}},
      {" DEPTH_TO_SPACE1 ", {"DS6"}},
      {" CAST ", {"CA2", "CA3"}},
      {" TOP_K TOP_K1 ", {"TK1", "TK2", "TK3", "TK4", "TK5", "TK6"}},
      {" TOP_K1 ", {"TK7"}},
      {" ONE_HOT ", {"OH1", "OH2", "OH3", "OH4", "OH5", "OH6"}},
      {" GATHER ", {"GA1", "GA2", "GA3", "GA4", "GA5", "GA6", "GA7"}},
      {" GATHER_ELEMENTS ", {"GE1", "GE2", "GE3", "GE4", "GE5"}},
      {" GATHER_ND GATHER_ND1 ", {"GN1", "GN2", "GN3", "GN4", "GN7", "GN8", "GN9"}},
      {" GATHER_ND1 ", {"GN5", "GN6"}},
      {" SCATTER_ELEMENTS ", {"SE1", "SE2", "SE3", "SE4", "SE5", "SE6"}},
      {" REDUCE ", {"RE1", "RE2", "RE3", "RE4", "RE5", "RE6", "RE7", "RE8", "RE9"}},
      {" FILL_VALUE_SEQUENCE ", {"FS1"}},
      {" CUMULATIVE_SUMMATION CUMULATIVE_PRODUCT ", {"CU1", "CU2", "CU3", "CU4", "CU5"}},
      {" GEMM ", {"GM1", "GM2", "GM3", "GM4", "GM5", "GM6", "GM7", "AR7", "AR8", "AR9", "AR10"}},
      {" ADAM_OPTIMIZER ", {"AD1", "AD2", "AD3", "AD4"}},
      {" RANDOM_GENERATOR ", {"PH1", "PH2", "PH3", "PH4", "PH5"}},
      {" REVERSE_SUBSEQUENCES ", {"RS1", "RS2", "RS3", "RS4", "RS5", "RS6"}},
      {" MAX_UNPOOLING ", {"MU1", "MU2"}},
      {" CONVOLUTION ",
       {"CV1", "CV2", "CV3", "CV4", "CV5", "CV6", "CV7", "CV8", "CV9", "CV10", "CV11", "CV12", "AR7", "AR8", "AR9",
        "AR10"}},
      {" ELEMENT_WISE_QUANTIZE_LINEAR ELEMENT_WISE_DEQUANTIZE_LINEAR ", {"QL1", "QL2", "QL3", "QL4"}},
      {" QUANTIZE DEQUANTIZE ", {"QB1", "QB2", "QB3", "QB4", "QB5", "QB6", "QB7", "QB8"}},
      {" MATRIX_MULTIPLY_INTEGER ", {"QM1", "QM2", "QM4", "QM5", "QM6", "QM7", "QM8"}},
      {" QUANTIZED_LINEAR_MATRIX_MULTIPLY ", {"QM1", "QM2", "QM3", "QM4", "QM5", "QM6", "QM7", "QM8"}},
      {" QUANTIZED_LINEAR_CONVOLUTION ",
       {"QC1", "QC2", "QC3", "QC4", "QC5", "QC6", "QC7", "QC8", "QC9", "QC10", "QC11", "QC12"}},
      {" QUANTIZED_LINEAR_AVERAGE_POOLING ", {"QP1", "QP2", "QP3", "QP4", "QP5", "QP6", "QP7", "QP8"}},
      {" MATRIX_MULTIPLY_INTEGER_TO_FLOAT ", {"QM1", "QM2", "QM3", "QM4", "QM5", "QM6", "QM7", "QM8", "QM9"}},
      {" DYNAMIC_QUANTIZE_LINEAR ", {"QD1", "QD2", "QD3", "QD4"}},
      {" ELEMENT_WISE_QUANTIZED_LINEAR_ADD ", {"QA1", "QA2", "QA3", "QA4"}},
      {" CONVOLUTION_INTEGER ",
       {"QC1", "QC2", "QC3", "QC4", "QC5", "QC6", "QC7", "QC8", "QC9", "QC11", "QC12", "QC13"}},
      {" AVERAGE_POOLING AVERAGE_POOLING1 LP_POOLING LP_POOLING1 MAX_POOLING MAX_POOLING1 MAX_POOLING2 ",
       {"PO1", "PO2", "PO3", "PO5", "PO6", "PO7", "PO8"}},
      {" LP_POOLING LP_POOLING1 ", {"PO9"}},
      {" MAX_POOLING1 MAX_POOLING2 ", {"PO10"}},
      {" AVERAGE_POOLING_GRAD MAX_POOLING_GRAD ", {"PG1", "PG2", "PG3", "PG5", "PG6", "PG7", "PG8"}},
      {" MAX_POOLING_GRAD ", {"PG9"}},
      {" FOLD UNFOLD ", {"FO1", "FO2", "FO4", "FO5", "FO6", "FO7", "FO8", "FO9"}},
      {" MEAN_VARIANCE_NORMALIZATION MEAN_VARIANCE_NORMALIZATION1 MEAN_VARIANCE_NORMALIZATION2 ",
       {"MV1", "MV2", "MV3", "MV4", "MV5", "AR7", "AR8", "AR9", "AR10"}},
      {" MEAN_VARIANCE_NORMALIZATION1 MEAN_VARIANCE_NORMALIZATION2 ", {"MV7", "MV8", "MV9"}},
      {" MEAN_VARIANCE_NORMALIZATION1 ", {"MV6"}},
      {" BATCH_NORMALIZATION ", {"BN1", "BN2", "BN3", "BN4", "BN5", "BN6", "AR7", "AR8", "AR9", "AR10"}},
      {" BATCH_NORMALIZATION_TRAINING ", {"BT1", "BT2", "BT3", "BT4", "BT5", "BT6", "AR7", "AR8", "AR9", "AR10"}},
      {" BATCH_NORMALIZATION_GRAD BATCH_NORMALIZATION_TRAINING_GRAD ", {"BG1", "BG2", "BG3", "BG4", "BG5"}},
      {" LP_NORMALIZATION ", {"LP1", "LP2", "LP3", "LP4", "LP5"}},
      {" LOCAL_RESPONSE_NORMALIZATION LOCAL_RESPONSE_NORMALIZATION_GRAD ", {"LR1", "LR2", "LR3", "LR4"}},
      {" UPSAMPLE_2D ", {"UP1", "UP2", "UP3", "UP4", "UP5"}},
      {" RESAMPLE ", {"RM1", "RM2", "RM3", "RM5", "RM7"}},
      {" RESAMPLE1 ", {"RM1", "RM2", "RM3", "RM5", "RM7", "RM8"}},
      {" RESAMPLE2 ", {"RM1", "RM2", "RM3", "RM5", "RM6", "RM7", "RM8"}},
      {" RESAMPLE3 ", {"RM1", "RM2", "RM3", "RM5", "RM6", "RM7", "RM8"}},
      {" RESAMPLE_GRAD ", {"RD1", "RD2", "RD3", "RD5", "RD7", "RD8"}},
      {" RESAMPLE_GRAD1 ", {"RD1", "RD2", "RD3", "RD5", "RD6", "RD7", "RD8"}},
      {" ROI_POOLING ", {"RP1", "RP2", "RP3", "RP4", "RP5"}},
      {" ROI_ALIGN ROI_ALIGN1 ", {"RA1", "RA2", "RA3", "RA4", "RA5", "RA6", "RA7", "RA8"}},
      {" ROI_ALIGN_GRAD ", {"RG1", "RG2", "RG3", "RG4", "RG5", "RG6", "RG7", "RG8", "RG9", "RG10"}},
      {" VALUE_SCALE_2D ", {"VS1", "VS3", "VS4", "VS5"}},
      {" RNN ", {"RN1", "RN2", "RN3", "RN4", "RN5", "RN7", "RN8", "RN9", "AR7", "AR8"}},
      {" GRU ", {"GR1", "GR2", "GR3", "GR4", "GR5", "GR7", "GR8", "GR9", "AR7", "AR8"}},
      {" MULTIHEAD_ATTENTION MULTIHEAD_ATTENTION1 ",
       {"MH1", "MH2", "MH3", "MH4", "MH5", "MH6", "MH7", "MH8", "MH9", "MH10", "MH11", "MH12", "MH13"}},
      {" MULTIHEAD_ATTENTION1 ", {"MH14"}},
      {" LSTM ", {"LS1", "LS2", "LS3", "LS4", "LS5", "LS7", "LS8", "LS9", "LS11", "AR7", "AR8"}},
      {" ELEMENT_WISE_IDENTITY ", {"ID1", "ID2", "ID3"}},
      {" ELEMENT_WISE_ABS ELEMENT_WISE_NEGATE ELEMENT_WISE_SIGN ", {"UN1"}},
      {" ELEMENT_WISE_ABS ELEMENT_WISE_NEGATE ELEMENT_WISE_SIGN ELEMENT_WISE_IS_NAN ELEMENT_WISE_IS_INFINITY ",
       {"UN2", "UN3"}},
      {" ELEMENT_WISE_IS_INFINITY ", {"UN4"}},
      {" ELEMENT_WISE_CEIL ELEMENT_WISE_FLOOR ELEMENT_WISE_ROUND ", {"RO1", "RO2", "RO3"}},
      {" ELEMENT_WISE_ROUND ", {"RO4"}},
      {" ELEMENT_WISE_CLIP ELEMENT_WISE_CLIP1 ", {"CL1", "CL2", "CL3", "CL5"}},
      {" ELEMENT_WISE_CLIP1 ", {"CL4"}},
      {" ELEMENT_WISE_IDENTITY ELEMENT_WISE_ABS ELEMENT_WISE_CLIP ELEMENT_WISE_CLIP1 ELEMENT_WISE_THRESHOLD "
       "ELEMENT_WISE_POW ELEMENT_WISE_CONSTANT_POW ",
       {"SB1"}},
      {" ELEMENT_WISE_POW ELEMENT_WISE_CONSTANT_POW ", {"PW1", "PW2", "PW3"}},
      {" ELEMENT_WISE_POW ", {"PW4"}},
      {" ELEMENT_WISE_THRESHOLD ELEMENT_WISE_ACOS ELEMENT_WISE_ASIN ELEMENT_WISE_ATAN ELEMENT_WISE_COS "
       "ELEMENT_WISE_EXP "
       "ELEMENT_WISE_LOG ELEMENT_WISE_RECIP ELEMENT_WISE_SIN ELEMENT_WISE_SQRT ELEMENT_WISE_TAN ELEMENT_WISE_ERF "
       "ELEMENT_WISE_SINH ELEMENT_WISE_COSH ELEMENT_WISE_TANH ELEMENT_WISE_ASINH ELEMENT_WISE_ACOSH "
       "ELEMENT_WISE_ATANH ",
       {"FN1", "FN2", "FN3"}},
      {" ELEMENT_WISE_CLIP_GRAD ELEMENT_WISE_CLIP_GRAD1 ", {"CG1", "CG2", "CG3"}},
      {" ELEMENT_WISE_CLIP_GRAD1 ", {"CG4"}},
      {" ELEMENT_WISE_MIN ELEMENT_WISE_MAX ", {"MM1", "MM2", "MM3"}},
      {" ELEMENT_WISE_ADD ELEMENT_WISE_SUBTRACT ELEMENT_WISE_MULTIPLY ELEMENT_WISE_DIVIDE ELEMENT_WISE_MEAN "
       "ELEMENT_WISE_DIFFERENCE_SQUARE ELEMENT_WISE_MODULUS_TRUNCATE ELEMENT_WISE_MODULUS_FLOOR ELEMENT_WISE_ATAN_YX ",
       {"AR1", "AR2", "AR3"}},
      {" ELEMENT_WISE_IF ", {"IF1", "IF2", "IF3"}},
      {" ELEMENT_WISE_LOGICAL_*", {"LO1", "LO2", "LO3"}},
      {" ELEMENT_WISE_BIT_*", {"BI1", "BI2", "BI3"}},
      {" ELEMENT_WISE_ADD1 ", {"AR1", "AR2", "AR3", "AR7", "AR8", "AR9", "AR10"}},
      {" ACTIVATION_*", {"AR1", "AR2", "AR3", "AR9"}},
      {" ACTIVATION_SOFTPLUS ", {"AR10"}},
  };
  std::set<std::string> rules;
  for (const row& one : rows) {
    const bool is_family =
        one.operators.ends_with('*') && name.starts_with(one.operators.substr(1, one.operators.size() - 2));
    if (is_family || one.operators.find(" " + std::string(name) + " ") != std::string_view::npos)
      rules.insert(one.rules.begin(), one.rules.end());
  }
  for (const std::string_view bare : {"GELU", "IDENTITY", "PARAMETERIZED_RELU", "RELU", "RELU_GRAD", "SIGMOID",
                                      "SOFTSIGN", "TANH"})  // without parameters
    if (name == "ACTIVATION_" + std::string(bare)) rules.erase("AR9");
  for (const std::string_view slices : {"SOFTMAX", "LOG_SOFTMAX", "HARDMAX"}) {
    if (name == fmt::format("ACTIVATION_{}", slices)) rules = {"SO1", "SO2", "SO3", "SO4"};
    if (name == fmt::format("ACTIVATION_{}1", slices)) rules = {"SO1", "SO2", "SO3", "SO5", "SO6", "SO7"};
  }
  if (name == "ELEMENT_WISE_BIT_COUNT") rules.erase("BI1");  // one input, and an output of another type
  return rules;
}

// Those that no case can break at a level, because all its tensors have the same data type or number of dimensions.
void erase_what_cannot_differ(const oracle::any_operator& op, feature_level level, std::set<std::string>& rules) {
  for (const operand_info& info : op.operands()) {
    const operand_limits& limits = *limits_at(info, level);
    if (names_of_types(limits.data_types).size() == 1) rules.erase(std::string(info.same_data_type_as.rule));
    if (level >= info.same_data_type_below.level) rules.erase(std::string(info.same_data_type_below.other.rule));
    if (limits.fewest_dimensions == limits.most_dimensions) rules.erase(std::string(info.same_rank_as.rule));
    if (level >= feature_level::level_6_4) rules.erase("AR10");
    if (level >= feature_level::level_5_2) rules.erase("MV5");
    if (level >= feature_level::level_4_0)
      for (const char* early : {"BN5", "BN6", "MV6"}) rules.erase(early);
    const bool is_float = !limits.data_types.contains(data_type::int8);
    if (is_float) rules.erase("SB1");
  }
}

}  // namespace

TEST_CASE("generate: the first 200 cases of each operator are the same on every platform", "[oracle]") {
  // Of the legal small cases, and of the illegal ones. For those of tiles see sizes_class.cpp.
  const std::map<std::string_view, std::array<std::uint64_t, 2>> hashes{
      {"ARGMIN", {0x0DB4'8F85'AF52'4E14, 0x0264'7528'5A36'2FDB}},
      {"NONZERO_COORDINATES", {0xD2A7'B92C'9C85'25C8, 0x78B1'DFAC'7BCF'4F4C}},
      {"SCATTER_ND", {0x5E0A'8FAF'1491'B7A5, 0x44AF'BF43'6E6C'827E}},
      {"DIAGONAL_MATRIX1", {0x06E6'EAAF'F2C4'F205, 0x33C6'5B83'0A9D'29DC}},
      {"ARGMAX", {0x7BF6'DACF'3229'1E80, 0x9070'0004'8310'02D3}},
      {"DIAGONAL_MATRIX", {0x39FD'CF08'1F08'6C34, 0xB4CF'7191'CDCC'265B}},
      {"FILL_VALUE_CONSTANT", {0xDE5F'641E'99FA'A168, 0xF5D3'316F'28C0'35CF}},
      {"SLICE1", {0x2796'09B9'1D1F'8522, 0x349D'0E9B'ED24'99D2}},
      {"SLICE", {0x0D61'467F'0BB0'0BC0, 0x99D4'B1B3'60BC'D8CD}},
      {"SLICE_GRAD", {0xDEBA'C355'993A'A398, 0x0BE7'C14C'FD0F'6192}},
      {"SPLIT", {0xECA0'F3E9'E902'F5C9, 0xA4A6'3313'3116'5685}},
      {"JOIN", {0x1378'C02E'2086'E800, 0xAA29'4BE8'833F'48F0}},
      {"PADDING", {0xD3B2'FF95'5E6A'8F78, 0xC840'4C83'BB54'5689}},
      {"PADDING1", {0xDEC2'1A40'54A6'5D55, 0xBDF5'60E8'6D8F'8CF7}},
      {"TILE", {0x9658'AB52'8C0B'FFD4, 0x41AD'C60C'2B9B'45DB}},
      {"SPACE_TO_DEPTH", {0x9761'FF24'8062'0267, 0xF364'5E02'CF15'A450}},
      {"SPACE_TO_DEPTH1", {0xDE98'98BD'463C'B6BC, 0xD780'5722'44D3'29F5}},
      {"DEPTH_TO_SPACE", {0xA5F0'66DF'C986'CE50, 0xD49F'7485'E4BA'EF9F}},
      {"DEPTH_TO_SPACE1", {0x19D8'464C'5536'25CC, 0x8FB0'79B5'A0F1'293A}},
      {"CAST", {0xA317'4D67'1599'C5A3, 0x2322'544A'32ED'C54E}},
      {"TOP_K", {0x4F36'9D8C'BBBE'D217, 0xB1C9'FF80'9E42'556D}},
      {"TOP_K1", {0x644E'9A03'55A8'44A8, 0x8664'D803'806B'5D66}},
      {"ONE_HOT", {0x9EB7'12FA'7534'62FD, 0xF1F8'81BB'825E'35D0}},
      {"GATHER", {0xCD54'88C0'43AA'24E6, 0x98D3'B1DF'07C5'3027}},
      {"GATHER_ELEMENTS", {0xE91C'1C28'E287'6E56, 0x8542'6BD7'5510'A420}},
      {"GATHER_ND", {0xC545'6B3A'E444'103D, 0xC5CB'3E59'BDF9'3744}},
      {"GATHER_ND1", {0xB152'5436'29B4'5B29, 0x5A1A'9193'2048'40FC}},
      {"SCATTER_ELEMENTS", {0xC3D5'7F7F'1BB1'991B, 0x3734'F553'3553'F9D9}},
      {"REDUCE", {0xD10E'DA4A'3263'1A27, 0x478A'1A77'CCA7'25E4}},
      {"CUMULATIVE_SUMMATION", {0xADE1'7C98'102E'6BF4, 0x63C6'BD7F'EAE5'7086}},
      {"CUMULATIVE_PRODUCT", {0x5FF2'D637'06F1'2CC9, 0x52C9'2559'BB28'F6FA}},
      {"FILL_VALUE_SEQUENCE", {0xD419'FDB9'3111'0203, 0x0AE5'0DBE'4BE8'C63A}},
      {"ADAM_OPTIMIZER", {0xB6EA'6E6B'1E79'EA15, 0x1736'19C9'9508'D331}},
      {"RANDOM_GENERATOR", {0xFD22'A0B3'F698'C525, 0x7BE1'74A8'E04D'D9B3}},
      {"REVERSE_SUBSEQUENCES", {0x2E26'4B68'6080'5AFA, 0xFA50'A1C7'28EC'56B1}},
      {"MAX_UNPOOLING", {0x0D8E'185B'EE40'999F, 0x1877'964C'6284'2A88}},
      {"CONVOLUTION", {0x4A82'CA34'A48A'9703, 0x9E06'1C45'6511'5705}},
      {"ACTIVATION_SOFTMAX", {0x71E0'9013'DD6F'BEAE, 0x2C43'162A'708E'F6DE}},
      {"ACTIVATION_SOFTMAX1", {0xDE50'96AF'E755'7558, 0xB24C'1823'D197'D2B7}},
      {"UPSAMPLE_2D", {0xD1B6'7D67'C676'7797, 0x8B96'7B7F'52E3'4DD9}},
      {"RNN", {0x3D5C'A674'C793'DDE3, 0x1BC5'B09B'63BA'83E5}},
      {"LSTM", {0x0969'14BE'DBBC'1054, 0x2850'D72B'A734'F679}},
      {"GEMM", {0x379C'5B9C'DEDE'FFE8, 0xF3A1'79EE'D26A'9E4D}},
      {"ELEMENT_WISE_IDENTITY", {0xDEF9'57E8'DAD5'A66D, 0x56CE'1A11'194E'A0B0}},
      {"ELEMENT_WISE_ABS", {0x6F14'927F'B9AD'6F25, 0xF0A6'FCA4'A36A'5565}},
      {"ELEMENT_WISE_NEGATE", {0xDDB7'B87C'FA91'CDEC, 0xEF06'FC7B'586A'9B9D}},
      {"ELEMENT_WISE_SIGN", {0x6B62'832A'BA9B'3A05, 0x59E2'3BE2'FF77'2F68}},
      {"ELEMENT_WISE_IS_NAN", {0x4921'8035'DC0F'EB97, 0x6760'3DFE'EEF0'2467}},
      {"ELEMENT_WISE_IS_INFINITY", {0x4D96'7E24'F270'199A, 0x1CEA'9053'8B47'171C}},
      {"ELEMENT_WISE_CEIL", {0x07BD'C70C'A1E7'3A68, 0x2D00'DC33'9179'56A7}},
      {"ELEMENT_WISE_FLOOR", {0x9891'0035'B048'690D, 0xE965'95CA'C2CC'276F}},
      {"ELEMENT_WISE_ROUND", {0xD2B0'8BC3'1B11'7F9F, 0x15A4'88EF'57F9'0BD7}},
      {"ELEMENT_WISE_CLIP", {0xE05C'DEBD'01C0'A528, 0x3BB7'9F34'3FA2'5390}},
      {"ELEMENT_WISE_CLIP1", {0xE234'DF55'26E1'4B55, 0x7A8D'0D6D'1E1D'6D37}},
      {"ELEMENT_WISE_THRESHOLD", {0xEC96'7103'F9FF'876E, 0xC313'E08E'E766'9966}},
      {"ELEMENT_WISE_ACOS", {0x33D5'2A7E'E3F9'4FC0, 0x8679'BE94'3B1C'72B9}},
      {"ELEMENT_WISE_ASIN", {0xD09B'CAA5'32FD'0EBD, 0x1F33'7AA4'98DD'A3E7}},
      {"ELEMENT_WISE_ATAN", {0x9E3D'F0E9'1625'1D25, 0xAA30'7841'9050'E40D}},
      {"ELEMENT_WISE_COS", {0x2D42'845A'BC66'1D8A, 0x6DDD'CD64'8772'4861}},
      {"ELEMENT_WISE_EXP", {0x85C4'44F0'DBFC'807C, 0xEE11'5168'1FB8'50F5}},
      {"ELEMENT_WISE_LOG", {0x9E51'D869'98D8'1DB1, 0xF277'3C6D'F485'0A5F}},
      {"ELEMENT_WISE_RECIP", {0x05F2'07C9'779B'FBA5, 0x38CD'98F8'4CBA'CD5D}},
      {"ELEMENT_WISE_SIN", {0x05F7'1ED0'DAC3'CE1C, 0x53E5'795A'1A25'3783}},
      {"ELEMENT_WISE_SQRT", {0xA1F3'765C'CC5D'233D, 0x97FD'544B'F162'C2ED}},
      {"ELEMENT_WISE_TAN", {0xBB83'FF5B'2475'6411, 0xCF20'0283'1295'305D}},
      {"ELEMENT_WISE_ERF", {0x5A6B'7C08'294B'457D, 0x3549'8DB7'735B'ECE2}},
      {"ELEMENT_WISE_SINH", {0x4A9E'7EE5'4BAB'9C57, 0x3202'91BD'5B55'D3CC}},
      {"ELEMENT_WISE_COSH", {0x86B9'EE6B'E967'57AD, 0x077E'13B8'F9CC'0E5C}},
      {"ELEMENT_WISE_TANH", {0x2EE4'3B3F'F5D6'1ECF, 0x31B4'FC49'6601'A0C8}},
      {"ELEMENT_WISE_ASINH", {0x72A8'FE76'4AC9'2E50, 0xC5F0'9F0C'7DFA'91E2}},
      {"ELEMENT_WISE_ACOSH", {0xE953'A279'B41E'8BCA, 0x88AF'D3CC'DC24'609A}},
      {"ELEMENT_WISE_ATANH", {0x993F'1E5A'FB24'4E7D, 0x29AE'F13A'6BEC'7916}},
      {"ELEMENT_WISE_CONSTANT_POW", {0xF3E3'CE46'8635'ADCA, 0x3F31'81D4'B934'470F}},
      {"ELEMENT_WISE_MIN", {0x566B'4FEA'AC7B'9A19, 0xBFE4'EBAE'0CB7'DBA0}},
      {"ELEMENT_WISE_MAX", {0x7B91'7F2B'6AD9'ADEB, 0x8472'669A'BDC0'3878}},
      {"ELEMENT_WISE_ADD", {0x3D9A'DEF1'CDB6'68CF, 0x110D'FCD5'F1B6'7491}},
      {"ELEMENT_WISE_SUBTRACT", {0xE366'FF05'3EDD'738A, 0x9616'40EA'AD3A'C145}},
      {"ELEMENT_WISE_MULTIPLY", {0x160B'DCF4'7EEF'96DD, 0x9E45'42A7'64A2'862D}},
      {"ELEMENT_WISE_DIVIDE", {0x6622'A366'7584'44FE, 0xB1DC'2C7D'1D3C'2A9F}},
      {"ELEMENT_WISE_ADD1", {0x2FBF'9877'2CD6'9C87, 0xCF9B'EA08'51DA'5172}},
      {"ELEMENT_WISE_MEAN", {0x362C'1740'8956'6208, 0x158C'25C5'A8C7'B877}},
      {"ELEMENT_WISE_DIFFERENCE_SQUARE", {0x8119'6A2E'AD61'C910, 0x20CB'981F'17C1'D421}},
      {"ELEMENT_WISE_MODULUS_TRUNCATE", {0x9EE1'12CC'E2E7'93CB, 0x00B0'C802'09C4'C68B}},
      {"ELEMENT_WISE_MODULUS_FLOOR", {0xE355'E9A0'BB5D'A872, 0xE756'6893'4613'3569}},
      {"ELEMENT_WISE_ATAN_YX", {0xE488'45CF'C690'5065, 0xE889'F47C'8F53'1718}},
      {"ELEMENT_WISE_POW", {0x4F3D'F994'9442'0F24, 0x3C12'985F'77C3'F488}},
      {"ELEMENT_WISE_CLIP_GRAD", {0xADCC'94F8'BC17'EA5F, 0xDCBF'884A'6B95'6E30}},
      {"ELEMENT_WISE_CLIP_GRAD1", {0xD952'CE8F'FBDC'29FC, 0x101E'F3B0'AC88'C149}},
      {"ACTIVATION_RELU_GRAD", {0xE4E0'D726'BD29'8B0D, 0xB8FE'E9DF'A360'5D52}},
      {"ACTIVATION_PARAMETERIZED_RELU", {0x274A'A164'10A6'AEED, 0x1A3F'2E17'1AA8'AEED}},
      {"ELEMENT_WISE_IF", {0x5B59'A763'21F5'141E, 0xD6A7'727C'D9EA'8C01}},
      {"ELEMENT_WISE_LOGICAL_AND", {0xA62F'98D9'EBB1'9048, 0x9F3A'B872'05E1'258F}},
      {"ELEMENT_WISE_LOGICAL_OR", {0x6558'F26E'6A98'ADA5, 0x239C'6AEE'E873'52D5}},
      {"ELEMENT_WISE_LOGICAL_XOR", {0xDB31'DD98'6749'B015, 0x578A'95DD'FF86'0037}},
      {"ELEMENT_WISE_LOGICAL_NOT", {0x768A'55C9'55AE'0F36, 0x51EC'6749'0219'9B0A}},
      {"ELEMENT_WISE_LOGICAL_EQUALS", {0x4AE0'2F30'9E77'0A03, 0x9E28'78F1'0573'EFF5}},
      {"ELEMENT_WISE_LOGICAL_GREATER_THAN", {0x36E5'D97A'A039'75CF, 0x2E18'7120'A306'3C97}},
      {"ELEMENT_WISE_LOGICAL_LESS_THAN", {0x0830'E02B'3FDB'1587, 0xA1CF'00EC'7147'61A5}},
      {"ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", {0x1166'D003'638B'E621, 0x7A8C'A9E1'F769'3212}},
      {"ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", {0x2BE8'5936'D6B1'0713, 0x73B8'3EF0'B140'9E9A}},
      {"ELEMENT_WISE_BIT_AND", {0xBDF2'762C'C23E'8635, 0x31F4'D55E'B6E5'5DC9}},
      {"ELEMENT_WISE_BIT_OR", {0xB966'09FF'4BFC'99F2, 0x52D2'291C'437A'F327}},
      {"ELEMENT_WISE_BIT_XOR", {0x57DE'433D'C69D'BF94, 0x01DD'6FA5'88A5'7815}},
      {"ELEMENT_WISE_BIT_NOT", {0xCB2D'9726'B3CA'84F9, 0xF63C'EAAD'9003'AA30}},
      {"ELEMENT_WISE_BIT_COUNT", {0x76B4'890F'253A'FB41, 0xB2AC'5308'707A'234A}},
      {"ELEMENT_WISE_BIT_SHIFT_LEFT", {0x1CDD'0406'BCC1'CC26, 0x86CC'DC1A'3368'965B}},
      {"ELEMENT_WISE_BIT_SHIFT_RIGHT", {0x9C66'F2F2'1F6A'7B92, 0x47B3'6C85'825F'276B}},
      {"ACTIVATION_ELU", {0xE6E1'F81C'EE39'8F0A, 0x7E2E'0D8E'79DE'E149}},
      {"ACTIVATION_HARD_SIGMOID", {0x845C'BAD6'F6BA'B897, 0xF517'A3BB'8562'9BCA}},
      {"ACTIVATION_IDENTITY", {0xB7DB'0B46'E51D'6BB2, 0xC802'5762'D2B2'0DF9}},
      {"ACTIVATION_LEAKY_RELU", {0x0F7E'B50E'2E32'2175, 0x79D3'4E98'70B1'C1D5}},
      {"ACTIVATION_LINEAR", {0x4530'5F15'372E'841C, 0xE943'70ED'CE3C'1D1E}},
      {"ACTIVATION_PARAMETRIC_SOFTPLUS", {0x212D'D730'0AFC'B877, 0x7819'60B8'0B23'DE9E}},
      {"ACTIVATION_RELU", {0x3491'6E61'E788'1FB8, 0xF150'1946'2A6D'1E94}},
      {"ACTIVATION_SCALED_ELU", {0xAE68'90CE'4446'D519, 0x2A7F'0036'C662'5A9E}},
      {"ACTIVATION_SCALED_TANH", {0x25E1'F692'A0D2'2761, 0x3D37'0613'E812'49FA}},
      {"ACTIVATION_SIGMOID", {0xDB62'0556'192D'3557, 0x7555'C61C'BB35'33DB}},
      {"ACTIVATION_SOFTPLUS", {0xEE03'7FF1'E69F'ED12, 0xF197'657E'FC72'475F}},
      {"ACTIVATION_SOFTSIGN", {0xB18E'F50F'50A2'5173, 0x8496'8CAA'0365'CC5D}},
      {"ACTIVATION_TANH", {0x976A'18CD'02F3'5092, 0x9C08'F3B5'53AE'4931}},
      {"ACTIVATION_CELU", {0x8515'A0EF'B92D'CFE1, 0x7A05'E7AC'0FFE'CA9B}},
      {"ACTIVATION_THRESHOLDED_RELU", {0x1F64'7C4F'F033'7469, 0x5546'BE45'3F84'B0E9}},
      {"ACTIVATION_SHRINK", {0xAF48'79B3'6C1E'A224, 0x44D4'F84F'9EC2'D68C}},
      {"ACTIVATION_GELU", {0x0E90'E4E5'6AF3'41DB, 0x4E0F'993D'404D'807D}},
      {"ACTIVATION_SWISH", {0xADDB'B003'D0C2'907B, 0xE750'805C'2B9F'B8B9}},
      {"ACTIVATION_HARD_SWISH", {0xD038'3FB1'8357'489D, 0x79B3'AB70'78D5'3109}},
      {"ACTIVATION_LOG_SOFTMAX", {0x971E'68AE'A45D'B842, 0xE5AD'B957'964E'FAC8}},
      {"ACTIVATION_LOG_SOFTMAX1", {0xF2A8'A834'1227'F69E, 0x4AB1'4265'F6E3'C0A3}},
      {"ACTIVATION_HARDMAX", {0x8FE2'68D0'6AC5'1EE9, 0xC458'2403'5932'3EA8}},
      {"ACTIVATION_HARDMAX1", {0x9D6F'9763'CDE5'3FA1, 0x7679'4081'15F3'F377}},
      {"VALUE_SCALE_2D", {0x776D'39F3'3631'63E5, 0x2031'478F'3110'0328}},
      {"ELEMENT_WISE_QUANTIZE_LINEAR", {0x28E6'6C5C'6305'7B0E, 0x4E96'0CFB'817F'D8A6}},
      {"ELEMENT_WISE_DEQUANTIZE_LINEAR", {0x2BAC'83B0'D282'AF65, 0xC378'45AB'5055'6BAA}},
      {"MATRIX_MULTIPLY_INTEGER", {0x9702'08D0'FFFB'CBB2, 0x8AA6'C1CF'AFE9'3717}},
      {"MEAN_VARIANCE_NORMALIZATION", {0x0F9C'C155'5EFA'3E61, 0x6CA7'331C'CA06'D3BA}},
      {"MEAN_VARIANCE_NORMALIZATION1", {0x9332'B602'0122'5174, 0x1C27'7F00'0BDA'9BB8}},
      {"MEAN_VARIANCE_NORMALIZATION2", {0x502C'9182'0B30'3BEE, 0xD6A9'E9D1'BE8E'2FC8}},
      {"BATCH_NORMALIZATION", {0x2363'349A'2509'1D4C, 0xDBA9'81A7'D07F'DF59}},
      {"BATCH_NORMALIZATION_TRAINING", {0x7E6D'25D0'6628'2ABC, 0x9AF3'9E2E'6E8E'6359}},
      {"LP_NORMALIZATION", {0xE002'DAD6'4539'9820, 0x6993'B0D0'F955'A237}},
      {"LOCAL_RESPONSE_NORMALIZATION", {0xE51D'3F5C'EE5F'FA82, 0x8847'721B'C867'2B6B}},
      {"LOCAL_RESPONSE_NORMALIZATION_GRAD", {0x3061'1264'FD87'0C8A, 0x5F5D'ECC5'0137'A71F}},
      {"BATCH_NORMALIZATION_GRAD", {0xE0A9'3240'4470'756D, 0x1424'1261'470B'2219}},
      {"BATCH_NORMALIZATION_TRAINING_GRAD", {0x7F41'6298'0C45'B87A, 0x46EE'52EF'4ABB'544F}},
      {"CONVOLUTION_INTEGER", {0x0EF2'2FE9'D19C'BAB9, 0x4C4D'EAA2'6980'E372}},
      {"GRU", {0x2B52'3E98'BE16'C799, 0xE156'2168'AFE9'43E0}},
      {"MULTIHEAD_ATTENTION", {0x053A'0CA5'06D3'4D92, 0xC9F8'B67A'2FF3'B2D4}},
      {"MULTIHEAD_ATTENTION1", {0x220A'1C31'85C5'1FE1, 0xCE6A'89B4'98FE'F10C}},
      {"AVERAGE_POOLING", {0x6855'2D97'D62A'765A, 0x518B'5149'E223'4465}},
      {"AVERAGE_POOLING1", {0x03AB'42B8'0DBE'D26C, 0xB5CB'6719'DB29'3B92}},
      {"LP_POOLING", {0x0639'8B31'F76C'CDB3, 0x37C6'88DC'68B3'0429}},
      {"LP_POOLING1", {0x8037'257A'F7C4'D9CF, 0x18FF'6FFB'05A0'5290}},
      {"MAX_POOLING", {0xD43C'0FEC'D90B'D15D, 0x09A1'E994'0509'5445}},
      {"MAX_POOLING1", {0xD7D2'11A1'10D0'61EE, 0x2BE0'B343'B0FD'4313}},
      {"MAX_POOLING2", {0xE2AE'3AC1'52A5'E866, 0x346A'02F7'31B0'3810}},
      {"AVERAGE_POOLING_GRAD", {0x8007'302E'E2A1'620E, 0x9EBF'9B50'8D23'1A40}},
      {"MAX_POOLING_GRAD", {0x92C0'FB12'1E22'5576, 0x04CE'0F5E'ADB3'D074}},
      {"FOLD", {0x755D'D82C'F875'2F25, 0xD0AF'48DF'AADF'8665}},
      {"UNFOLD", {0x4358'FAB7'B2AB'DB56, 0x539A'7B1A'323C'6777}},
      {"RESAMPLE", {0x07F6'8D91'2C78'CDFB, 0xA0F6'287E'CD86'C3FF}},
      {"RESAMPLE1", {0x3000'4147'7C56'790F, 0x0E44'C76F'D53C'5B11}},
      {"RESAMPLE2", {0x5180'0263'45A2'9E4E, 0xBFFE'4E7D'5A4B'3AEC}},
      {"RESAMPLE3", {0x7D90'8624'D64D'209A, 0xA492'83DF'FFC0'01F6}},
      {"RESAMPLE_GRAD", {0x0B88'935A'32E8'3329, 0x09ED'64CB'205A'4692}},
      {"RESAMPLE_GRAD1", {0x64CB'60D0'BE81'F583, 0xE514'2A75'C82D'2B8F}},
      {"QUANTIZED_LINEAR_MATRIX_MULTIPLY", {0x2A81'5437'0D50'FB77, 0x127C'4722'3417'2AD2}},
      {"QUANTIZED_LINEAR_CONVOLUTION", {0x2ECB'B8BD'87B2'38D8, 0xD461'2EAE'033E'778F}},
      {"ELEMENT_WISE_QUANTIZED_LINEAR_ADD", {0xE605'7236'C2CF'991A, 0x5D9E'6CFA'26BE'574D}},
      {"ROI_POOLING", {0x2C61'0347'0F3C'4C4A, 0xC3DC'28F2'6472'17FE}},
      {"DYNAMIC_QUANTIZE_LINEAR", {0x94B8'4FCA'DA4A'7827, 0x682F'A007'C7D8'B9A5}},
      {"MATRIX_MULTIPLY_INTEGER_TO_FLOAT", {0x9273'CBFA'1356'1D58, 0x706E'9F3F'6DAF'1C4A}},
      {"ROI_ALIGN", {0xE5F3'18EF'798B'EDBA, 0x9E36'E7B7'42DB'44AF}},
      {"ROI_ALIGN1", {0x791F'AB4E'D38E'EFD7, 0xB278'6207'3B41'7231}},
      {"ROI_ALIGN_GRAD", {0x90E2'AD0B'3016'8C49, 0xD264'D636'CBC6'4FCA}},
      {"QUANTIZED_LINEAR_AVERAGE_POOLING", {0x7821'D3BC'3C09'254E, 0xA361'607D'E8A5'E10C}},
      {"QUANTIZE", {0x290B'D72A'F56B'CAD9, 0xB628'6DFF'A478'584B}},
      {"DEQUANTIZE", {0x3C41'860F'B7B9'497C, 0x40C8'9BF1'2267'9BE6}},
  };
  for (const oracle::any_operator* op : goldml_test::visited_operators()) {
    const auto wanted = hashes.find(op->name());
    const std::array got{hash_of(*op, {.count = 200, .sizes_class = oracle::sizes_class::small_sizes}),
                         hash_of_illegal(*op, 200)};
    INFO(fmt::format("{{\"{}\", {{0x{:016X}, 0x{:016X}}}}},", op->name(), got[0], got[1]));
    CHECK((wanted != hashes.end() && wanted->second == got));
  }
}

TEST_CASE("generate: the cases are the same if the processor flushes subnormals", "[oracle]") {
  const auto hashes = [] {
    using oracle::data_class;
    const oracle::generate_options options{.count = 100,
                                           .data = {data_class::special, data_class::ties, data_class::subnormals}};
    std::vector<std::uint64_t> all;
    for (const oracle::any_operator* op : goldml_test::visited_operators()) all.push_back(hash_of(*op, options));
    return all;
  };
  const auto before = hashes();
  const flush_subnormals flushing;
  CHECK(hashes() == before);
}

TEST_CASE("generate: a case depends only on seed and number", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    std::vector<std::string> lines;
    for (const auto& c : oracle::cases<any_desc>(op, {.count = 30, .seed = 5})) lines.push_back(c.line());
    std::vector<std::string> parts;
    for (const std::uint64_t first : {0U, 10U, 20U})
      for (const auto& c : oracle::cases<any_desc>(op, {.count = 10, .seed = 5, .first = first}))
        parts.push_back(c.line());
    CHECK(parts == lines);
    CHECK(std::set<std::string>(lines.begin(), lines.end()).size() == 30);
    CHECK(hash_of(op, {.count = 5, .seed = 5}) != hash_of(op, {.count = 5, .seed = 6}));
    const oracle::cases<any_desc> none(op, {.count = 0});
    CHECK((none.begin() == none.end()));
    // The line determines the case.
    for (const auto& c : oracle::cases<any_desc>(op, {.count = 50, .seed = 8})) {
      const auto again = oracle::make_case(op, oracle::parse_case(*op.description, c.line()));
      CHECK((again.inputs == c.inputs && again.outputs == c.outputs));
      for (std::size_t i = 0; i < c.outputs.size(); ++i)
        CHECK((again.expected.answers[0][i].values == c.expected.answers[0][i].values));
    }
  });
}

TEST_CASE("generate: cases are legal and of every kind", "[oracle]") {
  goldml_test::for_every_implementation([](const oracle::any_operator& op) {
    const oracle::generate_options options = all_classes(1);
    seen all;
    const std::uint64_t count = goldml_test::share_of_each(450'000);
    for (std::uint64_t number = 0; number < count; ++number) {
      const auto c = oracle::sample_case(op, options, number);
      if (!broken_rules(c).empty()) FAIL_CHECK(broken_rules(c)[0] << ": " << to_string(c));
      all["data"].emplace(enumerator_name(c.data));
      for (std::size_t i = 0; i < c.tensors.size(); ++i) {
        const std::string name(op.description->info_of(i, c.tensors.size()).name);
        if (!c.tensors[i]) {
          all[name + " left out"].emplace("yes");
          continue;
        }
        const tensor_desc& tensor = *c.tensors[i];
        all[name + " type"].emplace(name_of(tensor.data_type));
        all[name + " rank"].insert(std::to_string(tensor.sizes.size()));
        all[name + " strides"].emplace(pattern_of(tensor));
        all[name + " total"].emplace(tensor.total_tensor_size_in_bytes ? "given" : "implied");
        if (element_count(tensor.sizes) == 1) all[name + " elements"].emplace("one");
      }
    }
    CHECK(all["data"].size() == oracle::all_data_classes().size());
    for (std::size_t i = 0; i < op.operands().size(); ++i) {
      const operand_info& info = op.operands()[i];
      const std::string name(info.name);
      INFO(name);
      const operand_limits& limits = *limits_at(info, feature_level::latest);
      CHECK(all[name + " type"] == names_of_types(limits.data_types));
      CHECK(all[name + " rank"] == ranks_of(op.name(), info.name, limits));
      CHECK(all[name + " total"].size() == 2);
      // ONE_HOT has two values or more, as RNN has biases, LSTM peepholes, and LSTM and GRU weights of several gates;
      // SLICE_GRAD's output is hardly ever as small. ROITensor has four or five numbers a box.
      const bool is_state = name.ends_with("StateTensor");  // RANDOM_GENERATOR's has six elements, of one dimension
      const bool is_gated =
          (op.name() == "LSTM" || op.name() == "GRU") && (name == "WeightTensor" || name == "RecurrenceTensor");
      if (name != "ValuesTensor" && name != "OutputGradientTensor" && name != "BiasTensor" &&
          name != "PeepholeTensor" && !is_gated && !is_state && name != "ROITensor" && name != "OutputROIGradientTensor" &&
          !name.starts_with("Stacked"))
        CHECK(all[name + " elements"].size() == 1);
      CHECK(all[name + " left out"].size() == (info.optional ? 1 : 0));
      std::set<std::string> patterns{"no strides", "packed",      "permuted",   "padded",
                                     "broadcast",  "overlapping", "interleaved"};
      const bool shares = info.role == operand_role::input && i != op.unshared_input;
      if (!shares) patterns.erase("broadcast"), patterns.erase("overlapping");
      if (name == "SequenceLengthsTensor" && op.name() != "REVERSE_SUBSEQUENCES")  // one dimension
        patterns.erase("permuted"), patterns.erase("interleaved"), patterns.erase("overlapping");
      if (is_state || name == "BatchIndicesTensor")
        patterns.erase("permuted"), patterns.erase("interleaved"), patterns.erase("overlapping");
      if ((op.name().ends_with("CONVOLUTION") || op.name().starts_with("MULTIHEAD_ATTENTION")) &&
          (name == "BiasTensor" || name == "PastSequenceLengthsTensor"))  // one dimension
        patterns = {"no strides", "packed", "padded", "broadcast"};
      if ((name.ends_with("ZeroPointTensor") && name != "ZeroPointTensor") ||
          (name.ends_with("ScaleTensor") && name != "ScaleTensor")) {
        const bool is_single = op.name() == "ELEMENT_WISE_QUANTIZED_LINEAR_ADD" ||
                               op.name() == "DYNAMIC_QUANTIZE_LINEAR" ||
                               (op.name().find("CONVOLUTION") != std::string_view::npos && !name.starts_with("Filter"));
        patterns = {"no strides", "packed"};  // one element, or lines: one dimension
        if (!is_single) patterns.insert({"padded", "broadcast"});
      }
      if (name == "OutputCountTensor" || name == "TrainingStepTensor")
        patterns = {"no strides", "packed"};  // one element
      CHECK(all[name + " strides"] == patterns);
    }
  });
}

TEST_CASE("generate: legal at every level that has the operator, and within its limits", "[oracle]") {
  goldml_test::for_every_implementation([](const oracle::any_operator& op) {
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      INFO(level.name);
      oracle::generate_options options = all_classes(2);
      options.feature_level = level.value;
      seen all;
      for (std::uint64_t number = 0; number < goldml_test::share_of_each(30'000); ++number) {
        const auto c = oracle::sample_case(op, options, number);
        if (!broken_rules(c).empty()) FAIL_CHECK(broken_rules(c)[0] << ": " << to_string(c));
        CHECK(c.desc.level() == level.value);
        for (std::size_t i = 0; i < c.tensors.size(); ++i)
          if (c.tensors[i]) {
            const std::string name(op.description->info_of(i, c.tensors.size()).name);
            all[name + " type"].emplace(name_of(c.tensors[i]->data_type));
            all[name + " rank"].insert(std::to_string(c.tensors[i]->sizes.size()));
          }
      }
      for (const operand_info& info : op.operands()) {
        if (info.name == "PastSequenceLengthsTensor") continue;  // too few cases have it: looked at in the test above
        const operand_limits& limits = *limits_at(info, level.value);
        CHECK(all[std::string(info.name) + " type"] == names_of_types(limits.data_types));
        CHECK(all[std::string(info.name) + " rank"] == ranks_of(op.name(), info.name, limits));
      }
      options.count = 100;
      for (const auto& c : oracle::cases<any_desc>(op, options))
        CHECK(c.expected.answers.size() >= 1);  // all can be made
    }
  });
}

TEST_CASE("generate: default cases have no unsorted list, no signalling NaN and no FLOAT32 subnormal", "[oracle]") {
  goldml_test::for_every_implementation([](const oracle::any_operator& op) {
    const auto special_bits = [](const host_tensor& tensor, bool subnormals) {
      bool found = false;
      visit_data_type(type_list<float, float16, double>{}, tensor.desc().data_type,
                      [&]<class T>(std::type_identity<T>) {
                        using bits = typename goldml::detail::float_bits<T>::type;
                        constexpr bits infinity = goldml::detail::float_bits<T>::infinity;
                        constexpr bits quiet = static_cast<bits>((infinity & (~infinity + 1)) >> 1);
                        const auto view = tensor.ref().as<T>();
                        for (const coordinate_tuple& c : coordinates_of(tensor.desc().sizes)) {
                          const bits magnitude = goldml::detail::magnitude_bits(view[c]);
                          const bool subnormal = std::is_same_v<T, float> && magnitude != 0 && magnitude < 0x0080'0000;
                          const bool signalling = magnitude > infinity && (magnitude & quiet) == 0;
                          found = found || (subnormals ? subnormal : signalling);
                        }
                      });
      return found;
    };
    const auto unsorted = [](const any_desc& desc) {
      for (const attribute& row : desc.description().attributes)
        if (row.name == "Axes") {
          const auto& axes = *static_cast<const dimensions*>(row.address(desc.get()));
          return !std::is_sorted(axes.begin(), axes.end());
        }
      return false;
    };
    const int cases = static_cast<int>(goldml_test::random_count(1000));
    // The numbers of cases with an unsorted list, a signalling NaN, and a FLOAT32 subnormal.
    const auto counts = [&](const oracle::generate_options& options) {
      std::array<int, 3> found{};
      for (int number = 0; number < cases; ++number) {
        const auto c = oracle::sample_case(op, options, static_cast<std::uint64_t>(number));
        found[0] += unsorted(c.desc) ? 1 : 0;
        bool signalling = false, subnormal = false;
        for (const host_tensor& tensor : oracle::detail::inputs_of(op, c))
          if (!tensor.bytes().empty())
            signalling = signalling || special_bits(tensor, false),
            subnormal = subnormal || special_bits(tensor, true);
        if (op.name() == "FILL_VALUE_SEQUENCE")
          for (const scalar& value :
               {c.desc.as<fill_value_sequence_desc>().value_start, c.desc.as<fill_value_sequence_desc>().value_delta})
            if (value.type() == data_type::float32)
              subnormal = subnormal || std::fpclassify(value.as<float>()) == FP_SUBNORMAL;
        // The value with which an attribute fills the output. Bits may become anything, and quotients and products
        // subnormal.
        const bool may_have = op.golden->exact_nans || op.name() == "REDUCE" ||
                              op.golden->flush(c.desc.get()) == oracle::flushed_answer::in_verdicts;
        if (!may_have) {
          const auto made = oracle::make_case(op, c);
          for (const oracle::golden_output& output : made.expected.answers.front())
            signalling = signalling || special_bits(output.values, false),
            subnormal = subnormal || special_bits(output.values, true);
        }
        found[1] += signalling ? 1 : 0;
        found[2] += subnormal ? 1 : 0;
      }
      return found;
    };
    CHECK(counts({.seed = 9}) == std::array<int, 3>{});
    using oracle::data_class;
    const bool has_axes = std::any_of(op.attributes().begin(), op.attributes().end(),
                                      [](const attribute& a) { return a.name == "Axes"; });
    if (has_axes) CHECK(counts({.seed = 9, .data = {data_class::unsorted_axes}})[0] > cases * 3 / 10);
    const auto takes_floats = [&](const operand_info& info) {
      return limits_at(info, feature_level::latest)->data_types.contains(data_type::float32);
    };
    const bool has_floats = std::any_of(op.operands().begin(), op.operands().end(), takes_floats);
    const bool has_inputs = op.operands()[0].role == operand_role::input;
    if (has_floats && has_inputs) CHECK(counts({.seed = 9, .data = {data_class::signalling_nans}})[1] > cases / 20);
    if (has_floats) CHECK(counts({.seed = 9, .data = {data_class::subnormals}})[2] > cases * 3 / 100);
  });
}

TEST_CASE("generate: options are respected", "[oracle]") {
  goldml_test::for_every_operator([](const oracle::any_operator& op) {
    for (const std::uint64_t most : {1U, 2U, 7U, 5000U}) {
      const oracle::generate_options options{.count = 200,
                                             .most_elements = most,
                                             .data = {oracle::data_class::ramp},
                                             .strides = {oracle::stride_pattern::padded}};
      for (std::uint64_t number = 0; number < options.count; ++number) {
        const auto c = oracle::sample_case(op, options, number);
        CHECK(element_count(oracle::main_tensor_of(op, c)->sizes) <= most);
        CHECK(c.data == oracle::data_class::ramp);
        for (const auto& tensor : c.tensors)
          if (tensor) CHECK(!tensor->strides.empty());
        for (const auto& tensor : c.tensors)
          if (tensor) CHECK(element_count(tensor->sizes) <= (std::max)(std::uint64_t{1'000}, 20 * most));
      }
    }
  });
}

TEST_CASE("generate: illegal cases break the stated rule, and every rule is broken", "[oracle]") {
  goldml_test::for_every_implementation([](const oracle::any_operator& op) {
    std::set<std::string> wanted{"T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11"};
    const std::size_t shared_rules = wanted.size();
    wanted.merge(own_rules(op.name()));
    INFO(op.name() << " has no rules here: write down which its sampler breaks");
    CHECK(wanted.size() > shared_rules);
    for (const auto& level : feature_levels) {
      if (level.value < op.first_level()) continue;
      INFO(level.name);
      oracle::generate_options options;
      options.feature_level = level.value;
      std::set<std::string> rules = wanted;
      if (op.first_level() == feature_level::level_1_0) rules.erase("T11");
      if (level.value < feature_level::level_3_0)  // one number of dimensions, and of the index types none is signed
        for (const char* rule : {"S1", "RS1", "RE3", "RE9"}) rules.erase(rule);
      if (level.value < feature_level::level_2_1) rules.erase("DM1");  // floats only
      erase_what_cannot_differ(op, level.value, rules);
      if (op.name() == "ELEMENT_WISE_QUANTIZE_LINEAR" && level.value < feature_level::level_6_0) rules.erase("QL1");
      if (op.name() == "NONZERO_COORDINATES" && level.value < feature_level::level_4_0) rules.insert("N6");
      std::set<std::string> found;
      const std::uint64_t count = goldml_test::share_of_each(level.value == feature_level::latest ? 250'000 : 120'000);
      for (std::uint64_t number = 0; number < count; ++number) {
        const auto illegal = oracle::sample_illegal_case(op, options, number);
        const auto broken = broken_rules(illegal.text);
        if (broken.empty() || broken[0] != illegal.rule)
          FAIL_CHECK(illegal.rule << " is " << (broken.empty() ? "none" : broken[0]) << ": "
                                  << to_string(illegal.text));
        found.emplace(illegal.rule);
      }
      CHECK(found == rules);
    }
  });
}

TEST_CASE("generator: numbers that are drawn are what their name says", "[oracle]") {
  oracle::random_source random(5);
  std::size_t signalling = 0, quiet = 0, subnormal = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto number = oracle::detail::signalling_nan_or_number<float16>(random);
    const auto bits = std::bit_cast<std::uint16_t>(number) & 0x7FFFU;
    CHECK(bits != 0x7C00U);  // no infinity
    if (bits > 0x7C00U) ++((bits & 0x200U) == 0 ? signalling : quiet);
    const auto small = std::bit_cast<std::uint16_t>(oracle::detail::subnormal_or_zero<float16>(random)) & 0x7FFFU;
    if (small != 0 && small < 0x400U) ++subnormal;
    const auto value = oracle::random_scalar(random, data_type::float32).as<float>();
    CHECK(std::fpclassify(value) != FP_SUBNORMAL);
    if (std::isnan(value)) CHECK(std::bit_cast<std::uint32_t>(value) == 0x7FC00000U);
  }
  CHECK((signalling > 4'000 && quiet > 800 && quiet < signalling));
  CHECK((subnormal > 10'000 && subnormal < 15'000));
}

TEST_CASE("generator: cases of subnormals fill with them", "[oracle]") {
  std::size_t floats = 0, subnormals = 0;
  for (std::uint64_t number = 0; number < 500; ++number) {
    const auto c = oracle::sample_case<diagonal_matrix1_desc>(
        {.seed = 3, .most_elements = 50, .data = {oracle::data_class::subnormals}}, number);
    if (c.desc.value.type() != data_type::float32) continue;
    ++floats;
    if (std::fpclassify(c.desc.value.as<float>()) == FP_SUBNORMAL) ++subnormals;
  }
  CHECK(floats > 5);
  CHECK(3 * subnormals > floats);  // of the others most are zeros
}

TEST_CASE("generator: in cases of out_of_range, and no others, indices are beyond every size", "[oracle]") {
  const auto beyond = [](const oracle::any_operator& op, oracle::data_class data) {
    std::size_t cases = 0;
    for (std::uint64_t number = 0; number < 200; ++number) {
      const auto c = oracle::make_case(op, oracle::sample_case(op, {.seed = 4, .data = {data}}, number));
      bool any = false;
      for (const host_tensor& tensor : c.inputs)
        visit_data_type(type_list<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>{}, tensor.desc().data_type,
                        [&]<class T>(std::type_identity<T>) {
                          const auto view = tensor.ref().as<T>();
                          for (const coordinate_tuple& at : coordinates_of(tensor.desc().sizes))
                            any = any || view[at] == (std::numeric_limits<T>::max)();
                        });
      cases += any ? 1 : 0;
    }
    return cases;
  };
  for (const oracle::any_operator* op :
       {&oracle::any_operator_of<scatter_nd_desc>(), &oracle::any_operator_of<scatter_elements_desc>(),
        &oracle::any_operator_of<gather_desc>()}) {
    INFO(op->name());
    CHECK(beyond(*op, oracle::data_class::out_of_range) > 50);
    CHECK(beyond(*op, oracle::data_class::ramp) == 0);
  }
}

TEST_CASE("generator: choices are two bytes each, and all bits depend on them", "[oracle]") {
  std::uint64_t ever_set = 0, always_set = ~std::uint64_t{0};
  for (unsigned choice = 0; choice < 65'536; ++choice) {
    const std::array<std::byte, 3> bytes{static_cast<std::byte>(choice & 0xFF), static_cast<std::byte>(choice >> 8),
                                         std::byte{1}};
    oracle::random_source random(bytes);
    const std::uint64_t bits = random.bits();
    REQUIRE((bits & 0xFFFF) == choice);
    ever_set |= bits;
    if (choice != 0) always_set &= bits;
  }
  CHECK(ever_set == ~std::uint64_t{0});
  CHECK(always_set == 0);
}
