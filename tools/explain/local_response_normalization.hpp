// What --explain prints about LOCAL_RESPONSE_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION_GRAD.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/local_response_normalization.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <goldml::detail::local_response_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    if (!t[0].sound || desc.local_size == 0) return {};
    const std::uint32_t lesser = (desc.local_size - 1) / 2, greater = desc.local_size / 2;
    const bool is_lower = desc.lrn_window == lrn_window::lower;
    return {fmt::format("windows from {} before to {} after, clipped, of {}", is_lower ? greater : lesser,
                        is_lower ? lesser : greater, desc.cross_channel ? "channels" : "rows and columns"),
            fmt::format("Alpha is divided by {}, also where a window is clipped",
                        goldml::detail::local_response_form_of(desc).divisor)};
  }
};

}  // namespace goldml::tool::detail
