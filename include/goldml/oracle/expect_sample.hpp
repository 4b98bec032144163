// The golden answer for some elements of the outputs of a call: their values and verdicts, at the cost of these
// elements.
//
//   const golden expected = expect(desc, inputs, outputs, {.elements = 2000});
//   compare(expected, actual);  // the whole outputs of the device
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/oracle/sample.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

namespace detail {

// The call that computes an element of an output alone.
struct element_call {
  any_desc desc;
  std::vector<std::optional<tensor_part>> parts;  // one per tensor

  // Of the operator's desc and tensors; `inputs` of them are inputs, the others outputs.
  element_call(const golden_calls& calls, const void* whole, std::span<const std::optional<tensor_desc>> tensors,
               const coordinate_tuple& at)
      : desc(*calls.description, whole) {
    for (const auto& tensor : tensors) parts.push_back(tensor ? std::optional<tensor_part>(*tensor) : std::nullopt);
    calls.take(desc.get(), parts, at);
  }

  std::vector<operand> operands(std::size_t inputs) const {
    std::vector<operand> result(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i]) result[i].desc = i < inputs ? parts[i]->desc : output(i);
    return result;
  }
  // The desc of an output: packed.
  tensor_desc output(std::size_t tensor) const {
    return {.data_type = parts[tensor]->desc.data_type, .sizes = parts[tensor]->desc.sizes};
  }
  // The element's number in output `tensor`.
  std::size_t number(std::size_t tensor, const coordinate_tuple& at) const {
    const tensor_part& part = *parts[tensor];
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < at.size(); ++i) number = number * part.desc.sizes[i] + (at[i] - part.first[i]);
    return static_cast<std::size_t>(number);
  }
};

inline const_tensor_ref view_of(const const_tensor_ref& whole, const tensor_part& part) {
  const std::uint64_t offset = offset_of(part.first, part.desc.strides) * element_size_in_bytes(part.desc.data_type);
  return {part.desc, static_cast<const std::byte*>(whole.data()) + offset};
}

inline dimensions sizes_of(const tensor_desc& output) { return output.sizes; }
inline dimensions sizes_of(const operand& output) { return output.desc ? output.desc->sizes : dimensions(); }

// Whether the options judge every element of the outputs.
template <class Outputs>
bool takes_all(const Outputs& outputs, const sample_options& options) {
  return std::all_of(outputs.begin(), outputs.end(), [&](const auto& output) {
    const dimensions sizes = sizes_of(output);
    return sizes.empty() || element_count(sizes) <= options.elements;
  });
}

// The numbers of the elements to judge of each output; of an omitted one none.
using sample_numbers = std::vector<std::vector<std::uint64_t>>;
template <class Outputs>
sample_numbers numbers_of(const Outputs& outputs, const sample_options& options) {
  sample_numbers result;
  for (const auto& output : outputs) {
    const dimensions sizes = sizes_of(output);
    result.push_back(sizes.empty() ? std::vector<std::uint64_t>() : sampled_elements(sizes, options.elements));
  }
  return result;
}

inline void copy_value(const host_tensor& from, const coordinate_tuple& at, host_tensor& to, std::size_t element) {
  visit_data_type(all_types{}, to.desc().data_type, [&]<class T>(std::type_identity<T>) {
    to.ref().as<T>()[coordinate_tuple{element}] = from.ref().as<T>()[at];
  });
}

// Some elements of an output: those that are copied.
class sampled_output {
 public:
  sampled_output(const tensor_desc& whole, std::vector<std::uint64_t> numbers)
      : sample_(std::make_shared<const output_sample>(output_sample{whole, std::move(numbers)})),
        values_(packed()),
        verdicts_(sample_->numbers.size()),
        flushed_(packed()),
        flushed_verdicts_(sample_->numbers.size()) {}

  const std::vector<std::uint64_t>& numbers() const { return sample_->numbers; }

  // Copies number `element` of another golden output, at `at` in it.
  void copy(std::size_t number, const golden_output& from, std::size_t element, const coordinate_tuple& at) {
    copy_value(from.values, at, values_, number);
    verdicts_.copy(number, from.verdicts, element);
    copy_value(from.flushed ? *from.flushed : from.values, at, flushed_, number);
    any_flushed_ = any_flushed_ || from.flushed;
    if (from.flushed_verdicts) flushed_verdicts_.copy(number, *from.flushed_verdicts, element);
  }

