// Who computes. A backend is an object passed first to every call; its type chooses the code at compile time. A backend
// supports an operator by specialising `kernel` for the operator's desc and its own type; nobody falls back on another.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include <goldml/core/arguments.hpp>
#include <goldml/core/operator_rules.hpp>
#include <goldml/core/violation.hpp>

namespace goldml {

// Declared, never defined: a specialisation is the support. It has
//   static void run(const Backend&, inputs..., outputs..., const Desc&)
// over operands that have passed check(): tensor_view<const T> and tensor_view<T> deduced from the call, an optional
// operand as std::optional of its view; or, for a backend that does not care for C++ types, const_tensor_ref and
// tensor_ref. Rules that depend on data are the kernel's to refuse (throw error) before its first write.
template <class Desc, class Backend>
struct kernel;

// Whether the kernel's header has been included. Asking before including it is ill-formed, as for any incomplete type.
template <class Backend, class Desc>
concept supports = requires {
  sizeof(kernel<Desc, Backend>);
};

namespace detail {

template <class Desc>
inline constexpr std::size_t input_count = [] {
  std::size_t count = 0;
  for (const operand_info& info : operator_traits<Desc>::operands) count += info.role == operand_role::input ? 1 : 0;
  return count;
}();

// Checked operands whose types are known at run time only, to the kernel.
template <class Desc, class Backend>
void run_by_data_type(const Backend& backend, std::span<const const_tensor_ref> inputs,
                      std::span<const tensor_ref> outputs, const Desc& desc) {
  const bool found = operator_traits<Desc>::visit_types(
      inputs, outputs, [&](const auto&... views) { kernel<Desc, Backend>::run(backend, views..., desc); });
  if (!found) throw std::logic_error("goldml: a data type passed its rule but has no kernel");
}

template <class Desc, class Backend>
constexpr void assert_support() {
  static_assert(supports<Backend, Desc>,
                "goldml: this backend has no kernel for this operator. Include the backend's header of that name, such "
                "as <goldml/reference/argmin.hpp>; there is no fallback on another backend.");
}

}  // namespace detail

// The operands of a run-time call, as check() takes them. Throws std::invalid_argument when there are not as many
// inputs and outputs as the operator has.
template <class Desc>
operands_of<Desc> to_operands(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
  operands_of<Desc> operands;
  if (inputs.size() != detail::input_count<Desc> || inputs.size() + outputs.size() != operands.size())
    throw std::invalid_argument("goldml: wrong number of operands");
  std::size_t next = 0;
  for (const const_tensor_ref& input : inputs) operands[next++] = to_operand(input);
  for (const tensor_ref& output : outputs) operands[next++] = to_operand(output);
  return operands;
}

// The run-time call of any operator: inputs and outputs in the order of the C structure, an optional one that is not
// there default-constructed. Throws error with the first broken rule, all outputs untouched.
template <class Desc, class Backend>
void evaluate(const Backend& backend, const Desc& desc, std::span<const const_tensor_ref> inputs,
              std::span<const tensor_ref> outputs) {
  detail::assert_support<Desc, Backend>();
  auto operands = to_operands<Desc>(inputs, outputs);
  violation_sink sink;
  check(desc, operands, sink);
  if (sink.first()) throw error(*sink.first());
  detail::run_by_data_type(backend, inputs, outputs, desc);
}

namespace detail {

// Whether an argument may be the operand at compile time: typed views by their type, run-time ones until they are
// checked.
template <class Desc, std::size_t Operand, class View>
inline constexpr bool takes = true;
template <class Desc, std::size_t Operand, class T>
inline constexpr bool takes<Desc, Operand, tensor_view<T>> = ever_takes<Desc>(Operand, data_type_of<T>);

template <class View>
inline constexpr bool has_static_type = false;
template <class T>
inline constexpr bool has_static_type<tensor_view<T>> = true;
template <class T>
inline constexpr bool has_static_type<std::optional<tensor_view<T>>> = true;

// Whether two arguments have the same element type, as far as that is known at compile time.
template <class A, class B>
inline constexpr bool same_type = true;
template <class A, class B>
inline constexpr bool same_type<tensor_view<A>, tensor_view<B>> = std::is_same_v<const A, const B>;

// Every public call: typed operands go straight to the kernel of their types, any other mixture through evaluate().
template <class Desc, class Backend, class... Inputs, class... Outputs>
void call(const Backend& backend, const Desc& desc, const std::tuple<Inputs...>& inputs,
          const std::tuple<Outputs...>& outputs) {
  assert_support<Desc, Backend>();
  if constexpr (supports<Backend, Desc>)
    std::apply(
        [&](const auto&... views) {
          if constexpr ((has_static_type<std::remove_cvref_t<decltype(views)>> && ...)) {
            if (const auto broken = validate(desc, views...)) throw error(*broken);
            kernel<Desc, Backend>::run(backend, views..., desc);
          } else {
            const std::array<const_tensor_ref, sizeof...(Inputs)> input_refs =
                std::apply([](const auto&... input) { return std::array{const_tensor_ref(input)...}; }, inputs);
            const std::array<tensor_ref, sizeof...(Outputs)> output_refs =
                std::apply([](const auto&... output) { return std::array{tensor_ref(output)...}; }, outputs);
            evaluate(backend, desc, std::span<const const_tensor_ref>(input_refs),
                     std::span<const tensor_ref>(output_refs));
          }
        },
        std::tuple_cat(inputs, outputs));
}

}  // namespace detail

}  // namespace goldml
