// PADDING and PADDING1, following their pages and the ledger (L31).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <goldml/core/compiled.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/padding.hpp>
#include <goldml/reference/backend.hpp>

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
requires std::same_as<Desc, padding_desc> || std::same_as<Desc, padding1_desc>
struct kernel<Desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const Desc& desc) {
    const bool is_constant = desc.padding_mode == padding_mode::constant;
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      coordinate_tuple from = c;
      bool inside = true;
      for (std::size_t i = 0; i < c.size(); ++i) {
        const std::int64_t n = input.sizes()[i];
        const std::int64_t q = std::int64_t{c[i]} - desc.start_padding[i];
        inside = inside && q >= 0 && q < n;
        from[i] =
            is_constant && !inside ? 0 : static_cast<std::uint32_t>(detail::padded_position(desc.padding_mode, q, n));
      }
      output[c] = is_constant && !inside ? detail::padding_value_as<T>(desc.padding_value) : input[from];
    }
  }
};

}  // namespace goldml

GOLDML_COMPILED_KERNEL(padding_desc, reference_backend);
GOLDML_COMPILED_KERNEL(padding1_desc, reference_backend);
