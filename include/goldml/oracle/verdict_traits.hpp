// Where the oracle finds what a device may answer to an operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml::oracle {

struct fit_sums;  // oracle/fit/sums.hpp

// What the elements of the only output of a call are sums of, for the fit; false if it has no model of them. The inputs
// must outlive the result.
template <class Desc>
using sums_function = bool (*)(const Desc& desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output,
                               fit_sums& result);

// How the answer of an operator that compares or computes numbers may change if the device flushes FLOAT32 subnormals
// (ledger 7.4): per element, or all outputs together.
// in_verdicts: per element, and flushed_verdicts() has all of it, so that flushed inputs are not evaluated.
enum class flushed_answer { per_element, whole, in_verdicts };

// A sentence for the report on an output that was judged by what the device answered; or "". refused(element) says
// whether an element was.
using note_on_answer = std::function<std::string(const std::function<bool(std::size_t element)>& refused)>;

// One output of a golden answer, whose verdicts are to follow from what the device answered.
struct given_output {
  const_tensor_ref golden;  // absent if the output is
  output_verdicts verdicts;
  output_verdicts flushed_verdicts;  // of a device that flushes FLOAT32 subnormals
  // In place of the golden ones and of those of flushed inputs, where these follow from it, too.
  std::optional<host_tensor> values = std::nullopt;
  std::string_view from = {};  // what the verdicts follow from, in words for the report
  note_on_answer note = {};
};

// A formula of one number that devices are known to compute in place of an operator's own.
struct known_formula {
  std::string_view name;
  double (*of)(double x);
  double (*error)(double x);  // how far off a device is that computes it, at most
};

// What the oracle must know of an operator, where it is not the plain case. A null function is absent.
template <class Desc>
struct verdict_options {
  // Which output elements may be what besides the golden answer. Absent only in an operator that is exact
  // (operator_options<Desc>::exact).
  void (*verdicts)(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                   std::span<output_verdicts> result) = nullptr;
  // What a device that flushes may answer besides `flushed`, the answer of the flushed inputs; absent: nothing.
  void (*flushed_verdicts)(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> flushed, std::span<output_verdicts> result) = nullptr;
  // Replaces both verdicts by those that follow from other elements of the device's answer, as a state follows from the
  // one before. `outputs` have the verdicts that hold without it, and `actual` what the device answered, absent where
  // that has not the shape of the output. Returns false if that says nothing. The inputs are copied for this.
  bool (*verdicts_given)(const Desc& desc, std::span<const const_tensor_ref> inputs,
                         std::span<const const_tensor_ref> actual, std::span<given_output> outputs) = nullptr;
  // Bytes that these allocate, at most; absent: none.
  std::uint64_t (*verdict_memory)(const Desc& desc, const operands_of<Desc>& operands) = nullptr;
  // How FLOAT32 subnormals may be flushed; absent, or nullopt: not at all. flush_always<...> if no desc differs.
  std::optional<flushed_answer> (*flush_of)(const Desc& desc) = nullptr;
  // The desc whose golden answer is computed; absent: the desc.
  Desc (*judged)(Desc desc) = nullptr;
  // Whether a list may also be taken in the order given, and the call that does so (ledger 7.3). Both or neither.
  bool (*is_listed_otherwise)(const Desc& desc, const dimensions& input_sizes) = nullptr;
  void (*to_listing_order)(Desc& desc, std::span<const_tensor_ref> inputs) = nullptr;
  // Changes the desc to one that a device may compute instead, such as one with rounded attributes; false if there is
  // none. `type` is that of the first output that is given, and bit i of `given` says whether operand i is.
  bool (*to_alternative)(Desc& desc, data_type type, std::uint64_t given) = nullptr;
  std::string_view alternative = {};  // that, in words for the report; empty: not worth a word
  // The output that says how much of the others is defined.
  std::optional<std::size_t> count_output = std::nullopt;
  bool exact_nans = false;             // a NaN is compared bit by bit; otherwise any NaN is a NaN
  sums_function<Desc> sums = nullptr;  // absent: the operator does not sum
  std::span<const known_formula> (*known)(const Desc& desc) = nullptr;  // of the first input, for the report
};

// Specialised in oracle/verdicts/x.hpp, with the mandatory member `options`. The specialisations are partial, with
// std::same_as<x_desc> if they are of one operator, so that only units that judge the operator compile their functions.
template <class Desc>
struct verdict_traits {
  static constexpr verdict_options<Desc> options{};
};

// The options of an operator, if they are complete.
template <class Desc>
constexpr const verdict_options<Desc>& options_of() {
  constexpr const verdict_options<Desc>& options = verdict_traits<Desc>::options;
  static_assert((options.verdicts == nullptr) == operator_traits<Desc>::options.exact,
                "goldml: an operator has .exact = true in operator_traits<Desc>::options if its golden answer is the "
                "only one; any other, and no exact one, has .verdicts in oracle::verdict_traits<Desc>::options, in "
                "<goldml/oracle/verdicts/x.hpp>, which <goldml/oracle/verdicts.hpp> includes");
  static_assert((options.is_listed_otherwise == nullptr) == (options.to_listing_order == nullptr),
                "goldml: is_listed_otherwise and to_listing_order go together");
  return options;
}

template <flushed_answer Answer, class Desc>
std::optional<flushed_answer> flush_always(const Desc&) {
  return Answer;
}

// The base of a specialisation that computes both verdicts in one way, which adds the functions
//   add_verdicts(desc, inputs, golden, flushes, result)   `flushes`: the device flushes FLOAT32 subnormals
//   verdict_memory(desc, operands)
// and takes its options from here. A device that flushes is asked about if input `Flushed` is FLOAT32.
template <class Desc, std::size_t Flushed = 0>
struct flushing_verdict_traits {
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    verdict_traits<Desc>::add_verdicts(desc, inputs, golden, false, result);
  }
  static void flushed_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (inputs[Flushed].desc().data_type == data_type::float32)
      verdict_traits<Desc>::add_verdicts(desc, inputs, flushed, true, result);
  }

  static constexpr verdict_options<Desc> flushing_options(sums_function<Desc> sums = nullptr) {
    return {.verdicts = &verdicts,
            .flushed_verdicts = &flushed_verdicts,
            .verdict_memory = &verdict_traits<Desc>::verdict_memory,
            .flush_of = &flush_always<flushed_answer::in_verdicts>,
            .sums = sums};
  }
};

}  // namespace goldml::oracle
