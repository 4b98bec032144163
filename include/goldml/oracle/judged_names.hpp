// The names in reports: of the operator, of its outputs, and of the inputs that determine an element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/deciding.hpp>
#include <goldml/oracle/expect_sample.hpp>
#include <goldml/oracle/fit_call.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// A position of a dimension of an input.
struct input_slice {
  std::size_t input;
  std::size_t dimension;
  std::uint32_t at;
};

struct named_input {
  std::string_view name;
  dimensions sizes;
};

// The names in the report: the operator and its outputs, by DirectML's names, and the kind of the operator.
struct judged_names {
  std::string_view operator_name;
  std::vector<std::string> outputs;
  bool moves = false;               // elements are copied, not computed
  deciding_function deciding = {};  // the inputs that determine an element
  // The golden answer for the elements of this output if FLOAT16 accumulation were permitted (ledger AR-R1), for calls
  // with FLOAT16 tensors or quantised outputs. Empty for an operator without such a policy, and for a desc that permits
  // it.
  std::function<golden(const golden_output& output)> half = {};
  // The same under other policies, and the note on elements that this explains.
  struct reading {
    std::function<golden(const golden_output& output)> answer;
    std::string_view note;
  };
  std::vector<reading> readings = {};
  // The golden answer of a small call with this one output, if a slice of an input were zeros. Empty for others.
  std::function<golden(const golden_output& output, const input_slice& slice)> without = {};
  // The fit of the only output of a call whose elements are sums. Empty for others.
  std::function<fit_result(const golden_output& output, const const_tensor_ref& actual, const compare_options& options)>
      fit = {};
  // Formulas of the first input that may explain the only output, and that input.
  std::span<const known_formula> known = {};
  const_tensor_ref known_of = {};
  std::vector<named_input> inputs =
      {};  // of that call with a slice of zeros; without sizes where an input is no tensor of floats
  // Lines on the intermediates that the call has read, in a chain of calls; each ends with a newline.
  std::string intermediates = {};
};

// `outputs`: the number of outputs, for an operator with an array of output tensors.
inline judged_names names_of(const operator_description& op, std::size_t outputs) {
  judged_names names{op.name, {}, op.moves};
  const std::size_t inputs = op.input_count(op.operands.size());
  for (std::size_t i = 0; i < outputs; ++i) {
    const auto [row, element] = place_of_tensor(op.operands, inputs + i, inputs + outputs);
    const operand_info& info = op.operands[row];
    names.outputs.push_back(std::string(info.name) + (info.is_array() ? fmt::format("[{}]", element) : ""));
  }
  return names;
}
template <class Desc>
judged_names names_of(std::size_t outputs = operand_info_count<Desc> - input_info_count<Desc>) {
  return names_of(description_of<Desc>(), outputs);
}

namespace detail {

// A packed copy, with zeros in a slice of it.
inline host_tensor with_zeros(const const_tensor_ref& input, const input_slice& slice) {
  host_tensor result(tensor_desc{.data_type = input.desc().data_type, .sizes = input.desc().sizes});
  const dimensions strides = effective_strides(input.desc());
  const std::size_t size = element_size_in_bytes(input.desc().data_type);
  std::byte* to = result.bytes().data();
  for (const coordinate_tuple& c : coordinates_of(input.desc().sizes)) {
    if (c[slice.dimension] != slice.at)
      std::memcpy(to, static_cast<const std::byte*>(input.data()) + offset_of(c, strides) * size, size);
    to += size;
  }
  return result;
}

// Zero points of which a device may take no notice, and the bytes that stand for the absent ones.
struct absent_zero_points {
  std::vector<std::size_t> inputs;
  std::byte fill{0};

  std::vector<host_tensor> tensors(const std::vector<const_tensor_ref>& given) const {
    std::vector<host_tensor> result;
    for (const std::size_t i : inputs)
      result.emplace_back(tensor_desc{.data_type = given[i].desc().data_type, .sizes = given[i].desc().sizes}, fill);
    return result;
  }
};

// Each zero point alone, and all if there are several. That of QUANTIZE and DEQUANTIZE, the second of an array, may
// also count as the middle (ledger QU-R13).
inline std::vector<absent_zero_points> zero_points_of(const operator_description& op,
                                                      const std::vector<const_tensor_ref>& inputs) {
  std::vector<absent_zero_points> result;
  absent_zero_points all;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].present()) continue;
    const auto [row, element] = place_of_tensor(op.operands, i, inputs.size() + 1);
    const bool of_blocks = op.operands[row].name == "QuantizationTensors" && element == 1;
    if (!of_blocks && !op.operands[row].name.ends_with("ZeroPointTensor")) continue;
    all.inputs.push_back(i);
    result.push_back({{i}});
    const data_type type = inputs[i].desc().data_type;
    const bool is_byte = type == data_type::uint8;
    if (of_blocks && (is_byte || type == data_type::uint4))
      result.push_back({{i}, is_byte ? std::byte{0x80} : std::byte{0x88}});
  }
  if (all.inputs.size() > 1) result.push_back(all);
  return result;
}

