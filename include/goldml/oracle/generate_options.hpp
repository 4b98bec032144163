// The options of the generator.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <goldml/core/data_type.hpp>
#include <goldml/core/dimensions.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/oracle/data_class.hpp>
#include <goldml/oracle/sizes_class.hpp>
#include <goldml/oracle/stride_pattern.hpp>

namespace goldml::oracle {

// The classes for which all devices must give the same results. The others have inputs that the pages leave open
// (collisions, out_of_range, unsorted_axes), numbers that a device may change (signalling_nans, subnormals), or only
// small integers (exact).
inline constexpr std::array usual_data_classes{
    data_class::ramp,    data_class::uniform,        data_class::ties,
    data_class::special, data_class::extremes,       data_class::sparse,
    data_class::dense,   data_class::all_nan_slices, data_class::negative_indices};

// All but exact, whose values are no others than those of ramp and uniform.
inline std::vector<data_class> all_data_classes() {
  std::vector<data_class> all;
  for (const auto& entry : enumeration<data_class>::values)
    if (entry.value != data_class::exact) all.push_back(entry.value);
  return all;
}

// The data types that an operand may have: {"IndicesTensor", {data_type::int32}}.
struct operand_types {
  std::string operand;  // DirectML's name
  std::vector<data_type> data_types;
};

struct generate_options {
  std::uint64_t count = 1000;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  // generates cases first .. first + count - 1
  // The maximum number of elements of the main tensor, which is the first present one, of RANDOM_GENERATOR
  // OutputTensor. If absent, that of the class of sizes, and for given sizes 2^24.
  std::optional<std::uint64_t> most_elements = {};
  oracle::sizes_class sizes_class = oracle::sizes_class::mixed;
  goldml::feature_level feature_level = goldml::feature_level::latest;
  std::vector<data_class> data{usual_data_classes.begin(), usual_data_classes.end()};
  std::vector<stride_pattern> strides{all_stride_patterns.begin(), all_stride_patterns.end()};
  // The selection of cases. An empty member selects everything that is legal.
  std::vector<data_type> data_types = {};                 // of the main tensor
  std::vector<std::uint32_t> dimension_counts = {};       // of the main tensor
  dimensions sizes = {};                                  // of the main tensor; then sizes_class has no effect
  std::vector<oracle::operand_types> operand_types = {};  // a named operand is always present
  std::vector<std::string> attributes = {};               // attributes and policies as in case text: "Axes={1}"

  // The maximum number of elements of a tensor whose sizes are drawn.
  std::uint64_t drawn_elements() const { return most_elements.value_or(default_most_elements(sizes_class)); }
};

}  // namespace goldml::oracle
