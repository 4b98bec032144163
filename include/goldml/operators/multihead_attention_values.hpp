// Attention as one operator over views: where elements are, which keys a row sees and a mask excludes, and the
// presents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/violation.hpp>
#include <goldml/operators/multihead_attention.hpp>

namespace goldml::detail {

// Elements by four numbers, of a tensor with any strides. Absent: an omitted tensor.
template <class T>
struct attention_view {
  T* data = nullptr;
  std::array<std::uint64_t, 4> strides{};

  explicit operator bool() const { return data != nullptr; }
  T& at(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) const {
    return data[a * strides[0] + b * strides[1] + c * strides[2] + d * strides[3]];
  }
  double operator()(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) const {
    return exact_double(at(a, b, c, d));
  }
};

// The place of a row: the sequence, the query head, the query.
struct attention_row_place {
  std::uint32_t b, n, i;
};
enum class key_state : std::uint8_t { kept, filtered, open };  // open: the mask says nothing of the row

// A call: sizes, and views of q, k, v[sequence, head, position, number]. Caches in place are the past, with the new
// keys and values in them from store_presents() on.
template <class T>
struct attention_call {
  using at = attention_places;
  attention_sizes z;
  double scale, filter;
  multihead_attention_mask_type mask_type;
  bool sets = false;  // a filtered score is MaskFilterValue
  bool adds_bias_to_presents = true, is_causal = false;
  bool usual_starts = false;  // has_usual_starts() of the mask
  attention_view<const T> query, key, value, past_key, past_value, position_bias, bias;
  attention_view<const std::int32_t> mask, lengths;  // lengths: of the past, in caches in place
  attention_view<T> output, present_key, present_value;

  template <class Desc>
  attention_call(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs)
      : z(sizes_of(desc, inputs, outputs)),
        scale(exact_double(desc.scale)),
        filter(exact_double(desc.mask_filter_value)),
        mask_type(desc.mask_type),
        sets(desc.mask_filter == mask_filter::set && desc.mask_type != multihead_attention_mask_type::boolean),
        adds_bias_to_presents(desc.present_bias == present_bias::added) {
    const auto [q, k, v] = attention_operands_of(z.source);
    const bool alone = z.source == attention_source::past;
    query = in_heads(inputs[q], q, 0, z.d);
    if (!alone) {
      key = in_heads(inputs[k], k, k == at::key_value ? 0 : 1, z.d);
      value = in_heads(inputs[v], v, v == at::key_value ? 1 : 2, z.dv);
    }
    past_key = by_last_four<const T>(inputs[at::past_key]);
    past_value = by_last_four<const T>(inputs[at::past_value]);
    position_bias = by_last_four<const T>(inputs[at::position_bias]);
    bias = by_last_four<const T>(inputs[at::bias]);
    mask = by_last_four<const std::int32_t>(inputs[at::mask]);
    if (mask_type == multihead_attention_mask_type::key_query_sequence_length_start_end)
      usual_starts = has_usual_starts();
    output = in_heads(outputs[0], at::query, 0, z.dv);
    present_key = by_last_four<T>(outputs[1]);
    present_value = by_last_four<T>(outputs[2]);
    if constexpr (operator_traits<Desc>::has_lengths) {
      if (!inputs[at::lengths].present()) return;
      lengths = by_last_four<const std::int32_t>(inputs[at::lengths]);
      past_key = {present_key.data, present_key.strides};
      past_value = {present_value.data, present_value.strides};
      is_causal = desc.causal_with_lengths == causal_with_lengths::implicit;
    }
  }

  // MH15. Called before the first write.
  void check_lengths() const {
    for (std::uint32_t b = 0; lengths && b < z.b; ++b)
      if (const std::int32_t length = lengths.at(0, 0, 0, b);
          length < 0 || static_cast<std::uint64_t>(length) + z.s > z.p)
        throw error(violation{.rule = "MH15",
                              .operator_name = operator_traits<multihead_attention1_desc>::name,
                              .operand = "PastSequenceLengthsTensor",
                              .member = "element",
                              .index = b,
                              .got = violation_text("{}", length),
                              .wanted = violation_text("0 to {}", z.p - z.s),
                              .why = violation_text("OutputPresentKeyTensor has {} positions", z.p)});
  }

  std::uint32_t heads() const { return static_cast<std::uint32_t>(z.n); }
  std::uint32_t keys() const { return static_cast<std::uint32_t>(z.t()); }
  // Where the new keys of a sequence begin, the end of its keys, and how many of them a row sees.
  std::uint32_t first_new(std::uint32_t b) const {
    return static_cast<std::uint32_t>(lengths ? static_cast<std::uint64_t>(lengths.at(0, 0, 0, b)) : z.p);
  }
  std::uint32_t keys_in(std::uint32_t b) const {
    return lengths ? first_new(b) + static_cast<std::uint32_t>(z.s) : keys();
  }
  std::uint32_t keys_of(const attention_row_place& r) const {
    return is_causal ? first_new(r.b) + r.i + 1 : keys_in(r.b);
  }
  // The key head of a query head.
  std::uint32_t group(std::uint32_t n) const { return static_cast<std::uint32_t>(n / (z.n / z.g)); }
  std::uint64_t row_count() const { return z.b * z.n * z.s; }
  attention_row_place row(std::uint64_t number) const {
    return {static_cast<std::uint32_t>(number / z.s / z.n), static_cast<std::uint32_t>(number / z.s % z.n),
            static_cast<std::uint32_t>(number % z.s)};
  }

