// ACTIVATION_HARDMAX and ACTIVATION_HARDMAX1: 1 at the first of the greatest elements of each slice, else 0. Feature
// levels 1_0 and 5_1. Pages: DML_ACTIVATION_HARDMAX_OPERATOR_DESC, DML_ACTIVATION_HARDMAX1_OPERATOR_DESC. Slices and
// the rules SO1 to SO7 are those of SOFTMAX. Rulings: ledger SO-R1, FN-R15.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <goldml/core/compiled.hpp>
#include <goldml/operators/softmax.hpp>

namespace goldml {

// A slice is a row along the last axis. Sizes before the last two are 1.
struct activation_hardmax_desc {
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// A slice has the elements whose coordinates differ on the axes only.
struct activation_hardmax1_desc {
  dimensions axes = {};  // distinct, each below DimensionCount, in any order; at least one
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept hardmax_operator = std::same_as<Desc, activation_hardmax_desc> || std::same_as<Desc, activation_hardmax1_desc>;

}  // namespace detail

template <detail::hardmax_operator Desc>
struct operator_traits<Desc> : detail::slice_traits<Desc, std::same_as<Desc, activation_hardmax1_desc>> {
  using base = detail::slice_traits<Desc, std::same_as<Desc, activation_hardmax1_desc>>;
  static constexpr bool has_axes = std::same_as<Desc, activation_hardmax1_desc>;
  static constexpr std::string_view name = has_axes ? "ACTIVATION_HARDMAX1" : "ACTIVATION_HARDMAX";
  static constexpr std::uint32_t enumerator = has_axes ? 160 : 36;
  static constexpr std::array policies{row<&Desc::nan_policy>("nan_policy"),
                                       row<&Desc::same_resource>("same_resource")};

  // An index of each slice.
  static scratch_memory scratch(const Desc& desc, const std::array<operand, 2>& t) {
    const dimensions& sizes = t[0].desc->sizes;
    const dimensions slices = sizes_after_reduction(sizes, detail::softmax_axes(desc, sizes.size()));
    return {.cpu = saturating_multiply(sizeof(std::uint64_t), element_count(slices))};
  }

  static constexpr operator_options<Desc> options{.check_rules = &base::check_rules, .scratch = &scratch};
};

// output[c] = 1 if input[c] is the first of the greatest numbers of its slice, in the order of coordinates, else 0. NaN
// is less than every number, unless the policy says otherwise; of a slice of NaN it is the first. -0 equals +0.
inline constexpr detail::slice_call<activation_hardmax_desc> activation_hardmax{};
inline constexpr detail::slice_call<activation_hardmax1_desc> activation_hardmax1{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(activation_hardmax_desc);
GOLDML_COMPILED_OPERATOR(activation_hardmax1_desc);
