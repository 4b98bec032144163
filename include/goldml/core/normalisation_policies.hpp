// The policies of operators that normalise. The first value is the default.
#pragma once

#include <goldml/core/policies.hpp>

namespace goldml {

// Ledger NO-R3: how a device may compute the variance of a slice. It changes no golden answer, but how far a device may be
// from it.
enum class variance_policy {
  any,       // from deviations, or as E[x^2] - E[x]^2 where that costs less than 1/32 of variance + Epsilon
  centred,   // from deviations from the mean
  one_pass,  // in either way, whatever it costs
};
template <>
struct enumeration<variance_policy> : policy_enumeration {
  static constexpr auto values = enumerators<variance_policy>("any", "centred", "one_pass");
};

// Ledger LP-R1: where LP_NORMALIZATION has Epsilon. N is the norm.
enum class lp_epsilon {
  any,         // the golden answer is that of max; a device may have any of these
  max,         // x / max(N, Epsilon)
  add,         // x / (N + Epsilon)
  add_inside,  // x / sqrt(N^2 + Epsilon); of P = 2
  max_inside,  // x / sqrt(max(N^2, Epsilon)); of P = 2
};
template <>
struct enumeration<lp_epsilon> : policy_enumeration {
  static constexpr auto values = enumerators<lp_epsilon>("any", "max", "add", "add_inside", "max_inside");
};

// Ledger LR-R2: where an even window of LOCAL_RESPONSE_NORMALIZATION reaches one further.
enum class lrn_window {
  upper,  // to the higher indices
  lower,
};
template <>
struct enumeration<lrn_window> : policy_enumeration {
  static constexpr auto values = enumerators<lrn_window>("upper", "lower");
};

// Ledger LR-R3: what Alpha is divided by without CrossChannel.
enum class lrn_divisor {
  size,  // LocalSize
  area,  // its square
};
template <>
struct enumeration<lrn_divisor> : policy_enumeration {
  static constexpr auto values = enumerators<lrn_divisor>("size", "area");
};

// Ledger BG-R1: the mean that BATCH_NORMALIZATION_TRAINING_GRAD subtracts from the input.
enum class training_mean {
  tensor,  // MeanTensor
  input,   // that of the input
};
template <>
struct enumeration<training_mean> : policy_enumeration {
  static constexpr auto values = enumerators<training_mean>("tensor", "input");
};

// Ledger MV-R1: UseMean FALSE with UseVariance TRUE.
enum class use_mean_off {
  zero,              // the mean is taken as 0 in the variance, too
  variance_centred,  // the variance is that of deviations from the mean
};
template <>
struct enumeration<use_mean_off> : policy_enumeration {
  static constexpr auto values = enumerators<use_mean_off>("zero", "variance_centred");
};

}  // namespace goldml
