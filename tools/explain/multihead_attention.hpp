// What --explain prints about MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1.
#pragma once

#include <string>
#include <vector>

#include <goldml/operators/multihead_attention.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <attention_operator Desc>
struct explanation<Desc> {
  static std::vector<std::string> facts(const Desc& desc, const operands_of<Desc>& t) {
    for (const operand& each : t)
      if (each.desc && !each.legal) return {};
    const auto z = goldml::detail::attention_sizes_of(desc, t);
    if (z.source == goldml::detail::attention_source::none || z.n == 0 || z.g == 0) return {};
    bool in_place = false;
    if constexpr (operator_traits<Desc>::has_lengths)
      in_place = t[goldml::detail::attention_places::lengths].desc.has_value();
    return {fmt::format("{} of {} over {}, in {} of {}; values of {}", counted(z.b, "sequence", "sequences"),
                        counted(z.s, "query", "queries"),
                        in_place ? fmt::format("caches of {}", counted(z.p, "key", "keys"))
                                 : fmt::format("{} past and {} new", z.p, counted(z.l, "key", "keys")),
                        counted(z.n, "head", "heads"), counted(z.d, "number", "numbers"), z.dv),
            fmt::format("each key head is that of {}", counted(z.n / z.g, "query head", "query heads"))};
  }
};

}  // namespace goldml::tool::detail
