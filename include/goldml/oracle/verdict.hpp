// The golden answer of a call, with a verdict for each element: the values that a correct device may return.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/oracle/golden.hpp>
#include <goldml/oracle/golden_calls.hpp>
#include <goldml/oracle/initial_outputs.hpp>
#include <goldml/oracle/sample.hpp>

namespace goldml::oracle {

namespace detail {

// Checks the rules on descs. Those of the outputs must hold before their memory is allocated.
inline void check_descs(const operator_description& op, const void* desc, std::span<const const_tensor_ref> inputs,
                        std::span<const tensor_desc> outputs) {
  const std::size_t tensors = inputs.size() + outputs.size();
  if (tensors + (op.has_operand_array() ? 1 : 0) < op.operands.size() || op.input_count(tensors) != inputs.size())
    throw wrong_operand_count(op.name, op.operands, inputs.size(), outputs.size());
  std::vector<operand> operands;
  for (const const_tensor_ref& input : inputs) operands.push_back(to_operand(input));
  for (const tensor_desc& output : outputs) {
    const bool omitted = output.sizes.empty() && op.info_of(operands.size(), tensors).optional;
    operands.push_back(omitted ? operand() : to_operand(output));
  }
  violation_sink sink;
  op.check(desc, operands, sink);
  if (sink.first()) throw error(*sink.first());
}

// golden_outputs::given of a call.
inline auto verdicts_given_by(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs) {
  struct kept_call {
    any_desc desc;
    std::vector<host_tensor> inputs;
  };
  auto kept = std::make_shared<kept_call>(kept_call{any_desc(*calls.description, desc), {}});
  for (const const_tensor_ref& input : inputs)
    kept->inputs.push_back(input.present() ? host_tensor(input) : host_tensor());
  return [verdicts_given = calls.verdicts_given, call = std::shared_ptr<const kept_call>(std::move(kept))](
             const golden_outputs& self, std::span<const const_tensor_ref> actual) {
    std::vector<const_tensor_ref> refs;
    for (const host_tensor& input : call->inputs) refs.push_back(input.ref());
    std::vector<given_output> outputs;
    for (const golden_output& output : self)
      outputs.push_back(
          {.golden = output.values.ref(),
           .verdicts = output.verdicts,
           .flushed_verdicts =
               output.flushed_verdicts ? *output.flushed_verdicts : output_verdicts(output.verdicts.size())});
    if (!verdicts_given(call->desc.get(), refs, actual, outputs)) return std::shared_ptr<const golden_outputs>();
    golden_outputs result = self;
    result.given = nullptr;
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i].verdicts = std::move(outputs[i].verdicts);
      result[i].flushed_verdicts = std::make_shared<const output_verdicts>(std::move(outputs[i].flushed_verdicts));
      result[i].from = outputs[i].from;
      if (outputs[i].values) {
        result[i].values = std::move(*outputs[i].values);
        result[i].flushed = nullptr;
      }
      if (outputs[i].note)  // which may read the inputs
        result[i].note = [call, note = std::move(outputs[i].note)](const auto& refused) { return note(refused); };
    }
    return std::make_shared<const golden_outputs>(std::move(result));
  };
}

inline golden_outputs golden_answer(const golden_calls& calls, const void* desc,
                                    std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs,
                                    deviation from_golden, std::span<const const_tensor_ref> initial) {
  std::vector<host_tensor> values;
  for (const tensor_desc& output : outputs)
    values.push_back(before_call(output, initial.empty() ? const_tensor_ref() : initial[values.size()]));
  std::vector<tensor_ref> refs;
  for (host_tensor& value : values) refs.push_back(value.ref());
  if (calls.judge == nullptr) {
    calls.evaluate(desc, inputs, refs);
  } else {
    any_desc judged(*calls.description, desc);
    calls.judge(judged.get());
    calls.evaluate(judged.get(), inputs, refs);
  }

  std::vector<output_verdicts> verdicts;
  for (const tensor_desc& output : outputs)
    verdicts.emplace_back(output.sizes.empty() ? 0 : element_count(output.sizes));
  if (calls.verdicts != nullptr) calls.verdicts(desc, inputs, refs, verdicts);

  golden_outputs result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.push_back({std::move(values[i]), std::move(verdicts[i]), from_golden});
    if (calls.count_output && i != *calls.count_output) result.back().counted_by = calls.count_output;
    result.back().exact_nans = calls.exact_nans;
  }
  if (calls.verdicts_given != nullptr) result.given = verdicts_given_by(calls, desc, inputs);
  return result;
}

