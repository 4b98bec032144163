// The functions of the element-wise operators on the bits of elements, without branches, so that compilers vectorise
// loops over them. They compare and round without floating-point arithmetic (ledger L7).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/operators/element_wise.hpp>

namespace goldml::detail {

// The bits of elements of type T as numbers.
template <class T>
struct number_bits {
  using bits = simd::bits_of_size<sizeof(T)>;
  using signed_bits = std::make_signed_t<bits>;
  static constexpr bool is_float = is_floating_type<T>;
  static constexpr int width = std::numeric_limits<bits>::digits;
  static constexpr bits sign = static_cast<bits>(bits{1} << (width - 1));

  static constexpr bits infinity() {
    if constexpr (is_float)
      return float_bits<T>::infinity;
    else
      return 0;
  }
  GOLDML_INLINE static bool is_negative(bits x) {
    return (is_float || std::is_signed_v<T>)&&static_cast<signed_bits>(x) < 0;
  }
  GOLDML_INLINE static signed_bits magnitude(bits x) { return static_cast<signed_bits>(x & static_cast<bits>(~sign)); }
  GOLDML_INLINE static bool is_nan(bits x) { return is_float && magnitude(x) > static_cast<signed_bits>(infinity()); }

  // Integers in the order of the numbers. -0 is below +0 in the first, and equal to it in the second.
  GOLDML_INLINE static auto total_key(bits x) {
    if constexpr (is_float)
      return static_cast<signed_bits>(is_negative(x) ? x ^ static_cast<bits>(~sign) : x);
    else
      return static_cast<T>(x);
  }
  GOLDML_INLINE static auto key(bits x) {
    if constexpr (is_float)
      return static_cast<signed_bits>(is_negative(x) ? -magnitude(x) : magnitude(x));
    else
      return static_cast<T>(x);
  }
};

template <class T>
using number_bits_of = typename number_bits<T>::bits;

// MIN and MAX: whether the result is a, where `first` says whether a is, by its order, if neither is NaN.
template <class T>
GOLDML_INLINE bool takes_first(number_bits_of<T> a, number_bits_of<T> b, bool first, bool propagate) {
  using n = number_bits<T>;
  return n::is_nan(a) ? propagate : n::is_nan(b) ? !propagate : first;
}
template <class T>
GOLDML_INLINE number_bits_of<T> lesser(number_bits_of<T> a, number_bits_of<T> b, bool propagate) {
  using n = number_bits<T>;
  return takes_first<T>(a, b, n::total_key(a) <= n::total_key(b), propagate) ? a : b;
}
template <class T>
GOLDML_INLINE number_bits_of<T> greater(number_bits_of<T> a, number_bits_of<T> b, bool propagate) {
  using n = number_bits<T>;
  return takes_first<T>(a, b, n::total_key(a) >= n::total_key(b), propagate) ? a : b;
}

// How magnitudes are rounded: to the nearest integer, or up if they have a fraction and that sign.
struct rounding_rule {
  bool nearest = false;
  bool halves_to_even = false;  // otherwise up
  bool positive_up = false;
  bool negative_up = false;
};
inline rounding_rule rounding_of(const element_wise_ceil_desc&) { return {.positive_up = true}; }
inline rounding_rule rounding_of(const element_wise_floor_desc&) { return {.negative_up = true}; }
inline rounding_rule rounding_of(const element_wise_round_desc& desc) {
  return {.nearest = desc.rounding_mode != rounding_mode::toward_zero,
          .halves_to_even = desc.rounding_mode == rounding_mode::halves_to_nearest_even};
}

// Below 1 the integer part is 0 and the fraction is the magnitude. From there on, the last `shift` bits are the
// fraction. The bit above them, the lowest of the integer part, is in [1, 2) that of the exponent, which is odd.
template <class T>
GOLDML_INLINE number_bits_of<T> rounded(number_bits_of<T> x, const rounding_rule& rule) {
  using n = number_bits<T>;
  using bits = number_bits_of<T>;
  constexpr int mantissa = std::is_same_v<T, float> ? 23 : 10;
  constexpr int bias = std::is_same_v<T, float> ? 127 : 15;
  const auto as_bits = [](auto value) GOLDML_INLINE_LAMBDA { return static_cast<bits>(value); };
  constexpr bits one = static_cast<bits>(bits{bias} << mantissa);
  constexpr bits one_half = static_cast<bits>(bits{bias - 1} << mantissa);
  constexpr bits no_fraction = static_cast<bits>(bits{bias + mantissa} << mantissa);
  const bits magnitude = as_bits(n::magnitude(x));
  const int exponent = static_cast<int>(magnitude >> mantissa);
  const bool below_one = exponent < bias;
  const int distance = bias + mantissa - exponent;
  const int shift = distance < 0 ? 0 : distance > mantissa ? mantissa : distance;
  const bits unit = as_bits(bits{1} << shift);
  const bits fraction = below_one ? magnitude : as_bits(magnitude & (unit - 1u));
  const bits whole = below_one ? bits{0} : as_bits(magnitude - fraction);
  const bits half = below_one ? one_half : as_bits(unit >> 1);
  const bits odd = below_one ? bits{0} : as_bits((magnitude >> shift) & 1u);
  const bits nearest_from = as_bits(half - (rule.halves_to_even ? odd : bits{1}));
  const bits directed_from = (n::is_negative(x) ? rule.negative_up : rule.positive_up) ? bits{0} : n::sign;
  const bool up = fraction > (rule.nearest ? nearest_from : directed_from);
  const bits result = as_bits((x & n::sign) | as_bits(whole + (up ? (below_one ? one : unit) : bits{0})));
  return magnitude >= no_fraction ? x : result;
}

// The number of bits that are set, without a table and without an instruction for it.
template <class Bits>
GOLDML_INLINE int count_bits(Bits x) {
  const auto as_bits = [](auto value) GOLDML_INLINE_LAMBDA { return static_cast<Bits>(value); };
  constexpr Bits ones = static_cast<Bits>(static_cast<Bits>(~Bits{0}) / 255u);  // 0x0101..
  x = as_bits(x - as_bits(as_bits(x >> 1) & as_bits(ones * 0x55u)));
  x = as_bits(as_bits(x & as_bits(ones * 0x33u)) + as_bits(as_bits(x >> 2) & as_bits(ones * 0x33u)));
  x = as_bits(as_bits(x + as_bits(x >> 4)) & as_bits(ones * 0x0Fu));
  return static_cast<int>(as_bits(x * ones) >> (8 * (sizeof(Bits) - 1)));
}

// element_wise_kernel<Op, T>: made from a desc; operator()(bits of the inputs...) gives the bits of the output, or a
// bool or int where the output's type does not depend on the inputs'. T is the type of the inputs (of A and B in IF).
template <element_wise_op Op, class T>
struct element_wise_kernel {
  using n = number_bits<T>;
  using bits = number_bits_of<T>;
  using op = element_wise_op;
  static constexpr std::size_t input_count = element_wise_row_of<Op>.input_count;

