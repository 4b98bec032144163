// The rules of ROI_POOLING, written from SPEC-windows 5: bins by the page's integers, every rounding of a corner that
// is near a half.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <goldml/operators/roi_pooling.hpp>

#include "allowed_layout.hpp"
#include "allowed_reduce.hpp"

namespace judged {

inline all_rules rules_of(const roi_pooling_desc& desc, input_refs inputs, output_descs outputs, bool flushing) {
  const values input = values_of(inputs[0]), regions = values_of(inputs[1]);
  const dimensions& sizes = inputs[0].desc().sizes;
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
      const auto member = [&](std::size_t i) {
        return static_cast<real>(static_cast<double>(value_of<T>(regions[5 * std::size_t{c[0]} + i])));
      };
      bool defined = true;
      std::vector<real> corners[4];
      for (std::size_t i = 0; i < 4; ++i) {
        const real p = member(1 + i) * static_cast<real>(desc.spatial_scale);
        defined = defined && std::abs(p) < 0x1p30L;
        if (!defined) break;
        for (real k = std::floor(p) - 1; k <= std::ceil(p) + 1; ++k)
          if (std::abs(p - k) <= 0.5L + std::abs(p) * unit_of_float) corners[i].push_back(k);
      }
      element_rule rule;
      for (const real x1 : corners[0])
        for (const real y1 : corners[1])
          for (const real x2 : corners[2])
            for (const real y2 : corners[3]) {
              if (!defined) break;
              const real height = y2 - y1 + 1, width = x2 - x1 + 1;
              std::vector<bits> taps;
              for (std::uint32_t i = 0; i < sizes[2]; ++i)
                for (std::uint32_t j = 0; j < sizes[3]; ++j) {
                  const auto inside = [](real place, real first, real extent, real bin, real bins) {
                    return place >= first + std::floor(bin * extent / bins) &&
                           place < first + std::floor(((bin + 1) * extent + bins - 1) / bins);
                  };
                  if (inside(i, y1, height, c[2], desc.pooled_size.height) &&
                      inside(j, x1, width, c[3], desc.pooled_size.width))
                    taps.push_back(input[number_of({static_cast<std::uint32_t>(member(0)), c[1], i, j}, sizes)]);
                }
              defined = defined && height >= 1 && width >= 1 && !taps.empty();
              if (!defined) break;
              const element_rule one = rule_of_extreme<T>(false, taps, false);
              rule.allowed.insert(rule.allowed.end(), one.allowed.begin(), one.allowed.end());
              if (!flushing || !std::is_same_v<T, float>) continue;
              const element_rule zero = rule_of_extreme<T>(false, taps, true);
              rule.allowed.insert(rule.allowed.end(), zero.allowed.begin(), zero.allowed.end());
            }
      rules.push_back(defined ? rule : element_rule{false, {}});
    }
  });
  return {rules};
}

}  // namespace judged
