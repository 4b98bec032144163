// GEMM: a general matrix product. Feature level 1_0. Page: DML_GEMM_OPERATOR_DESC. Rules: GM1..GM7, AR7..AR10,
// SO5..SO7.
// Rulings: ledger GM-R1, AR-R1, AR-R5 to AR-R7. Shared code: fused_activation.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <goldml/arithmetic/values.hpp>
#include <goldml/core/compiled.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/work.hpp>
#include <goldml/operators/axes_rules.hpp>
#include <goldml/operators/fused_activation.hpp>
#include <goldml/operators/gemm_desc.hpp>

namespace goldml {

template <>
struct operator_traits<gemm_desc> {
  static constexpr std::string_view name = "GEMM";
  static constexpr std::uint32_t enumerator = 54;

  static constexpr data_type_set floats{data_type::float32, data_type::float16};
  static constexpr std::array<operand_limits, 2> limits{
      {{feature_level::level_1_0, floats, 4, 4}, {feature_level::level_4_0, floats, 2, 4}}};
  static constexpr std::array<operand_info, 4> operands{
      {{.name = "ATensor", .role = operand_role::input, .limits = limits},
       {.name = "BTensor",
        .role = operand_role::input,
        .limits = limits,
        .same_data_type_as = {"GM1", 0},
        .same_rank_as = {"GM2", 0}},
       {.name = "CTensor",
        .role = operand_role::input,
        .limits = limits,
        .optional = true,
        .same_data_type_as = {"GM1", 0},
        .same_rank_as = {"GM2", 0}},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = limits,
        .same_data_type_as = {"GM1", 0},
        .same_rank_as = {"GM2", 0}}}};

  static constexpr std::array attributes{row<&gemm_desc::trans_a>("TransA").enumerator("GM7"),
                                         row<&gemm_desc::trans_b>("TransB").enumerator("GM7"),
                                         row<&gemm_desc::alpha>("Alpha"), row<&gemm_desc::beta>("Beta"),
                                         row<&gemm_desc::fused_activation>("FusedActivation")};
  static constexpr std::array policies{row<&gemm_desc::accumulation>("accumulation"),
                                       row<&gemm_desc::same_resource>("same_resource")};

  static implied_output implied(const gemm_desc& desc, const std::array<operand, 4>& t, std::size_t) {
    const dimensions &a = t[0].desc->sizes, &b = t[1].desc->sizes;
    const std::size_t rank = a.size();
    if (rank < 2 || b.size() != rank) return {};
    dimensions sizes = a;
    if (desc.trans_a == matrix_transform::transpose) sizes[rank - 2] = a[rank - 1];
    sizes[rank - 1] = b[desc.trans_b == matrix_transform::transpose ? rank - 2 : rank - 1];
    return {.sizes = sizes};
  }

  // GM7, then GM3 to GM6, then AR7 to AR10, to which GM8 refers, and SO5 to SO7 of a fused SOFTMAX1.
  static void check_rules(const gemm_desc& desc, const std::array<operand, 4>& t, const rule_report& report) {
    bool comparable = detail::check_enumerator(attributes[0], desc.trans_a, report);
    comparable = detail::check_enumerator(attributes[1], desc.trans_b, report) && comparable;
    for (const operand& each : t)
      if (each.desc && (!each.legal || each.desc->data_type != t[0].desc->data_type ||
                        each.desc->sizes.size() != t[0].desc->sizes.size()))
        comparable = false;
    if (comparable && t[0].desc && t[1].desc && t[3].desc) check_sizes(desc, t, report);
    detail::check_fused("FusedActivation", desc.fused_activation, detail::fusing_operator::gemm, desc.feature_level,
                        report);
    if (desc.fused_activation && desc.fused_activation->operator_type == detail::activation_softmax1_number)
      detail::check_axes(desc.fused_activation->axes, t[3], detail::softmax_axes_codes, false, report);
  }

  // The products, and a sum for each element of the output.
  static work_counts work(const gemm_desc& desc, const std::array<operand, 4>& t) {
    const std::uint64_t outputs = element_count(t[3].desc->sizes);
    return work_counts{.elements = element_count_of(t),
                       .terms = saturating_multiply(outputs, count_of(desc, t)),
                       .results = outputs} +
           detail::work_of_fused(desc.fused_activation, outputs);
  }
  // cpu: of each thread the matrices of a tile, and the copies that a product makes of two. With SOFTMAX, doubles for
  // each element, and of a slice all sums.
  static scratch_memory scratch(const gemm_desc& desc, const std::array<operand, 4>& t) {
    constexpr std::uint64_t most = 512;  // lines of a tile, and numbers of a line at a time
    const dimensions& sizes = t[3].desc->sizes;
    const std::uint64_t m = (std::min<std::uint64_t>)(most, sizes[sizes.size() - 2]);
    const std::uint64_t n = (std::min<std::uint64_t>)(most, sizes.back());
    const std::uint64_t k = (std::min)(most, count_of(desc, t));
    scratch_memory result{.cpu_thread = sizeof(double) * (m * n + 2 * k * (m + n))};
    if (const auto axes = detail::fused_softmax_axes(desc.fused_activation, sizes.size())) {
      std::uint64_t slice = 1;
      for (const std::uint32_t axis : *axes) slice = saturating_multiply(slice, sizes[axis]);
      constexpr std::uint64_t of_sum = 3 * sizeof(detail::extended_sum) + 64;
      result.reference = saturating_multiply(slice, of_sum);
      result.cpu = saturating_multiply(element_count(sizes), 2 * sizeof(double));
      result.cpu_thread =
          saturating_add(result.cpu_thread, saturating_multiply(slice, of_sum + 3 * sizeof(coordinate_tuple) + 48));
    }
    return result;
  }

