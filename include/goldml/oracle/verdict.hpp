// The golden answer of a call with the verdict on each element: what a device may answer without being wrong.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/reference/reference.hpp>

namespace goldml::oracle {

struct golden_output {
  host_tensor values;
  output_verdicts verdicts;
};

// The outputs of one call, in the order of the C structure.
using golden_outputs = std::vector<golden_output>;

// What is right: any one of these answers, each as a whole. There is one, or with fp32_flush two.
struct golden {
  std::vector<golden_outputs> answers;
};

struct verdict_options {
  // Also accept the answer for the input with FLOAT32 subnormals flushed to zeros of their sign (ledger 7.4), as
  // Direct3D allows arithmetic: for ARGMIN per slice, for NONZERO_COORDINATES as a whole. Moves are never flushed.
  bool fp32_flush = false;
};

namespace detail {

// Where the page leaves something open that a policy refuses by default, a device's answer is judged, not refused.
template <class Desc>
Desc judged_desc(const Desc& desc) {
  if constexpr (requires { operator_traits<Desc>::judged(desc); })
    return operator_traits<Desc>::judged(desc);
  else
    return desc;
}

// The rules on descs alone: those of the outputs must hold before memory is taken for them.
template <class Desc>
void check_descs(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs) {
  auto operands = make_operands<Desc>(inputs.size(), outputs.size());
  std::size_t next = 0;
  for (const const_tensor_ref& input : inputs) operands[next++] = to_operand(input);
  for (const tensor_desc& output : outputs) operands[next++] = to_operand(output);
  violation_sink sink;
  check(desc, operands, sink);
  if (sink.first()) throw error(*sink.first());
}

template <class Desc>
golden_outputs golden_answer(const Desc& desc, std::span<const const_tensor_ref> inputs,
                             std::span<const tensor_desc> outputs) {
  std::vector<host_tensor> values;
  for (const tensor_desc& output : outputs) values.emplace_back(output);
  std::vector<tensor_ref> refs;
  for (host_tensor& value : values) refs.push_back(value.ref());
  evaluate(reference, judged_desc(desc), inputs, std::span<const tensor_ref>(refs));

  std::vector<output_verdicts> verdicts;
  for (const tensor_desc& output : outputs) verdicts.emplace_back(element_count(output.sizes));
  if constexpr (requires { operator_traits<Desc>::verdicts(desc, inputs, refs, verdicts); })
    operator_traits<Desc>::verdicts(desc, inputs, refs, verdicts);

  golden_outputs result;
  for (std::size_t i = 0; i < values.size(); ++i) result.push_back({std::move(values[i]), std::move(verdicts[i])});
  return result;
}

// The input with FLOAT32 subnormals made zeros of their sign. Returns whether there were any.
inline bool flush_subnormals(host_tensor& input) {
  if (input.desc().data_type != data_type::float32) return false;
  bool found = false;
  const auto view = input.ref().as<float>();
  for (const coordinate_tuple& c : coordinates_of(input.desc().sizes)) {
    const auto bits = std::bit_cast<std::uint32_t>(view[c]);
    const auto magnitude = goldml::detail::magnitude_bits(view[c]);
    if (magnitude == 0 || magnitude >= 0x0080'0000) continue;
    view[c] = std::bit_cast<float>(bits & 0x8000'0000);
    found = true;
  }
  return found;
}

// Adds each element of another answer as an alternative of the first, which has no other reader of alternatives.
inline void allow_elements(golden_outputs& answer, golden_outputs other) {
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const tensor_desc& desc = answer[i].values.desc();
    const auto kept = std::make_shared<const host_tensor>(std::move(other[i].values));
    visit_data_type(all_types{}, desc.data_type, [&]<class T>(std::type_identity<T>) {
      const auto mine = std::as_const(answer[i].values).ref().template as<T>();
      const auto others = kept->ref().template as<T>();
      std::size_t element = 0;
      for (const coordinate_tuple& c : coordinates_of(desc.sizes)) {
        if (order_key(mine[c]) != order_key(others[c])) answer[i].verdicts.allow_what_is_read(element);
        ++element;
      }
      answer[i].verdicts.read_alternatives_with(
          [kept](std::size_t number, const std::function<bool(const scalar&)>& f) {
            const auto values = kept->ref().as<T>();
            f(scalar(values[coordinate_at(values.sizes(), number)]));
          });
    });
  }
}

}  // namespace detail

// The bytes that expect() and its result take, at most, for a call that is legal; saturated beyond 2^64 - 1. What the
// kernels of `reference` take for themselves is not counted: less than a bit per output element.
template <class Desc>
std::uint64_t memory_of_expect(const Desc& desc, const operands_of<Desc>& operands,
                               const verdict_options& options = {}) {
  using traits = operator_traits<Desc>;
  std::uint64_t answer = 0;
  std::uint64_t copies = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].desc) continue;
    const tensor_desc& tensor = *operands[i].desc;
    std::uint64_t& sum = traits::operands[i].role == operand_role::output ? answer : copies;
    sum = saturating_add(sum, total_tensor_size_in_bytes(tensor));
    if (traits::operands[i].role == operand_role::output) sum = saturating_add(sum, element_count(tensor.sizes));
  }
  if constexpr (requires { traits::verdict_memory(desc, operands); })
    answer = saturating_add(answer, traits::verdict_memory(desc, operands));
  if constexpr (requires { traits::flush; })
    if (options.fp32_flush) return saturating_add(saturating_multiply(answer, 2), copies);
  return answer;
}

// The golden answer and its verdicts. Inputs and output descs in the order of the C structure; an optional input that
// is not there default-constructed. Throws error like the call itself, but for what a policy refuses by default because
// the page leaves it open: then the verdicts say what is allowed (ledger 7.5, 7.6).
template <class Desc>
golden expect(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs,
              const verdict_options& options = {}) {
  detail::check_descs(desc, inputs, outputs);
  golden result{{detail::golden_answer(desc, inputs, outputs)}};
  using traits = operator_traits<Desc>;
  if constexpr (requires { traits::flush; }) {
    if (!options.fp32_flush) return result;
    std::vector<host_tensor> copies;
    bool flushed = false;
    for (const const_tensor_ref& input : inputs) {
      copies.emplace_back(input);
      flushed = detail::flush_subnormals(copies.back()) || flushed;
    }
    if (!flushed) return result;
    std::vector<const_tensor_ref> refs;
    for (const host_tensor& copy : copies) refs.push_back(copy.ref());
    golden_outputs other = detail::golden_answer(desc, refs, outputs);
    if (traits::flush == flushed_answer::per_element)
      detail::allow_elements(result.answers.front(), std::move(other));
    else
      result.answers.push_back(std::move(other));
  }
  return result;
}

}  // namespace goldml::oracle
