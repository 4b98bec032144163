// The sizes of attention: where the query, the key and the value come from, and what follows for a call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/core/attributes.hpp>
#include <goldml/core/cost.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/core/tensor_desc.hpp>
#include <goldml/core/work.hpp>

namespace goldml {

// DML_MULTIHEAD_ATTENTION_MASK_TYPE.
enum class multihead_attention_mask_type : std::uint32_t {
  none,
  key_sequence_length,
  key_sequence_end_start,
  key_query_sequence_length_start_end,
  boolean
};
template <>
struct enumeration<multihead_attention_mask_type> {
  static constexpr std::string_view prefix = "DML_MULTIHEAD_ATTENTION_MASK_TYPE_";
  static constexpr auto values = enumerators<multihead_attention_mask_type>(
      "NONE", "KEY_SEQUENCE_LENGTH", "KEY_SEQUENCE_END_START", "KEY_QUERY_SEQUENCE_LENGTH_START_END", "BOOLEAN");
};

namespace detail {

// The operands, in the order of the structure; `lengths` is MULTIHEAD_ATTENTION1's alone.
struct attention_places {
  static constexpr std::size_t query = 0, key = 1, value = 2, query_key = 3, key_value = 4, query_key_value = 5,
                               bias = 6, mask = 7, position_bias = 8, past_key = 9, past_value = 10, lengths = 11;
  std::size_t output, present_key, present_value;
};

// Where the query, the key and the value come from.
enum class attention_source : std::uint8_t { separate, query_key, key_value, query_key_value, past, none };

// B sequences of S queries in N heads of D numbers; P past and L new keys, T in all, in G heads; values of Dv numbers.
// 0: not known, as a tensor breaks a rule.
struct attention_sizes {
  attention_source source = attention_source::none;
  // Of caches in place p is their length, and l is 0, as the new keys stand in them.
  std::uint64_t b = 0, s = 0, l = 0, p = 0, n = 0, g = 0, d = 0, dv = 0;

  std::uint64_t t() const { return p + l; }
};

template <class Desc>
constexpr std::uint32_t query_heads(const Desc& desc) {
  if constexpr (requires { desc.query_head_count; })
    return desc.query_head_count;
  else
    return desc.head_count;
}
template <class Desc>
constexpr std::uint32_t key_heads(const Desc& desc) {
  if constexpr (requires { desc.key_value_head_count; })
    return desc.key_value_head_count;
  else
    return desc.head_count;
}

inline constexpr data_type_set attention_floats{data_type::float32, data_type::float16};

// Size `i` of the last ones of a tensor, counted from its end: 0 is the last. 1 beyond its first.
inline std::uint64_t size_from_end(const tensor_desc& desc, std::size_t i) {
  return i < desc.sizes.size() ? desc.sizes[desc.sizes.size() - 1 - i] : 1;
}

// The set of sources that are given; none unless it is a legal one.
template <class Operands>
attention_source attention_source_of(const Operands& t, bool past_alone) {
  using at = attention_places;
  unsigned given = 0;
  for (std::size_t i = at::query; i <= at::query_key_value; ++i)
    if (t[i].desc) given |= 1U << i;
  switch (given) {
    case 0b000111:
      return attention_source::separate;
    case 0b001100:
      return attention_source::query_key;
    case 0b010001:
      return attention_source::key_value;
    case 0b100000:
      return attention_source::query_key_value;
    case 0b000001:
      return past_alone && t[at::past_key].desc && t[at::past_value].desc ? attention_source::past
                                                                          : attention_source::none;
    default:
      return attention_source::none;
  }
}

// The operand that has the query, the key or the value of a source.
inline std::array<std::size_t, 3> attention_operands_of(attention_source source) {
  using at = attention_places;
  switch (source) {
    case attention_source::query_key:
      return {at::query_key, at::query_key, at::value};
    case attention_source::key_value:
      return {at::query, at::key_value, at::key_value};
    case attention_source::query_key_value:
      return {at::query_key_value, at::query_key_value, at::query_key_value};
    case attention_source::past:
      return {at::query, at::past_key, at::past_value};
    default:
      return {at::query, at::key, at::value};
  }
}

// The sizes, where the operands of the source, and a cache in place, break no rule.
template <class Desc, class Operands>
attention_sizes attention_sizes_of(const Desc& desc, const Operands& t) {
  using at = attention_places;
  attention_sizes z{.source = attention_source_of(t, true), .n = query_heads(desc), .g = key_heads(desc)};
  if (z.source == attention_source::none) return z;
  const auto [q, k, v] = attention_operands_of(z.source);
  const auto size = [&](std::size_t i, std::size_t from_end) { return size_from_end(*t[i].desc, from_end); };
  const bool stacked = q >= at::query_key;
  z.b = size(q, stacked ? 4 : 2);
  z.s = size(q, stacked ? 3 : 1);
  z.d = stacked ? size(q, 0) : size(q, 0) / z.n;
  if (z.source != attention_source::past) {
    z.l = k >= at::query_key ? size(k, 3) : size(k, 1);
    z.dv = v >= at::query_key ? size(v, 0) : size(v, 0) / z.g;
  } else {
    z.dv = size(v, 0);
  }
  if (t[at::past_key].desc) z.p = size(at::past_key, 1);
  if constexpr (operator_traits<Desc>::has_lengths)
    if (const std::size_t cache = operator_traits<Desc>::places.present_key; t[at::lengths].desc && t[cache].desc)
      z.p = size(cache, 1), z.l = 0;
  return z;
}

// Each score is an exact sum; each weight is an exponential, and one of 128 bits where that does not decide.
template <class Desc>
work_counts work_of_attention(const Desc& desc, const per_operand_unchecked<Desc, operand>& t) {
  const attention_sizes z = attention_sizes_of(desc, t);
  const std::uint64_t rows = saturating_multiply(saturating_multiply(z.b, z.n), z.s);
  const std::uint64_t scores = saturating_multiply(rows, z.t());
  return {.elements = element_count_of(t),
          .terms = saturating_multiply(scores, 4 * z.d + z.dv + 2),
          .results = saturating_multiply(rows, z.dv),
          .functions = scores,
          .judged = saturating_multiply(scores, z.d + z.dv)};
}
// Of a thread: the keys and values of a head as doubles, the scores of a block of rows, at most 32, and the exact ones of
// a row.
template <class Desc>
scratch_memory scratch_of_attention(const Desc& desc, const per_operand_unchecked<Desc, operand>& t) {
  const attention_sizes z = attention_sizes_of(desc, t);
  const std::uint64_t row = saturating_multiply(z.t(), 512) + 64 * (z.d + z.dv);
  const std::uint64_t head = saturating_multiply(z.t(), sizeof(double) * (z.d + z.dv + 8));
  const std::uint64_t block = saturating_multiply(z.t(), 288) + 1024 * (z.d + z.dv + 64);
  return {.reference = row, .cpu = 0, .cpu_thread = saturating_add(row, saturating_add(head, block))};
}

}  // namespace detail

}  // namespace goldml
