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
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>

namespace goldml::detail {

// Whether std::fma() rounds once, as the C standard says. That of mingw-w64 does not.
#ifdef __MINGW32__
inline constexpr bool fma_rounds_once = false;
#else
inline constexpr bool fma_rounds_once = true;
#endif

template <class T>
class scale_and_bias {
 public:
  using bits = number_bits_of<T>;

  explicit scale_and_bias(const scale_bias& by)
      : by_(by), scale_(exact_double(by.scale)), bias_(exact_double(by.bias)) {}

  template <class Set>
  GOLDML_INLINE bits operator()(Set, bits x) const {
    // AVX-512 has instructions for a product and a sum.
    constexpr bool fuses = Set::value == instruction_set::avx512 && fma_rounds_once;
    if constexpr (std::is_same_v<T, float> && fuses) {
      const auto result = std::bit_cast<bits>(std::fma(std::bit_cast<float>(x), by_.scale, by_.bias));
      return select(mask_of<bits>(number_bits<T>::is_nan(result)), bits{0x7FC0'0000}, result);
    } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>) {
      return rounded_bits<T>(sum_to_odd(double_of_bits<T>(x) * scale_, bias_));  // the product is exact
    } else if constexpr (std::is_same_v<T, double> && fma_rounds_once) {
      const auto result = std::bit_cast<bits>(std::fma(std::bit_cast<double>(x), scale_, bias_));
      return select(mask_of<bits>(number_bits<T>::is_nan(result)), bits{0x7FF8'0000'0000'0000}, result);
    } else if constexpr (std::is_same_v<T, double>) {
      return std::bit_cast<bits>(arithmetic::scaled(std::bit_cast<double>(x), by_));
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
    if (low == high) {  // below 2^50: from there on, the error is at least 1
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

  template <class Set>
  GOLDML_INLINE auto operator()(Set set, bits x) const {
    return f(scaled(set, x));
  }

  Kernel f;
  scale_and_bias<T> scaled;
};

}  // namespace goldml::detail
