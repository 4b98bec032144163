// Sums as devices compute them whose results have no formula: in FLOAT16, with FLOAT16 products, in a tensor unit that
// cuts. The fit replays them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/oracle/fit/model.hpp>

namespace goldml::oracle {

// The sum of products, or of numbers where `b` is empty.
using fit_summation = std::function<float(std::span<const float> a, std::span<const float> b)>;

struct fit_accumulation {
  std::string_view name;
  std::vector<fit_summation> orders;
  bool in_half = false;  // an addend and a division are rounded to FLOAT16, too
};

namespace detail {

inline double product_at(std::span<const float> a, std::span<const float> b, std::size_t k) {
  return b.empty() ? double{a[k]} : double{a[k]} * double{b[k]};
}
// One step of a FLOAT16 sum; a product of FLOAT16 is exact in FLOAT32.
inline float half_step(float sum, double product, bool fuses) {
  const auto p = static_cast<float>(product);
  return fuses ? static_cast<float>(fit_half_of(double{sum} + product)) : fit_half(sum + fit_half(p));
}

inline fit_summation half_sums(std::size_t lanes, bool fuses, bool backward) {
  return [=](std::span<const float> a, std::span<const float> b) {
    std::array<float, 32> each{};
    for (std::size_t k = 0; k < a.size(); ++k) {
      float& sum = each[k % lanes];
      sum = half_step(sum, product_at(a, b, backward ? a.size() - 1 - k : k), fuses);
    }
    for (std::size_t l = 1; l < lanes; ++l) each[0] = fit_half(each[0] + each[l]);
    return each[0];
  };
}
inline fit_summation half_blocks(std::size_t length, bool fuses) {
  return [=](std::span<const float> a, std::span<const float> b) {
    float sum = 0;
    for (std::size_t first = 0; first < a.size(); first += length) {
      float block = 0;
      for (std::size_t k = first; k < (std::min)(a.size(), first + length); ++k)
        block = half_step(block, product_at(a, b, k), fuses);
      sum += block;
    }
    return sum;
  };
}
inline fit_summation half_products(std::size_t lanes) {
  return [=](std::span<const float> a, std::span<const float> b) {
    std::array<float, 8> each{};
    for (std::size_t k = 0; k < a.size(); ++k) each[k % lanes] += fit_half(static_cast<float>(product_at(a, b, k)));
    for (std::size_t l = 1; l < lanes; ++l) each[0] += each[l];
    return each[0];
  };
}
// Groups of products, aligned to the greatest exponent and cut at `bits` more than FLOAT32 has.
inline fit_summation cut_sums(std::size_t group, int bits) {
  return [=](std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t first = 0; first < a.size(); first += group) {
      const std::size_t end = (std::min)(a.size(), first + group);
      double greatest = std::abs(sum);
      for (std::size_t k = first; k < end; ++k) greatest = (std::max)(greatest, std::abs(product_at(a, b, k)));
      if (greatest == 0) continue;
      const double unit = std::ldexp(1.0, std::ilogb(greatest) - 23 - bits), scale = 1 / unit;
      std::int64_t total = static_cast<std::int64_t>(sum * scale);
      for (std::size_t k = first; k < end; ++k) total += static_cast<std::int64_t>(product_at(a, b, k) * scale);
      const double exact = static_cast<double>(total) * unit;
      const auto nearest = static_cast<float>(exact);
      sum = double{std::abs(double{nearest}) > std::abs(exact) ? std::nextafter(nearest, 0.0F) : nearest};
    }
    return static_cast<float>(sum);
  };
}

}  // namespace detail

inline constexpr std::string_view half_sums_name = "FLOAT16 sums", half_products_name = "FLOAT16 products",
                                  half_blocks_name = "FLOAT16 sums in blocks",
                                  cut_sums_name = "a truncating accumulator";

// Those that are tried for sums of `count` terms; of FLOAT16 tensors, blocks have the name of sums.
inline std::vector<fit_accumulation> fit_accumulations(std::size_t count, bool float32, bool products) {
  fit_accumulation sums{half_sums_name, {}, true}, blocks{float32 ? half_blocks_name : half_sums_name, {}};
  for (const bool fuses : {false, true}) sums.orders.push_back(detail::half_sums(1, fuses, false));
  for (const std::size_t lanes : {2U, 4U, 8U, 32U}) sums.orders.push_back(detail::half_sums(lanes, false, false));
  sums.orders.push_back(detail::half_sums(1, false, true));
  for (const std::size_t length : {16U, 32U, 64U, 128U, 256U})
    if (length == 16 || length < count)
      for (const bool fuses : {false, true}) blocks.orders.push_back(detail::half_blocks(length, fuses));
  std::vector<fit_accumulation> result{std::move(sums), std::move(blocks)};
  if (!products) return result;
  result.push_back({half_products_name, {detail::half_products(1), detail::half_products(8)}});
  fit_accumulation cut{cut_sums_name, {}};
  for (const std::size_t group : {4U, 8U, 16U})
    for (const int bits : {0, 1, 2}) cut.orders.push_back(detail::cut_sums(group, bits));
  result.push_back(std::move(cut));
  return result;
}

}  // namespace goldml::oracle
