// Measures how simple a number is, and suggests simpler ones. Used by shrink.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/core/attributes.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/float16.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/packed_elements.hpp>
#include <goldml/core/scalar.hpp>

namespace goldml::oracle::detail {

inline double number_of(const scalar& value) {
  double number = 0;
  if (value.type())
    visit_data_type(all_types{}, *value.type(), [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_same_v<T, float16>)
        number = static_cast<double>(static_cast<float>(value.as<T>()));
      else
        number = static_cast<double>(value.as<T>());
    });
  return number;
}

// The number converted to `type`, or to a byte of 4 bits. For integers it saturates, and NaN becomes 0. For floating
// types a NaN becomes quiet.
inline scalar scalar_of(data_type type, double number) {
  scalar result;
  if (is_4_bit(type)) {
    const double least = type == data_type::int4 ? -8 : 0;
    if (!std::isnan(number)) number = std::clamp(number, least, least + 15);
    type = unpacked_type(type);
  }
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>) {
      constexpr auto lowest = static_cast<double>(std::numeric_limits<T>::lowest());
      constexpr auto end = static_cast<double>((std::numeric_limits<T>::max)() / 2 + 1) * 2;  // exact
      result = std::isnan(number) ? T{0}
               : number < lowest  ? std::numeric_limits<T>::lowest()
               : number >= end    ? (std::numeric_limits<T>::max)()
                                  : static_cast<T>(number);
    } else if (std::isnan(number)) {
      result = std::numeric_limits<T>::quiet_NaN();
    } else if constexpr (std::is_same_v<T, double>) {
      result = number;
    } else {
      result = static_cast<T>(static_cast<float>(number));
    }
  });
  return result;
}

// The cost of a number: 0 for 0, small for small integers, more for negative ones, fractions, large and tiny numbers,
// infinity and NaN.
inline std::uint64_t plainness(double number) {
  constexpr std::uint64_t large = std::uint64_t{1} << 20;
  if (std::isnan(number)) return 4 * large;
  if (std::isinf(number)) return 2 * large + (number < 0 ? 1 : 0);
  if (number == 0) return std::signbit(number) ? 4 : 0;
  const double size = std::abs(number);
  const std::uint64_t sign = number < 0 ? 1 : 0;
  if (size > 65536 || size < 1.0 / 65536)
    return large + static_cast<std::uint64_t>(std::abs(std::ilogb(size))) * 2 + sign;
  if (size == std::floor(size)) return static_cast<std::uint64_t>(size) * 2 + sign;
  return (static_cast<std::uint64_t>(size) + 1) * 16 + sign;
}

inline bool is_plain_nan(const scalar& value) {
  bool plain = false;
  visit_data_type(all_types{}, *value.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (is_floating_type<T>) plain = value == scalar(std::numeric_limits<T>::quiet_NaN());
  });
  return plain;
}

inline std::uint64_t plainness(const scalar& value) {
  const double number = number_of(value);
  return plainness(number) + (std::isnan(number) && !is_plain_nan(value) ? 1 : 0);
}

// Simpler numbers to try, the simplest first.
inline std::vector<double> plainer_numbers(double number) {
  std::vector<double> result;
  if (std::isnan(number)) result.push_back(number);  // as a quiet NaN
  for (const double candidate : {0.0, 1.0, 2.0, -1.0, -2.0, std::trunc(number / 2), std::trunc(number), number - 1,
                                 number + 1, std::abs(number)})
    if (plainness(candidate) < plainness(number) && std::find(result.begin(), result.end(), candidate) == result.end())
      result.push_back(candidate);
  return result;
}

// Whether T has that number. Floating-point types have all, rounded.
template <class T>
bool has_number(double number) {
  if constexpr (std::is_integral_v<T>)
    return number >= static_cast<double>((std::numeric_limits<T>::min)()) &&
           number < std::ldexp(1.0, std::numeric_limits<T>::digits);
  else
    return true;
}