  golden_output finish(const golden_calls& calls, deviation from_golden, std::optional<std::size_t> counted_by) {
    golden_output result{std::move(values_), std::move(verdicts_), from_golden};
    if (any_flushed_) result.flushed = std::make_shared<const host_tensor>(std::move(flushed_));
    if (!flushed_verdicts_.all_exact())
      result.flushed_verdicts = std::make_shared<const output_verdicts>(std::move(flushed_verdicts_));
    result.exact_nans = calls.exact_nans;
    result.counted_by = counted_by;
    result.sample = std::move(sample_);
    return result;
  }

 private:
  host_tensor packed() const {
    return host_tensor(
        tensor_desc{.data_type = unpacked_type(sample_->whole.data_type), .sizes = {sample_->numbers.size()}});
  }

  std::shared_ptr<const output_sample> sample_;
  host_tensor values_;
  output_verdicts verdicts_;
  host_tensor flushed_;
  bool any_flushed_ = false;
  output_verdicts flushed_verdicts_;
};

// Some elements of answers with all elements.
inline golden sampled(const golden_calls& calls, golden whole, const sample_numbers& numbers) {
  for (golden_outputs& answer : whole.answers)
    for (std::size_t i = 0; i < answer.size(); ++i) {
      golden_output& output = answer[i];
      if (output.values.omitted() || numbers[i].size() == output.verdicts.size()) continue;
      sampled_output kept(output.whole(), numbers[i]);
      for (std::size_t n = 0; n < numbers[i].size(); ++n)
        kept.copy(n, output, static_cast<std::size_t>(numbers[i][n]),
                  coordinate_at(output.values.desc().sizes, numbers[i][n]));
      output = kept.finish(calls, output.from_golden, output.counted_by);
    }
  return whole;
}

// Calls f(call, output, number) for each element, with the call that computes it. Elements that follow each other and
// have the same call share it.
template <class F>
void for_each_element_call(const golden_calls& calls, const void* desc,
                           std::span<const std::optional<tensor_desc>> tensors, std::size_t inputs,
                           const sample_numbers& numbers, F f) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!tensors[inputs + i]) continue;
    std::optional<element_call> last;
    for (std::size_t n = 0; n < numbers[i].size(); ++n) {
      element_call call(calls, desc, tensors, coordinate_at(tensors[inputs + i]->sizes, numbers[i][n]));
      const bool is_new = !last || last->parts != call.parts;
      if (is_new) last = std::move(call);
      f(*last, is_new, i, n);
    }
  }
}

// The answer, which operators that are sampled by parts have one of.
inline golden_outputs sampled_answer(const golden_calls& calls, const void* desc,
                                     std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs,
                                     deviation from_golden, const sample_numbers& numbers) {
  std::vector<std::optional<tensor_desc>> tensors;
  for (const const_tensor_ref& input : inputs)
    tensors.push_back(input.present() ? std::optional(input.desc()) : std::nullopt);
  for (const tensor_desc& output : outputs)
    tensors.push_back(output.sizes.empty() ? std::nullopt : std::optional(output));
  std::vector<std::optional<sampled_output>> kept(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].sizes.empty()) kept[i].emplace(outputs[i], numbers[i]);
  golden part;
  for_each_element_call(
      calls, desc, tensors, inputs.size(), numbers,
      [&](const element_call& call, bool is_new, std::size_t i, std::size_t n) {
        if (is_new) {
          std::vector<const_tensor_ref> part_inputs;
          std::vector<tensor_desc> part_outputs;
          for (std::size_t t = 0; t < inputs.size(); ++t)
            part_inputs.push_back(inputs[t].present() ? view_of(inputs[t], *call.parts[t]) : const_tensor_ref());
          for (std::size_t t = 0; t < outputs.size(); ++t)
            part_outputs.push_back(kept[t] ? call.output(inputs.size() + t) : tensor_desc());
          part = {};
          check_descs(*calls.description, call.desc.get(), part_inputs, part_outputs);
          add_answers(calls, call.desc.get(), part_inputs, part_outputs, from_golden, part);
          if (part.answers.size() != 1) throw std::logic_error("goldml: a sample has one answer");
        }
        const coordinate_tuple at = coordinate_at(outputs[i].sizes, numbers[i][n]);
        const std::size_t element = call.number(inputs.size() + i, at);
        const golden_output& from = part.answers.front()[i];
        kept[i]->copy(n, from, element, coordinate_at(from.values.desc().sizes, element));
      });
  golden_outputs result;
  for (auto& output : kept)
    result.push_back(output ? output->finish(calls, from_golden, {})
                            : golden_output{host_tensor(), output_verdicts(0)});
  return result;
}

