// What --explain prints about PADDING and PADDING1.
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include <goldml/operators/padding.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <class Desc>
requires std::same_as<Desc, padding_desc> || std::same_as<Desc, padding1_desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t[0].sound) return {};
    const dimensions& input = t[0].desc->sizes;
    if (desc.start_padding.size() != input.size() || desc.end_padding.size() != input.size()) return {};  // PA4
    std::vector<std::string> facts{
        fmt::format("the input is at {} of the output", desc.start_padding),
        fmt::format("{}, {} + {} + {}", implied_sizes(desc, t), desc.start_padding, input, desc.end_padding)};
    if constexpr (std::same_as<Desc, padding_desc>)
      if (desc.padding_mode == padding_mode::constant)
        visit_data_type(a11_types{}, t[0].desc->data_type, [&]<class T>(std::type_identity<T>) {
          facts.push_back(
              fmt::format("PaddingValue becomes {}", scalar(goldml::detail::padding_value_as<T>(desc.padding_value))));
        });
    return facts;
  }
};

}  // namespace goldml::tool::detail
