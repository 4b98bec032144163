// Outputs that differ from the golden ones and are correct, because the pages leave them open.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

#include <goldml/goldml.hpp>

#include "allowed.hpp"
#include "device.hpp"

namespace judged {

// tally(kind, tried and accepted)
using deviation_tally = std::function<void(std::string_view, bool)>;

// Every element with several allowed values gets one of them independently, also within colliding slices.
inline std::uint64_t choose(oracle::random_source& random, const all_rules& rules, std::vector<values>& outputs) {
  std::uint64_t chosen = 0;
  for (std::size_t i = 0; i < rules.size(); ++i)
    for (std::size_t element = 0; element < rules[i].size(); ++element) {
      const element_rule& rule = rules[i][element];
      bits& value = outputs[i][element];
      const bits before = value;
      if (!rule.defined)
        value = random.bits();
      else if (rule.any_below > 0)
        value = random.below(rule.any_below);
      else if (const auto picked = rule.range ? rule.pick(random.bits()) : std::nullopt)
        value = *picked;
      else if (!rule.allowed.empty())
        value = rule.allowed[random.below(rule.allowed.size())];
      if (value != before) ++chosen;
    }
  return chosen;
}

// Where elements depend on others, such as states on those before: makes those golden that are not surely allowed any
// more. The golden ones remain allowed.
inline void settle(const oracle::generated_case<any_desc>& c, const std::vector<all_rules>& right,
                   const std::vector<values>& golden, bool strict, std::vector<values>& outputs) {
  if (is<dynamic_quantize_linear_desc>(c.text.desc))  // the scale, then the zero point by it, then the elements by both
    for (const std::size_t i : {1U, 2U, 0U}) {
      const output_rules given = without_outer(right_answers(c, right, outputs, strict)).front()[i];
      for (std::size_t element = 0; element < outputs[i].size(); ++element)
        if (const element_rule& rule = given[element]; !rule.allows(outputs[i][element]) || (strict && rule.overflows(outputs[i][element])))
          outputs[i][element] = rule.allowed.front();
    }
  if (!is_recurrent(c.text.desc)) return;
  for (bool any = true; any;) {
    const all_rules given = without_outer(right_answers(c, right, outputs, strict)).front();
    any = false;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      for (std::size_t element = 0; element < outputs[i].size(); ++element)
        if (bits& value = outputs[i][element]; value != golden[i][element]) {
          const element_rule& rule = given[i][element];
          if (rule.allows(value) && !(strict && rule.overflows(value))) continue;
          value = golden[i][element];
          any = true;
        }
  }
}

inline bool nothing_defined(const all_rules& rules) {
  return std::none_of(rules.begin(), rules.end(), [](const output_rules& output) {
    return std::any_of(output.begin(), output.end(), [](const element_rule& rule) { return rule.defined; });
  });
}

// Replaces each defined NaN by another one; returns their number.
inline std::uint64_t change_nans(oracle::random_source& random, const std::vector<tensor_desc>& outputs,
                                 const all_rules& rules, std::vector<values>& golden) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t element = 0; element < golden[i].size(); ++element) {
      bits& b = golden[i][element];
      if (!rules[i][element].defined || !is_nan_of(outputs[i].data_type, b)) continue;
      const bits before = b;
      const std::uint32_t width = 8 * element_size_in_bytes(outputs[i].data_type);
      do {
        b = before ^ (random.chance(50) ? bits{1} << (width - 1) : bits{1} << random.below(width == 16 ? 10 : 23));
      } while (!is_nan_of(outputs[i].data_type, b));
      ++changed;
    }
  return changed;
}

inline void try_deviations(oracle::random_source& random, const oracle::generated_case<any_desc>& c,
                           const all_rules& rules, const std::vector<all_rules>& right,
                           const std::vector<values>& golden, const oracle::compare_options& options,
                           const deviation_tally& tally, const deviation_tally& faulty) {
  const bool strict = options.nans == oracle::nan_match::same_bits;
  const auto judge = [&](const std::vector<values>& outputs, layout wanted) {
    return oracle::compare(c.expected, refs_of(in_memory(random, c.outputs, outputs, wanted)), options);
  };
  const auto accepted = [&](const std::vector<values>& outputs, layout wanted) {
    return judge(outputs, wanted).tolerated();
  };
  bool gaps = false;
  bool padding = false;
  for (const tensor_desc& output : c.outputs) {
    const std::uint64_t span = last_index(output.sizes, effective_strides(output)) + 1;
    gaps = gaps || span > element_count(output.sizes);
    padding = padding || total_tensor_size_in_bytes(output) > size_in_bytes_of(output.data_type, span);
  }
  if (gaps) tally("garbage between elements", accepted(golden, layout::as_golden));
  if (padding) tally("garbage in padding", accepted(golden, layout::as_golden));
  tally("another layout", accepted(golden, random.chance(50) ? layout::packed : layout::any));

  if (std::vector<values> nans = golden; change_nans(random, c.outputs, rules, nans) != 0) {
    const bool allowed = accepted(nans, layout::as_golden);
    if (making_of(c.text.desc) == making::from_bits)
      faulty("another NaN, made from bits", !allowed);
    else if (!strict)
      tally("another NaN", allowed);
    else if (broken_elements(rules, nans, c.outputs, true) != 0 &&  // not where the operator allows the quiet one
             broken_elements(c.text.desc, right, nans, c.outputs, true) != 0)  // nor where another right answer does
      faulty("another NaN, judged strictly", !allowed);
  }
  const any_desc& desc = c.text.desc;
  if (reduces_args(desc)) {
    const all_rules listed = rules_of_case(c, reading::in_listing_order);
    std::vector<values> other = golden;
    for (std::size_t i = 0; i < other[0].size(); ++i) other[0][i] = listed[0][i].allowed.front();
    if (broken_elements(rules, other, c.outputs, true) != 0) {
      const oracle::judgement judged = judge(other, layout::as_golden);
      if (strict)
        faulty("numbered in the order of Axes, judged strictly", !judged.tolerated());
      else
        tally("numbered in the order of Axes, and flagged", judged.outcome() == oracle::outcome::flagged);
    }
    // Each slice in one order or the other.
    for (std::size_t i = 0; i < other[0].size(); ++i)
      if (random.chance(50)) other[0][i] = golden[0][i];
    if (broken_elements(desc, right, other, c.outputs, strict) != 0)
      faulty("numbered in both orders", !judge(other, layout::as_golden).tolerated());
  }

  std::vector<values> other = golden;
  if (choose(random, rules, other) == 0) return;
  settle(c, {rules}, golden, true, other);
  const oracle::outcome outcome = judge(other, layout::as_golden).outcome();
  if (nothing_defined(rules))
    tally("garbage where nothing is defined", outcome == oracle::outcome::nothing_defined);
  else
    tally("another allowed value", outcome == oracle::outcome::agrees);
}