  explicit element_wise_kernel(const element_wise_desc<Op>& desc) {
    if constexpr (requires { desc.nan_policy; }) propagate = desc.nan_policy == nan_policy::propagate;
    if constexpr (requires { desc.shift_policy; }) mask_count = desc.shift_policy == shift_policy::mask;
    if constexpr (requires { desc.min; }) {
      low = std::bit_cast<bits>(clip_bound<T>(desc.min));
      high = std::bit_cast<bits>(clip_bound<T>(desc.max));
    }
    if constexpr (requires { desc.infinity_mode; }) {
      positive = desc.infinity_mode != is_infinity_mode::negative;
      negative = desc.infinity_mode != is_infinity_mode::positive;
    }
    if constexpr (requires { rounding_of(desc); }) rounding = rounding_of(desc);
    if constexpr (Op == op::sign) {
      low = std::bit_cast<bits>(static_cast<T>(1));
      if constexpr (n::is_float || std::is_signed_v<T>) high = std::bit_cast<bits>(static_cast<T>(-1));
    }
  }

  GOLDML_INLINE auto operator()(bits x) const {
    if constexpr (Op == op::abs) {
      const bits sign = n::is_negative(x) ? static_cast<bits>(~bits{0}) : bits{0};
      return n::is_float ? static_cast<bits>(n::magnitude(x)) : static_cast<bits>((x ^ sign) - sign);
    } else if constexpr (Op == op::negate) {
      return n::is_float ? static_cast<bits>(x ^ n::sign) : static_cast<bits>(bits{0} - x);
    } else if constexpr (Op == op::sign) {
      const bits nan_result = propagate ? x : bits{0};
      const bits number = n::key(x) == 0 ? bits{0} : n::is_negative(x) ? high : low;
      return n::is_nan(x) ? nan_result : number;
    } else if constexpr (Op == op::is_nan) {
      return n::is_nan(x);
    } else if constexpr (Op == op::is_infinity) {
      return n::magnitude(x) == static_cast<typename n::signed_bits>(n::infinity()) &&
             (n::is_negative(x) ? negative : positive);
    } else if constexpr (Op == op::ceil || Op == op::floor || Op == op::round) {
      return rounded<T>(x, rounding);
    } else if constexpr (Op == op::clip) {
      return lesser<T>(high, greater<T>(low, x, propagate), propagate);
    } else if constexpr (Op == op::clip1) {
      return greater<T>(low, lesser<T>(x, high, propagate), propagate);
    } else if constexpr (Op == op::logical_not) {
      return x == 0;
    } else if constexpr (Op == op::bit_not) {
      return static_cast<bits>(~x);
    } else {
      static_assert(Op == op::bit_count);
      return count_bits(x);
    }
  }

