// The named classes of input data, and an element of each.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/float16.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/oracle/random.hpp>

namespace goldml::oracle {

enum class data_class {
  ramp,      // 0, 1, 2, ...
  uniform,   // small numbers with equal probability; of arithmetic also any, and numbers that cancel
  ties,      // few different values, including -0.0
  special,   // quiet NaNs, infinities, signed zeros, subnormals that must not be flushed; ends of integers' ranges
  extremes,  // the largest and smallest finite numbers
  sparse,    // 1 % nonzero
  dense,     // all nonzero
  all_nan_slices,    // NaN, with few numbers
  collisions,        // uniform; index tuples select places more than once
  negative_indices,  // uniform; most indices count from the end
  out_of_range,      // uniform; some indices are out of range
  unsorted_axes,     // uniform; lists of axes do not ascend (ledger 7.3)
  signalling_nans,   // signalling NaNs among numbers; integers uniform
  subnormals,        // subnormals, also of FLOAT32, and zeros (ledger 7.4); integers uniform
  exact,  // integers from -4 to 4, whose sums no order rounds; of recurrent layers and attention also descs that do not
          // round, and data by which each fault shows. Nothing is broadcast
};

}  // namespace goldml::oracle

template <>
struct goldml::enumeration<goldml::oracle::data_class> : policy_enumeration {
  static constexpr auto values = enumerators<oracle::data_class>(
      "ramp", "uniform", "ties", "special", "extremes", "sparse", "dense", "all_nan_slices", "collisions",
      "negative_indices", "out_of_range", "unsorted_axes", "signalling_nans", "subnormals", "exact");
};

namespace goldml::oracle {

namespace detail {

template <class T>
T from_bits(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<typename goldml::detail::float_bits<T>::type>(bits));
}

template <class T>
inline constexpr std::uint64_t sign_bit = std::uint64_t{1} << (8 * sizeof(T) - 1);

// A small number of type T: of both signs for signed types, with halves for floating-point types.
template <class T>
T small_number(random_source& random, std::int64_t reach) {
  if constexpr (is_floating_type<T>)
    return static_cast<T>(static_cast<float>(random.between(-2 * reach, 2 * reach)) / 2.0F);
  else
    return static_cast<T>(random.between(std::is_signed_v<T> ? -reach : 0, reach));
}

template <class T>
inline constexpr auto least_normal_bits = static_cast<typename goldml::detail::float_bits<T>::type>(
    1ULL << std::countr_zero(goldml::detail::float_bits<T>::infinity));

// A signalling NaN, a quiet one, or more often a number.
template <class T>
T signalling_nan_or_number(random_source& random) {
  constexpr std::uint64_t quiet = least_normal_bits<T> / 2;
  constexpr std::uint64_t infinity = goldml::detail::float_bits<T>::infinity;
  const std::uint64_t sign = random.chance(50) ? sign_bit<T> : 0;
  if (random.chance(30)) return from_bits<T>(sign | infinity | (1 + random.below(quiet - 1)));
  if (random.chance(10)) return from_bits<T>(sign | infinity | quiet);
  return small_number<T>(random, 100);
}

// A subnormal, a zero, or sometimes a small number.
template <class T>
T subnormal_or_zero(random_source& random) {
  const std::uint64_t sign = random.chance(50) ? sign_bit<T> : 0;
  if (random.chance(60)) return from_bits<T>(sign | (1 + random.below(least_normal_bits<T> - 1)));
  return random.chance(70) ? from_bits<T>(sign) : small_number<T>(random, 2);
}

template <class T>
T special_number(random_source& random) {
  using limits = std::numeric_limits<T>;
  if constexpr (is_floating_type<T>) {
    using bits = typename goldml::detail::float_bits<T>::type;
    constexpr bits infinity = goldml::detail::float_bits<T>::infinity;
    constexpr bits least_normal = least_normal_bits<T>;
    constexpr bits quiet = least_normal / 2;
    const std::uint64_t sign = random.chance(50) ? sign_bit<T> : 0;
    const std::uint64_t fraction = 1 + random.below(least_normal - 1);  // not zero
    switch (random.below(6)) {
      case 0:
        return from_bits<T>(sign);  // zero
      case 1:
        return from_bits<T>(sign | infinity);  // infinity
      case 2:
        return from_bits<T>(sign | infinity | quiet | fraction);  // NaN
      case 3:  // subnormal if a device must not flush it, otherwise the smallest normal number
        return from_bits<T>(sign | (std::is_same_v<T, float> ? least_normal : fraction));
      case 4:
        return from_bits<T>(sign | (infinity - 1U));  // the largest finite number
      default:
        return small_number<T>(random, 2);
    }
  } else {
    const T values[] = {limits::lowest(),
                        (limits::max)(),
                        T{0},
                        T{1},
                        static_cast<T>(limits::lowest() + 1),
                        static_cast<T>((limits::max)() - 1)};
    return values[random.below(std::size(values))];
  }
}

// One of the largest or smallest finite numbers.
template <class T>
T extreme_number(random_source& random) {
  for (;;) {
    const T value = special_number<T>(random);
    if constexpr (is_floating_type<T>)
      if (goldml::detail::magnitude_bits(value) >= goldml::detail::float_bits<T>::infinity) continue;
    return value;
  }
}

template <class T>
T element_of(random_source& random, data_class data, std::uint64_t number) {
  switch (data) {
    case data_class::ramp:
      return static_cast<T>(static_cast<std::uint8_t>(number % 128));
    case data_class::ties: {
      const T value = static_cast<T>(static_cast<std::uint8_t>(random.below(3)));
      if constexpr (is_floating_type<T>)
        if (is_zero(value)) return from_bits<T>(random.chance(50) ? sign_bit<T> : 0);  // -ffast-math may merge zeros
      return value;
    }
    case data_class::special:
      return special_number<T>(random);
    case data_class::extremes:
      return extreme_number<T>(random);
    case data_class::sparse:
      return static_cast<T>(static_cast<std::uint8_t>(random.chance(1) ? 1 + random.below(100) : 0));
    case data_class::dense:
      return static_cast<T>(static_cast<std::uint8_t>(1 + random.below(100)));
    case data_class::signalling_nans:
      if constexpr (is_floating_type<T>) return signalling_nan_or_number<T>(random);
      return small_number<T>(random, 100);
    case data_class::subnormals:
      if constexpr (is_floating_type<T>) return subnormal_or_zero<T>(random);
      return small_number<T>(random, 2);
    case data_class::exact:
      return static_cast<T>(
          static_cast<std::int8_t>(random.between(std::is_signed_v<T> || is_floating_type<T> ? -4 : 0, 4)));
    case data_class::all_nan_slices:
      if constexpr (is_floating_type<T>)
        if (!random.chance(10)) return std::numeric_limits<T>::quiet_NaN();
      return small_number<T>(random, 100);
    default:
      return small_number<T>(random, 100);
  }
}

}  // namespace detail

// Sets every addressed element of a tensor to a value of the class, in logical order. The last value of a shared
// element remains. Gaps and padding keep their bytes.
inline void fill_with(random_source& random, data_class data, host_tensor& tensor) {
  visit_data_type(all_types{}, tensor.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const tensor_view<T> view = tensor.ref().as<T>();
    std::uint64_t number = 0;
    for (const coordinate_tuple& c : coordinates_of(tensor.desc().sizes))
      view[c] = detail::element_of<T>(random, data, number++);
  });
}

}  // namespace goldml::oracle
