// Cases of attention that no legal device rounds: queries that see one key, or as many as a power of two alike.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/operators/multihead_attention.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle::detail {

// The kinds of case (SPEC-sequences, 4.5), told apart by Scale, are
//   uniform  the queries are 0, and each sees a power of two of keys
//   one-hot  keys are orthogonal codes of -1 and 1, and each query is one of them; its score is 128 above all others
//   lift     the same with a score of 256; RelativePositionBias lifts a key of score 0 to 128 or to 384
// Values are different integers, of pasts in a range of their own. With caches in place the kind is one-hot, and keys
// beyond those that a query sees may have its code, too.
template <class Desc>
class exact_attention {
 public:
  using traits = operator_traits<Desc>;
  using at = goldml::detail::attention_places;
  using mask_types = multihead_attention_mask_type;

  exact_attention(random_source& random, const Desc& desc, std::span<host_tensor> inputs)
      : random_(random), desc_(desc), inputs_(inputs) {
    per_operand<Desc, operand> operands{};
    for (std::size_t i = 0; i < inputs.size(); ++i) operands[i] = to_operand(inputs[i].ref());
    z_ = goldml::detail::attention_sizes_of(desc, operands);
  }

  static void suit(random_source& random, sampled_case<Desc>& c) {
    per_operand<Desc, operand> operands{};
    for (std::size_t i = 0; i < operands.size(); ++i) operands[i].desc = c.tensors[i];
    const goldml::detail::attention_sizes z = goldml::detail::attention_sizes_of(c.desc, operands);
    const auto size = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const data_type type = c.tensors[traits::places.output]->data_type;
    c.desc.mask_filter_value = -10000;
    bool in_place = false;
    if constexpr (traits::has_lengths) in_place = c.tensors[at::lengths].has_value();
    const std::uint64_t kind = in_place ? 1 : random.below(3);
    c.desc.scale = kind == 0 ? 1 : (kind == 1 ? 128 : 256) / static_cast<float>(width_of_codes(z));
    if (kind == 0 && c.desc.mask_type == mask_types::none && !std::has_single_bit(z.t())) {
      c.desc.mask_type = mask_types::key_sequence_length;
      c.tensors[at::mask] = tensor_desc{.data_type = data_type::int32, .sizes = {size(z.b)}};
    }
    if (kind == 2)
      c.tensors[at::position_bias] =
          tensor_desc{.data_type = type, .sizes = {size(z.b), size(z.n), size(z.s), size(z.t())}};
  }

  void fill() {
    const float score = desc_.scale * static_cast<float>(width_of_codes(z_));
    is_uniform_ = score != 128 && score != 256;
    fill_lengths();
    const bool lifts = score == 256 && !inputs_[at::position_bias].omitted();
    fill_mask();
    fill_bias();
    for (std::uint32_t b = 0; b < z_.b; ++b) {
      for (std::uint32_t m = 0; m < z_.g; ++m) fill_keys(b, m);
      for (std::uint32_t n = 0; n < z_.n; ++n)
        for (std::uint32_t i = 0; i < z_.s; ++i) fill_row(b, n, i, lifts);
    }
  }

