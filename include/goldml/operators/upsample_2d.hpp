// UPSAMPLE_2D: enlarges the last two dimensions by whole factors. Feature level 1_0.
// Page: DML_UPSAMPLE_2D_OPERATOR_DESC. Rules: UP1..UP5. Rulings: ledger UP-R1 to UP-R3.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/arithmetic/values.hpp>
#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>

namespace goldml {

struct upsample_2d_desc {
  size_2d scale_size = {1, 1};  // the factors of the last dimension (width) and of the one before it (height)
  goldml::interpolation_mode interpolation_mode = goldml::interpolation_mode::nearest_neighbor;
  goldml::pixel_alignment pixel_alignment = goldml::pixel_alignment::centers;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

// A position between two elements along an axis: t = first + part / whole, 0 <= part < whole. Elements outside the axis
// are those at its ends.
struct axis_place {
  std::int64_t first;
  std::uint64_t part;
  std::uint64_t whole;

  // The weights of the element at `first` and of the one after it, in units of 1 / whole.
  std::array<std::uint64_t, 2> weights() const { return {whole - part, part}; }
};

constexpr axis_place place_on_axis(std::uint64_t position, std::uint64_t scale, pixel_alignment alignment) {
  const std::uint64_t whole = 2 * scale;
  if (alignment == pixel_alignment::corners)
    return {static_cast<std::int64_t>(position / scale), 2 * (position % scale), whole};
  const std::uint64_t after = 2 * position + 1 + scale;  // (t + 1) * whole, which is not negative
  return {static_cast<std::int64_t>(after / whole) - 1, after % whole, whole};
}

constexpr std::uint32_t element_on_axis(std::int64_t place, std::uint32_t size) {
  return static_cast<std::uint32_t>((std::clamp)(place, std::int64_t{0}, std::int64_t{size} - 1));
}

// The sum of weight * x over four elements, divided by the sum of the weights, which is below 2^35: rounded to odd. An
// element without weight is no term, whatever it is.
inline double value_of_weighted_mean(const std::array<double, 4>& x, const std::array<std::uint64_t, 4>& weights) {
  extended_sum sum;
  for (std::size_t i = 0; i < 4; ++i)
    if (is_finite_double(x[i]))
      sum.finite.add_product(static_cast<double>(weights[i]), x[i]);
    else if (weights[i] != 0)
      sum.add(x[i]);
  if (!sum.is_finite()) return sum.special();
  return sum.finite.value_of_quotient(weights[0] + weights[1] + weights[2] + weights[3]);
}

}  // namespace detail

template <>
struct operator_traits<upsample_2d_desc> {
  static constexpr std::string_view name = "UPSAMPLE_2D";
  static constexpr std::uint32_t enumerator = 66;

