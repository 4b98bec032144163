// The rules that MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1 share: MH2 to MH14, and MH15 of the
// past lengths.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <goldml/core/attention_policies.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/shape_rules.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/operators/multihead_attention_sizes.hpp>

namespace goldml::detail {

// The rules in their order. A tensor that breaks MH4 or MH5 is left out of what follows.
template <class Desc>
class attention_rules {
  using traits = operator_traits<Desc>;
  using at = attention_places;

 public:
  attention_rules(const Desc& desc, const per_operand_unchecked<Desc, operand>& t, const rule_report& report)
      : desc_(desc), t_(t), report_(report) {}

  void check() {
    if (!comparable() || !has_sources() || !has_heads()) return;
    check_fixed_sizes();
    check_heads();
    check_pasts(compare_sources());
    bool in_place = false;
    if constexpr (traits::has_lengths) in_place = t_[at::lengths].desc.has_value();
    if (in_place) t_is_known_ = false;
    check_mask();
    const std::uint64_t keys = t_is_known_ ? z_.t() : 0;
    const auto whole = [&](std::string_view rule, std::size_t i, std::initializer_list<std::uint64_t> sizes) {
      if (is_usable(i)) compare(rule, i, sizes);
    };
    whole("MH11", at::position_bias, {z_.b, z_.n, z_.s, keys});
    whole("MH12", traits::places.output, {z_.b, z_.s, z_.n * z_.dv});
    whole("MH13", traits::places.present_key, {z_.b, z_.g, keys, z_.d});
    const std::size_t first = traits::places.present_key;
    whole("MH13", traits::places.present_value,
          {z_.b, z_.g, in_place && is_usable(first) ? size_from_end(*t_[first].desc, 1) : keys, z_.dv});
    if (in_place) check_caches();
  }

 private:
  bool is_usable(std::size_t i) const { return t_[i].desc && t_[i].legal && !broken_[i]; }
  void refuse_size(std::string_view rule, std::size_t i, std::size_t dimension, std::uint64_t wanted,
                   const violation_text& why = {}) {
    report_(rule, traits::operands[i].name, "Sizes", violation_text("{}", t_[i].desc->sizes[dimension]),
            violation_text("{}", wanted), why, dimension);
  }
  // The last sizes; those wanted that are 0 are not known. False if one differs.
  bool compare(std::string_view rule, std::size_t i, std::initializer_list<std::uint64_t> wanted) {
    bool alike = true;
    const std::size_t rank = t_[i].desc->sizes.size();
    std::size_t dimension = rank - wanted.size();
    for (const std::uint64_t size : wanted) {
      if (size != 0 && t_[i].desc->sizes[dimension] != size) refuse_size(rule, i, dimension, size), alike = false;
      ++dimension;
    }
    return alike;
  }

  // No tensor breaks a T rule that sizes depend on, or MH1.
  bool comparable() const {
    const operand& output = t_[traits::places.output];
    for (std::size_t i = 0; i < t_.size(); ++i) {
      if (!t_[i].desc && t_[i].null_member.empty()) continue;
      if (!t_[i].legal && !t_[i].open) return false;
      const bool integers = i == at::mask || (traits::has_lengths && i == at::lengths);
      if (!integers && t_[i].desc && output.desc && t_[i].desc->data_type != output.desc->data_type) return false;
    }
    return true;
  }
  bool has_sources() {
    z_.source = attention_source_of(t_, desc_.past_only == past_only::allow);
    if (z_.source != attention_source::none) return true;
    unsigned counts[3]{};
    for (const auto& [i, parts] :
         {std::pair(at::query, 1U), std::pair(at::key, 2U), std::pair(at::value, 4U), std::pair(at::query_key, 3U),
          std::pair(at::key_value, 6U), std::pair(at::query_key_value, 7U)})
      for (unsigned part = 0; part < 3; ++part) counts[part] += t_[i].desc && (parts >> part & 1U) != 0 ? 1U : 0U;
    report_("MH2", "QueryTensor", "",
            violation_text("{}, {} and {} sources of query, key and value", counts[0], counts[1], counts[2]),
            violation_text("one of each"),
            violation_text(
                "{}", desc_.past_only == past_only::allow ? "or a query, with both pasts" : "past_only is refuse"));
    return false;
  }
  bool has_heads() {
    z_.n = query_heads(desc_), z_.g = key_heads(desc_);
    constexpr std::string_view name = traits::has_lengths ? "QueryHeadCount" : "HeadCount";
    const auto refuse = [&](std::uint64_t got, const violation_text& wanted, const violation_text& why = {}) {
      report_("MH3", "", name, violation_text("{}", got), wanted, why);
      return false;
    };
    if (z_.n == 0) return refuse(0, violation_text("at least 1"));
    if constexpr (traits::has_lengths) {
      if (z_.g == 0) {
        report_("MH3", "", "KeyValueHeadCount", violation_text("0"), violation_text("at least 1"));
        return false;
      }
      if (z_.n % z_.g != 0)
        return refuse(z_.n, violation_text("a multiple of {}", z_.g), violation_text("KeyValueHeadCount"));
      if (z_.n != z_.g && attention_operands_of(z_.source)[0] >= at::query_key)
        return refuse(z_.n, violation_text("{}", z_.g), violation_text("KeyValueHeadCount, of a stacked query"));
    }
    return true;
  }

