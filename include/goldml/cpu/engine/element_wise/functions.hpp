// The functions of the element-wise operators on the bits of elements, without branches, so that compilers vectorise
// loops over them. But for those of arithmetic.hpp, and CEIL, FLOOR and ROUND, which use the processor's arithmetic in
// the mode of base/float_mode.hpp, they compare without floating-point arithmetic (ledger L7).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/arithmetic/pairs.hpp>
#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/arithmetic.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>
#include <goldml/operators/element_wise.hpp>

namespace goldml::detail {

// MIN and MAX: `first` is the mask of the order where neither is NaN.
template <class T>
GOLDML_INLINE number_bits_of<T> choose(number_bits_of<T> a, number_bits_of<T> b, number_bits_of<T> first,
                                       bool propagate) {
  using n = number_bits<T>;
  using bits = number_bits_of<T>;
  if constexpr (n::is_float) {
    const bits nan_wins = mask_of<bits>(propagate);
    const bits a_is_nan = mask_of<bits>(n::is_nan(a));
    const bits b_is_nan = mask_of<bits>(n::is_nan(b));
    first = select(b_is_nan, static_cast<bits>(~nan_wins), first);
    first = select(a_is_nan, nan_wins, first);
  }
  return select(first, a, b);
}
template <class T>
GOLDML_INLINE number_bits_of<T> lesser(number_bits_of<T> a, number_bits_of<T> b, bool propagate) {
  using n = number_bits<T>;
  return choose<T>(a, b, mask_of<number_bits_of<T>>(n::total_key(a) <= n::total_key(b)), propagate);
}
template <class T>
GOLDML_INLINE number_bits_of<T> greater(number_bits_of<T> a, number_bits_of<T> b, bool propagate) {
  using n = number_bits<T>;
  return choose<T>(a, b, mask_of<number_bits_of<T>>(n::total_key(a) >= n::total_key(b)), propagate);
}

// How ROUND leaves the nearest integer of a magnitude, halves to even: one more if the rest, from -1/2 to 1/2, is above
// the first, one less if it is below the second.
struct rounding_rule {
  float one_more_above = 1;
  float one_less_below = -1;
};
inline rounding_rule rounding_of(const element_wise_round_desc& desc) {
  if (desc.rounding_mode == rounding_mode::toward_zero) return {.one_less_below = 0};
  if (desc.rounding_mode == rounding_mode::toward_infinity) return {.one_more_above = 0x1.fffffep-2F};  // below 1/2
  return {};
}

GOLDML_INLINE float one_if(bool condition) {
  return std::bit_cast<float>(mask_of<std::uint32_t>(condition) & std::bit_cast<std::uint32_t>(1.0F));
}

// CEIL, FLOOR, ROUND. A number below 2^23 plus 2^23 of its sign is rounded to an integer, to nearest even; the
// difference is that integer. FLOAT16 is computed in FLOAT32, which holds it and the result.
template <element_wise_op Op, class T>
GOLDML_INLINE number_bits_of<T> rounded_to_integer(number_bits_of<T> x, const rounding_rule& rule) {
  constexpr bool is_half = std::is_same_v<T, float16>;
  constexpr std::uint32_t no_fraction = is_half ? 25U << 10 : 150U << 23;  // the bits of 2^10 and of 2^23
  constexpr float integers_from = 0x1p23F;
  const std::uint32_t sign = x & number_bits<T>::sign;
  const std::uint32_t magnitude = x ^ sign;
  float a = 0;
  if constexpr (is_half)
    a = std::bit_cast<float>(magnitude << 13) * 0x1p112F;  // exact; infinities and NaN are not used
  else
    a = std::bit_cast<float>(magnitude);
  float y = 0;
  if constexpr (Op == element_wise_op::round) {
    const float nearest = (a + integers_from) - integers_from;
    const float rest = a - nearest;  // exact
    y = nearest + one_if(rest > rule.one_more_above) - one_if(rest < rule.one_less_below);
  } else {
    const std::uint32_t float_sign = is_half ? sign << 16 : sign;
    const float number = std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) | float_sign);
    const float shift = std::bit_cast<float>(std::bit_cast<std::uint32_t>(integers_from) | float_sign);
    const float nearest = (number + shift) - shift;
    y = Op == element_wise_op::ceil ? nearest + one_if(nearest < number) : nearest - one_if(nearest > number);
  }
  std::uint32_t result = std::bit_cast<std::uint32_t>(y) & 0x7FFF'FFFF;
  if constexpr (is_half)  // an integer: 0, or a normal number
    result = ((result >> 13) - (112U << 10)) & mask_of<std::uint32_t>(result != 0);
  const std::uint32_t unchanged =
      mask_of<std::uint32_t>(static_cast<std::int32_t>(magnitude) >= static_cast<std::int32_t>(no_fraction));
  return static_cast<number_bits_of<T>>(select(unchanged, magnitude, result) | sign);
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

