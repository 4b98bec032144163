// Where the oracle finds what a device may answer to an operator.
#pragma once

#include <span>

#include <goldml/core/operator_traits.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>

namespace goldml::oracle {

// The members `flush`, verdicts(), flushed_verdicts() and verdict_memory() of an operator (core/operator_traits.hpp has
// their meaning). A specialisation in oracle/verdicts/ has them where they need more than the operator's own rules, so
// that units that judge nothing do not include what they need; otherwise they are those of operator_traits, or absent.
// verdicts() and flushed_verdicts() are templates, so that only units that judge the operator compile them.
template <class Desc>
struct verdict_traits : operator_traits<Desc> {};

// The base of a specialisation that computes both verdicts in one way: with its member template
// add_verdicts(desc, inputs, golden, flushes, result), where `flushes` says whether the device flushes FLOAT32
// subnormals.
template <class Desc>
struct flushing_verdict_traits : operator_traits<Desc> {
  static constexpr flushed_answer flush = flushed_answer::in_verdicts;

  template <class = void>
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    verdict_traits<Desc>::add_verdicts(desc, inputs, golden, false, result);
  }
  template <class = void>
  static void flushed_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (inputs[0].desc().data_type == data_type::float32)
      verdict_traits<Desc>::add_verdicts(desc, inputs, flushed, true, result);
  }
};

}  // namespace goldml::oracle
