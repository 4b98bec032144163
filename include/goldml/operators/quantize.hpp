// QUANTIZE and DEQUANTIZE: numbers as integers of 8 or 4 bits, and back, by a scale and perhaps a zero point for each
// block of elements. Feature level 6_3. Pages: DML_QUANTIZE_OPERATOR_DESC, DML_DEQUANTIZE_OPERATOR_DESC, whose
// descriptions are not written yet. Their rules are QB1 to QB8. Rulings: ledger QU-R1 to QU-R4, QU-R13 to QU-R15.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/quantised_policies.hpp>
#include <goldml/core/work.hpp>

namespace goldml {

// DML_QUANTIZATION_TYPE: which tensors QuantizationTensors are.
enum class quantization_type : std::uint32_t {
  none,  // refused
  scale,
  scale_zero_point,
};
template <>
struct enumeration<quantization_type> {
  static constexpr std::string_view prefix = "DML_QUANTIZATION_TYPE_";
  static constexpr auto values = enumerators<quantization_type>("NONE", "SCALE", "SCALE_ZERO_POINT");
};

struct quantize_desc {
  goldml::quantization_type quantization_type = goldml::quantization_type::scale_zero_point;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::quantize_ties quantize_ties = goldml::quantize_ties::even;
  goldml::absent_zero_point absent_zero_point = goldml::absent_zero_point::midpoint;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct dequantize_desc {
  goldml::quantization_type quantization_type = goldml::quantization_type::scale_zero_point;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::absent_zero_point absent_zero_point = goldml::absent_zero_point::midpoint;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept block_quantize_operator = std::same_as<Desc, quantize_desc> || std::same_as<Desc, dequantize_desc>;

namespace quantize_limits {
inline constexpr data_type_set integers{data_type::int8, data_type::int4, data_type::uint8, data_type::uint4},
    all{data_type::float32, data_type::float16, data_type::int8, data_type::int4, data_type::uint8, data_type::uint4};
constexpr std::array<operand_limits, 1> of(data_type_set types) { return {{{feature_level::level_6_3, types, 1, 8}}}; }
inline constexpr auto floats_row = of(data_types_f), integers_row = of(integers), parameters_row = of(all);
}  // namespace quantize_limits

// How many elements along each dimension share a scale; the scale's sizes divide the others.
inline dimensions blocks_of(const dimensions& sizes, const dimensions& scale) {
  dimensions result;
  for (std::size_t i = 0; i < sizes.size(); ++i) result.push_back(sizes[i] / scale[i]);
  return result;
}
inline coordinate_tuple block_at(coordinate_tuple c, const dimensions& blocks) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] /= blocks[i];
  return c;
}

// The zero point that is not given (ledger QU-R13).
constexpr std::uint8_t absent_zero(data_type type, absent_zero_point policy) {
  if (policy == absent_zero_point::zero) return 0;
  return type == data_type::uint4 ? 8 : type == data_type::uint8 ? 128 : 0;
}

}  // namespace detail

template <detail::block_quantize_operator Desc>
struct operator_traits<Desc> {
  static constexpr bool quantises = std::same_as<Desc, quantize_desc>;
  static constexpr std::string_view name = quantises ? "QUANTIZE" : "DEQUANTIZE";
  static constexpr std::uint32_t enumerator = quantises ? 173 : 174;

