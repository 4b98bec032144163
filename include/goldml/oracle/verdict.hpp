// The golden answer of a call with the verdict on each element: what a device may answer without being wrong.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

// Why an answer that is not the golden one is right as a whole. compare_options grants or refuses each.
enum class deviation : std::uint8_t {
  none,           // it is the golden one
  fp32_flush,     // of a device that flushes FLOAT32 subnormals (ledger 7.4)
  listing_order,  // of a device that numbers reduced elements in the order of unsorted Axes (ledger 7.3)
};

struct golden_output {
  host_tensor values;
  output_verdicts verdicts;
  deviation from_golden = deviation::none;  // the same for all outputs of an answer
  // Where the operator may flush element by element: each element may also be as here, if fp32_flush is granted.
  std::shared_ptr<const host_tensor> flushed = {};
  // The output that says how many elements of this one are defined. Where it is wrong, this one is not compared.
  std::optional<std::size_t> counted_by = {};
};

// The outputs of one call, in the order of the C structure.
using golden_outputs = std::vector<golden_output>;

inline deviation deviation_of(const golden_outputs& answer) {
  return answer.empty() ? deviation::none : answer.front().from_golden;
}

// What is right: any one of these answers, each as a whole, the golden one first.
struct golden {
  std::vector<golden_outputs> answers;
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
                             std::span<const tensor_desc> outputs, deviation from_golden) {
  using traits = operator_traits<Desc>;
  std::vector<host_tensor> values;
  for (const tensor_desc& output : outputs) values.emplace_back(output);
  std::vector<tensor_ref> refs;
  for (host_tensor& value : values) refs.push_back(value.ref());
  evaluate(reference, judged_desc(desc), inputs, std::span<const tensor_ref>(refs));

  std::vector<output_verdicts> verdicts;
  for (const tensor_desc& output : outputs) verdicts.emplace_back(element_count(output.sizes));
  if constexpr (requires { traits::verdicts(desc, inputs, refs, verdicts); })
    traits::verdicts(desc, inputs, refs, verdicts);

  golden_outputs result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.push_back({std::move(values[i]), std::move(verdicts[i]), from_golden});
    if constexpr (requires { traits::count_output; })
      if (i != traits::count_output) result.back().counted_by = traits::count_output;
  }
  return result;
}

// What flushing makes of a FLOAT32 subnormal: the zero of its sign. Other numbers stay.
inline float flushed(float x) {
  const bool subnormal = goldml::detail::magnitude_bits(x) < 0x0080'0000;
  return subnormal ? std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x8000'0000) : x;
}

inline bool has_fp32_subnormals(const const_tensor_ref& input) {
  if (!input.present() || input.desc().data_type != data_type::float32) return false;
  const auto view = input.as<float>();
  for (const coordinate_tuple& c : coordinates_of(input.desc().sizes))
    if (!is_zero(view[c]) && is_zero(flushed(view[c]))) return true;
  return false;
}

inline void flush_subnormals(host_tensor& input) {
  const auto view = input.ref().as<float>();
  for (const coordinate_tuple& c : coordinates_of(input.desc().sizes)) view[c] = flushed(view[c]);
}

// Adds the answer, and what a device that flushes may answer in its place.
template <class Desc>
void add_answers(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs,
                 deviation from_golden, golden& result) {
  result.answers.push_back(golden_answer(desc, inputs, outputs, from_golden));
  using traits = operator_traits<Desc>;
  if constexpr (requires { traits::flush; }) {
    std::vector<host_tensor> copies;
    std::vector<const_tensor_ref> refs(inputs.begin(), inputs.end());
    copies.reserve(refs.size());
    for (const_tensor_ref& input : refs) {
      if (!has_fp32_subnormals(input)) continue;
      copies.emplace_back(input);
      flush_subnormals(copies.back());
      input = std::as_const(copies.back()).ref();
    }
    if (copies.empty()) return;
    golden_outputs other = golden_answer(desc, refs, outputs, deviation::fp32_flush);
    if (traits::flush == flushed_answer::whole) {
      result.answers.push_back(std::move(other));
      return;
    }
    golden_outputs& answer = result.answers.back();
    for (std::size_t i = 0; i < answer.size(); ++i)
      answer[i].flushed = std::make_shared<const host_tensor>(std::move(other[i].values));
  }
}

}  // namespace detail

// The bytes that expect() and its result take, at most, for a call that is legal; saturated beyond 2^64 - 1. What the
// kernels of `reference` take for themselves is not counted: less than a bit per output element.
template <class Desc>
std::uint64_t memory_of_expect(const Desc& desc, const operands_of<Desc>& operands) {
  using traits = operator_traits<Desc>;
  std::uint64_t answer = 0;
  std::uint64_t copies = 0;  // of inputs to be flushed
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].desc) continue;
    const tensor_desc& tensor = *operands[i].desc;
    const std::uint64_t bytes = total_tensor_size_in_bytes(tensor);
    const std::size_t row = place_of_tensor(traits::operands, i, operands.size()).info;
    if (traits::operands[row].role == operand_role::output)
      answer = saturating_add(answer, saturating_add(bytes, element_count(tensor.sizes)));
    else if (tensor.data_type == data_type::float32)
      copies = saturating_add(copies, bytes);
  }
  if constexpr (requires { traits::verdict_memory(desc, operands); })
    answer = saturating_add(answer, traits::verdict_memory(desc, operands));
  std::uint64_t answers = 1;
  if constexpr (requires { traits::is_listed_otherwise(desc, operands[0].desc->sizes); })
    if (traits::is_listed_otherwise(desc, operands[0].desc->sizes)) answers *= 2;
  if constexpr (requires { traits::flush; }) {
    if (copies != 0) return saturating_add(saturating_multiply(answer, 2 * answers), copies);
  }
  return saturating_multiply(answer, answers);
}

// The golden answer and its verdicts. Inputs and output descs in the order of the C structure; an optional input that
// is not there default-constructed. Throws error like the call itself, but for what a policy refuses by default because
// the page leaves it open: then the verdicts say what is allowed (ledger 7.5, 7.6).
template <class Desc>
golden expect(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs) {
  detail::check_descs(desc, inputs, outputs);
  golden result;
  detail::add_answers(desc, inputs, outputs, deviation::none, result);
  using traits = operator_traits<Desc>;
  if constexpr (requires { traits::is_listed_otherwise(desc, inputs[0].desc().sizes); })
    if (traits::is_listed_otherwise(desc, inputs[0].desc().sizes)) {
      Desc other = desc;
      std::vector<const_tensor_ref> listed(inputs.begin(), inputs.end());
      traits::to_listing_order(other, listed);
      detail::add_answers(other, std::span<const const_tensor_ref>(listed), outputs, deviation::listing_order, result);
    }
  return result;
}

}  // namespace goldml::oracle