// The case again with FLOAT32 inputs, or start and delta of FILL_VALUE_SEQUENCE, of few different numbers, most of them
// subnormals and zeros.
inline oracle::generated_case<any_desc> with_subnormals(oracle::random_source& random,
                                                        oracle::generated_case<any_desc> c) {
  constexpr std::array<std::uint32_t, 8> numbers{0x0000'0000, 0x8000'0000, 0x0000'0001, 0x8000'0001,
                                                 0x007F'FFFF, 0x807F'FFFF, 0x0000'0100, 0x3F80'0000};
  const auto number = [&] { return std::bit_cast<float>(numbers[random.below(numbers.size())]); };
  if (is<fill_value_sequence_desc>(c.text.desc)) {
    auto& desc = *static_cast<fill_value_sequence_desc*>(c.text.desc.get());
    desc.value_start = number();
    desc.value_delta = number();
  }
  for (host_tensor& input : c.inputs) {
    if (input.bytes().empty() || input.desc().data_type != data_type::float32) continue;
    if ((is<roi_pooling_desc>(c.text.desc) || aligns(c.text.desc)) &&
        &input == &c.inputs[is<roi_align_grad_desc>(c.text.desc) ? 2 : 1])
      continue;  // regions, whose batches must be images
    for (const coordinate_tuple& at : coordinates_of(input.desc().sizes)) input.ref().as<float>()[at] = number();
  }
  return c;
}

// Calls `tally(kind, accepted)` for correct outputs and `faulty(kind, noticed)` for wrong ones, for a case with a
// FLOAT32 input of an operator that may flush, or of FILL_VALUE_SEQUENCE of FLOAT32.
inline void try_flushes(oracle::random_source& random, const oracle::generated_case<any_desc>& generated,
                        const oracle::compare_options& options, const deviation_tally& tally,
                        const deviation_tally& faulty) {
  const bool strict = !options.fp32_flush;
  oracle::generated_case<any_desc> c = with_subnormals(random, generated);
  const auto inputs = c.input_refs();
  const auto initial = c.initial_refs();
  c.expected = oracle::expect(c.text.desc, input_refs(inputs), std::span<const tensor_desc>(c.outputs),
                              std::span<const const_tensor_ref>(initial));
  const oracle::golden& golden = c.expected;
  const all_rules exact = rules_of_case(c);
  all_rules flushed = rules_of_case(flushed_case(c));
  // A scale that is flushed gives products of 0, and leaves nothing undefined as a scale of 0 does.
  if (is<element_wise_dequantize_linear_desc>(c.text.desc) || is<dequantize_desc>(c.text.desc))
    for (std::size_t i = 0; i < exact[0].size(); ++i)
      if (exact[0][i].defined && !flushed[0][i].defined) flushed[0][i] = {true, {0}};
  // Present keys and values are moved.
  if (is<multihead_attention_desc>(c.text.desc) || is<multihead_attention1_desc>(c.text.desc))
    std::copy(exact.begin() + 1, exact.end(), flushed.begin() + 1);
  std::vector<values> answer = golden_values(golden.answers.front());
  const std::vector<values> as_written = answer;
  const auto judge = [&] {
    return tolerated(golden, refs_of(in_memory(random, c.outputs, answer, layout::as_golden)), options);
  };

  tally("not flushed, where flushing is allowed", judge());
  choose(random, flushed, answer);
  settle(c, {right_answers(c, false).front()}, as_written, false, answer);
  // Neither the golden answer nor another right one, as of a gradient with the forward operator's offsets.
  const std::vector<all_rules> strictly = right_answers(c, true);
  const auto is_another = [&] {
    return broken_elements(exact, answer, c.outputs, true) != 0 &&
           broken_elements(c.text.desc, strictly, answer, c.outputs, true) != 0;
  };
  if (!is_another()) return;
  strict ? faulty("flushed, judged strictly", !judge()) : tally("flushed", judge());

  if (!is<nonzero_coordinates_desc>(c.text.desc)) {
    // Each element flushed or not; or flushed only where it is compared.
    choose(random, right_answers(c, false).front(), answer);
    settle(c, {right_answers(c, false).front()}, as_written, false, answer);
    if (!strict)
      tally("flushed in some elements", judge());
    else if (is_another())
      faulty("flushed in some elements, judged strictly", !judge());
  } else {
    // The count of one answer with the rows of the other.
    answer[0][0] = exact[0][0].allowed.front();
    if (broken_elements(flushed, answer, c.outputs, true) > 0 && broken_elements(exact, answer, c.outputs, true) > 0)
      faulty("flushed by half", !judge());
  }
}

}  // namespace judged
