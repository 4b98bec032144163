// What the generator cannot derive from an operator's description: random legal descs and sizes, input values with
// constraints, and ways to break each of its own rules. samplers/x.hpp defines it for each operator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include <goldml/core/host_tensor.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/any_operator.hpp>
#include <goldml/oracle/data_class.hpp>
#include <goldml/oracle/random.hpp>

namespace goldml::oracle {

// Random bits of the type, except FLOAT32 subnormals and all NaNs but the quiet one, because a model's text has no
// others.
inline scalar random_scalar(random_source& random, data_type type) {
  scalar result;
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
    const T value = scalar::from_bits(type, random.bits()).as<T>();
    result = is_nan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
    if constexpr (std::is_same_v<T, float>)
      if (goldml::detail::magnitude_bits(value) < detail::least_normal_bits<float>) result = 0.0F;
  });
  return result;
}

// A random value of a class of data: for the value with which a case of class subnormals fills a tensor.
inline scalar random_subnormal(random_source& random, data_type type) {
  scalar result = random_scalar(random, type);
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
    if constexpr (is_floating_type<T>) result = detail::subnormal_or_zero<T>(random);
  });
  return result;
}

// sampler<Desc> is specialised for each operator, with
//   sample(random, level)      a legal case, all tensors packed
//   options                    sampler_options<Desc>: what only some samplers have
// and, if the operator has rules that its rows do not state,
//   break_rule(random, case)   breaks one of them in a legal case and returns its code; "" if the case cannot break the
//                              chosen rule

// The desc of a tensor that an operand takes at a level.
inline tensor_desc random_tensor(random_source& random, std::span<const operand_limits> all, feature_level level) {
  const operand_limits& limits = *limits_at(all, level);
  tensor_desc result{.data_type = random.pick(limits.data_types)};
  result.sizes = random.sizes(limits.fewest_dimensions, limits.most_dimensions);
  return result;
}

// How much larger than a tensor of these sizes another one of the case may be, so that cases stay small. At least 4.
inline std::uint64_t room_to_grow(const random_source& random, const dimensions& sizes) {
  return (std::max<std::uint64_t>)(4, 4 * random.most_elements() / element_count(sizes));
}

}  // namespace goldml::oracle
