// Random cases of MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/operators/multihead_attention.hpp>
#include <goldml/oracle/arithmetic_data.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/oracle/samplers/exact_attention.hpp>

namespace goldml::oracle {

template <attention_operator Desc>
struct sampler<Desc> {
  using traits = operator_traits<Desc>;
  using at = goldml::detail::attention_places;
  using source = goldml::detail::attention_source;
  using mask_types = multihead_attention_mask_type;

  static sampled_case<Desc> sample(random_source& random, goldml::feature_level) {
    sampled_case<Desc> result;
    const data_type type = random.pick(goldml::detail::attention_floats);
    const dimensions drawn = random.sizes(3, 5);
    const std::size_t rank = drawn.size();
    const auto b = static_cast<std::uint32_t>(1 + (drawn[rank - 3] - 1) % 3);
    std::uint32_t s = drawn[rank - 2];
    std::uint32_t width = drawn[rank - 1];  // of all heads
    auto form = static_cast<source>(random.below(5));
    if (random.most_elements() < 3 * b) form = source::separate;
    const bool is_stacked = form == source::query_key || form == source::query_key_value;
    const std::uint64_t parts = form == source::separate || form == source::past ? 1 : 3;
    while (s > 1 && (parts * b * s * width > random.most_elements() ||
                     (is_stacked && std::uint64_t{4} * b * s * s > 4 * random.most_elements())))
      s = (s + 1) / 2;
    while (width > 1 && parts * b * s * width > random.most_elements()) width = (width + 1) / 2;
    std::uint32_t n = 1 + static_cast<std::uint32_t>(random.below(4));
    while (width % n != 0) --n;
    std::uint32_t g = n;
    if constexpr (traits::has_lengths) {
      if (!is_stacked && random.chance(50)) g = 1 + static_cast<std::uint32_t>(random.below(n));
      while (n % g != 0) --g;
      result.desc.query_head_count = n;
      result.desc.key_value_head_count = g;
    } else {
      result.desc.head_count = n;
    }
    const std::uint32_t d = width / n;
    const bool alike = form == source::key_value || form == source::query_key_value || random.chance(50);
    const std::uint64_t most_dv = (std::max)(random.most_elements() / (std::uint64_t{b} * s * n), std::uint64_t{1});
    const std::uint32_t dv =
        alike ? d : static_cast<std::uint32_t>(1 + random.below((std::min)(most_dv, std::uint64_t{5})));
    bool in_place = false;
    if constexpr (traits::has_lengths) in_place = form == source::separate && random.chance(30);
    const std::uint32_t l = form == source::past     ? 0
                            : is_stacked || in_place ? s
                                                     : static_cast<std::uint32_t>(1 + random.below(6));
    const bool has_past = form == source::past || (!in_place && random.chance(40));
    const std::uint32_t p = has_past   ? static_cast<std::uint32_t>(1 + random.below(5))
                            : in_place ? static_cast<std::uint32_t>(random.below(6))
                                       : 0,
                        t = p + l;
    const auto give = [&](std::size_t i, const dimensions& sizes, data_type as) {
      dimensions all;
      const std::size_t most = traits::operands[i].limits.front().most_dimensions;
      const std::size_t lead = random.chance(30) && sizes.size() < most ? random.below(most - sizes.size() + 1) : 0;
      for (std::size_t k = 0; k < lead; ++k) all.push_back(1);
      for (const std::uint32_t size : sizes) all.push_back(size);
      result.tensors[i] = tensor_desc{.data_type = as, .sizes = all};
    };
    const auto floats = [&](std::size_t i, const dimensions& sizes) { give(i, sizes, type); };
    if (form == source::separate || form == source::key_value || form == source::past) floats(at::query, {b, s, width});
    if (form == source::separate) floats(at::key, {b, l, g * d});
    if (form == source::separate || form == source::query_key) floats(at::value, {b, l, g * dv});
    if (form == source::query_key) floats(at::query_key, {b, s, n, 2, d});
    if (form == source::key_value) floats(at::key_value, {b, l, g, 2, d});
    if (form == source::query_key_value) floats(at::query_key_value, {b, s, n, 3, d});
    if (!in_place && random.chance(40)) floats(at::bias, {n * d + g * d + g * dv});
    if (!in_place && random.chance(30)) floats(at::position_bias, {b, n, s, t});
    if (has_past) floats(at::past_key, {b, g, p, d}), floats(at::past_value, {b, g, p, dv});
    if (in_place) give(at::lengths, {b}, data_type::int32);
    floats(traits::places.output, {b, s, n * dv});
    if (in_place || random.chance(40)) floats(traits::places.present_key, {b, g, t, d});
    if (in_place || random.chance(40)) floats(traits::places.present_value, {b, g, t, dv});
    if (!in_place) result.desc.mask_type = static_cast<mask_types>(random.below(5));
    const std::array<dimensions, 5> masks{{{}, {b}, {2, b}, {3 * b + 2}, {b, n, s, t}}};
    if (result.desc.mask_type != mask_types::none)
      give(at::mask, masks[static_cast<std::size_t>(result.desc.mask_type)], data_type::int32);
    constexpr std::array scales{1.0F, 0.5F, 0.125F, -1.0F, 0.0F, 32.0F, 0.3F};
    constexpr std::array filters{-10000.0F, -10000.0F, -1.5F, 0.0F, 3.0F, -65504.0F, -3e38F};
    result.desc.scale = scales[random.below(scales.size())];
    result.desc.mask_filter_value = filters[random.below(filters.size())];
    return result;
  }