// The pairs of arithmetic/pairs.hpp, one by one.
template <element_wise_op Op, class T>
T pair_of(T a, T b) {
  if constexpr (Op == element_wise_op::mean)
    return arithmetic::mean_of(a, b);
  else if constexpr (Op == element_wise_op::difference_square)
    return arithmetic::difference_square_of(a, b);
  else if constexpr (Op == element_wise_op::atan_yx)
    return arithmetic::angle_of(a, b);
  else
    return arithmetic::modulus_of(a, b, Op == element_wise_op::modulus_floor);
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
    if constexpr (Op == op::clip_grad || Op == op::clip_grad1) {
      const auto low_bits = std::bit_cast<bits>(clip_bound<T>(desc.min));
      const auto high_bits = std::bit_cast<bits>(clip_bound<T>(desc.max));
      least = n::key(low_bits);
      greatest = n::key(high_bits);
      has_least = !n::is_nan(low_bits);
      has_greatest = !n::is_nan(high_bits);
    } else if constexpr (requires { desc.min; })
      set_bounds(std::bit_cast<bits>(clip_bound<T>(desc.min)),
                 std::bit_cast<bits>(clip_bound<T>(upper_bound_of(desc))));
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
    if constexpr (Op == op::identity) {
      return x;
    } else if constexpr (Op == op::abs) {
      const bits sign = n::negative_mask(x);
      return n::is_float ? static_cast<bits>(n::magnitude(x)) : static_cast<bits>((x ^ sign) - sign);
    } else if constexpr (Op == op::negate) {
      return n::is_float ? static_cast<bits>(x ^ n::sign) : static_cast<bits>(bits{0} - x);
    } else if constexpr (Op == op::sign) {
      const bits nan_result = static_cast<bits>(x & mask_of<bits>(propagate));
      const bits number = static_cast<bits>(select(n::negative_mask(x), high, low) & mask_of<bits>(n::key(x) != 0));
      return select(mask_of<bits>(n::is_nan(x)), nan_result, number);
    } else if constexpr (Op == op::is_nan) {
      return n::is_nan(x);
    } else if constexpr (Op == op::is_infinity) {
      return n::magnitude(x) == static_cast<typename n::signed_bits>(n::infinity()) &&
             (n::negative_mask(x) != 0 ? negative : positive);
    } else if constexpr (Op == op::ceil || Op == op::floor || Op == op::round) {
      return rounded_to_integer<Op, T>(x, rounding);
    } else if constexpr (Op == op::clip || Op == op::clip1 || Op == op::threshold) {
      const auto key = n::total_key(x);
      const auto raised = key < least ? least : key;
      const bits number = n::of_total_key(raised > greatest ? greatest : raised);
      return select(mask_of<bits>(n::is_nan(x)), select(nan_kept, x, nan_value), number);
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
    } else if constexpr (is_pair<Op>) {
      return std::bit_cast<bits>(pair_of<Op>(std::bit_cast<T>(a), std::bit_cast<T>(b)));
    } else if constexpr (is_arithmetic<Op>) {
      return arithmetic<Op, T>(a, b);
    } else if constexpr (Op == op::clip_grad || Op == op::clip_grad1) {
      const auto key = n::key(a);
      const int outside = (int{key <= least} & int{has_least}) | (int{key >= greatest} & int{has_greatest});
      return static_cast<bits>(b & mask_of<bits>((int{!n::is_nan(a)} & outside) == 0));
    } else if constexpr (Op == op::relu_grad) {
      return static_cast<bits>(b & mask_of<bits>((int{!n::is_nan(a)} & int{n::key(a) > 0}) != 0));
    } else if constexpr (Op == op::logical_and) {
      return int{a != 0} & int{b != 0};
    } else if constexpr (Op == op::logical_or) {
      return int{a != 0} | int{b != 0};
    } else if constexpr (Op == op::logical_xor) {
      return (a != 0) != (b != 0);
    } else if constexpr (Op == op::logical_equals) {
      return are_numbers(a, b) & int{n::key(a) == n::key(b)};
    } else if constexpr (Op == op::logical_greater_than) {
      return are_numbers(a, b) & int{n::key(a) > n::key(b)};
    } else if constexpr (Op == op::logical_less_than) {
      return are_numbers(a, b) & int{n::key(a) < n::key(b)};
    } else if constexpr (Op == op::logical_greater_than_or_equal) {
      return are_numbers(a, b) & int{n::key(a) >= n::key(b)};
    } else if constexpr (Op == op::logical_less_than_or_equal) {
      return are_numbers(a, b) & int{n::key(a) <= n::key(b)};
    } else if constexpr (Op == op::bit_and) {
      return static_cast<bits>(a & b);
    } else if constexpr (Op == op::bit_or) {
      return static_cast<bits>(a | b);
    } else if constexpr (Op == op::bit_xor) {
      return static_cast<bits>(a ^ b);
    } else {
      static_assert(Op == op::bit_shift_left || Op == op::bit_shift_right);
      const bits count = mask_count ? static_cast<bits>(b & (n::width == 64 ? 63u : 31u)) : b;
      const bits near_enough = mask_of<bits>(count < n::width);
      const int distance = static_cast<int>(count & near_enough);
      return static_cast<bits>((Op == op::bit_shift_left ? a << distance : a >> distance) & near_enough);
    }
  }

  GOLDML_INLINE bits operator()(std::uint8_t condition, bits a, bits b) const { return condition != 0 ? a : b; }

  // 1 if neither is NaN, otherwise 0. An int, because compilers warn of & between bools, and && branches.
  GOLDML_INLINE static int are_numbers(bits a, bits b) { return int{!n::is_nan(a)} & int{!n::is_nan(b)}; }

  // Bounds may be NaN, and `max` may be less than `min`. In the total order the results for all numbers lie between
  // those for the least and the greatest of them. NaN stays as it is or has the same result whatever its bits are.
  void set_bounds(bits min, bits max) {
    const auto clip = [&](bits x) {
      if constexpr (Op == op::threshold) return goldml::detail::greater<T>(min, x, propagate);
      return Op == op::clip ? lesser<T>(max, goldml::detail::greater<T>(min, x, propagate), propagate)
                            : goldml::detail::greater<T>(min, lesser<T>(x, max, propagate), propagate);
    };
    least = n::total_key(clip(n::of_total_key(n::least_number())));
    greatest = n::total_key(clip(n::of_total_key(n::greatest_number())));
    if constexpr (n::is_float) {
      const bits nan = static_cast<bits>(n::infinity() + 1), other_nan = static_cast<bits>(nan + 1);
      nan_value = clip(nan);
      nan_kept = mask_of<bits>(nan_value == nan && clip(other_nan) == other_nan);
    }
  }

  bool propagate = false;
  bool mask_count = false;
  bool positive = false;
  bool negative = false;
  bits low = 0;  // of SIGN, 1
  bits high = 0;
  using total = decltype(n::total_key(bits{}));
  total least = 0;  // the bounds of CLIP, CLIP1 and THRESHOLD, of CLIP_GRAD and CLIP_GRAD1 if they have them
  total greatest = 0;
  bool has_least = false;
  bool has_greatest = false;
  bits nan_value = 0;
  bits nan_kept = 0;  // all bits set if NaN stays as it is
  rounding_rule rounding = {};
};

}  // namespace goldml::detail