// The elements of a tensor in row-major order.
inline std::vector<scalar> elements_of(const const_tensor_ref& tensor) {
  std::vector<scalar> elements;
  const readable_tensor readable(tensor);
  visit_data_type(all_types{}, readable.ref().desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto view = readable.ref().as<T>();
    for (const coordinate_tuple& c : coordinates_of(tensor.desc().sizes)) elements.emplace_back(view[c]);
  });
  return elements;
}

// Gives a tensor new sizes. The new element c is the old element old_place(c), or 0 if that is outside.
template <class OldPlace>
void reshape(tensor_desc& tensor, std::vector<scalar>& elements, const dimensions& sizes, const OldPlace& old_place) {
  if (!elements.empty()) {
    const dimensions strides = packed_strides(tensor.sizes);
    std::vector<scalar> kept;
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      const coordinate_tuple old = old_place(c);
      bool inside = true;
      for (std::size_t i = 0; i < old.size(); ++i) inside = inside && old[i] < tensor.sizes[i];
      kept.push_back(inside ? elements[static_cast<std::size_t>(offset_of(old, strides))]
                            : scalar_of(tensor.data_type, 0));
    }
    elements = std::move(kept);
  }
  tensor.sizes = sizes;
}

inline dimensions without(const dimensions& values, std::size_t index) {
  return concatenate(values.slice(0, index), values.slice(index + 1, values.size()));
}

// Changes a size. If it becomes smaller, the removed positions begin at `gap`.
inline void set_size(tensor_desc& tensor, std::vector<scalar>& elements, std::size_t dimension, std::uint32_t size,
                     std::uint32_t gap) {
  dimensions sizes = tensor.sizes;
  const std::uint32_t left_out = sizes[dimension] > size ? sizes[dimension] - size : 0;
  sizes[dimension] = size;
  reshape(tensor, elements, sizes, [&](const coordinate_tuple& c) {
    coordinate_tuple old = c;
    if (c[dimension] >= gap) old[dimension] += left_out;
    return old;
  });
}

// Removes a dimension and keeps its first position. The tensor must have at least two dimensions.
inline void remove_dimension(tensor_desc& tensor, std::vector<scalar>& elements, std::size_t dimension) {
  reshape(tensor, elements, without(tensor.sizes, dimension), [&](const coordinate_tuple& c) {
    coordinate_tuple old = c.slice(0, dimension);
    old.push_back(0);
    old.append(c.slice(dimension, c.size()));
    return old;
  });
  if (!tensor.strides.empty()) tensor.strides = without(tensor.strides, dimension);
}

// Merges a dimension into the next one. The new size is the product of both sizes minus `dropped`; the positions left
// out begin at `gap`, or are the last ones if there are fewer from there on. Elements keep their order. Strides become
// packed.
inline void merge_dimension(tensor_desc& tensor, std::vector<scalar>& elements, std::size_t dimension,
                            std::uint32_t dropped, std::uint32_t gap) {
  dimensions merged = tensor.sizes;
  merged[dimension + 1] = static_cast<std::uint32_t>(std::uint64_t{merged[dimension]} * merged[dimension + 1]);
  merged[dimension] = 1;
  tensor.sizes = merged;
  tensor.strides = {};
  tensor.total_tensor_size_in_bytes = {};
  const std::uint32_t size = merged[dimension + 1] - dropped;
  set_size(tensor, elements, dimension + 1, size, (std::min)(gap, size));
}

// Adds leading dimensions of size 1, or removes leading dimensions. 1 <= count <= 8.
inline void set_dimension_count(tensor_desc& tensor, std::vector<scalar>& elements, std::size_t count) {
  while (tensor.sizes.size() > count) remove_dimension(tensor, elements, 0);
  if (!tensor.strides.empty()) tensor.strides = left_pad(tensor.strides, count, 1);
  tensor.sizes = left_pad(tensor.sizes, count, 1);
}

inline void set_data_type(tensor_desc& tensor, std::vector<scalar>& elements, data_type type) {
  tensor.data_type = type;
  for (scalar& value : elements) value = scalar_of(type, number_of(value));
}

}  // namespace goldml::oracle::detail