inline bool has_fp32_subnormals(const const_tensor_ref& input) {
  if (!input.present() || input.desc().data_type != data_type::float32) return false;
  const auto view = input.as<float>();
  for (const coordinate_tuple& c : coordinates_of(input.desc().sizes))
    if (!is_zero(view[c]) && is_zero(goldml::detail::flushed(static_cast<float>(view[c])))) return true;
  return false;
}

inline void flush_subnormals(host_tensor& input) {
  const auto view = input.ref().as<float>();
  for (const coordinate_tuple& c : coordinates_of(input.desc().sizes))
    view[c] = goldml::detail::flushed(static_cast<float>(view[c]));
}

// Adds to an answer what a device may answer that flushes numbers one by one: the elements of `other`, the answer of
// the flushed inputs, if it is not empty; and more. `inputs` are not flushed.
inline void add_flushed(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                        golden_outputs other, golden_outputs& answer) {
  const auto is_float32 = [](const const_tensor_ref& t) {
    return t.present() && t.desc().data_type == data_type::float32;
  };
  const bool has_float32 = std::any_of(inputs.begin(), inputs.end(), is_float32) ||
                           std::any_of(answer.begin(), answer.end(), [](const golden_output& output) {
                             return output.values.desc().data_type == data_type::float32;
                           });
  if (other.empty() && (calls.flushed_verdicts == nullptr || !has_float32)) return;
  std::vector<tensor_ref> values;
  std::vector<output_verdicts> verdicts;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (other.empty()) {
      values.push_back(answer[i].values.ref());
      verdicts.emplace_back(answer[i].verdicts.size());
    } else {
      values.push_back(other[i].values.ref());
      verdicts.push_back(std::move(other[i].verdicts));
    }
  }
  if (calls.flushed_verdicts != nullptr) calls.flushed_verdicts(desc, inputs, values, verdicts);
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (!other.empty()) answer[i].flushed = std::make_shared<const host_tensor>(std::move(other[i].values));
    if (!verdicts[i].all_exact())
      answer[i].flushed_verdicts = std::make_shared<const output_verdicts>(std::move(verdicts[i]));
  }
}

// Elements of 4 bits are judged as bytes.
inline void unpack_values(golden_outputs& answer) {
  for (golden_output& output : answer) {
    if (!is_4_bit(output.values.desc().data_type)) continue;
    output.packed = output.values.desc();
    output.values = unpacked(std::as_const(output.values).ref());
    if (output.flushed) output.flushed = std::make_shared<const host_tensor>(unpacked(output.flushed->ref()));
  }
}

// Adds the answer, and the answer of a device that flushes subnormals.
inline void add_whole_answers(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                              std::span<const tensor_desc> outputs, deviation from_golden, golden& result,
                              std::span<const const_tensor_ref> initial) {
  result.answers.push_back(golden_answer(calls, desc, inputs, outputs, from_golden, initial));
  const std::optional<flushed_answer> flush = calls.flush(desc);
  if (!flush) return;
  if (flush == flushed_answer::in_verdicts) return add_flushed(calls, desc, inputs, {}, result.answers.back());
  std::vector<host_tensor> copies;
  std::vector<const_tensor_ref> refs(inputs.begin(), inputs.end());
  copies.reserve(refs.size());
  for (const_tensor_ref& input : refs) {
    if (!has_fp32_subnormals(input)) continue;
    copies.emplace_back(input);
    flush_subnormals(copies.back());
    input = std::as_const(copies.back()).ref();
  }
  golden_outputs other;
  if (!copies.empty()) other = golden_answer(calls, desc, refs, outputs, deviation::fp32_flush, initial);
  if (flush == flushed_answer::per_element)
    add_flushed(calls, desc, inputs, std::move(other), result.answers.back());
  else if (!other.empty())
    result.answers.push_back(std::move(other));
}

inline void add_answers(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                        std::span<const tensor_desc> outputs, deviation from_golden, golden& result,
                        std::span<const const_tensor_ref> initial = {}) {
  add_whole_answers(calls, desc, inputs, outputs, from_golden, result, initial);
  for (golden_outputs& answer : result.answers) unpack_values(answer);
}

