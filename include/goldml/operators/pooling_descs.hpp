// The descs of pooling. Each list has one entry for each spatial axis: for each dimension but the first two. The calls
// take empty lists for ones (Strides, Dilations) or zeros (padding); all others need the entries.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/window_policies.hpp>
#include <goldml/operators/windows.hpp>

namespace goldml {

enum class pooling_function { average, lp, max };

struct average_pooling_desc {
  static constexpr auto function = pooling_function::average;
  dimensions strides = {};
  dimensions window_size = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  bool include_padding = false;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::pool_overhang pool_overhang = goldml::pool_overhang::window;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};
struct average_pooling1_desc {
  static constexpr auto function = pooling_function::average;
  dimensions strides = {};
  dimensions window_size = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  dimensions dilations = {};
  bool include_padding = false;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::pool_overhang pool_overhang = goldml::pool_overhang::window;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct lp_pooling_desc {
  static constexpr auto function = pooling_function::lp;
  dimensions strides = {};
  dimensions window_size = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  std::uint32_t p = 2;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::lp_power lp_power = goldml::lp_power::refuse;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};
struct lp_pooling1_desc {
  static constexpr auto function = pooling_function::lp;
  dimensions strides = {};
  dimensions window_size = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  dimensions dilations = {};
  std::uint32_t p = 2;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::lp_power lp_power = goldml::lp_power::refuse;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

template <bool WithIndices>
struct max_pooling_without_dilations {
  static constexpr auto function = pooling_function::max;
  dimensions strides = {};
  dimensions window_size = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};
using max_pooling_desc = max_pooling_without_dilations<false>;
using max_pooling1_desc = max_pooling_without_dilations<true>;
struct max_pooling2_desc {
  static constexpr auto function = pooling_function::max;
  dimensions strides = {};
  dimensions window_size = {};
  dimensions start_padding = {};
  dimensions end_padding = {};
  dimensions dilations = {};
  goldml::nan_policy nan_policy = goldml::nan_policy::skip;
  goldml::pooling_sizes pooling_sizes = goldml::pooling_sizes::formula_or_ceil;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
concept pooling_operator = std::same_as<std::remove_cv_t<decltype(Desc::function)>, pooling_function>;
template <class Desc>
concept pooling_with_indices = std::same_as<Desc, max_pooling1_desc> || std::same_as<Desc, max_pooling2_desc>;
template <class Desc>
inline constexpr bool has_dilations = requires(Desc desc) {
  desc.dilations;
};

// The lists of an operator on windows of `window_size`; without dilations they are 1.
template <class Desc>
window_lists window_lists_of(const Desc& desc) {
  window_lists result{desc.window_size, desc.strides, {}, desc.start_padding, desc.end_padding};
  if constexpr (has_dilations<Desc>)
    result.dilations = desc.dilations;
  else
    result.dilations = dimensions::filled(desc.window_size.size(), 1);
  return result;
}

// The desc with ones or zeros in lists that are empty.
template <class Desc>
Desc with_default_windows(Desc desc, std::size_t dimension_count) {
  const std::size_t axes = dimension_count < 2 ? 0 : dimension_count - 2;
  const auto give = [&](dimensions& list, std::uint32_t value) {
    if (list.size() == 0 && !list.is_null()) list = dimensions::filled(axes, value);
  };
  give(desc.strides, 1);
  give(desc.start_padding, 0);
  give(desc.end_padding, 0);
  if constexpr (has_dilations<Desc>) give(desc.dilations, 1);
  return desc;
}

// What AVERAGE_POOLING divides the sum of a window by: the product of these, one for each axis; 0 for no taps.
template <class Desc>
std::uint64_t divisor_on(const Desc& desc, const window_axis& axis, std::uint64_t q) {
  if (!desc.include_padding) return axis.taps_of(q).count;
  return desc.pool_overhang == pool_overhang::window ? axis.window : axis.padded_taps_of(q);
}
template <class Desc>
dimensions divisors_of(const Desc& desc, const image_windows& windows, const coordinate_tuple& o) {
  dimensions result;
  for (std::size_t i = 0; i < windows.size(); ++i) result.push_back(divisor_on(desc, windows[i], o[2 + i]));
  return result;
}

}  // namespace detail

}  // namespace goldml