  GOLDML_INLINE auto operator()(bits a, bits b) const {
    if constexpr (Op == op::min) {
      return lesser<T>(a, b, propagate);
    } else if constexpr (Op == op::max) {
      return greater<T>(a, b, propagate);
    } else if constexpr (Op == op::logical_and) {
      return (a != 0) & (b != 0);
    } else if constexpr (Op == op::logical_or) {
      return (a != 0) | (b != 0);
    } else if constexpr (Op == op::logical_xor) {
      return (a != 0) != (b != 0);
    } else if constexpr (Op == op::logical_equals) {
      return !n::is_nan(a) & !n::is_nan(b) & (n::key(a) == n::key(b));
    } else if constexpr (Op == op::logical_greater_than) {
      return !n::is_nan(a) & !n::is_nan(b) & (n::key(a) > n::key(b));
    } else if constexpr (Op == op::logical_less_than) {
      return !n::is_nan(a) & !n::is_nan(b) & (n::key(a) < n::key(b));
    } else if constexpr (Op == op::logical_greater_than_or_equal) {
      return !n::is_nan(a) & !n::is_nan(b) & (n::key(a) >= n::key(b));
    } else if constexpr (Op == op::logical_less_than_or_equal) {
      return !n::is_nan(a) & !n::is_nan(b) & (n::key(a) <= n::key(b));
    } else if constexpr (Op == op::bit_and) {
      return static_cast<bits>(a & b);
    } else if constexpr (Op == op::bit_or) {
      return static_cast<bits>(a | b);
    } else if constexpr (Op == op::bit_xor) {
      return static_cast<bits>(a ^ b);
    } else {
      static_assert(Op == op::bit_shift_left || Op == op::bit_shift_right);
      const bits count = mask_count ? static_cast<bits>(b & (n::width == 64 ? 63u : 31u)) : b;
      const bool too_far = count >= n::width;
      const int distance = too_far ? 0 : static_cast<int>(count);
      const bits shifted = static_cast<bits>(Op == op::bit_shift_left ? a << distance : a >> distance);
      return too_far ? bits{0} : shifted;
    }
  }

  GOLDML_INLINE bits operator()(std::uint8_t condition, bits a, bits b) const { return condition != 0 ? a : b; }

  bool propagate = false;
  bool mask_count = false;
  bool positive = false;
  bool negative = false;
  bits low = 0;  // of CLIP and CLIP1, Min; of SIGN, 1
  bits high = 0;
  rounding_rule rounding = {};
};

}  // namespace goldml::detail