 private:
  bool is_in_place() const { return !lengths_.empty(); }
  // The numbers of a key that its code has: a power of two, whose product with itself FLOAT16 holds.
  static std::uint64_t width_of_codes(const goldml::detail::attention_sizes& z) {
    return (std::min)(std::bit_floor(z.d), std::uint64_t{1024});
  }
  // Sets an element by its last coordinates.
  void set(std::size_t operand, std::initializer_list<std::uint64_t> last, std::int64_t value) {
    host_tensor& tensor = inputs_[operand];
    coordinate_tuple c;
    for (std::size_t i = last.size(); i < tensor.desc().sizes.size(); ++i) c.push_back(0);
    for (const std::uint64_t x : last) c.push_back(static_cast<std::uint32_t>(x));
    visit_data_type(type_list<float, float16, std::int32_t>{}, tensor.desc().data_type,
                    [&]<class T>(std::type_identity<T>) {
                      const tensor_view<T> view = tensor.ref().template as<T>();
                      if constexpr (std::is_same_v<T, std::int32_t>)
                        view[c] = static_cast<T>(value);
                      else
                        view[c] = static_cast<T>(static_cast<float>(value));
                    });
  }
  // An element of the query (part 0), the keys (1) or the values (2), which has so many numbers a head.
  void set_part(std::size_t part, std::uint64_t b, std::uint64_t head, std::uint64_t position, std::uint64_t d,
                std::int64_t value) {
    if (part > 0 && is_in_place()) {  // what a new key or value replaces is its negative
      const bool is_new = position >= lengths_[b] && position < lengths_[b] + z_.s;
      const std::size_t cache = part == 1 ? traits::places.present_key : traits::places.present_value;
      set(cache, {b, head, position, d}, is_new ? -value : value);
      if (!is_new) return;
      position -= lengths_[b];
      return set(part == 1 ? at::key : at::value, {b, position, head * (part == 1 ? z_.d : z_.dv) + d}, value);
    }
    if (part > 0 && position < z_.p)
      return set(part == 1 ? at::past_key : at::past_value, {b, head, position, d}, value);
    const std::size_t operand = goldml::detail::attention_operands_of(z_.source)[part];
    if (part > 0) position -= z_.p;
    if (operand < at::query_key) return set(operand, {b, position, head * (part == 2 ? z_.dv : z_.d) + d}, value);
    set(operand, {b, position, head, operand == at::key_value ? part - 1 : part, d}, value);
  }
  std::uint64_t below(std::uint64_t count) { return random_.below(count); }
  std::uint64_t power_of_two(std::uint64_t most) { return std::uint64_t{1} << below(std::bit_width(most)); }

  void fill_mask() {
    using enum multihead_attention_mask_type;
    const bool has_mask = !inputs_[at::mask].omitted();
    for (std::uint32_t b = 0; b < z_.b; ++b) {
      const std::uint64_t count = is_uniform_ ? power_of_two(z_.t()) : 1 + below(z_.t());
      const std::uint64_t first = has_mask && desc_.mask_type == key_sequence_end_start ? below(z_.t() - count + 1) : 0;
      kept_.push_back({first, has_mask && desc_.mask_type != boolean ? first + count : z_.t()});
      if (!has_mask || desc_.mask_type == boolean) continue;
      const auto end = static_cast<std::int64_t>(first + count);
      if (desc_.mask_type != key_sequence_end_start) {
        set(at::mask, {b}, end);
        continue;
      }
      set(at::mask, {0, b}, end);
      set(at::mask, {1, b}, static_cast<std::int64_t>(first));
    }
    if (!has_mask || desc_.mask_type != key_query_sequence_length_start_end) return;
    for (std::uint64_t i = 0; i <= z_.b; ++i) {  // where queries and keys are without padding
      set(at::mask, {z_.b + i}, static_cast<std::int64_t>(i * z_.s));
      set(at::mask, {2 * z_.b + 1 + i}, static_cast<std::int64_t>(i * z_.l));
    }
  }

  // Of the past in caches in place.
  void fill_lengths() {
    if constexpr (traits::has_lengths)
      for (std::uint32_t b = 0; !inputs_[at::lengths].omitted() && b < z_.b; ++b) {
        lengths_.push_back(below(z_.p - z_.s + 1));
        set(at::lengths, {b}, static_cast<std::int64_t>(lengths_.back()));
      }
  }

  // Only values have a bias that is not 0.
  void fill_bias() {
    if (inputs_[at::bias].omitted()) return;
    const std::uint64_t first = (z_.n + z_.g) * z_.d, all = first + z_.g * z_.dv;
    for (std::uint64_t i = 0; i < all; ++i) set(at::bias, {i}, i < first ? 0 : random_.between(-3, 3));
  }

