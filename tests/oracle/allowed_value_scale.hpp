// The rules of VALUE_SCALE_2D, written from its page and the ledger's VS-R1: a sum of a product and a number.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include <goldml/operators/value_scale_2d.hpp>

#include "allowed_reduce.hpp"

namespace judged {

inline all_rules rules_of(const value_scale_2d_desc& desc, input_refs inputs, output_descs, bool flushing = false) {
  const values input = values_of(inputs[0]);
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    constexpr bool is_float32 = std::is_same_v<T, float>;
    for (const coordinate_tuple& c : coordinates_of(inputs[0].desc().sizes)) {
      const real x = static_cast<real>(static_cast<double>(value_of<T>(input[rules.size()])));
      const real scale = static_cast<real>(desc.scale), bias = static_cast<real>(desc.bias[c[1]]);
      const real lesser = std::min(std::abs(scale), std::abs(x)), product = scale * x;
      approximate y = sum_of({product, bias}, {lesser, bias, 1}, 2, is_float32, flushing).result;
      const bool may_lose_infinity = flushing && is_float32 && lesser != 0 && lesser < least_normal;
      if (std::isinf(product) && may_lose_infinity) y.nan = true;
      rules.push_back(rule_of_number<T>(y, false));
    }
  });
  return {rules};
}

}  // namespace judged
