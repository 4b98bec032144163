// The hook by which an operator that sums takes part in the fit: what each element of an output is the sum of.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/core/number.hpp>
#include <goldml/oracle/fit/model.hpp>

namespace goldml::oracle {

// One element: the sum over k of Alpha * left[k] * right[k], plus an addend.
struct fit_place {
  std::uint64_t left = 0, right = 0;  // the numbers of its two lines
  std::uint64_t count = 0;            // its terms are the first ones of the lines
  double addend = 0;                  // Beta * C
};

// A fused activation at a sum: its value, its slope, and how far a device may be off that has the sum exactly.
struct fit_slope {
  double value, slope, error;
};

// An output whose elements are sums, as a matrix. Its elements are numbered in row-major order.
struct fit_sums {
  fit_model model;
  std::uint64_t rows = 0, columns = 0;
  double alpha = 1;
  bool has_right = false;    // the terms are products; otherwise the numbers of the left line
  bool is_matrix = false;    // a line belongs to many elements
  bool is_prefixes = false;  // a row has the partial sums of one line
  std::function<fit_place(std::uint64_t element)> place_of;
  // The number of an element in the output, in row-major order. Absent: the same.
  std::function<std::uint64_t(std::uint64_t element)> output_of = {};
  std::function<void(std::uint64_t line, std::vector<float>&numbers)> left, right;
  bool with_exact = false;         // also elements are measured that no order rounds
  bool may_transform = false;      // a device may compute it by Winograd or FFT
  bool accepts_transform = false;  // and is right then
  // Only results between these are sums: a fused activation changes others.
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  // How it changes them; nothing where it is too flat within `off` of a sum, or bends there. Absent: others are left
  // out.
  std::function<std::optional<fit_slope>(double sum, double off)> fused = {};
  // The sum as Winograd's F(4,3) computes it, of operands that are rounded before; and the number of its tile. Absent:
  // it cannot.
  std::function<float(std::uint64_t element, const std::function<float(float)>& round)> by_winograd = {};
  std::function<std::uint64_t(std::uint64_t element)> tile_of = {};
  // The sum of all terms and the addend, about; and the sum of their magnitudes, about and in some unit. Absent: then
  // only the sample is searched for outliers.
  struct totals {
    double value, magnitude;
  };
  std::function<totals(std::uint64_t element)> totals_of = {};

  std::uint64_t elements() const { return rows * columns; }
  // Whether errors on one side mean something: not those of a quotient, a root or an activation.
  bool tells_bias() const { return model.finish == fit_finish::none && !fused; }
};

// A line, and what is to be known of its numbers.
struct fit_line {
  std::vector<float> numbers;
  int lowest = 4096;  // 2^lowest divides all; this where all are 0
  bool has_subnormals = false;
  bool are_halves = true;

  std::span<const float> first(std::uint64_t count) const {
    return std::span<const float>(numbers).first(static_cast<std::size_t>(count));
  }
  void see() {
    for (const float x : numbers) {
      const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) & 0x7FFF'FFFF, exponent = bits >> 23;
      if (bits == 0 || exponent == 255) continue;
      if (exponent > 0 && static_cast<int>(exponent) - 150 >= lowest && !are_halves) continue;  // it changes nothing
      const std::uint32_t significand = exponent == 0 ? bits : (bits & 0x7F'FFFF) | 0x80'0000;
      const int zeros = std::countr_zero(significand);
      const int last = (exponent == 0 ? 1 : static_cast<int>(exponent)) - 150 + zeros;  // 2^last divides x
      lowest = (std::min)(lowest, last);
      has_subnormals = has_subnormals || exponent == 0;
      are_halves = are_halves && significand >> zeros < 2048 && last >= -24 && bits <= 0x477F'E000;
    }
  }
};

// The lines that were asked for, each made once.
class fit_lines {
 public:
  explicit fit_lines(const fit_sums& sums) : sums_(&sums) {}

  const fit_line& left(std::uint64_t number) { return of(number, sums_->left, left_); }
  const fit_line& right(std::uint64_t number) { return of(number, sums_->right, right_); }
  std::span<const float> left_terms(const fit_place& p) { return left(p.left).first(p.count); }
  std::span<const float> right_terms(const fit_place& p) {
    return sums_->has_right ? right(p.right).first(p.count) : std::span<const float>();
  }

 private:
  using store = std::unordered_map<std::uint64_t, fit_line>;

  static const fit_line& of(std::uint64_t number, const std::function<void(std::uint64_t, std::vector<float>&)>& make,
                            store& lines) {
    const auto [found, is_new] = lines.try_emplace(number);
    if (is_new) {
      make(number, found->second.numbers);
      found->second.see();
    }
    return found->second;
  }

  const fit_sums* sums_;
  store left_, right_;
};

namespace detail {

// Calls add(lane, term) for all terms, in double precision; eight lanes, so that compilers can take several at once.
inline constexpr std::size_t fit_lanes = 8;
template <class Term, class Add>
void for_fit_terms(std::size_t count, const Term& term, const Add& add) {
  const std::size_t whole = count / fit_lanes * fit_lanes;
  for (std::size_t i = 0; i < whole; i += fit_lanes)
    for (std::size_t lane = 0; lane < fit_lanes; ++lane) add(lane, term(i + lane));
  for (std::size_t i = whole; i < count; ++i) add(i - whole, term(i));
}
inline double joined(const std::array<double, fit_lanes>& lanes) {
  double result = 0;
  for (const double x : lanes) result += x;
  return result;
}
// Calls f(term), which gives term number i as a double.
template <class F>
auto with_fit_term(std::span<const float> a, std::span<const float> b, double alpha, const F& f) {
  if (b.empty() && alpha == 1) return f([a](std::size_t i) { return double{a[i]}; });
  if (b.empty()) return f([a, alpha](std::size_t i) { return alpha * double{a[i]}; });
  if (alpha == 1) return f([a, b](std::size_t i) { return double{a[i]} * double{b[i]}; });
  return f([a, b, alpha](std::size_t i) { return alpha * double{a[i]} * double{b[i]}; });
}

}  // namespace detail

// The sum of the terms of two lines of equal length; the second empty where the terms are numbers.
inline double fit_sum(std::span<const float> a, std::span<const float> b, double alpha) {
  return detail::with_fit_term(a, b, alpha, [&](const auto& term) {
    std::array<double, detail::fit_lanes> sum{};
    detail::for_fit_terms(a.size(), term, [&](std::size_t lane, double p) { sum[lane] += p; });
    return detail::joined(sum);
  });
}

inline fit_facts fit_facts_of(std::span<const float> a, std::span<const float> b, double alpha, double addend) {
  return detail::with_fit_term(a, b, alpha, [&](const auto& term) {
    std::array<double, detail::fit_lanes> sum{}, squares{}, magnitude{};
    detail::for_fit_terms(a.size(), term, [&](std::size_t lane, double p) {
      sum[lane] += p;
      squares[lane] += p * p;
      magnitude[lane] += std::abs(p);
    });
    fit_facts result{static_cast<double>(a.size()), detail::joined(sum)};
    result.squares = detail::joined(squares);
    result.magnitude = detail::joined(magnitude);
    result.addend = addend;
    return result;
  });
}

}  // namespace goldml::oracle
