// Cumulative sums and products whose elements are computed one after the other: of integers, and products of floats.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/cumulative/lines.hpp>
#include <goldml/operators/cumulative.hpp>

namespace goldml::detail {

// Integers, modulo 2^bits.
template <class Desc, class T>
class running_element {
 public:
  void add(T x) {
    if constexpr (multiplies<Desc>)
      value_ = value_ * static_cast<bits>(x);
    else
      value_ = value_ + static_cast<bits>(x);
  }
  T result() const { return static_cast<T>(value_); }

 private:
  using bits = std::make_unsigned_t<T>;
  bits value_ = multiplies<Desc> ? 1 : 0;
};

// A product of floats: a double in [1, 2) times a power of two, with a bound on its error; beside it the exact product,
// which is rounded where the bound leaves open how.
template <class T>
requires is_floating_type<T>
class running_element<cumulative_product_desc, T> {
 public:
  void add(T element) {
    const double x = exact_double(element);
    exact_.multiply(x);
    known_ = known_ && is_finite_double(x) && !is_zero(x);
    if (!known_) return;
    // 53 bits hold products of factors that have no more than that together.
    bits_ += static_cast<std::int64_t>(std::bit_width(odd_part(x).significand));
    if (bits_ > 53) ++roundings_;
    significand_ *= x;
    const auto all = std::bit_cast<std::uint64_t>(significand_);
    constexpr std::uint64_t one = std::uint64_t{1023} << 52;
    exponent_ += static_cast<std::int64_t>(magnitude_bits(significand_) >> 52) - 1023;
    significand_ = std::bit_cast<double>((all & ~(std::uint64_t{0x7FF} << 52)) | one);
  }

  T result() const {
    if (!known_) return exact_result();
    const double error = roundings_ * 0x1p-52;
    const auto exponent = static_cast<int>(exponent_ < -1000 ? -1000 : exponent_ > 900 ? 900 : exponent_);
    const T low = goldml::rounded<T>(std::ldexp(significand_ * (1 - error), exponent));
    const T high = goldml::rounded<T>(std::ldexp(significand_ * (1 + error), exponent));
    return magnitude_bits(low) == magnitude_bits(high) ? low : exact_result();
  }

 private:
  T exact_result() const { return goldml::rounded<T>(exact_.value()); }

  extended_product exact_;
  double significand_ = 1;  // below 2 in magnitude
  double roundings_ = 0;    // of the significand
  std::int64_t exponent_ = 0;
  std::int64_t bits_ = 0;
  bool known_ = true;  // no factor was a zero, infinite or NaN
};

// Walks along each line, or along several lines together where that is the order of memory.
template <class Desc, class T>
void cumulate_elements(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<T>& output,
                       const Desc& desc) {
  constexpr std::size_t most = 32;
  const bool exclusive = is_exclusive(desc);
  const auto group = [&](const scanned_lines<T>& lines) -> std::uint64_t {
    return lines.lines_are_contiguous() ? most : 1;
  };
  const bool backwards = desc.axis_direction == axis_direction::decreasing;
  for_each_line(backend, input, output, desc.axis, backwards, group, [&](const scanned_lines<T>& lines) {
    const ieee_arithmetic mode;
    std::array<running_element<Desc, T>, most> results;
    const T* from = lines.from;
    T* to = lines.to;
    for (std::uint64_t k = 0; k < lines.length; ++k, from += lines.from_step, to += lines.to_step)
      for (std::size_t i = 0; i < static_cast<std::size_t>(lines.count); ++i) {
        const T x = from[static_cast<std::ptrdiff_t>(i) * lines.from_line];
        running_element<Desc, T>& result = results[i];
        if (!exclusive) result.add(x);
        to[static_cast<std::ptrdiff_t>(i) * lines.to_line] = result.result();
        if (exclusive) result.add(x);
      }
  });
}

}  // namespace goldml::detail