  // MH4: what leads is 1.
  void check_fixed_sizes() {
    for (std::size_t i = 0; i < t_.size(); ++i) {
      if (!t_[i].desc || i == at::mask) continue;
      const std::size_t rank = t_[i].desc->sizes.size(), own = traits::own_dimensions(i);
      for (std::size_t dimension = 0; dimension + own < rank; ++dimension)
        if (t_[i].desc->sizes[dimension] != 1)
          refuse_size("MH4", i, dimension, 1, violation_text("before the last {}", own)), broken_[i] = true;
    }
  }
  // MH5, and the sizes that follow.
  void check_heads() {
    const auto [q, k, v] = attention_operands_of(z_.source);
    const auto heads_of = [&](std::size_t i, std::uint64_t heads, std::uint64_t& size) {
      if (!is_usable(i)) return;
      const dimensions& sizes = t_[i].desc->sizes;
      if (i >= at::query_key && i <= at::query_key_value) {
        const std::uint64_t stacked = i == at::query_key_value ? 3 : 2;
        const bool legal = sizes[2] == heads && sizes[3] == stacked;
        if (!legal && !broken_[i]) {
          if (sizes[2] != heads) refuse_size("MH5", i, 2, heads, violation_text("the head count"));
          if (sizes[3] != stacked) refuse_size("MH5", i, 3, stacked, violation_text("of what is stacked"));
          broken_[i] = true;
        }
        if (legal) size = sizes[4];
      } else if (sizes.back() % heads != 0) {
        report_("MH5", traits::operands[i].name, "Sizes", violation_text("{}", sizes.back()),
                violation_text("a multiple of {}", heads), violation_text("the head count"), sizes.size() - 1);
        broken_[i] = true;
      } else {
        size = sizes.back() / heads;
      }
    };
    heads_of(q, z_.n, z_.d);
    if (z_.source == attention_source::past) return;
    std::uint64_t of_key = 0;
    heads_of(k, z_.g, of_key);
    heads_of(v, z_.g, z_.dv);
    if (of_key != 0 && z_.d != 0 && of_key != z_.d) {
      const dimensions& sizes = t_[k].desc->sizes;
      refuse_size("MH5", k, sizes.size() - 1, k >= at::query_key ? z_.d : z_.d * z_.g,
                  violation_text("heads of {} numbers, as the query has", z_.d));
      broken_[k] = true;
    }
    if (z_.d == 0) z_.d = of_key;
  }
  // MH6: whether the key and the value have the query's batch, and the same length.
  bool compare_sources() {
    const auto [q, k, v] = attention_operands_of(z_.source);
    const auto sizes = [&](std::size_t i) -> std::array<std::uint64_t, 2> {
      if (!is_usable(i)) return {0, 0};
      const std::size_t from_end = i >= at::query_key && i <= at::query_key_value ? 3 : 1;
      return {size_from_end(*t_[i].desc, from_end + 1), size_from_end(*t_[i].desc, from_end)};
    };
    const auto of_query = sizes(q);
    z_.b = of_query[0], z_.s = of_query[1];
    if (z_.source == attention_source::past) return true;
    z_.l = sizes(k)[1];
    if (z_.b == 0) z_.b = sizes(k)[0];
    bool alike = true;
    const auto differs = [&](std::size_t i, std::size_t which, std::uint64_t wanted) {
      const std::uint64_t got = sizes(i)[which];
      if (got == 0 || wanted == 0 || got == wanted) return;
      const std::size_t from_end = (i >= at::query_key ? 4 : 2) - which;
      refuse_size("MH6", i, t_[i].desc->sizes.size() - 1 - from_end, wanted);
      alike = false;
    };
    if (k != q) differs(k, 0, z_.b);
    if (v != k) differs(v, 0, z_.b), differs(v, 1, z_.l);
    if (z_.l == 0) z_.l = sizes(v)[1];
    t_is_known_ = alike && z_.l != 0;
    return alike;
  }
  // MH7, and MH8 of the bias.
  void check_pasts(bool sources_agree) {
    const bool has_key = t_[at::past_key].desc.has_value(), has_value = t_[at::past_value].desc.has_value();
    const bool alone = z_.source == attention_source::past;
    bool legal = true;
    if (has_key != has_value) {
      report_("MH7", traits::operands[has_key ? at::past_value : at::past_key].name, "", violation_text("null"),
              violation_text("given"),
              violation_text("{} is", traits::operands[has_key ? at::past_key : at::past_value].name));
      legal = false;
    }
    if (has_key && is_usable(at::past_key)) {
      z_.p = size_from_end(*t_[at::past_key].desc, 1);
      legal = compare("MH7", at::past_key, {z_.b, z_.g, 0, z_.d}) && legal;
    }
    if (has_value && is_usable(at::past_value)) {
      if (alone) z_.dv = size_from_end(*t_[at::past_value].desc, 0);
      legal = compare("MH7", at::past_value, {z_.b, z_.g, z_.p, alone ? 0 : z_.dv}) && legal;
    }
    const bool usable = (!has_key || is_usable(at::past_key)) && (!has_value || is_usable(at::past_value));
    t_is_known_ = legal && usable && (alone || (t_is_known_ && sources_agree));
    if (alone && !(legal && usable)) z_.dv = 0;
    if (is_usable(at::bias) && z_.d != 0 && z_.dv != 0)
      compare("MH8", at::bias, {z_.n * z_.d + z_.g * z_.d + z_.g * z_.dv});
  }
  // MH9 and MH10.
  void check_mask() {
    using enum multihead_attention_mask_type;
    if (desc_.mask_type > boolean) return;
    const bool given = t_[at::mask].desc.has_value();
    if (given != (desc_.mask_type != none)) {
      report_("MH9", "MaskTensor", "", violation_text("{}", given ? "given" : "null"),
              violation_text("{}", given ? "null" : "given"),
              violation_text("MaskType is {}", enumerator_name(desc_.mask_type)));
      return;
    }
    if (!given) return;
    const dimensions& sizes = t_[at::mask].desc->sizes;
    const std::size_t rank = sizes.size(), own = desc_.mask_type == boolean                  ? 4
                                                 : desc_.mask_type == key_sequence_end_start ? 2
                                                                                             : 1;
    if (rank < own) {
      report_("MH10", "MaskTensor", "DimensionCount", violation_text("{}", rank), violation_text("at least {}", own),
              violation_text("of a mask of this type"));
      return;
    }
    for (std::size_t dimension = 0; dimension + own < rank; ++dimension)
      if (sizes[dimension] != 1) refuse_size("MH10", at::mask, dimension, 1);
    if (own == 4)
      compare("MH10", at::mask, {z_.b, z_.n, z_.s, t_is_known_ ? z_.t() : 0});
    else if (own == 2)
      compare("MH10", at::mask, {2, z_.b});
    else
      compare("MH10", at::mask, {z_.b == 0 ? 0 : desc_.mask_type == key_sequence_length ? z_.b : 3 * z_.b + 2});
  }

