// What --explain prints about MAX_UNPOOLING.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/max_unpooling.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<max_unpooling_desc> {
  static std::vector<std::string> facts(const max_unpooling_desc&, const operands_of<max_unpooling_desc>& t) {
    if (!t[0].sound || !t[2].sound) return {};
    const std::uint64_t places = element_count(t[2].desc->sizes);
    return {fmt::format("{}, each written to a place of 0 to {}, row-major over the whole output; other elements are 0",
                        counted(element_count(t[0].desc->sizes), "element", "elements"), places - 1),
            "the indices themselves are not read: MU4 is found when the model is played"};
  }
};

}  // namespace goldml::tool::detail