// The same for each call that a device may compute instead.
inline golden sampled_answers(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                              std::span<const tensor_desc> outputs, const sample_numbers& numbers) {
  golden result;
  for_each_call_answered(calls, desc, inputs, outputs, [&](const void* d, auto in, deviation from_golden) {
    result.answers.push_back(sampled_answer(calls, d, in, outputs, from_golden, numbers));
  });
  return result;
}

// Throws error like the call itself, and for an operator whose elements cannot be computed alone.
template <class Any>
golden expect_elements(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_desc> outputs, const sample_numbers& numbers) {
  check_descs(*calls.description, desc, inputs, outputs);
  if (calls.sampled == sampling::whole) return sampled(calls, expect_any<Any>(calls, desc, inputs, outputs), numbers);
  if (calls.sampled == sampling::refused)
    throw error({.rule = "M24",
                 .operator_name = calls.description->name,
                 .operand = "",
                 .member = "elements",
                 .index = {},
                 .got = violation_text("a sample"),
                 .wanted = violation_text("all of them"),
                 .why = violation_text("each depends on most others")});
  return sampled_answers(calls, desc, inputs, outputs, numbers);
}

template <class Any>
golden expect_sample(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                     std::span<const tensor_desc> outputs, const sample_options& options) {
  if (takes_all(outputs, options)) return expect_any<Any>(calls, desc, inputs, outputs);
  return expect_elements<Any>(calls, desc, inputs, outputs, numbers_of(outputs, options));
}

inline std::vector<std::optional<tensor_desc>> descs_of(std::span<const operand> operands) {
  std::vector<std::optional<tensor_desc>> result;
  for (const operand& each : operands) result.push_back(each.desc);
  return result;
}

// The work of computing these elements: of their parts, or of the whole call.
inline work_counts work_of_elements(const golden_calls& calls, const void* desc, std::span<const operand> operands,
                                    const sample_options& options) {
  const std::size_t inputs = calls.description->input_count(operands.size());
  if (calls.sampled != sampling::parts || takes_all(operands.subspan(inputs), options))
    return calls.description->work(desc, operands);
  const sample_numbers numbers = numbers_of(operands.subspan(inputs), options);
  work_counts work;
  for_each_element_call(calls, desc, descs_of(operands), inputs, numbers,
                        [&](const element_call& call, bool is_new, std::size_t, std::size_t) {
                          if (is_new) work = work + calls.description->work(call.desc.get(), call.operands(inputs));
                        });
  return work;
}

// The maximum number of bytes that expect_elements() and its result need. An element takes its number, its values and
// verdicts with and without flushing, and alternatives, in each of up to three answers.
inline std::uint64_t memory_of_elements(const golden_calls& calls, const void* desc, std::span<const operand> operands,
                                        const sample_options& options) {
  constexpr std::uint64_t of_an_element = 1024;
  const std::size_t inputs = calls.description->input_count(operands.size());
  if (calls.sampled != sampling::parts || takes_all(operands.subspan(inputs), options))
    return memory_of_expect(calls, desc, operands);
  const sample_numbers numbers = numbers_of(operands.subspan(inputs), options);
  std::uint64_t greatest = 0, elements = 0;
  for_each_element_call(calls, desc, descs_of(operands), inputs, numbers,
                        [&](const element_call& call, bool is_new, std::size_t, std::size_t) {
                          ++elements;
                          if (is_new)
                            greatest =
                                (std::max)(greatest, memory_of_expect(calls, call.desc.get(), call.operands(inputs)));
                        });
  return saturating_add(greatest, saturating_multiply(elements, of_an_element));
}

}  // namespace detail

// The same as expect(), for at most options.elements of each output (sample.hpp), at the cost of these alone where the
// operator can compute them so (element_part.hpp). Throws error also for an operator that can neither (RNN).
template <described Desc>
golden expect(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_desc> outputs,
              const sample_options& options) {
  return detail::expect_sample<any_desc>(detail::golden_calls_of<Desc>(), &desc, inputs, outputs, options);
}

}  // namespace goldml::oracle
