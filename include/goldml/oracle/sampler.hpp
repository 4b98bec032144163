// What the generator cannot know from an operator's description: legal descs and sizes at random, input values that
// only the operator can choose, and ways to break each of its own rules. Each operator has it in samplers/x.hpp.
#pragma once

#include <limits>
#include <type_traits>

#include <goldml/core/host_tensor.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/any_operator.hpp>
#include <goldml/oracle/data_class.hpp>
#include <goldml/oracle/random.hpp>

namespace goldml::oracle {

// Any bits of the type; of its NaNs only the quiet one, as a model's text holds no other, and no FLOAT32 subnormal.
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

// A value that is drawn as the elements of its class are: for what a case of class subnormals fills a tensor with.
inline scalar random_subnormal(random_source& random, data_type type) {
  scalar result = random_scalar(random, type);
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
    if constexpr (is_floating_type<T>) result = detail::subnormal_or_zero<T>(random);
  });
  return result;
}

// sampler<Desc> is specialised for each operator, with
//   sample(random, level)                    a legal case, all tensors packed
//   break_rule(random, case)                 breaks one rule of the operator's own in a legal case and returns its
//   code;
//                                            "" where the case cannot break the one drawn
//   suit(random, data_class, case)           makes a legal case one of the class; absent: only the values are
//   unshared_input                           an input that must not be broadcast; absent: none
//   fill(random, desc, data_class, inputs)   where some input's values are bound by others; absent: none are
}  // namespace goldml::oracle