  static void suit(random_source& random, data_class data, sampled_case<Desc>& c) {
    if (data == data_class::exact) detail::exact_attention<Desc>::suit(random, c);
  }

  // Lengths of keys, places where the mask begins or ends, starts as without padding, and 0 or 1.
  static void fill(random_source& random, const Desc& desc, data_class data, std::span<host_tensor> inputs) {
    if (data == data_class::exact) return detail::exact_attention<Desc>(random, desc, inputs).fill();
    detail::fill_for_arithmetic(random, data, inputs.first(at::mask));
    detail::fill_for_arithmetic(random, data, inputs.subspan(at::mask + 1, at::lengths - at::mask - 1));
    std::array<operand, traits::inputs + 3> operands{};
    for (std::size_t i = 0; i < inputs.size(); ++i) operands[i] = to_operand(inputs[i].ref());
    const goldml::detail::attention_sizes z = goldml::detail::attention_sizes_of(desc, operands);
    if constexpr (traits::has_lengths)
      if (!inputs[at::lengths].omitted()) {
        detail::fill_for_arithmetic(random, data, inputs.subspan(traits::places.present_key));
        const auto view = inputs[at::lengths].ref().template as<std::int32_t>();
        for (const coordinate_tuple& c : coordinates_of(view.sizes()))
          view[c] = static_cast<std::int32_t>(random.below(z.p - z.s + 1));
        return;
      }
    if (inputs[at::mask].omitted()) return;
    const auto view = inputs[at::mask].ref().template as<std::int32_t>();
    std::uint64_t place = 0;
    for (const coordinate_tuple& c : coordinates_of(view.sizes())) {
      auto value = static_cast<std::int32_t>(random.below(z.t() + 2));
      if (desc.mask_type == mask_types::boolean) value = random.chance(1) ? 2 : random.chance(60) ? 1 : 0;
      if (desc.mask_type == mask_types::key_query_sequence_length_start_end && place >= z.b) {
        const std::uint64_t i = place - z.b, half = z.b + 1;
        value = static_cast<std::int32_t>(i < half ? i * z.s : (i - half) * z.l) + (random.chance(1) ? 1 : 0);
      }
      view[c] = value;
      ++place;
    }
  }

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    auto& t = c.tensors;
    const auto grow_last = [&](std::size_t i, std::string_view rule) {
      if (!t[i]) return std::string_view("");
      ++t[i]->sizes[t[i]->sizes.size() - 1];
      return rule;
    };
    switch (random.below(traits::has_lengths ? 13 : 12)) {
      case 0:
        t[at::query_key_value].reset();
        t[at::query].reset();
        t[at::query_key].reset();
        return "MH2";
      case 1:
        if constexpr (traits::has_lengths)
          (random.chance(50) ? c.desc.query_head_count : c.desc.key_value_head_count) = 0;
        else
          c.desc.head_count = 0;
        return "MH3";
      case 2: {
        const std::size_t i = random.below(t.size());
        const std::size_t own = traits::own_dimensions(i);
        if (!t[i] || i == at::mask || own >= 5) return "";
        if (t[i]->sizes.size() <= own) t[i]->sizes = left_pad(t[i]->sizes, own + 1, 1);
        t[i]->sizes[0] = 2;
        return "MH4";
      }
      case 3:
        for (const std::size_t i : {at::query_key, at::key_value, at::query_key_value})
          if (t[i]) {
            ++t[i]->sizes[3];
            return "MH5";
          }
        return "";
      case 4:
        if (!t[at::key]) return "";
        ++t[at::key]->sizes[t[at::key]->sizes.size() - 2];
        return "MH6";
      case 5:
        if (!t[at::past_key] || !t[at::key]) return "";
        t[at::past_value].reset();
        return "MH7";
      case 6:
        return grow_last(at::bias, "MH8");
      case 7:
        if (c.desc.mask_type == mask_types::none) return "";
        t[at::mask].reset();
        return "MH9";
      case 8:
        return grow_last(at::mask, "MH10");
      case 9:
        return grow_last(at::position_bias, "MH11");
      case 10:
        return grow_last(traits::places.output, "MH12");
      case 11:
        return grow_last(traits::places.present_key, "MH13");
      default:
        break;
    }
    if constexpr (traits::has_lengths)
      if (t[at::lengths]) {
        if (random.chance(50)) return grow_last(at::lengths, "MH14");
        t[traits::places.present_value].reset();
        return "MH14";
      }
    return "";
  }

  static constexpr sampler_options<Desc> options{.suit = &suit, .fill = &fill};
};

}  // namespace goldml::oracle