  static constexpr std::array<operand_info, 3> operands{
      {{.name = "InputTensor",
        .role = operand_role::input,
        .limits = quantises ? detail::quantize_limits::floats_row : detail::quantize_limits::integers_row},
       {.name = "QuantizationTensors",
        .role = operand_role::input,
        .limits = detail::quantize_limits::parameters_row,
        .count = "QuantizationTensorCount",
        .same_rank_as = {"QB5", 0}},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = quantises ? detail::quantize_limits::integers_row : detail::quantize_limits::floats_row,
        .same_rank_as = {"QB5", 0},
        .same_sizes_as = {"QB6", 0}}}};

  static constexpr std::array attributes{row<&Desc::quantization_type>("QuantizationType").enumerator("QB1")};
  static constexpr auto policies = [] {
    const attribute accumulation = row<&Desc::accumulation>("accumulation"),
                    absent = row<&Desc::absent_zero_point>("absent_zero_point"),
                    resource = row<&Desc::same_resource>("same_resource");
    if constexpr (quantises)
      return std::array{accumulation, row<&Desc::quantize_ties>("quantize_ties"), absent, resource};
    else
      return std::array{accumulation, absent, resource};
  }();

  using operands_type = std::vector<operand>;

  static implied_output implied(const Desc&, const operands_type& t, std::size_t) {
    const std::size_t from = quantises ? 2 : 1;  // the zero point, or the scale
    if (t.size() < from + 2) return {};
    return {.data_type = t[from].desc->data_type};
  }

  // QB1, QB2: which tensors QuantizationTensors are.
  static void check_function(const Desc& desc, const operands_type& t, const rule_report& report) {
    using type = goldml::quantization_type;
    if (desc.quantization_type != type::scale && desc.quantization_type != type::scale_zero_point)
      return report("QB1", "", attributes[0].name,
                    violation_text("{}", static_cast<std::uint32_t>(desc.quantization_type)), violation_text("1 or 2"));
    const std::size_t count = t.size() - 2;
    const std::size_t wanted = wanted_count(desc);
    if (count != wanted)
      report("QB2", "", operands[1].count, violation_text("{}", count), violation_text("{}", wanted),
             wanted == 1 ? violation_text("SCALE") : violation_text("SCALE_ZERO_POINT"));
  }

  // QB3, QB4.
  static void check_attributes(const Desc&, const operands_type& t, const rule_report& report) {
    const operand &input = t.front(), &output = t.back();
    check_type(t[1], 0, "QB3", quantises ? input : output, quantises ? "the input's" : "the output's", report);
    if (t.size() == 4)
      check_type(t[2], 1, "QB4", quantises ? output : input, quantises ? "the output's" : "the input's", report);
  }

  // QB7, QB8, of tensors of the right types.
  static void check_rules(const Desc&, const operands_type& t, const rule_report& report) {
    if (!t[0].legal || !agrees(t[1], quantises ? t.front() : t.back())) return;
    const dimensions &input = t[0].desc->sizes, &scale = t[1].desc->sizes;
    if (scale.size() != input.size()) return;
    for (std::size_t i = 0; i < input.size(); ++i)
      if (input[i] % scale[i] != 0)
        report.of(operands[1], 0)("QB7", operands[1].name, "Sizes", violation_text("{}", scale[i]),
                                  violation_text("a divisor of {}", input[i]), violation_text("the input's"), i);
    if (t.size() == 3 || !agrees(t[2], quantises ? t.back() : t.front())) return;
    if (t[2].desc->sizes.size() == scale.size() && t[2].desc->sizes != scale)
      report.of(operands[1], 1)("QB8", operands[1].name, "Sizes", violation_text("{}", t[2].desc->sizes),
                                violation_text("{}", scale), violation_text("the scale's"));
  }

  static work_counts work(const Desc&, const operands_type& t) {
    return {.elements = element_count_of(t), .results = element_count(t.back().desc->sizes)};
  }
  // Tensors of 4 bits as bytes.
  static scratch_memory scratch(const Desc&, const operands_type& t) {
    std::uint64_t bytes = 0;
    for (const operand& each : t)
      if (each.desc && is_4_bit(each.desc->data_type))
        bytes = saturating_add(bytes, saturating_add(last_index(each.desc->sizes, effective_strides(*each.desc)), 4));
    return {.reference = bytes, .cpu = bytes};
  }

  static constexpr operator_options<Desc> options{.check_function = &check_function,
                                                  .implied = &implied,
                                                  .check_attributes = &check_attributes,
                                                  .check_rules = &check_rules,
                                                  .work = &work,
                                                  .scratch = &scratch};

 private:
  // How many QuantizationTensors there are.
  static std::size_t wanted_count(const Desc& desc) {
    return desc.quantization_type == goldml::quantization_type::scale ? 1 : 2;
  }

  static bool agrees(const operand& t, const operand& like) {
    return t.legal && like.legal && t.desc && like.desc && t.desc->data_type == like.desc->data_type;
  }

  // A tensor of QuantizationTensors has the type of `like`.
  static void check_type(const operand& t, std::size_t element, std::string_view code, const operand& like,
                         std::string_view whose, const rule_report& report) {
    if (!t.legal || !t.desc || !like.legal || !like.desc || t.desc->data_type == like.desc->data_type) return;
    report.of(operands[1], element)(code, operands[1].name, "DataType",
                                    violation_text("{}", name_of(t.desc->data_type)),
                                    violation_text("{}", name_of(like.desc->data_type)), violation_text("{}", whose));
  }
};

