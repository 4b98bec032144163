// SLICE1: copies elements of a window of the input, with steps that may be negative. Feature level 2_1.
// Page: DML_SLICE1_OPERATOR_DESC. Rules: SL1, SL2 and SL4..SL8. Rulings: ledger L19.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>

namespace goldml {

// Each list has one entry per dimension.
struct slice1_desc {
  dimensions input_window_offsets = {};  // of the window's first element
  dimensions input_window_sizes = {};    // in elements of the input, not of the output
  int32_list input_window_strides = {};  // never 0; negative: from the window's last element downwards
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The magnitude of a stride. That of INT32_MIN is 2^31.
constexpr std::uint64_t stride_magnitude(std::int32_t stride) {
  return stride < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(std::int64_t{stride})
                    : static_cast<std::uint64_t>(stride);
}

// The most elements of a window, in steps of the stride: 1 + (window - 1) / |stride|.
constexpr std::uint64_t slice1_most_elements(std::uint32_t window, std::int32_t stride) {
  return 1 + (window - std::uint64_t{1}) / stride_magnitude(stride);
}

// The position on dimension i of the input of the output element with coordinate c.
constexpr std::uint32_t slice1_position(const slice1_desc& desc, std::size_t i, std::uint32_t c) {
  const std::int64_t stride = desc.input_window_strides[i];
  const std::int64_t start =
      std::int64_t{desc.input_window_offsets[i]} + (stride < 0 ? std::int64_t{desc.input_window_sizes[i]} - 1 : 0);
  return static_cast<std::uint32_t>(start + stride * c);
}

template <>
struct operator_traits<slice1_desc> {
  static constexpr std::string_view name = "SLICE1";
  static constexpr std::uint32_t enumerator = 111;
  static constexpr bool moves = true;

  static constexpr std::array<operand_limits, 3> limits{{{feature_level::level_2_1, data_types_a8, 4, 5},
                                                         {feature_level::level_3_0, data_types_a8, 1, 8},
                                                         {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"SL1", 0},
        .same_rank_as = {"SL2", 0}}}};

  static constexpr std::array attributes{
      row<&slice1_desc::input_window_offsets>("InputWindowOffsets", "DimensionCount"),
      row<&slice1_desc::input_window_sizes>("InputWindowSizes", "DimensionCount"),
      row<&slice1_desc::input_window_strides>("InputWindowStrides", "DimensionCount")};
  static constexpr std::array policies{row<&slice1_desc::same_resource>("same_resource")};

  static void check_rules(const slice1_desc& desc, const operands_of<slice1_desc>& t, const rule_report& report) {
    const auto& [input, output] = t;
    if (!input.legal) return;
    const dimensions& sizes = input.desc->sizes;
    if (!check_counts(desc, sizes.size(), report)) return;
    const dimensions& windows = desc.input_window_sizes;
    const int32_list& strides = desc.input_window_strides;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (strides[i] == 0)
        report("SL5", "", "InputWindowStrides", violation_text("0"), violation_text("a stride that is not 0"),
               violation_text("InputWindowStrides {}", strides), i);
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (windows[i] == 0)
        report("SL6", "", "InputWindowSizes", violation_text("0"), violation_text("at least 1"),
               violation_text("InputWindowSizes {}", windows), i);
    if (output.legal && output.desc->sizes.size() != sizes.size()) return;  // SL2
    const auto usable = [&](std::size_t i) { return strides[i] != 0 && windows[i] != 0; };
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (usable(i) && std::uint64_t{desc.input_window_offsets[i]} + windows[i] > sizes[i])
        report("SL7", "", "InputWindowSizes", violation_text("{} from {}", windows[i], desc.input_window_offsets[i]),
               violation_text("an end of at most {}", sizes[i]),
               violation_text("InputWindowOffsets {}, InputWindowSizes {}, the input's sizes {}",
                              desc.input_window_offsets, windows, sizes),
               i);
    if (!output.legal) return;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (!usable(i)) continue;
      const std::uint64_t most = slice1_most_elements(windows[i], strides[i]);
      if (output.desc->sizes[i] > most)
        report("SL8", "OutputTensor", "Sizes", violation_text("{}", output.desc->sizes[i]),
               violation_text("at most {}", most),
               violation_text("a window of {} in steps of {}", windows[i], strides[i]), i);
    }
  }

 private:
  // SL4: each list has an entry for each dimension.
  static bool check_counts(const slice1_desc& desc, std::size_t dimension_count, const rule_report& report) {
    const auto check = [&](const auto& list, std::string_view member) {
      return detail::check_list_count("SL4", "DimensionCount", member, list, dimension_count, report);
    };
    return check(desc.input_window_offsets, "InputWindowOffsets") &&
           check(desc.input_window_sizes, "InputWindowSizes") && check(desc.input_window_strides, "InputWindowStrides");
  }
};

// output[c] = input[start + stride * c], where start is the first element of the window or, for a negative stride, the
// last.
//   input   1 to 8 dimensions; every type
//   output  the input's type and DimensionCount; each size at most 1 + (window - 1) / |stride|
// Copies bits. Throws error (T1..T12, SL1, SL2, SL4..SL8), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void slice1(const Backend& backend, const Input& input, Output&& output, const slice1_desc& desc) {
  static_assert(detail::alike_types<slice1_desc, input_view<Input>, output_view<Output>>,
                "goldml SLICE1 SL1: InputTensor and OutputTensor have the same data type");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output, which has the largest sizes that the windows allow.
template <class Backend, class T>
[[nodiscard]] tensor<T> slice1(const Backend& backend, const tensor<T>& input, const slice1_desc& desc) {
  const dimensions& windows = desc.input_window_sizes;
  const int32_list& strides = desc.input_window_strides;
  dimensions sizes = input.sizes();  // never exceeded, so that an invalid desc is refused without a large allocation
  for (std::size_t i = 0; i < sizes.size() && i < windows.size() && i < strides.size(); ++i)
    if (windows[i] != 0 && strides[i] != 0)
      sizes[i] =
          static_cast<std::uint32_t>((std::min<std::uint64_t>)(sizes[i], slice1_most_elements(windows[i], strides[i])));
  tensor<T> output(sizes);
  slice1(backend, input, output, desc);
  return output;
}

}  // namespace goldml

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void check<slice1_desc>(const slice1_desc&, operands_of<slice1_desc>&, violation_sink&);
extern template const operator_description& description_of<slice1_desc>();
// clang-format on
}  // namespace goldml
#endif
