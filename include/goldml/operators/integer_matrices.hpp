// What the operators have in common that multiply matrices of integers less their zero points: the rules QM4 to QM8,
// work and memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/core/operator_traits.hpp>
#include <goldml/core/tensor_rules.hpp>
#include <goldml/core/violation.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/quantised_parameters.hpp>

namespace goldml::detail {

inline implied_output implied_product(const operand& a, const operand& b) {
  const dimensions &left = a.desc->sizes, &right = b.desc->sizes;
  if (left.size() < 2 || left.size() != right.size()) return {};
  dimensions sizes = left;
  sizes[left.size() - 1] = right[right.size() - 1];
  return {.sizes = sizes};
}

inline void check_row_parameter(std::string_view name, const operand& t, const operand& a, const rule_report& report) {
  if (a.legal)
    check_parameter_sizes("QM7", name, t, of_rows, a.desc->sizes[a.desc->sizes.size() - 2], "the rows of A", report);
}
inline void check_column_parameter(std::string_view name, const operand& t, const operand& b,
                                   const rule_report& report) {
  if (b.legal) check_parameter_sizes("QM8", name, t, of_columns, b.desc->sizes.back(), "the columns of B", report);
}

// QM4 to QM6, where the DimensionCounts are equal.
inline void check_integer_matrices(const operand& a, const operand& b, const operand& output,
                                   const rule_report& report) {
  if (!a.legal) return;
  const dimensions& left = a.desc->sizes;
  const std::size_t batches = left.size() - 2;
  const auto wrong = [&](std::string_view rule, std::string_view name, const operand& t, std::size_t i,
                         std::uint32_t wanted, const violation_text& why) {
    const std::uint32_t size = t.desc->sizes[i];
    if (size != wanted) report(rule, name, "Sizes", violation_text("{}", size), violation_text("{}", wanted), why, i);
  };
  const auto comparable = [&](const operand& t) { return t.legal && t.desc->sizes.size() == left.size(); };
  const bool has_b = comparable(b), has_output = comparable(output);
  for (std::size_t i = 0; i < batches && has_b; ++i)
    wrong("QM4", "BTensor", b, i, left[i], violation_text("ATensor's"));
  for (std::size_t i = 0; i < batches && has_output; ++i)
    wrong("QM4", "OutputTensor", output, i, left[i], violation_text("ATensor's"));
  if (has_b) wrong("QM5", "BTensor", b, batches, left[batches + 1], violation_text("K, as in ATensor"));
  if (has_output) wrong("QM6", "OutputTensor", output, batches, left[batches], violation_text("M, as in ATensor"));
  if (has_output && has_b)
    wrong("QM6", "OutputTensor", output, batches + 1, b.desc->sizes[batches + 1], violation_text("N, as in BTensor"));
}

// The operand A comes first, and the output last.
template <class Operands>
work_counts work_of_integer_matrices(const Operands& t) {
  return {.elements = element_count_of(t),
          .terms = saturating_multiply(element_count(t.back().desc->sizes), t[0].desc->sizes.back())};
}
// Of a thread of cpu the matrices of a tile.
inline scratch_memory scratch_of_integer_matrices(const operand& a, const operand& output) {
  const dimensions& sizes = output.desc->sizes;
  const std::uint64_t m = (std::min<std::uint64_t>)(512, sizes[sizes.size() - 2]);
  const std::uint64_t n = (std::min<std::uint64_t>)(512, sizes.back());
  const std::uint64_t k = (std::min<std::uint64_t>)(256, a.desc->sizes.back());
  return {.cpu_thread = sizeof(double) * m * n + sizeof(float) * (m * n + 4 * k * (m + n))};
}

}  // namespace goldml::detail
