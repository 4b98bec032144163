// The policies of attention. The first value is the default.
#pragma once

#include <goldml/core/policies.hpp>

namespace goldml {

// Ledger MH-R3: what is done to a score whose key a mask of the KEY_... types excludes.
enum class mask_filter {
  add,  // MaskFilterValue is added
  set,  // it is MaskFilterValue
};
template <>
struct enumeration<mask_filter> : policy_enumeration {
  static constexpr auto values = enumerators<mask_filter>("add", "set");
};

// Ledger MH-R3: rows of attention of which a mask excludes every key.
enum class masked_rows {
  judge,
  any,  // they are undefined
};
template <>
struct enumeration<masked_rows> : policy_enumeration {
  static constexpr auto values = enumerators<masked_rows>("judge", "any");
};

// Ledger MH-R2: attention of a query over past keys and values alone.
enum class past_only {
  allow,
  refuse,  // MH2
};
template <>
struct enumeration<past_only> : policy_enumeration {
  static constexpr auto values = enumerators<past_only>("allow", "refuse");
};

// Ledger MH-R7: whether the presents of attention have the new keys and values with their bias.
enum class present_bias { added, raw };
template <>
struct enumeration<present_bias> : policy_enumeration {
  static constexpr auto values = enumerators<present_bias>("added", "raw");
};

// Ledger MH-R9: which positions of a cache in place, with PastSequenceLengths, a query sees.
enum class causal_with_lengths {
  implicit,  // those before it, and its own
  none,      // all that the past and the call have
};
template <>
struct enumeration<causal_with_lengths> : policy_enumeration {
  static constexpr auto values = enumerators<causal_with_lengths>("implicit", "none");
};

// Ledger MH-R4: how a device may store intermediate results of attention on FLOAT16.
enum class intermediates {
  tensor_type,  // the query, key and value with their bias, scores and probabilities as FLOAT16
  float32,
};
template <>
struct enumeration<intermediates> : policy_enumeration {
  static constexpr auto values = enumerators<intermediates>("tensor_type", "float32");
};

}  // namespace goldml
