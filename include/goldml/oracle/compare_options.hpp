// What a comparison accepts of what Direct3D and DirectML leave open.
#pragma once

#include <cstdint>

#include <goldml/core/verdict.hpp>
#include <goldml/oracle/golden.hpp>

namespace goldml::oracle {

// How floating-point elements are compared. An infinity is equal only to itself. Integers must always be equal, as
// values of their own type.
enum class float_match {
  bits,       // the same bits, except for nan_match and zero_match
  ulp,        // at most `ulp` representable numbers apart
  tolerance,  // |got - expected| <= absolute + relative * |expected|
};
enum class nan_match { any_nan, same_bits };       // whether any NaN matches any other NaN
enum class zero_match { same_sign, either_sign };  // whether -0.0 matches +0.0
// Quotients and roots that use an approximate reciprocal (Direct3D's `rcp` and `rsq`, 2^-21 off) instead of a division
// or root of Direct3D: accepted and counted as suspicious, or refused (ledger AR-R8).
enum class reciprocal_errors { accept, refuse };
// Functions whose accuracy no specification states: what the tolerance of Direct3D's conformance tests permits is
// accepted, and what known hardware does not need counted as suspicious; or that is refused (ledger AR-R10).
enum class function_errors { conformance, close };
enum class gap_bytes { may_change, must_survive };  // padding and gaps in an output's TotalTensorSizeInBytes

// By default everything is accepted that Direct3D and DirectML leave open (ledger 7.3, 7.4, AR-R7).
struct compare_options {
  float_match floats = float_match::bits;
  nan_match nans = nan_match::any_nan;
  zero_match zeros = zero_match::same_sign;
  bool fp32_flush = true;     // FLOAT32 subnormals may be flushed if they are compared or computed with
  bool listing_order = true;  // elements that unsorted Axes reduce may be numbered in the order of the list
  std::uint64_t ulp = 0;
  double absolute = 0;
  double relative = 0;
  bool narrow_toward_zero = true;  // FLOAT32 results of arithmetic may be narrowed to FLOAT16 toward zero
  reciprocal_errors reciprocals = reciprocal_errors::accept;
  function_errors functions = function_errors::conformance;
  bool stable = false;  // no intermediate result may overflow where the golden value is finite (ledger RE-R2)
  gap_bytes gaps = gap_bytes::may_change;  // of a watched_output
  // Whether an output of sums is wrong whose errors are larger than those of its precision, or are in some elements, as
  // the fit says (oracle/fit/result.hpp). It needs the inputs: for judge(), not for compare().
  bool fit = false;

  // Only the bits of the golden answer. What the operator itself leaves open remains open.
  static constexpr compare_options strict() {
    return {.nans = nan_match::same_bits, .fp32_flush = false, .listing_order = false, .stable = true};
  }

  // Flags of interval_refusal.
  constexpr std::uint8_t refused() const {
    return static_cast<std::uint8_t>((reciprocals == reciprocal_errors::refuse ? interval_refusal::reciprocals : 0) |
                                     (functions == function_errors::close ? interval_refusal::functions : 0));
  }
};

constexpr bool is_granted(deviation d, const compare_options& options) {
  return d == deviation::none || (d == deviation::fp32_flush ? options.fp32_flush : options.listing_order);
}

}  // namespace goldml::oracle