namespace detail {

// Calls f(type_identity<X>, type_identity<Q>) with the type of the floats, and that of the integers, as bytes.
template <class F>
void visit_block_types(data_type number, data_type integer, const F& f) {
  visit_data_type(type_list<float, float16>{}, number, [&]<class X>(std::type_identity<X> x) {
    visit_data_type(type_list<std::uint8_t, std::int8_t>{}, unpacked_type(integer),
                    [&]<class Q>(std::type_identity<Q> q) { f(x, q); });
  });
}

template <class Desc, class Backend>
void call_in_blocks(const Backend& backend, const const_tensor_ref& input, const const_tensor_ref& scale,
                    const const_tensor_ref& zero_point, const tensor_ref& output, Desc desc) {
  desc.quantization_type = zero_point.present() ? quantization_type::scale_zero_point : quantization_type::scale;
  std::vector<const_tensor_ref> inputs{input, scale};
  if (zero_point.present()) inputs.push_back(zero_point);
  evaluate(backend, desc, std::span<const const_tensor_ref>(inputs), std::span<const tensor_ref>(&output, 1));
}

}  // namespace detail

// output[c] = the integer nearest to input[c] / scale[b], of two the even one, plus zero_point[b]; then the nearest
// integer of the output's type. b is the block of c: scales are as many as divide the sizes, along each dimension.
//   input       FLOAT32 or FLOAT16
//   scale       the input's type; not 0
//   zero_point  the output's type, the scale's sizes; without it 8 of UINT4, 128 of UINT8, 0 of INT4 and INT8
//   output      INT8, UINT8, INT4 or UINT4, which are given as tensor_ref; the input's sizes
// All have the same DimensionCount. Sets QuantizationType. Throws error (T1..T12, QB1..QB8), with the output unchanged.
template <class Backend, input_argument Input, input_argument Scale, input_argument ZeroPoint, output_argument Output>
void quantize(const Backend& backend, const Input& input, const Scale& scale, const ZeroPoint& zero_point,
              Output&& output, const quantize_desc& desc = {}) {
  detail::call_in_blocks(backend, detail::as_input(input), detail::as_input(scale),
                         const_tensor_ref(detail::as_input(zero_point)),
                         tensor_ref(detail::as_output(std::forward<Output>(output))), desc);
}
template <class Backend, input_argument Input, input_argument Scale, output_argument Output>
void quantize(const Backend& backend, const Input& input, const Scale& scale, Output&& output,
              const quantize_desc& desc = {}) {
  detail::call_in_blocks(backend, detail::as_input(input), detail::as_input(scale), {},
                         tensor_ref(detail::as_output(std::forward<Output>(output))), desc);
}

// output[c] = (input[c] - zero_point[b]) * scale[b], rounded once. As QUANTIZE, with input and output exchanged.
template <class Backend, input_argument Input, input_argument Scale, input_argument ZeroPoint, output_argument Output>
void dequantize(const Backend& backend, const Input& input, const Scale& scale, const ZeroPoint& zero_point,
                Output&& output, const dequantize_desc& desc = {}) {
  detail::call_in_blocks(backend, detail::as_input(input), detail::as_input(scale),
                         const_tensor_ref(detail::as_input(zero_point)),
                         tensor_ref(detail::as_output(std::forward<Output>(output))), desc);
}
template <class Backend, input_argument Input, input_argument Scale, output_argument Output>
void dequantize(const Backend& backend, const Input& input, const Scale& scale, Output&& output,
                const dequantize_desc& desc = {}) {
  detail::call_in_blocks(backend, detail::as_input(input), detail::as_input(scale), {},
                         tensor_ref(detail::as_output(std::forward<Output>(output))), desc);
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(quantize_desc);
GOLDML_COMPILED_OPERATOR(dequantize_desc);
