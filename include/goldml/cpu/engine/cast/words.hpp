// The arithmetic of conversions, on words of 32 or 64 bits that hold an integer, extended, or a float of that width. It
// computes on bits and integers (ledger L7), without branches, so that compilers vectorise it. The only arithmetic on
// floats is exact and has normal operands and results.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/functions.hpp>

namespace goldml::detail {

// A floating-point format of Width bits.
template <int Width>
struct cast_format {
  using bits = simd::bits_of_size<std::size_t{Width} / 8>;
  static constexpr int width = Width;
  static constexpr int fraction = Width == 16 ? 10 : Width == 32 ? 23 : 52;
  static constexpr bits sign = static_cast<bits>(bits{1} << (Width - 1));
  static constexpr bits implicit_bit = static_cast<bits>(bits{1} << fraction);
  static constexpr bits bias = static_cast<bits>((bits{1} << (Width - fraction - 2)) - 1);
  static constexpr bits infinity = static_cast<bits>((2 * bias + 1) * implicit_bit);
  static constexpr bits quiet_nan = infinity | implicit_bit >> 1;
};

// The range of an integer type; `least` is the magnitude of the least value.
struct cast_range {
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;
};

template <class Bits>
struct cast_words {
  using bits = Bits;
  using signed_bits = std::make_signed_t<bits>;
  using format = cast_format<std::numeric_limits<bits>::digits>;
  using number = std::conditional_t<sizeof(bits) == 4, float, double>;
  static constexpr bits sign_bit = format::sign;
  static constexpr bits implicit_bit = format::implicit_bit;
  static constexpr int fraction = format::fraction;
  static constexpr int width = format::width;

  GOLDML_INLINE static bits mask(bool condition) { return mask_of<bits>(condition); }

  // A number below 2^fraction as a float, exactly. (Where the processor rounds down, the difference 0 is negative.)
  GOLDML_INLINE static bits float_of(bits x) {
    constexpr bits power = (format::bias + static_cast<bits>(fraction)) << fraction;  // 2^fraction
    return std::bit_cast<bits>(std::bit_cast<number>(power | x) - std::bit_cast<number>(power)) & ~sign_bit;
  }

  // An element of a narrower format. NaN is quiet.
  template <class From>
  GOLDML_INLINE static bits widened(bits x) {
    const bits magnitude = x & (From::sign - 1u);
    const bits sign = (x ^ magnitude) << (width - From::width);
    const bits normal = (magnitude << (fraction - From::fraction)) + ((format::bias - From::bias) << fraction);
    // The last bit of a subnormal is 2^(1 - bias - fraction).
    constexpr bits unit = (format::bias + 1 - From::bias - static_cast<bits>(From::fraction)) << fraction;
    const auto last_places = std::bit_cast<number>(float_of(x & (From::implicit_bit - 1u)));
    const bits subnormal = std::bit_cast<bits>(last_places * std::bit_cast<number>(unit));
    const bits finite = select(mask(signed_bits(magnitude) < signed_bits(From::implicit_bit)), subnormal, normal);
    const bits special = select(mask(magnitude == From::infinity), format::infinity, format::quiet_nan);
    return sign | select(mask(signed_bits(magnitude) < signed_bits(From::infinity)), finite, special);
  }

  // A float rounded to a narrower format, to nearest even. NaN is quiet.
  template <class To>
  GOLDML_INLINE static bits narrowed(bits x) {
    const bits magnitude = x & ~sign_bit;
    const auto stored = static_cast<signed_bits>(magnitude >> fraction);
    // Subnormals are below the least result that is not zero, with or without the implicit bit.
    const bits significand = (magnitude & (implicit_bit - 1)) | implicit_bit;
    // The exponent that the result stores, which is 1 for the last bit of subnormals, too.
    const signed_bits wanted = stored - signed_bits(format::bias) + signed_bits(To::bias);
    const signed_bits exponent = (std::max)(wanted, signed_bits{1});
    // Drops all bits but one that are dropped; the last bit that is kept and those gone before decide on a half.
    const signed_bits distance = fraction - To::fraction - 1 + (exponent - wanted);
    const bits shift = static_cast<bits>((std::min)(distance, signed_bits{width - 1}));
    const bits twice = significand >> shift;
    const bits up = ((twice >> 1) & 1) | ((twice << shift) != significand ? 1u : 0u);
    const bits rounded = (twice + up) >> 1;
    // The implicit bit and a carry add to the exponent.
    const bits sum = (static_cast<bits>(exponent - 1) << To::fraction) + rounded;
    const bits result = static_cast<bits>((std::min)(static_cast<signed_bits>(sum), signed_bits{To::infinity}));
    const bits sign = (x ^ magnitude) >> (width - To::width);
    return sign | select(mask(signed_bits(magnitude) > signed_bits(format::infinity)), bits{To::quiet_nan}, result);
  }

