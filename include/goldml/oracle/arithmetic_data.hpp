// Input data that tell rounding arithmetic apart: all bits of a significand, sums that cancel, integers that wrap.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/oracle/data_class.hpp>

namespace goldml::oracle::detail {

// A number with a random significand between 2^-4 and 2^4, of either sign; an integer with random bits.
template <class T>
T full_number(random_source& random) {
  if constexpr (is_floating_type<T>) {
    constexpr std::uint64_t normal = least_normal_bits<T>;
    constexpr std::uint64_t bias = goldml::detail::float_bits<T>::infinity / normal / 2;
    const std::uint64_t sign = random.chance(50) ? sign_bit<T> : 0;
    return from_bits<T>(sign | (bias - 4 + random.below(8)) * normal | random.below(normal));
  } else {
    return static_cast<T>(random.bits());
  }
}

// Element `number` of data that cancel: elements 2k and 2k+1, in all tensors with the same `key`, have nearly the same
// magnitude, and either sign.
template <class T>
T cancelling_number(random_source& random, std::uint64_t key, std::uint64_t number) {
  if constexpr (is_floating_type<T>) {
    random_source pair(key + number / 2);
    const T shared = full_number<T>(pair);
    const std::uint64_t magnitude = std::uint64_t{goldml::detail::magnitude_bits(shared)} + random.below(4);
    return from_bits<T>((random.chance(50) ? sign_bit<T> : 0) | magnitude);
  } else {
    return full_number<T>(random);
  }
}

// Replaces data of class `uniform`, which are small numbers, in two of three cases by such data.
inline void fill_for_arithmetic(random_source& random, data_class data, std::span<host_tensor> inputs) {
  if (data != data_class::uniform) return;
  const std::uint64_t kind = random.below(3);
  if (kind == 0) return;
  const std::uint64_t key = random.bits();
  for (host_tensor& input : inputs) {
    if (input.bytes().empty()) continue;
    visit_data_type(all_types{}, input.desc().data_type, [&]<class T>(std::type_identity<T>) {
      const tensor_view<T> view = input.ref().as<T>();
      std::uint64_t number = 0;
      for (const coordinate_tuple& c : coordinates_of(input.desc().sizes)) {
        view[c] = kind == 1 ? full_number<T>(random) : cancelling_number<T>(random, key, number);
        ++number;
      }
    });
  }
}

}  // namespace goldml::oracle::detail
