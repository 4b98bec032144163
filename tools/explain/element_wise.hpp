// What --explain prints about the element-wise operators.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <goldml/operators/element_wise.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <element_wise_op Op>
struct explanation<element_wise_desc<Op>> {
  static std::vector<std::string> facts(const element_wise_desc<Op>& desc,
                                        const operands_of<element_wise_desc<Op>>& t) {
    if (!t[0].sound) return {};
    std::vector<std::string> facts{counted(element_count(t[0].desc->sizes), "element", "elements")};
    if constexpr (requires { desc.scale_bias; })
      if (desc.scale_bias)
        facts.push_back(fmt::format("each element x becomes {} x + {}, rounded once, before the operator",
                                    desc.scale_bias->scale, desc.scale_bias->bias));
    if constexpr (requires { desc.min; })
      visit_data_type(a10_types{}, t[0].desc->data_type, [&]<class T>(std::type_identity<T>) {
        const scalar least(goldml::detail::clip_bound<T>(desc.min));
        if constexpr (requires { desc.max; })
          facts.push_back(
              fmt::format("the bounds are {} and {}", least, scalar(goldml::detail::clip_bound<T>(desc.max))));
        else
          facts.push_back(fmt::format("the bound is {}", least));
      });
    return facts;
  }
};

}  // namespace goldml::tool::detail