// Sets names.without and names.inputs for a small call.
inline void name_slices(judged_names& names, const any_desc& desc, const std::vector<const_tensor_ref>& inputs,
                        const golden_calls& calls) {
  constexpr std::uint64_t most_elements = 4096;
  constexpr data_type_set floats{data_type::float16, data_type::float32, data_type::float64};
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    names.inputs.push_back({desc.description().info_of(i, inputs.size() + 1).name, {}});
    if (!inputs[i].present()) continue;
    elements = saturating_add(elements, element_count(inputs[i].desc().sizes));
    if (floats.contains(inputs[i].desc().data_type)) names.inputs[i].sizes = inputs[i].desc().sizes;
  }
  if (elements > most_elements) return;
  names.without = [&calls, desc, inputs](const golden_output& output, const input_slice& slice) -> golden {
    if (output.sample || element_count(output.whole().sizes) > most_elements) return {};
    const host_tensor changed = with_zeros(inputs[slice.input], slice);
    std::vector<const_tensor_ref> refs = inputs;
    refs[slice.input] = changed.ref();
    return expect_any<any_desc>(calls, desc.get(), refs, std::span(&output.whole(), 1));
  };
}

// deciding<Desc>::text() without the type of the desc.
using deciding_text = std::string (*)(const void* desc, std::span<const const_tensor_ref> inputs, std::size_t output,
                                      const golden_output& expected, const coordinate_tuple& where,
                                      const const_tensor_ref& got);
template <class Desc>
deciding_text deciding_text_of() {
  static constexpr deciding_call<Desc> call = deciding<Desc>::text;
  if constexpr (call != nullptr)
    return [](const void* desc, std::span<const const_tensor_ref> inputs, std::size_t output,
              const golden_output& expected, const coordinate_tuple& where, const const_tensor_ref& got) {
      return call(*static_cast<const Desc*>(desc), inputs, output, expected, where, got);
    };
  return nullptr;
}

inline judged_names names_of_call(const any_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t outputs,
                                  const golden_calls& calls, deciding_text text) {
  judged_names names = names_of(desc.description(), outputs);
  const std::vector<const_tensor_ref> kept(inputs.begin(), inputs.end());
  const auto answer_to = [&calls](const any_desc& other, const std::vector<const_tensor_ref>& refs,
                                  const golden_output& output) -> golden {
    const std::span<const tensor_desc> whole(&output.whole(), 1);
    if (output.sample)
      return expect_elements<any_desc>(calls, other.get(), refs, whole, sample_numbers{output.sample->numbers});
    return expect_any<any_desc>(calls, other.get(), refs, whole);
  };
  const auto answer_of = [answer_to, kept](const any_desc& other, const golden_output& output) {
    return answer_to(other, kept, output);
  };
  any_desc half = desc;
  if (outputs == 1 && calls.to_half != nullptr && calls.to_half(half.get()))
    names.half = [answer_of, half, kept](const golden_output& output) -> golden {
      const auto is_half = [](const const_tensor_ref& input) {
        return input.present() && input.desc().data_type == data_type::float16;
      };
      const bool is_quantised = goldml::detail::quantised_bytes.contains(unpacked_type(output.whole().data_type));
      if (!is_quantised && output.whole().data_type != data_type::float16 &&
          std::none_of(kept.begin(), kept.end(), is_half))
        return {};
      return answer_of(half, output);
    };
  for (const other_reading& reading : calls.readings) {
    any_desc other = desc;
    if (outputs == 1 && reading.change(other.get()))
      names.readings.push_back(
          {[answer_of, other](const golden_output& output) { return answer_of(other, output); }, reading.note});
  }
  if (outputs == 1)
    for (const absent_zero_points& absent : zero_points_of(desc.description(), kept))
      names.readings.push_back({[answer_to, desc, kept, absent](const golden_output& output) {
                                  const std::vector<host_tensor> zeros = absent.tensors(kept);
                                  std::vector<const_tensor_ref> refs = kept;
                                  for (std::size_t i = 0; i < zeros.size(); ++i)
                                    refs[absent.inputs[i]] = zeros[i].ref();
                                  return answer_to(desc, refs, output);
                                },
                                absent_zero_point_note});
  if (outputs == 1 && calls.sums != nullptr)
    names.fit = [&calls, desc, kept](const golden_output& output, const const_tensor_ref& actual,
                                     const compare_options& options) {
      any_desc answered = desc;
      if (!output.alternative.empty()) change_to_alternative(calls, answered.get(), kept, output.whole().data_type);
      return fit_of_call<any_desc>(calls, answered.get(), kept, output, actual, options);
    };
  if (outputs == 1 && calls.known != nullptr) {
    names.known = calls.known(desc.get());
    names.known_of = inputs[0];
  }
  if (outputs == 1 && !names.moves) name_slices(names, desc, kept, calls);
  if (text != nullptr)
    names.deciding = [text, desc, kept](std::size_t output, const golden_output& expected,
                                        const coordinate_tuple& where, const const_tensor_ref& got) {
      return text(desc.get(), kept, output, expected, where, got);
    };
  return names;
}

}  // namespace detail

// The same for a call, so that the report has the inputs that determine an element. The inputs must outlive the result.
// Of a desc whose type is not known: in generate.hpp.
template <described Desc>
judged_names names_of(const Desc& desc, std::span<const const_tensor_ref> inputs, std::size_t outputs) {
  return detail::names_of_call(any_desc(desc), inputs, outputs, detail::golden_calls_of<Desc>(),
                               detail::deciding_text_of<Desc>());
}

}  // namespace goldml::oracle
