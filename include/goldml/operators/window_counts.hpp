// How many windows fit on an axis: the rule of shapes that CONVOLUTION, pooling, FOLD and UNFOLD share.
#pragma once

#include <cstdint>

#include <goldml/core/dimensions.hpp>

namespace goldml::detail {

// The places from the first tap of a window to its last, both included. Saturates.
constexpr std::uint64_t extent_of_window(std::uint32_t window, std::uint32_t dilation) {
  return saturating_add(1, saturating_multiply(window - std::uint64_t{1}, dilation));
}

// The windows inside a padded image; with `up` also one that only begins there. 0 if not even one fits.
constexpr std::uint64_t window_count(std::uint64_t padded, std::uint64_t extent, std::uint32_t stride,
                                     bool up = false) {
  if (extent > padded) return 0;
  return (padded - extent + (up ? stride - std::uint64_t{1} : 0)) / stride + 1;
}

}  // namespace goldml::detail
