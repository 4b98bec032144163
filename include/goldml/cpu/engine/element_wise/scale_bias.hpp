// x * Scale + Bias on the bits of elements, rounded once (ledger L28), without branches on floats, so that compilers
// vectorise loops over it. Uses the processor's arithmetic, in the mode of base/float_mode.hpp.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <goldml/arithmetic/scale_bias.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/arithmetic.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>

namespace goldml::detail {

// a + b rounded to odd: cut, and the last bit set if anything was lost. Rounding that to at most 51 bits is rounding
// the sum once. No sum of finite numbers overflows here.
GOLDML_INLINE std::uint64_t sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  const double lost = (a - (sum - from_b)) + (b - from_b);  // exactly a + b - sum
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  const std::uint64_t inexact = mask_of<std::uint64_t>(lost != 0);
  const std::uint64_t even = (bits & 1) - 1;
  const std::uint64_t finite =
      mask_of<std::uint64_t>(number_bits<double>::magnitude(bits) < std::int64_t{0x7FF0'0000'0000'0000});
  // One up if the lost part has the sign of the sum, otherwise one down.
  const std::uint64_t step = number_bits<double>::negative_mask(bits ^ std::bit_cast<std::uint64_t>(lost)) | 1;
  return bits + (step & inexact & even & finite);
}

template <class T>
class scale_and_bias {
 public:
  using bits = number_bits_of<T>;

  explicit scale_and_bias(const scale_bias& by)
      : by_(by), scale_(exact_double(by.scale)), bias_(exact_double(by.bias)) {}

  GOLDML_INLINE bits operator()(bits x) const {
    if constexpr (std::is_same_v<T, float>) {
      // The product of two FLOAT32 is exact.
      const std::uint64_t sum = sum_to_odd(static_cast<double>(std::bit_cast<float>(x)) * scale_, bias_);
      const auto result = std::bit_cast<bits>(static_cast<float>(std::bit_cast<double>(sum)));
      return select(mask_of<bits>(number_bits<T>::is_nan(result)), bits{0x7FC0'0000}, result);
    } else if constexpr (std::is_same_v<T, float16>) {
      // Cut to the 24 bits of a float, again to odd. What is no normal float is a zero or infinity of FLOAT16.
      constexpr std::uint64_t cut = (std::uint64_t{1} << 29) - 1;
      const std::uint64_t sum = sum_to_odd(static_cast<double>(float16_to_float(x)) * scale_, bias_);
      const std::uint64_t odd = ((sum & cut) + cut) & (cut + 1);
      return float_to_float16(static_cast<float>(std::bit_cast<double>((sum & ~cut) | odd)));
    } else if constexpr (std::is_same_v<T, double>) {
      const auto result = std::bit_cast<bits>(std::fma(std::bit_cast<double>(x), scale_, bias_));
      return select(mask_of<bits>(number_bits<T>::is_nan(result)), bits{0x7FF8'0000'0000'0000}, result);
    } else {
      return static_cast<bits>(of_integer(static_cast<T>(x)));
    }
  }

 private:
  // In double, unless the error may change the integer.
  T of_integer(T x) const {
    const double number = static_cast<double>(x);
    const double y = number * scale_ + bias_;
    const double error = 0x1p-50 * (std::abs(number * scale_) + std::abs(bias_));
    const double low = std::trunc(y - error);
    const double high = std::trunc(y + error);
    constexpr double end = 0x1p50;  // from here on, the error is greater than 1
    if (low == high && std::abs(low) < end) {
      const auto whole = static_cast<std::int64_t>(low);
      if (std::in_range<T>(whole)) return static_cast<T>(whole);
    }
    return arithmetic::scaled(x, by_);
  }

  scale_bias by_;
  double scale_;
  double bias_;
};

// An operator with ScaleBias: f(x * Scale + Bias).
template <class Kernel, class T>
struct scaled_kernel {
  using bits = typename Kernel::bits;
  static constexpr std::size_t input_count = 1;

  GOLDML_INLINE auto operator()(bits x) const { return f(scaled(x)); }

  Kernel f;
  scale_and_bias<T> scaled;
};

}  // namespace goldml::detail
