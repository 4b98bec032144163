// What the fit says of an output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace goldml::oracle {

enum class fit_outcome : std::uint8_t {
  none,  // no statement
  fits,
  biased,    // as small as they should be, but on one side
  coarser,   // larger than the precision gives
  outliers,  // those of some elements are, and not the precision
};
inline constexpr std::string_view name_of(fit_outcome outcome) {
  constexpr std::string_view names[] = {"none", "fits", "biased", "coarser", "outliers"};
  return names[static_cast<std::size_t>(outcome)];
}

// What explains errors of the size of a FLOAT32 sum where no order of a sum has any.
inline constexpr std::string_view transform_name = "a transform (policy transform=accept)";

// The fit of one output.
struct fit_result {
  fit_outcome outcome = fit_outcome::none;
  std::string silent_because;           // if there is no statement
  bool is_too_long = false;             // because the sums are
  double rms = 0;                       // Z: 1 or less for a right device, but for dependent data
  double largest = 0;                   // the greatest |z|
  double bias = 0;                      // the mean of z away from zero
  std::uint64_t measured = 0;           // elements
  std::uint64_t elements = 0;           // of the output
  double independent = 0;               // of the measured elements
  bool dependent = false;               // the order of the terms matters for these data
  bool toward_zero = false;             // FLOAT32 sums were narrowed toward zero
  std::string model;                    // "FLOAT32", "FLOAT16" or "FLOAT16 products"
  std::string explained_by;             // the arithmetic that explains the errors, or ""
  double rest = 0;                      // Z beside that arithmetic
  bool is_fault = false;                // terms are missing or added twice: `explained_by` is no arithmetic
  std::vector<std::uint64_t> outliers;  // the numbers of the elements, at most 256 besides the sample's
  std::string where;                    // what they have in common, such as "row", "column", "tile of 64 x 64", or ""
  std::vector<double> errors;           // z of the sample, for a histogram

  // Whether the errors are larger than those of the precision, or some elements are wrong.
  bool misfits() const { return outcome == fit_outcome::coarser || outcome == fit_outcome::outliers; }
  // Whether FLOAT16 is named as what the device adds or multiplies in.
  bool is_half_precision() const {
    return explained_by.find("FLOAT16 sums") != std::string::npos ||
           explained_by.find("FLOAT16 products") != std::string::npos;
  }
};

}  // namespace goldml::oracle