  // A signed number of at most 17 bits, exactly, in a word of 32 bits.
  GOLDML_INLINE static bits from_small_integer(bits x) {
    if constexpr (width == 32)
      return std::bit_cast<bits>(static_cast<float>(static_cast<signed_bits>(x)));
    else
      return x;  // not called
  }

  // An integer rounded to `precision` bits, to nearest even. narrowed() then only finds its overflow; in words of 32
  // bits it also rounds numbers of up to 24 bits, which are exact here.
  GOLDML_INLINE static bits from_integer(bits x, bool is_signed, int precision) {
    const bits negative = static_cast<bits>(static_cast<signed_bits>(x) >> (width - 1)) & mask(is_signed);
    const bits magnitude = (x ^ negative) - negative;
    // The position of the highest bit, from the exponent of the half of the bits that it is in.
    const bits upper = magnitude >> (width / 2);
    const bits in_upper = mask(upper != 0);
    const bits part = select(in_upper, upper, (magnitude | 1) & (~bits{0} >> (width / 2)));
    const bits exponent = (float_of(part) >> fraction) + (in_upper & (width / 2));  // with the bias
    const bits significand = magnitude << (format::bias + width - 1 - exponent);
    const int dropped = width - precision;
    const bits half = bits{1} << (dropped - 1);
    const bits kept = significand >> dropped;
    // Rounds up what is above a half, and a half if the last bit kept is set.
    const bits rest = (significand & (2 * half - 1)) + (kept & 1);
    const bits rounded = kept + (rest > half ? 1u : 0u);
    // The implicit bit and a carry add to the exponent.
    const bits result = ((exponent - 1) << fraction) + (rounded << (fraction + 1 - precision));
    return (result & mask(magnitude != 0)) | (negative & sign_bit);
  }

  // A float truncated toward zero, then the nearest integer of the range or, if it does not saturate, modulo 2^width.
  GOLDML_INLINE static bits to_integer(bits x, const cast_range& range, bool saturates) {
    const bits magnitude = x & ~sign_bit;
    const bits negative = static_cast<bits>(static_cast<signed_bits>(x) >> (width - 1));
    const auto stored = static_cast<signed_bits>(magnitude >> fraction);
    const bits significand = (magnitude & (implicit_bit - 1)) | implicit_bit;  // subnormals are shifted out
    const signed_bits shift = stored - signed_bits(format::bias) - fraction;  // the last bit is 2^shift
    const signed_bits most = width - 1;
    const signed_bits none = 0;
    const bits right = static_cast<bits>((std::min)((std::max)(static_cast<signed_bits>(-shift), none), most));
    const bits left = static_cast<bits>((std::min)((std::max)(shift, none), most));
    const bits whole = ((significand >> right) << left) & mask(shift <= most);
    const bits limit = select(negative, static_cast<bits>(range.least), static_cast<bits>(range.greatest));
    const bits fits = mask(shift < width - fraction) & mask(whole <= limit);
    const bits finite = select(fits | mask(!saturates), whole, limit);
    const bits result = finite & mask(signed_bits(magnitude) <= signed_bits(format::infinity));
    return (result ^ negative) - negative;
  }

  // The integer of the range that is nearest.
  GOLDML_INLINE static bits clamped(bits x, bool is_signed, const cast_range& range) {
    const bits negative = static_cast<bits>(static_cast<signed_bits>(x) >> (width - 1)) & mask(is_signed);
    const bits magnitude = (x ^ negative) - negative;
    const bits limit = select(negative, static_cast<bits>(range.least), static_cast<bits>(range.greatest));
    return ((std::min)(magnitude, limit) ^ negative) - negative;
  }
};

}  // namespace goldml::detail