  // Keys by code, and values, of one head. The first key that no mask excludes has a code always.
  void fill_keys(std::uint32_t b, std::uint32_t m) {
    const std::uint64_t width = width_of_codes(z_), t = z_.t();
    std::vector<std::uint64_t> order(t);
    for (std::uint64_t i = 0; i < t; ++i) order[i] = i;
    std::swap(order[0], order[kept_[b].first]);
    for (std::uint64_t i = 1; i + 1 < t; ++i) std::swap(order[i], order[i + below(t - i)]);
    std::vector<std::uint64_t> codes(t, no_code);
    for (std::uint64_t i = 0; i < (std::min)(t, 2 * width); ++i) codes[order[i]] = i;
    if (is_in_place()) {  // any codes; the first key's is that of no other key that a query sees
      codes[0] = 0;
      for (std::uint64_t k = 1; k < t; ++k)
        codes[k] = k > 1 && random_.chance(50) ? codes[k - 1]
                   : k < lengths_[b] + z_.s    ? 1 + below(2 * width - 1)
                                               : below(2 * width);
    }
    for (std::uint64_t k = 0; k < t; ++k) {
      for (std::uint64_t d = 0; d < z_.d; ++d)
        set_part(1, b, m, k, d, is_uniform_ ? random_.between(-4, 4) : element_of_code(codes[k], d));
      for (std::uint64_t d = 0; d < z_.dv; ++d) {
        const auto value = static_cast<std::int64_t>((k * z_.dv + d + 31 * m + 17 * std::uint64_t{b}) % 199);
        set_part(2, b, m, k, d, k < z_.p ? -201 - value : 1 + value);
      }
    }
    codes_.push_back(std::move(codes));
  }
  // Rows of a Hadamard matrix, and their negatives; 0 beyond its width.
  std::int64_t element_of_code(std::uint64_t code, std::uint64_t d) const {
    const std::uint64_t width = width_of_codes(z_);
    if (code == no_code || d >= width) return 0;
    const bool negative = (std::popcount(code % width & d) % 2 == 1) != (code >= width);
    return negative ? -1 : 1;
  }

  // The query, and what the mask and the position bias have of its row.
  void fill_row(std::uint32_t b, std::uint32_t n, std::uint32_t i, bool lifts) {
    const std::uint64_t t = z_.t(), head = n / (z_.n / z_.g);
    const std::vector<std::uint64_t>& codes = codes_[b * z_.g + head];
    std::vector<char> kept(t);
    std::uint64_t end = kept_[b].second;
    if constexpr (traits::has_lengths)
      if (is_in_place())
        end = lengths_[b] + (desc_.causal_with_lengths == causal_with_lengths::implicit ? i + 1 : z_.s);
    for (std::uint64_t k = kept_[b].first; k < end; ++k) kept[k] = 1;
    if (!inputs_[at::mask].omitted() && desc_.mask_type == mask_types::boolean) {
      std::uint64_t left = is_uniform_ ? power_of_two(t) : 1 + below(t);
      for (std::uint64_t k = 0; k < t; ++k) {  // the first one always, of the others as many as are left
        kept[k] = k == 0 || (left > 0 && below(t - k) < left) ? 1 : 0;
        if (kept[k] != 0) --left;
        set(at::mask, {b, n, i, k}, kept[k]);
      }
    }
    const auto is_alone = [&](std::uint64_t k) {
      std::uint64_t alike = 0;
      for (std::uint64_t j = 0; j < t; ++j) alike += kept[j] != 0 && codes[j] == codes[k] ? 1U : 0U;
      return alike == 1;
    };
    std::vector<std::uint64_t> wanted, others;
    for (std::uint64_t k = 0; k < t; ++k)
      if (kept[k] != 0 && codes[k] != no_code && (!is_in_place() || is_alone(k))) wanted.push_back(k);
    const std::uint64_t chosen = wanted[below(wanted.size())];
    for (std::uint64_t d = 0; d < z_.d; ++d)
      set_part(0, b, n, i, d, is_uniform_ ? 0 : element_of_code(codes[chosen], d));
    if (inputs_[at::position_bias].omitted()) return;
    const std::uint64_t width = width_of_codes(z_);
    for (std::uint64_t k = 0; k < t; ++k)
      if (kept[k] != 0 && (codes[k] == no_code || codes[k] % width != codes[chosen] % width)) others.push_back(k);
    const std::int64_t everywhere = lifts ? 0 : random_.between(-4, 4);
    for (std::uint64_t k = 0; k < t; ++k) set(at::position_bias, {b, n, i, k}, everywhere);
    if (lifts && !others.empty())
      set(at::position_bias, {b, n, i, others[below(others.size())]}, random_.chance(50) ? 128 : 384);
  }

  static constexpr std::uint64_t no_code = ~std::uint64_t{0};

  random_source& random_;
  const Desc& desc_;
  std::span<host_tensor> inputs_;
  goldml::detail::attention_sizes z_;
  bool is_uniform_ = false;
  std::vector<std::uint64_t> lengths_;                         // of the past, in caches in place
  std::vector<std::pair<std::uint64_t, std::uint64_t>> kept_;  // the keys of each sequence, but for a mask of its own
  std::vector<std::vector<std::uint64_t>> codes_;              // of each sequence and head of keys
};

}  // namespace goldml::oracle::detail