  static constexpr std::array<operand_limits, 1> limits{
      {{feature_level::level_1_0, {data_type::float32, data_type::float16}, 4, 5}}};
  static constexpr std::array<operand_info, 2> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = limits},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"UP1", 0},
        .same_rank_as = {"UP2", 0}}}};

  static constexpr std::array attributes{
      row<&upsample_2d_desc::scale_size>("ScaleSize").at_least_1("UP3"),
      row<&upsample_2d_desc::interpolation_mode>("InterpolationMode").enumerator("UP5")};
  static constexpr std::array policies{row<&upsample_2d_desc::pixel_alignment>("pixel_alignment"),
                                       row<&upsample_2d_desc::accumulation>("accumulation"),
                                       row<&upsample_2d_desc::same_resource>("same_resource")};

  static implied_output implied(const upsample_2d_desc& desc, const std::array<operand, 2>& t, std::size_t) {
    wide_sizes sizes = t[0].desc->sizes;
    if (sizes.size() < 4) return {};  // T4
    sizes[sizes.size() - 2] *= desc.scale_size.height;
    sizes[sizes.size() - 1] *= desc.scale_size.width;
    return {.sizes = sizes};
  }

  // UP3, UP4, UP5.
  static void check_rules(const upsample_2d_desc& desc, const std::array<operand, 2>& t, const rule_report& report) {
    const auto& [input, output] = t;
    const size_2d& scale = desc.scale_size;
    constexpr std::uint64_t most = (std::numeric_limits<std::uint32_t>::max)();
    for (const auto& [member, factor, from_end] :
         {std::tuple("Width", scale.width, std::size_t{1}), std::tuple("Height", scale.height, std::size_t{2})}) {
      const std::uint64_t size = input.legal ? input.desc->sizes[input.desc->sizes.size() - from_end] : 1;
      if (factor == 0)
        report("UP3", "", "ScaleSize", violation_text("{} 0", member), violation_text("at least 1"));
      else if (size * factor > most)
        report("UP3", "", "ScaleSize", violation_text("{} {}", member, factor),
               violation_text("a size of at most {}", most), violation_text("times {} it is {}", size, size * factor));
    }
    if (input.legal && output.legal && input.desc->data_type == output.desc->data_type &&
        input.desc->sizes.size() == output.desc->sizes.size())
      check_sizes(*implied(desc, t, 1).sizes, input.desc->sizes, output.desc->sizes, report);
    detail::check_enumerator(attributes[1], desc.interpolation_mode, report);
  }
  // Each element of LINEAR is a quotient, which takes as long as three results.
  static work_counts work(const upsample_2d_desc& desc, const std::array<operand, 2>& t) {
    const std::uint64_t elements = element_count(t[1].desc->sizes);
    if (desc.interpolation_mode != interpolation_mode::linear) return {.elements = saturating_multiply(2, elements)};
    return {.elements = elements,
            .terms = saturating_multiply(4, elements),
            .results = saturating_multiply(3, elements),
            .judged = elements};
  }
  // The neighbours of each column of the output.
  static scratch_memory scratch(const upsample_2d_desc&, const std::array<operand, 2>& t) {
    return {.cpu = std::uint64_t{48} * t[1].desc->sizes.back()};
  }

  static constexpr operator_options<upsample_2d_desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch};

 private:
  // UP4. A size whose factor breaks UP3 is not compared.
  static void check_sizes(const wide_sizes& wanted, const dimensions& input, const dimensions& output,
                          const rule_report& report) {
    for (std::size_t i = 0; i < input.size(); ++i)
      if (wanted[i] == clamped_size(wanted[i]) && output[i] != wanted[i])
        report("UP4", "OutputTensor", "Sizes", violation_text("{}", output[i]), violation_text("{}", wanted[i]),
               violation_text("{} times {}", wanted[i] / input[i], input[i]), i);
  }
};

// The last two dimensions are enlarged by scale_size.height and scale_size.width. NEAREST_NEIGHBOR: each element of the
// input, bit by bit, for a block of that size. LINEAR: between the centers of elements, linear in both directions, and
// constant outside of them; the exact result, rounded once.
//   input   FLOAT32 or FLOAT16, 4 or 5 dimensions
//   output  the input's type and DimensionCount, its sizes with the last two times the factors
// Throws error (T1..T12, UP1..UP5), with the output unchanged.
template <class Backend, input_argument Input, output_argument Output>
void upsample_2d(const Backend& backend, const Input& input, Output&& output, const upsample_2d_desc& desc) {
  static_assert(detail::alike_types<upsample_2d_desc, input_view<Input>, output_view<Output>>,
                "goldml UPSAMPLE_2D UP1: InputTensor and OutputTensor have the same data type");
  static_assert(detail::takes<upsample_2d_desc, 0, input_view<Input>>,
                "goldml UPSAMPLE_2D T3: InputTensor is FLOAT32 or FLOAT16");
  detail::call(backend, desc, std::tuple(detail::as_input(input)),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same, returning the output.
template <class Backend, class T>
[[nodiscard]] tensor<T> upsample_2d(const Backend& backend, const tensor<T>& input, const upsample_2d_desc& desc) {
  tensor<T> output = detail::new_output<T>(desc, input);
  upsample_2d(backend, input, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(upsample_2d_desc);
