// What --explain prints about pooling and its gradients.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/pooling.hpp>
#include <goldml/operators/pooling_grad.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

// The windows on an image, as far as the lists fit it.
inline std::string window_facts(const goldml::detail::window_lists& lists, const operand& image, const operand& counts,
                                std::string_view what) {
  std::string text = fmt::format("{} windows of {}, {} apart", what, lists.windows, lists.strides);
  for (const std::uint32_t dilation : lists.dilations)
    if (dilation > 1) return text + fmt::format(", with taps {} apart", lists.dilations);
  if (!counts.sound || !image.legal) return text;
  const auto fewest = goldml::detail::window_sizes_of(lists, image.desc->sizes, false);
  return fewest && *fewest != counts.desc->sizes ? text + ", also one that ends after the padded image" : text;
}

template <goldml::detail::pooling_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t[0].legal) return {};
    constexpr auto what = Desc::function == pooling_function::average ? "the averages of"
                          : Desc::function == pooling_function::lp    ? "the norms of"
                                                                      : "the greatest of";
    return {window_facts(goldml::detail::window_lists_of(desc), t[0], t[1], what)};
  }
};

template <goldml::detail::pooling_grad_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t.back().legal) return {};
    constexpr auto what = Desc::of_max ? "each to the greatest of" : "each in equal parts to";
    return {window_facts(goldml::detail::window_lists_of(desc), t.back(), t[t.size() - 2], what)};
  }
};

}  // namespace goldml::tool::detail
