// The names in reports: of the operator, of its outputs, and of the inputs that determine an element.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/deciding.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// The names in the report: the operator and its outputs, by DirectML's names, and the kind of the operator.
struct judged_names {
  std::string_view operator_name;
  std::vector<std::string> outputs;
  bool moves = false;               // elements are copied, not computed
  deciding_function deciding = {};  // the inputs that determine an element
  // The golden answer for this output if FLOAT16 accumulation were permitted (ledger AR-R1). Empty for an operator
  // without such a policy, and for a desc that permits it.
  std::function<golden(const tensor_desc& output)> half = {};
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

// deciding<Desc>::text() without the type of the desc.
using deciding_text = std::string (*)(const void* desc, std::span<const const_tensor_ref> inputs, std::size_t output,
                                      const golden_output& expected, const coordinate_tuple& where,
                                      const const_tensor_ref& got);
template <class Desc>
deciding_text deciding_text_of() {
  if constexpr (requires { &deciding<Desc>::text; })
    return [](const void* desc, std::span<const const_tensor_ref> inputs, std::size_t output,
              const golden_output& expected, const coordinate_tuple& where, const const_tensor_ref& got) {
      return deciding<Desc>::text(*static_cast<const Desc*>(desc), inputs, output, expected, where, got);
    };
  return nullptr;
}

// What the report asks of an operator's type. Null if the operator does not have it.
struct report_calls {
  deciding_text text;
  golden (*half)(const void* desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output);
  bool (*is_half)(const void* desc);
};
template <class Desc>
report_calls report_calls_of() {
  report_calls calls{deciding_text_of<Desc>(), nullptr, nullptr};
  if constexpr (requires(Desc desc) { desc.accumulation = accumulation::half; }) {
    calls.half = [](const void* desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output) {
      Desc half = *static_cast<const Desc*>(desc);
      half.accumulation = accumulation::half;
      return expect(half, inputs, std::span<const tensor_desc>(&output, 1));
    };
    calls.is_half = [](const void* desc) { return static_cast<const Desc*>(desc)->accumulation == accumulation::half; };
  }
  return calls;
}

inline judged_names names_of_call(const any_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t outputs,
                                  const report_calls& calls) {
  judged_names names = names_of(desc.description(), outputs);
  const deciding_text text = calls.text;
  if (calls.half != nullptr && outputs == 1 && !calls.is_half(desc.get()))
    names.half = [half = calls.half, desc, kept = std::vector<const_tensor_ref>(inputs.begin(), inputs.end())](
                     const tensor_desc& output) { return half(desc.get(), kept, output); };
  if (text != nullptr)
    names.deciding = [text, desc, kept = std::vector<const_tensor_ref>(inputs.begin(), inputs.end())](
                         std::size_t output, const golden_output& expected, const coordinate_tuple& where,
                         const const_tensor_ref& got) { return text(desc.get(), kept, output, expected, where, got); };
  return names;
}

}  // namespace detail

// The same for a call, so that the report has the inputs that determine an element. The inputs must outlive the result.
template <described Desc>
judged_names names_of(const Desc& desc, std::span<const const_tensor_ref> inputs, std::size_t outputs) {
  return detail::names_of_call(any_desc(desc), inputs, outputs, detail::report_calls_of<Desc>());
}
// For an operator of the list.
template <class Operators = all_operators>
judged_names names_of(const any_desc& desc, std::span<const const_tensor_ref> inputs, std::size_t outputs) {
  detail::report_calls calls{nullptr, nullptr, nullptr};
  for_each_operator(Operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if constexpr (requires { &deciding<Desc>::text; } || requires(Desc d) { d.accumulation; })
      if (&description_of<Desc>() == &desc.description()) calls = detail::report_calls_of<Desc>();
  });
  return detail::names_of_call(desc, inputs, outputs, calls);
}
// For a generated_case.
template <class Case>
requires requires(const Case& c) { c.input_refs(); }
judged_names names_of(const Case& c) {
  return names_of(c.text.desc, std::span<const const_tensor_ref>(c.input_refs()), c.outputs.size());
}

}  // namespace goldml::oracle