// Calls answer(desc, inputs, deviation) for each call that a device may compute instead of this one, which is the
// first.
template <class F>
void for_each_call_answered(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                            std::span<const tensor_desc> outputs, F answer) {
  answer(desc, inputs, deviation::none);
  if (calls.is_listed_otherwise != nullptr && calls.is_listed_otherwise(desc, inputs[0].desc().sizes)) {
    any_desc other(*calls.description, desc);
    std::vector<const_tensor_ref> listed(inputs.begin(), inputs.end());
    calls.to_listing_order(other.get(), listed);
    answer(other.get(), std::span<const const_tensor_ref>(listed), deviation::listing_order);
  }
  if (calls.to_alternative != nullptr && !outputs.empty()) {
    any_desc other(*calls.description, desc);
    if (change_to_alternative(calls, other.get(), inputs, outputs[0].data_type))
      answer(other.get(), inputs, deviation::none);
  }
}

template <class Any>
golden expect_any(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_desc> outputs, std::span<const const_tensor_ref> initial = {}) {
  check_descs(*calls.description, desc, inputs, outputs);
  check_initial(*calls.description, inputs, outputs, initial);
  golden result;
  for_each_call_answered(calls, desc, inputs, outputs, [&](const void* d, auto in, deviation from_golden) {
    add_answers(calls, d, in, outputs, from_golden, result, initial);
    const bool other = d != desc && from_golden == deviation::none;
    for (golden_output& output : result.answers.back()) output.alternative = other ? calls.alternative : "";
  });
  return result;
}

inline std::uint64_t memory_of_answers(const golden_calls& calls, const void* desc, std::span<const operand> operands) {
  const std::optional<flushed_answer> flush = calls.flush(desc);
  std::uint64_t answer = 0;
  std::uint64_t copies = 0;  // bytes of copies of the inputs, for flushing
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].desc) continue;
    const tensor_desc& tensor = *operands[i].desc;
    const std::uint64_t bytes = total_tensor_size_in_bytes(tensor);
    if (calls.description->info_of(i, operands.size()).role == operand_role::output)
      answer = saturating_add(answer, saturating_add(bytes, element_count(tensor.sizes)));
    else if (tensor.data_type == data_type::float32 && flush != flushed_answer::in_verdicts)
      copies = saturating_add(copies, bytes);
  }
  if (calls.verdict_memory != nullptr) answer = saturating_add(answer, calls.verdict_memory(desc, operands));
  const bool listed = calls.is_listed_otherwise != nullptr && calls.is_listed_otherwise(desc, operands[0].desc->sizes);
  bool alternative = false;
  if (calls.to_alternative != nullptr) {
    any_desc other(*calls.description, desc);
    std::uint64_t given = 0;
    for (std::size_t i = 0; i < operands.size() && i < 64; ++i)
      given |= std::uint64_t{operands[i].desc.has_value()} << i;
    alternative = calls.to_alternative(other.get(),
                                       (operands.back().desc ? operands.back() : operands[0]).desc->data_type, given);
  }
  const std::uint64_t answers = listed || alternative ? 2 : 1;
  if (flush == flushed_answer::in_verdicts) return saturating_multiply(answer, 2 * answers);
  if (flush && copies != 0) return saturating_add(saturating_multiply(answer, 2 * answers), copies);
  return saturating_multiply(answer, answers);
}

// The answers and what `reference` allocates for one of them.
inline std::uint64_t memory_of_expect(const golden_calls& calls, const void* desc, std::span<const operand> operands) {
  return saturating_add(memory_of_answers(calls, desc, operands), calls.description->scratch(desc, operands).reference);
}

}  // namespace detail

// The maximum number of bytes that expect() and its result need for a legal call; saturates at 2^64 - 1.
template <described Desc>
std::uint64_t memory_of_expect(const Desc& desc, const operands_of<Desc>& operands) {
  return detail::memory_of_expect(detail::golden_calls_of<Desc>(), &desc, operands);
}

// The golden answer and its verdicts. Inputs and output descs are in the order of the C structure; an omitted optional
// one is default-constructed. Throws error like the call itself, except for inputs that a policy refuses by default
// because the page leaves them open: for these the verdicts state what is allowed (ledger 7.5, 7.6). `initial`: of a
// call that reads outputs before it writes them, what these contain, one for each output, else absent.
template <described Desc>
golden expect(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs,
              std::span<const const_tensor_ref> initial = {}) {
  return detail::expect_any<any_desc>(detail::golden_calls_of<Desc>(), &desc, inputs, outputs, initial);
}

}  // namespace goldml::oracle

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template oracle::golden oracle::detail::expect_any<any_desc>(const oracle::detail::golden_calls&, const void*, std::span<const const_tensor_ref>, std::span<const tensor_desc>, std::span<const const_tensor_ref>);
// clang-format on
}  // namespace goldml
#endif