  // MH14: of caches in place, which are the presents.
  void check_caches() {
    const violation_text why("PastSequenceLengthsTensor is given");
    const std::array presents{traits::places.present_key, traits::places.present_value};
    for (const std::size_t i : {at::query_key, at::key_value, at::query_key_value, at::bias, at::mask,
                                at::position_bias, at::past_key, at::past_value})
      if (t_[i].desc)
        report_("MH14", traits::operands[i].name, "", violation_text("given"), violation_text("null"), why);
    if (is_usable(at::lengths)) compare("MH14", at::lengths, {z_.b});
    for (const std::size_t i : presents)
      if (!t_[i].desc)
        report_("MH14", traits::operands[i].name, "", violation_text("null"), violation_text("given"), why);
    if (z_.source != attention_source::separate || z_.l == 0) return;
    if (is_usable(at::key)) compare("MH14", at::key, {z_.s, 0});
    for (const std::size_t i : presents)
      if (is_usable(i) && size_from_end(*t_[i].desc, 1) < z_.l) {
        const std::size_t dimension = t_[i].desc->sizes.size() - 2;
        report_("MH14", traits::operands[i].name, "Sizes", violation_text("{}", t_[i].desc->sizes[dimension]),
                violation_text("at least {}", z_.l), violation_text("the new keys"), dimension);
      }
  }

  const Desc& desc_;
  const per_operand_unchecked<Desc, operand>& t_;
  const rule_report& report_;
  attention_sizes z_;
  std::array<bool, operand_info_count<Desc>> broken_{};
  bool t_is_known_ = false;
};

template <class Desc>
void check_attention_rules(const Desc& desc, const per_operand_unchecked<Desc, operand>& t, const rule_report& report) {
  attention_rules<Desc>(desc, t, report).check();
}
// MH9, of an enumerator.
template <class Desc>
void check_attention_attributes(const Desc& desc, const per_operand_unchecked<Desc, operand>&,
                                const rule_report& report) {
  check_enumerator(operator_traits<Desc>::attributes.back(), desc.mask_type, report);
}

}  // namespace goldml::detail
