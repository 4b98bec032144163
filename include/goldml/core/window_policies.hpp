// The policies of pooling and of resampling. The first value is the default.
#pragma once

#include <goldml/core/policies.hpp>

namespace goldml {

// Ledger RM-R1: the nearest of two elements at the same distance.
enum class nearest_ties { up, down };
template <>
struct enumeration<nearest_ties> : policy_enumeration {
  static constexpr auto values = enumerators<nearest_ties>("up", "down");
};

// Ledger RM-R5: how a number between integers becomes an element of an integer type.
enum class integer_rounding {
  truncate,  // toward zero
  nearest,   // of two the even one
};
template <>
struct enumeration<integer_rounding> : policy_enumeration {
  static constexpr auto values = enumerators<integer_rounding>("truncate", "nearest");
};

// Ledger RD-R1: which tensor the pixel offsets of a gradient belong to.
enum class gradient_offsets {
  tensor,   // each to the tensor that it names
  forward,  // to the forward operator's: InputPixelOffsets to OutputGradientTensor
};
template <>
struct enumeration<gradient_offsets> : policy_enumeration {
  static constexpr auto values = enumerators<gradient_offsets>("tensor", "forward");
};

// Ledger RA-R1: how many samples of a region an output of ROI_ALIGN has: the size of the region over the number of
// outputs, rounded.
enum class roi_samples { ceil, floor, nearest };
template <>
struct enumeration<roi_samples> : policy_enumeration {
  static constexpr auto values = enumerators<roi_samples>("ceil", "floor", "nearest");
};

// Ledger RG-R1: what the gradient of a region's corners is made of.
enum class roi_gradient {
  derivative,  // of the outputs
  page,        // by the places of samples, and without scales, as the page has it
};
template <>
struct enumeration<roi_gradient> : policy_enumeration {
  static constexpr auto values = enumerators<roi_gradient>("derivative", "page");
};

// Ledger PO-R1: how many windows pooling may have on an axis.
enum class pooling_sizes {
  formula_or_ceil,  // those inside the padded image, and one more that only begins there
  formula,          // those inside
};
template <>
struct enumeration<pooling_sizes> : policy_enumeration {
  static constexpr auto values = enumerators<pooling_sizes>("formula_or_ceil", "formula");
};

// Ledger PO-R2: what AVERAGE_POOLING with IncludePadding divides by where a window ends after the padded image.
enum class pool_overhang {
  window,   // the size of the window
  clipped,  // what of it is inside the padded image
};
template <>
struct enumeration<pool_overhang> : policy_enumeration {
  static constexpr auto values = enumerators<pool_overhang>("window", "clipped");
};

// Ledger PO-R4: whether a device may compute LP_POOLING with P 1 or 2 by a power function. It changes no golden answer,
// but how far a device may be from it.
enum class lp_power { refuse, accept };
template <>
struct enumeration<lp_power> : policy_enumeration {
  static constexpr auto values = enumerators<lp_power>("refuse", "accept");
};

}  // namespace goldml
