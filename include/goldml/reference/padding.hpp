// PADDING and PADDING1, following their pages and the ledger (L31).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <goldml/operators/padding.hpp>
#include <goldml/reference/origin.hpp>

namespace goldml {

namespace detail {

// q modulo `period`, never negative.
constexpr std::int64_t modulo(std::int64_t q, std::int64_t period) { return (q % period + period) % period; }

// The position in a dimension of n elements that position q shows, where q is below 0 before the first element.
constexpr std::int64_t padded_position(padding_mode mode, std::int64_t q, std::int64_t n) {
  switch (mode) {
    case padding_mode::constant:
      break;
    case padding_mode::edge:
      return std::clamp<std::int64_t>(q, 0, n - 1);
    case padding_mode::reflection: {
      if (n == 1) return 0;
      const std::int64_t p = modulo(q, 2 * n - 2);
      return p < n ? p : 2 * n - 2 - p;
    }
    case padding_mode::symmetric: {
      const std::int64_t p = modulo(q, 2 * n);
      return p < n ? p : 2 * n - 1 - p;
    }
    case padding_mode::wrap:
      return modulo(q, n);
  }
  return q;
}

}  // namespace detail

template <class Desc>
requires std::same_as<Desc, padding_desc> || std::same_as<Desc, padding1_desc> std::optional<coordinate_tuple>
origin_of(const Desc& desc, const dimensions& input, const dimensions&, coordinate_tuple c) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::int64_t q = std::int64_t{c[i]} - desc.start_padding[i];
    if (desc.padding_mode == padding_mode::constant && (q < 0 || q >= input[i])) return std::nullopt;
    c[i] = static_cast<std::uint32_t>(detail::padded_position(desc.padding_mode, q, input[i]));
  }
  return c;
}

template <class Desc, class T>
requires std::same_as<Desc, padding_desc> || std::same_as<Desc, padding1_desc> T filler(const Desc& desc,
                                                                                        std::type_identity<T>) {
  return detail::padding_value_as<T>(desc.padding_value);
}

}  // namespace goldml
