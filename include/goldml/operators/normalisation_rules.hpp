// What the operators that normalise share: tensors whose sizes are 1 or the input's, and the operands of the affine
// step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/arithmetic/normalisation.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/shape_rules.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/fused_activation.hpp>

namespace goldml::detail {

// A tensor with the data type and the DimensionCount of the first, under these codes.
constexpr operand_info operand_like_input(std::string_view name, operand_role role,
                                          std::span<const operand_limits> limits, std::string_view type_code,
                                          std::string_view rank_code, same_as sizes = {}, bool optional = false) {
  return {.name = name,
          .role = role,
          .limits = limits,
          .optional = optional,
          .same_data_type_as = {type_code, 0},
          .same_rank_as = {rank_code, 0},
          .same_sizes_as = sizes};
}

// The element of a tensor that repeats its element along each dimension of size 1.
inline coordinate_tuple broadcast_coordinate(coordinate_tuple c, const dimensions& sizes) {
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 1) c[i] = 0;
  return c;
}

// Whether the sizes of a tensor can be compared with those of the input.
inline bool is_comparable(const operand& t, const operand& input) {
  return t.desc && input.desc && t.legal && input.legal && t.desc->data_type == input.desc->data_type &&
         t.desc->sizes.size() == input.desc->sizes.size();
}

// Each size is 1 or the input's. Reports the lowest dimension of which that is not so.
inline void check_broadcast(std::string_view code, std::string_view name, const operand& t, const operand& input,
                            const rule_report& report) {
  if (!is_comparable(t, input)) return;
  const dimensions &sizes = t.desc->sizes, &wanted = input.desc->sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != 1 && sizes[i] != wanted[i])
      return report(code, name, "Sizes", violation_text("{}", sizes[i]),
                    wanted[i] == 1 ? violation_text("1") : violation_text("1 or {}", wanted[i]),
                    violation_text("Sizes {}; InputTensor has {}", sizes, wanted), i);
}

// Below a level a dimension is the input's, and not 1; a size that check_broadcast() refuses is its own.
inline void check_full_size(std::string_view code, std::string_view name, const operand& t, const operand& input,
                            std::size_t dimension, std::string_view why, const rule_report& report) {
  if (!is_comparable(t, input) || t.desc->sizes.size() <= dimension) return;
  const std::uint32_t size = t.desc->sizes[dimension], wanted = input.desc->sizes[dimension];
  if (size == 1 && wanted != 1)
    report(code, name, "Sizes", violation_text("1"), violation_text("{}", wanted), violation_text("{}", why),
           dimension);
}

// The rows of an operator's operands by what they are; `none`: it has no such tensor.
struct normalisation_places {
  static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

  std::size_t scale, bias, add = none, mean = none, variance = none;
};

// The tensors of a call.
template <class T>
struct normalisation_inputs {
  using view = std::optional<tensor_view<const T>>;

  normalisation_inputs(const normalisation_places& places, std::span<const const_tensor_ref> inputs)
      : input(inputs[0].as<T>()),
        scale(of(places.scale, inputs)),
        bias(of(places.bias, inputs)),
        add(of(places.add, inputs)),
        mean(of(places.mean, inputs)),
        variance(of(places.variance, inputs)) {}

  static double element(const tensor_view<const T>& t, const coordinate_tuple& c) {
    return exact_double(T(t[broadcast_coordinate(c, t.sizes())]));
  }
  arithmetic::affine_operands at(const coordinate_tuple& c) const {
    return {scale ? element(*scale, c) : 1, bias ? element(*bias, c) : 0, add ? element(*add, c) : 0};
  }

  tensor_view<const T> input;
  view scale, bias, add, mean, variance;

 private:
  static view of(std::size_t place, std::span<const const_tensor_ref> inputs) {
    if (place == normalisation_places::none || !inputs[place].present()) return {};
    return inputs[place].as<T>();
  }
};

// An exact sum and a root of a slice, and a root or a quotient of each element.
template <class Operands>
work_counts work_of_normalisation(const std::optional<activation>& f, const Operands& t) {
  const std::uint64_t elements = element_count(t[0].desc->sizes);
  return work_counts{.elements = element_count_of(t),
                     .terms = saturating_multiply(2, elements),
                     .results = elements,
                     .functions = saturating_multiply(2, elements),
                     .judged = elements} +
         work_of_fused(f, elements);
}

// `reference` keeps a slice as doubles in a vector that grows.
inline scratch_memory scratch_of_slice(const dimensions& sizes, const dimensions& axes) {
  std::uint64_t slice = 1;
  for (const std::uint32_t axis : axes) slice = saturating_multiply(slice, sizes[axis]);
  return {.reference = saturating_multiply(3 * sizeof(double), slice)};
}

}  // namespace goldml::detail
