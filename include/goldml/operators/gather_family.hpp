// What GATHER, GATHER_ELEMENTS, GATHER_ND and GATHER_ND1 share: tables, the rule on the values of the indices,
// and the public call. Ruling: ledger L60.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/operators/index_rules.hpp>

namespace goldml {

namespace detail {

// Specialised for each of the operators, with
//   name, enumerator
//   alike_ranks, alike_types, output_sizes, index_range   the codes of rules
//   first                                                 the first of the levels below
template <class Desc>
struct gather_row;

// The desc of one of the operators.
template <class Desc>
concept gather_operator = requires {
  gather_row<Desc>::index_range;
};

// The base of operator_traits of the operators, which add
//   attributes
//   check_sizes(desc, input, indices, report)             rules on attributes and on the sizes of the inputs; all
//   tensors
//                                                         have the same rank
//   output_sizes(desc, input, indices)                    nullopt if such a rule is broken
//   indexed_size(desc, input, c)                          the size of the axis that the index at c selects from
//   source_of(desc, input, indices, o, policy)            the place in the input of the output's element at o; nullopt
//                                                         if an index is out of range and the policy is not `clamp`
// `input` and `indices` are sizes; in source_of() the indices are a view.
template <class Desc>
struct gather_traits {
  using entry = gather_row<Desc>;
  static constexpr std::string_view name = entry::name;
  static constexpr std::uint32_t enumerator = entry::enumerator;
  static constexpr std::array<operand_limits, 4> all_data_limits{{{feature_level::level_1_0, data_types_f, 4, 4},
                                                                  {feature_level::level_2_1, data_types_a8, 4, 4},
                                                                  {feature_level::level_3_0, data_types_a8, 1, 8},
                                                                  {feature_level::level_4_1, data_types_a11, 1, 8}}};
  static constexpr std::array<operand_limits, 3> all_index_limits{
      {{feature_level::level_1_0, {data_type::uint32}, 4, 4},
       {feature_level::level_2_1, {data_type::uint32}, 4, 4},
       {feature_level::level_3_0, data_types_ix, 1, 8}}};
  static constexpr auto data_limits = std::span<const operand_limits>(all_data_limits).subspan(entry::first);
  static constexpr auto index_limits = std::span<const operand_limits>(all_index_limits).subspan(entry::first);
  static constexpr std::array<operand_info, 3> operands{
      {{.name = "InputTensor", .role = operand_role::input, .limits = data_limits},
       {.name = "IndicesTensor",
        .role = operand_role::input,
        .limits = index_limits,
        .same_rank_as = {entry::alike_ranks, 0}},
       {.name = "OutputTensor",
        .role = operand_role::output,
        .limits = data_limits,
        .same_data_type_as = {entry::alike_types, 0},
        .same_rank_as = {entry::alike_ranks, 0}}}};

  static constexpr auto policies = [] {
    if constexpr (requires(Desc desc) { desc.off_axis_sizes; })
      return std::array{row<&Desc::range_policy>("range_policy"), row<&Desc::off_axis_sizes>("off_axis_sizes"),
                        row<&Desc::same_resource>("same_resource")};
    else
      return std::array{row<&Desc::range_policy>("range_policy"), row<&Desc::same_resource>("same_resource")};
  }();

  static implied_output implied(const Desc& desc, const std::array<operand, 3>& t, std::size_t) {
    const dimensions &input = t[0].desc->sizes, &indices = t[1].desc->sizes;
    if (input.size() != indices.size()) return {};
    return {.sizes = operator_traits<Desc>::output_sizes(desc, input, indices)};
  }

  static void check_rules(const Desc& desc, const std::array<operand, 3>& t, const rule_report& report) {
    if (!t[0].legal || !t[1].legal || t[0].desc->sizes.size() != t[1].desc->sizes.size()) return;
    const dimensions& input = t[0].desc->sizes;
    const dimensions& indices = t[1].desc->sizes;
    operator_traits<Desc>::check_sizes(desc, input, indices, report);
    const auto wanted = operator_traits<Desc>::output_sizes(desc, input, indices);
    if (wanted && t[2].legal && t[2].desc->sizes.size() == wanted->size() && t[2].desc->sizes != *wanted)
      report(entry::output_sizes, "OutputTensor", "Sizes", violation_text("{}", t[2].desc->sizes),
             violation_text("{}", *wanted), violation_text("InputTensor {}, IndicesTensor {}", input, indices));
  }

  // The rule on the values of the indices. Call before the first write. There is nothing that `drop` could drop, so it
  // is the same as `refuse`.
  static std::optional<violation> check_indices(const Desc& desc, const dimensions& input,
                                                const const_tensor_ref& indices) {
    std::optional<violation> broken;
    if (desc.range_policy != range_policy::clamp)
      visit_data_type(ix_types{}, indices.desc().data_type, [&]<class Index>(std::type_identity<Index>) {
        broken = find_bad_index(name, entry::index_range, "clamp", indices.as<Index>(), [&](const coordinate_tuple& c) {
          return operator_traits<Desc>::indexed_size(desc, input, c);
        });
      });
    return broken;
  }

  // Elements read and written: each element of the output is read and written, and the indices are read twice or more.
  static work_counts work(const Desc&, const std::array<operand, 3>& t) {
    const std::uint64_t moved = saturating_multiply(3, element_count(t[2].desc->sizes));
    return {.elements = saturating_add(moved, saturating_multiply(2, element_count(t[1].desc->sizes)))};
  }

  static constexpr operator_options<Desc> shared_options() {
    return {.implied = &implied,
            .check_rules = &check_rules,
            .check_indices = &check_indices,
            .work = &work,
            .moves = true};
  }
};

}  // namespace detail

// The public call of an operator, a function object: gather(backend, input, indices, output, desc). Without an output,
// and with owning tensors, it returns the output. The input and the output have the same type, and the indices INT64,
// INT32, UINT64 or UINT32; a negative index v means v + the size of its axis. Elements are copied, bit for bit. Throws
// error (T1..T12, the operator's rules and, depending on the values of the indices and the policy, the rule on their
// range), with the output unchanged.
template <class Desc>
struct gather_function {
  template <class Backend, input_argument Input, input_argument Indices, output_argument Output>
  void operator()(const Backend& backend, const Input& input, const Indices& indices, Output&& output,
                  const Desc& desc) const {
    static_assert(detail::takes<Desc, 1, input_view<Indices>>,
                  "goldml GATHER, GATHER_ELEMENTS, GATHER_ND, GATHER_ND1 T3: IndicesTensor takes INT64, INT32, UINT64 "
                  "or UINT32");
    static_assert(detail::alike_types<Desc, input_view<Input>, input_view<Indices>, output_view<Output>>,
                  "goldml GATHER GA2, GATHER_ELEMENTS GE2, GATHER_ND GN2: InputTensor and OutputTensor have the same "
                  "data type");
    detail::call(backend, desc, std::tuple(detail::as_input(input), detail::as_input(indices)),
                 std::tuple(detail::as_output(std::forward<Output>(output))));
  }
  template <class Backend, class T, class Index>
  [[nodiscard]] tensor<T> operator()(const Backend& backend, const tensor<T>& input, const tensor<Index>& indices,
                                     const Desc& desc) const {
    tensor<T> output = detail::new_output<T>(desc, input, indices);
    (*this)(backend, input, indices, output, desc);
    return output;
  }
};

}  // namespace goldml
