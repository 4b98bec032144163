// Roundings of inputs by which devices depart from FLOAT32 and FLOAT16.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/core/number.hpp>
#include <goldml/oracle/fit/model.hpp>

namespace goldml::oracle {

enum class fit_input : std::uint8_t { tf32, tf32_away, tf32_cut, bfloat16, float16, e4m3, e5m2, flushed, as_it_is };
inline constexpr std::string_view name_of(fit_input input) {
  constexpr std::string_view names[] = {"TF32 inputs",
                                        "TF32 inputs rounded away from ties",
                                        "TF32 inputs that are cut",
                                        "BFLOAT16 inputs",
                                        "FLOAT16 inputs",
                                        "FP8 E4M3 inputs",
                                        "FP8 E5M2 inputs",
                                        "inputs without subnormals",
                                        "the inputs"};
  return names[static_cast<std::size_t>(input)];
}

namespace detail {

enum class fit_cut : std::uint8_t { nearest_even, nearest_away, toward_zero };

// Drops bits of the significand.
inline float without_bits(float x, int dropped, fit_cut how) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t unit = std::uint32_t{1} << dropped;
  std::uint32_t more = 0;
  if (how == fit_cut::nearest_even) more = unit / 2 - 1 + (bits >> dropped & 1);
  if (how == fit_cut::nearest_away) more = unit / 2;
  const bool is_finite = (bits & 0x7F80'0000) != 0x7F80'0000;
  return std::bit_cast<float>(is_finite ? (bits + more) & ~(unit - 1) : bits);
}
// An FP8, saturating.
inline float as_fp8(float x, int dropped, float least_normal, float step, float greatest) {
  const float size = std::abs(x);
  if (is_nan(x)) return x;
  const float r = size < least_normal ? static_cast<float>(std::nearbyint(double{size} / double{step}) * double{step})
                                      : without_bits(size, dropped, fit_cut::nearest_even);
  return std::copysign((std::min)(r, greatest), x);
}

}  // namespace detail

inline float fit_rounded(fit_input input, float x) {
  using detail::fit_cut;
  switch (input) {
    case fit_input::tf32:
      return detail::without_bits(x, 13, fit_cut::nearest_even);
    case fit_input::tf32_away:
      return detail::without_bits(x, 13, fit_cut::nearest_away);
    case fit_input::tf32_cut:
      return detail::without_bits(x, 13, fit_cut::toward_zero);
    case fit_input::bfloat16:
      return detail::without_bits(x, 16, fit_cut::nearest_even);
    case fit_input::float16:
      return fit_half(x);
    case fit_input::e4m3:
      return detail::as_fp8(x, 20, 0x1p-6F, 0x1p-9F, 448);
    case fit_input::e5m2:
      return detail::as_fp8(x, 21, 0x1p-14F, 0x1p-16F, 57344);
    case fit_input::flushed:
      return std::abs(x) < 0x1p-14F ? 0.0F : x;
    case fit_input::as_it_is:
      break;
  }
  return x;
}

// Calls f(round), where round(x) is fit_rounded(input, x); for loops that must not ask for the input.
template <class F>
auto with_fit_rounding(fit_input input, const F& f) {
  switch (input) {
    case fit_input::tf32:
      return f([](float x) { return fit_rounded(fit_input::tf32, x); });
    case fit_input::tf32_cut:
      return f([](float x) { return fit_rounded(fit_input::tf32_cut, x); });
    case fit_input::bfloat16:
      return f([](float x) { return fit_rounded(fit_input::bfloat16, x); });
    case fit_input::float16:
      return f([](float x) { return fit_rounded(fit_input::float16, x); });
    default:
      return f([input](float x) { return fit_rounded(input, x); });
  }
}

}  // namespace goldml::oracle