  static constexpr operator_options<gemm_desc> options{
      .implied = &implied, .check_rules = &check_rules, .work = &work, .scratch = &scratch};

 private:
  // The number of products of each sum.
  static std::uint64_t count_of(const gemm_desc& desc, const std::array<operand, 4>& t) {
    const dimensions& a = t[0].desc->sizes;
    return a[a.size() - (desc.trans_a == matrix_transform::transpose ? 2 : 1)];
  }

  static void check_sizes(const gemm_desc& desc, const std::array<operand, 4>& t, const rule_report& report) {
    const dimensions &a = t[0].desc->sizes, &output = t[3].desc->sizes;
    const dimensions product = implied(desc, t, 3).sizes->clamped();
    const std::size_t batches = a.size() - 2;
    const std::size_t k_of_a = desc.trans_a == matrix_transform::transpose ? 0 : 1;
    const std::size_t k_of_b = desc.trans_b == matrix_transform::transpose ? 1 : 0;
    const auto wrong = [&](std::string_view rule, std::size_t operand, std::size_t i, std::uint32_t wanted,
                           const violation_text& why) {
      const std::uint32_t size = t[operand].desc->sizes[i];
      if (size != wanted)
        report(rule, operands[operand].name, "Sizes", violation_text("{}", size), violation_text("{}", wanted), why, i);
    };
    for (const std::size_t operand : {std::size_t{1}, std::size_t{3}})
      for (std::size_t i = 0; i < batches; ++i) wrong("GM3", operand, i, a[i], violation_text("ATensor's"));
    wrong("GM4", 1, batches + k_of_b, a[batches + k_of_a], violation_text("K, as in ATensor"));
    wrong("GM5", 3, batches, product[batches], violation_text("M, as in ATensor"));
    wrong("GM5", 3, batches + 1, product[batches + 1], violation_text("N, as in BTensor"));
    if (t[2].desc && t[2].desc->sizes != output)
      report("GM6", "CTensor", "Sizes", violation_text("{}", t[2].desc->sizes), violation_text("{}", output),
             violation_text("the output's; broadcast with stride 0"));
  }
};

// output = f(Alpha * op(A) x op(B) + Beta * C) for each pair of matrices; op transposes or not; f is FusedActivation.
//   A  {[B, [C,]] M, K}, with TransA {.., K, M}    FLOAT32 or FLOAT16, as all tensors
//   B  {[B, [C,]] K, N}, with TransB {.., N, K}
//   C  the output's sizes; without C, Beta is ignored
//   output  {[B, [C,]] M, N}
// Each element is the exact result rounded once. Throws error (T1..T12, GM1..GM7, AR7..AR10, SO5..SO7), with the
// output unchanged.
template <class Backend, input_argument A, input_argument B, input_argument C, output_argument Output>
void gemm(const Backend& backend, const A& a, const B& b, const C& c, Output&& output, const gemm_desc& desc = {}) {
  static_assert(detail::alike_types<gemm_desc, input_view<A>, input_view<B>, input_view<C>, output_view<Output>>,
                "goldml GEMM GM1: the tensors have the same data type");
  static_assert(detail::takes<gemm_desc, 0, input_view<A>>, "goldml GEMM T3: the tensors are FLOAT32 or FLOAT16");
  const std::optional optional_c = detail::as_input(c);
  detail::call(backend, desc, std::tuple(detail::as_input(a), detail::as_input(b), optional_c),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without C.
template <class Backend, input_argument A, input_argument B, output_argument Output>
void gemm(const Backend& backend, const A& a, const B& b, Output&& output, const gemm_desc& desc = {}) {
  static_assert(detail::alike_types<gemm_desc, input_view<A>, input_view<B>, input_view<A>, output_view<Output>>,
                "goldml GEMM GM1: the tensors have the same data type");
  static_assert(detail::takes<gemm_desc, 0, input_view<A>>, "goldml GEMM T3: the tensors are FLOAT32 or FLOAT16");
  const auto left = detail::as_input(a);
  using none = std::optional<std::remove_const_t<decltype(left)>>;
  detail::call(backend, desc, std::tuple(left, detail::as_input(b), none{}),
               std::tuple(detail::as_output(std::forward<Output>(output))));
}

// The same without C, returning the output.
template <class Backend, class T>
[[nodiscard]] tensor<T> gemm(const Backend& backend, const tensor<T>& a, const tensor<T>& b,
                             const gemm_desc& desc = {}) {
  tensor<T> output = detail::new_output<T>(desc, a, b);
  gemm(backend, a, b, output, desc);
  return output;
}

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(gemm_desc);
