// What the oracle calls of an operator, without the C++ type of its desc: the call on `reference`, verdicts, and what
// else its traits say of a device's answer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/normalisation_policies.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/quantised_policies.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/oracle/element_part.hpp>
#include <goldml/oracle/element_part_quantised.hpp>
#include <goldml/oracle/normalisation_part.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts.hpp>
#include <goldml/reference/reference.hpp>

namespace goldml::oracle {

namespace detail {

// Of the zero points that are given, too.
inline constexpr std::string_view absent_zero_point_note = ", fits absent zero point (ledger QU-R13)";

// Changes a desc to one under another policy; false if it is so already.
struct other_reading {
  bool (*change)(void* desc);
  std::string_view note;
};
template <class Desc, auto Member, auto Value>
bool change_policy(void* desc) {
  return std::exchange(static_cast<Desc*>(desc)->*Member, Value) != Value;
}

// The functions that compute the golden answer of an operator, without the C++ type of its desc. Functions that the
// operator does not have are null.
struct golden_calls {
  const operator_description* description = nullptr;
  // The call on `reference`.
  void (*evaluate)(const void* desc, std::span<const const_tensor_ref> inputs,
                   std::span<const tensor_ref> outputs) = nullptr;
  // Changes the policies of the desc so that inputs that the page leaves open are not refused.
  void (*judge)(void* desc) = nullptr;
  void (*verdicts)(const void* desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                   std::span<output_verdicts> result) = nullptr;
  std::uint64_t (*verdict_memory)(const void* desc, std::span<const operand> operands) = nullptr;
  void (*flushed_verdicts)(const void* desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> flushed, std::span<output_verdicts> result) = nullptr;
  bool (*verdicts_given)(const void* desc, std::span<const const_tensor_ref> inputs,
                         std::span<const const_tensor_ref> actual, std::span<given_output> outputs) = nullptr;
  bool (*is_listed_otherwise)(const void* desc, const dimensions& input_sizes) = nullptr;
  void (*to_listing_order)(void* desc, std::span<const_tensor_ref> inputs) = nullptr;
  // Changes the desc to one that a device may compute instead, such as one with rounded attributes; false if there is
  // none.
  bool (*to_alternative)(void* desc, data_type type, std::uint64_t given) = nullptr;
  std::string_view alternative = {};
  // Permits FLOAT16 accumulation (ledger AR-R1); false if the desc does already.
  bool (*to_half)(void* desc) = nullptr;
  // Other readings of the page, by policies, which reports name where they explain an element.
  std::vector<other_reading> readings = {};
  std::optional<flushed_answer> (*flush)(const void* desc) = nullptr;
  bool (*sums)(const void* desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output,
               fit_sums& result) = nullptr;
  std::span<const known_formula> (*known)(const void* desc) = nullptr;
  std::optional<std::size_t> count_output = {};
  bool exact_nans = false;
  // How some elements are computed alone, and for sampling::parts element_part<Desc>::take().
  sampling sampled = sampling::whole;
  void (*take)(void* desc, tensor_parts t, const coordinate_tuple& at) = nullptr;
};

template <class Desc>
golden_calls make_golden_calls() {
  static constexpr const verdict_options<Desc>& options = options_of<Desc>();
  golden_calls calls{&description_of<Desc>()};
  calls.evaluate = [](const void* desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
    goldml::evaluate(reference, *static_cast<const Desc*>(desc), inputs, outputs);
  };
  if constexpr (options.judged != nullptr)
    calls.judge = [](void* desc) { *static_cast<Desc*>(desc) = options.judged(*static_cast<const Desc*>(desc)); };
  if constexpr (options.verdicts != nullptr)
    calls.verdicts = [](const void* desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                        std::span<output_verdicts> result) {
      options.verdicts(*static_cast<const Desc*>(desc), inputs, golden, result);
    };
  if constexpr (options.flushed_verdicts != nullptr)
    calls.flushed_verdicts = [](const void* desc, std::span<const const_tensor_ref> inputs,
                                std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
      options.flushed_verdicts(*static_cast<const Desc*>(desc), inputs, flushed, result);
    };
  if constexpr (options.verdicts_given != nullptr)
    calls.verdicts_given = [](const void* desc, std::span<const const_tensor_ref> inputs,
                              std::span<const const_tensor_ref> actual, std::span<given_output> outputs) {
      return options.verdicts_given(*static_cast<const Desc*>(desc), inputs, actual, outputs);
    };
  if constexpr (options.verdict_memory != nullptr)
    calls.verdict_memory = [](const void* desc, std::span<const operand> operands) {
      operands_of<Desc> typed;
      if constexpr (has_operand_array<Desc>) typed.resize(operands.size());
      std::copy(operands.begin(), operands.end(), typed.begin());
      return options.verdict_memory(*static_cast<const Desc*>(desc), typed);
    };
  if constexpr (options.is_listed_otherwise != nullptr) {
    calls.is_listed_otherwise = [](const void* desc, const dimensions& input_sizes) {
      return options.is_listed_otherwise(*static_cast<const Desc*>(desc), input_sizes);
    };
    calls.to_listing_order = [](void* desc, std::span<const_tensor_ref> inputs) {
      options.to_listing_order(*static_cast<Desc*>(desc), inputs);
    };
  }
  calls.alternative = options.alternative;
  if constexpr (options.to_alternative != nullptr)
    calls.to_alternative = [](void* desc, data_type type, std::uint64_t given) {
      return options.to_alternative(*static_cast<Desc*>(desc), type, given);
    };
  if constexpr (requires(Desc desc) { desc.accumulation = accumulation::half; })
    calls.to_half = [](void* desc) {
      return std::exchange(static_cast<Desc*>(desc)->accumulation, accumulation::half) != accumulation::half;
    };
  if constexpr (requires { &Desc::quantize_ties; })
    calls.readings.push_back({&change_policy<Desc, &Desc::quantize_ties, quantize_ties::away>,
                              ", fits halves away from zero (ledger QU-R1)"});
  if constexpr (requires { &Desc::fixed_point; })
    calls.readings.push_back(
        {&change_policy<Desc, &Desc::fixed_point, fixed_point::accept>, ", fits fixed point (ledger QU-R12)"});
  if constexpr (requires { &Desc::absent_zero_point; })
    calls.readings.push_back({[](void* given) {
                                Desc& desc = *static_cast<Desc*>(given);
                                const bool is_zero = desc.absent_zero_point == absent_zero_point::zero;
                                desc.absent_zero_point =
                                    is_zero ? absent_zero_point::midpoint : absent_zero_point::zero;
                                return desc.quantization_type == quantization_type::scale;
                              },
                              absent_zero_point_note});
  if constexpr (requires { &Desc::variance; })
    calls.readings.push_back({&change_policy<Desc, &Desc::variance, variance_policy::one_pass>,
                              ", fits a variance in one pass (ledger NO-R3)"});
  calls.flush = [](const void* desc) -> std::optional<flushed_answer> {
    (void)desc;
    if constexpr (options.flush_of != nullptr)
      return options.flush_of(*static_cast<const Desc*>(desc));
    else
      return std::nullopt;
  };
  if constexpr (options.sums != nullptr)
    calls.sums = [](const void* desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output,
                    fit_sums& result) { return options.sums(*static_cast<const Desc*>(desc), inputs, output, result); };
  if constexpr (options.known != nullptr)
    calls.known = [](const void* desc) { return options.known(*static_cast<const Desc*>(desc)); };
  calls.count_output = options.count_output;
  calls.exact_nans = options.exact_nans;
  calls.sampled = element_part<Desc>::how;
  if constexpr (element_part<Desc>::how == sampling::parts)
    calls.take = [](void* desc, tensor_parts t, const coordinate_tuple& at) {
      element_part<Desc>::take(*static_cast<Desc*>(desc), t, at);
    };
  return calls;
}

template <class Desc>
const golden_calls& golden_calls_of() {
  static const golden_calls calls = make_golden_calls<Desc>();
  return calls;
}

// Changes the desc to what a device may compute instead; false if there is nothing. `type`: of the first output given.
inline bool change_to_alternative(const golden_calls& calls, void* desc, std::span<const const_tensor_ref> inputs,
                                  data_type type) {
  std::uint64_t given = 0;
  for (std::size_t i = 0; i < inputs.size() && i < 64; ++i) given |= std::uint64_t{inputs[i].present()} << i;
  return calls.to_alternative != nullptr && calls.to_alternative(desc, type, given);
}

}  // namespace detail

}  // namespace goldml::oracle