  // An element of the query, the keys or the values, and its bias: their sum is what attention takes.
  using pair = std::array<double, 2>;
  pair query_at(const attention_row_place& r, std::uint32_t d) const {
    return {query(r.b, r.n, r.i, d), bias_at(r.n * z.d + d)};
  }
  pair key_at(std::uint32_t b, std::uint32_t m, std::uint32_t t, std::uint32_t d) const {
    if (t < z.p) return {past_key(b, m, t, d), 0};
    return {key(b, m, t - z.p, d), bias_at(z.n * z.d + m * z.d + d)};
  }
  pair value_at(std::uint32_t b, std::uint32_t m, std::uint32_t t, std::uint32_t d) const {
    if (t < z.p) return {past_value(b, m, t, d), 0};
    return {value(b, m, t - z.p, d), bias_at(z.n * z.d + z.g * z.d + m * z.dv + d)};
  }
  // Whether new keys and values have a bias.
  bool is_biased(std::uint32_t t) const { return bias && t >= z.p; }

  key_state state_of(const attention_row_place& r, std::uint32_t t) const {
    using enum multihead_attention_mask_type;
    const auto of = [&](bool filtered) { return filtered ? key_state::filtered : key_state::kept; };
    const auto position = static_cast<std::int64_t>(t);
    switch (mask_type) {
      case none:
        return key_state::kept;
      case key_sequence_length:
        return of(position >= mask.at(0, 0, 0, r.b));
      case key_sequence_end_start:
        return of(position >= mask.at(0, 0, 0, r.b) || position < mask.at(0, 0, 1, r.b));
      case key_query_sequence_length_start_end:
        if (!usual_starts) return key_state::open;
        return of(position >= mask.at(0, 0, 0, r.b));
      case boolean:
        break;
    }
    const std::int32_t kept = mask.at(r.b, r.n, r.i, t);
    return kept == 0 ? key_state::filtered : kept == 1 ? key_state::kept : key_state::open;
  }
  // What a score has besides the product; of a filtered key that is set, nothing else.
  double position_bias_at(const attention_row_place& r, std::uint32_t t) const {
    return position_bias ? position_bias(r.b, r.n, r.i, t) : 0;
  }

  // Of KEY_QUERY_SEQUENCE_LENGTH_START_END: whether queries and keys are where they are without padding (MH-R5).
  bool has_usual_starts() const {
    const auto element = [&](std::uint64_t i) { return static_cast<std::int64_t>(mask.at(0, 0, 0, i)); };
    const auto b = z.b;
    for (std::uint64_t i = 0; i <= b; ++i)
      if (element(b + i) != static_cast<std::int64_t>(i * z.s) ||
          element(2 * b + 1 + i) != static_cast<std::int64_t>(i * z.l))
        return false;
    return true;
  }

  // Moves past and new keys and values to the presents, of caches in place the new ones; `add` makes an element of a
  // new one and its bias.
  template <class Add>
  void store_presents(const Add& add) const {
    const auto store = [&](const attention_view<T>& present, std::uint64_t width, const auto& past, const auto& fresh,
                           std::uint64_t first_bias) {
      for (std::uint32_t b = 0; present && b < z.b; ++b)
        for (std::uint32_t m = 0; m < z.g; ++m)
          for (std::uint32_t first = first_new(b), t = lengths ? first : 0; t < keys_in(b); ++t)
            for (std::uint32_t d = 0; d < width; ++d) {
              T& to = present.at(b, m, t, d);
              if (t < first)
                to = past.at(b, m, t, d);
              else if (bias && adds_bias_to_presents)
                to = add(fresh(b, m, t - first, d), bias_at(first_bias + m * width + d));
              else
                to = fresh.at(b, m, t - first, d);
            }
    };
    store(present_key, z.d, past_key, key, z.n * z.d);
    store(present_value, z.dv, past_value, value, z.n * z.d + z.g * z.d);
  }

 private:
  template <class Desc>
  static attention_sizes sizes_of(const Desc& desc, std::span<const const_tensor_ref> inputs,
                                  std::span<const tensor_ref> outputs) {
    per_operand<Desc, operand> operands{};
    for (std::size_t i = 0; i < operands.size(); ++i)
      operands[i] = i < inputs.size() ? to_operand(inputs[i]) : to_operand(outputs[i - inputs.size()]);
    return attention_sizes_of(desc, operands);
  }
  double bias_at(std::uint64_t i) const { return bias ? bias(0, 0, 0, i) : 0; }

  template <class U, class Ref>
  static attention_view<U> by_last_four(const Ref& ref) {
    if (!ref.present()) return {};
    const auto view = ref.template as<std::remove_const_t<U>>();
    attention_view<U> result{view.data(), {}};
    const std::size_t rank = view.sizes().size();
    for (std::size_t i = 0; i < 4 && i < rank; ++i) result.strides[3 - i] = view.strides()[rank - 1 - i];
    return result;
  }
  // By sequence, head, position and number; `part` is that of what is stacked.
  template <class Ref>
  auto in_heads(const Ref& ref, std::size_t operand, std::size_t part, std::uint64_t width) const {
    const auto view = ref.template as<T>();
    using element = std::remove_pointer_t<decltype(view.data())>;
    const dimensions& s = view.strides();
    const std::size_t rank = s.size();
    if (operand >= at::query_key) return attention_view<element>{view.data() + part * s[3], {s[0], s[2], s[1], s[4]}};
    return attention_view<element>{view.data(), {s[rank - 3], width * s[rank - 1], s[rank - 2], s[rank - 1]}};
  }
};

}  // namespace goldml::detail
