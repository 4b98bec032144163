// Backends and the dispatch of calls to their kernels. A backend is an object, the first argument of every call; its
// type selects the code at compile time. A backend supports an operator by specialising `kernel` for the operator's
// desc and the backend's type. There is no fallback to another backend.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/arguments.hpp>
#include <goldml/core/typed_operands.hpp>
#include <goldml/core/validate.hpp>
#include <goldml/core/violation.hpp>

namespace goldml {

// The primary template is not defined. A specialisation has
//   static void run(const Backend&, inputs..., outputs..., const Desc&)
// for operands that have passed check(): tensor_view<const T> and tensor_view<T> deduced from the call, an optional
// operand as std::optional of its view, an array of tensors as a std::vector of views. A backend that does not depend
// on C++ types, or has fewer kernels than there are types, has instead or in addition
//   static void run(const Backend&, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
//                   const Desc&)
// which receives the operands of a run-time call as the caller gave them: null strides, TotalTensorSizeInBytes,
// alignment and resource. The kernel checks rules that depend on data, and throws error before its first write.
template <class Desc, class Backend>
struct kernel;

// Whether the backend has a kernel for the operator. Include the kernel's header first: a result that changes within a
// translation unit is ill-formed, as for any incomplete type.
template <class Backend, class Desc>
concept supports = requires {
  sizeof(kernel<Desc, Backend>);
};

namespace detail {

// Whether the kernel takes the refs of a run-time call.
template <class Backend, class Desc>
concept runs_on_refs = requires(const Backend& backend, std::span<const const_tensor_ref> inputs,
                                std::span<const tensor_ref> outputs, const Desc& desc) {
  kernel<Desc, Backend>::run(backend, inputs, outputs, desc);
};

// Whether the kernel takes typed views of these types.
template <class Backend, class Desc, class... Views>
concept runs_on_views = requires(const Backend& backend, const Views&... views, const Desc& desc) {
  kernel<Desc, Backend>::run(backend, views..., desc);
};

// Runs a kernel that takes typed views on checked operands whose types are known only at run time.
template <class Desc, class Backend>
void run_on_views(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
  std::array<data_type, operand_info_count<Desc>> types{};
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::size_t first = first_tensor(operator_traits<Desc>::operands, i, inputs.size() + outputs.size());
    if (first < inputs.size() ? inputs[first].present() : outputs[first - inputs.size()].present())
      types[i] =
          first < inputs.size() ? inputs[first].desc().data_type : outputs[first - inputs.size()].desc().data_type;
  }
  const bool found = visit_operand_types<Desc>(types, [&]<class Types>(Types) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      kernel<Desc, Backend>::run(backend, typed_operand<Desc, I, Types>(inputs, outputs)..., desc);
    }
    (std::make_index_sequence<operand_info_count<Desc>>());
  });
  if (!found) throw std::logic_error("goldml: a data type passed its rule but has no kernel");
}

// Runs the kernel on the checked operands of a run-time call.
template <class Desc, class Backend>
void run_on_refs(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                 const Desc& desc) {
  if constexpr (runs_on_refs<Backend, Desc>)
    kernel<Desc, Backend>::run(backend, inputs, outputs, desc);
  else
    run_on_views(backend, inputs, outputs, desc);
}

template <class Desc, class Backend>
constexpr void assert_support() {
  static_assert(supports<Backend, Desc>,
                "goldml: this backend has no kernel for this operator. Include the backend's header of that name, such "
                "as <goldml/reference/argmin.hpp>; there is no fallback on another backend.");
}

}  // namespace detail

// Empty operands for a call with these numbers of tensors. Throws std::invalid_argument if the operator has different
// numbers.
template <class Desc>
operands_of<Desc> make_operands(std::size_t inputs, std::size_t outputs) {
  operands_of<Desc> operands;
  const std::size_t tensors = inputs + outputs;
  bool fits = tensors == operand_info_count<Desc>;
  if constexpr (has_operand_array<Desc>) {
    fits = tensors + 1 >= operand_info_count<Desc>;
    if (fits) operands.resize(tensors);
  }
  if (!fits || input_tensor_count<Desc>(tensors) != inputs)
    throw wrong_operand_count(operator_traits<Desc>::name, operator_traits<Desc>::operands, inputs, outputs);
  return operands;
}

// The operands of a run-time call, as check() takes them. Throws std::invalid_argument if the numbers of inputs and
// outputs are not those of the operator.
template <class Desc>
operands_of<Desc> to_operands(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
  auto operands = make_operands<Desc>(inputs.size(), outputs.size());
  std::size_t next = 0;
  for (const const_tensor_ref& input : inputs) operands[next++] = to_operand(input);
  for (const tensor_ref& output : outputs) operands[next++] = to_operand(output);
  return operands;
}

// The same from descs alone, one per tensor; nullopt for an omitted optional one.
template <class Desc>
operands_of<Desc> to_operands(std::span<const std::optional<tensor_desc>> tensors) {
  const std::size_t inputs = input_tensor_count<Desc>(tensors.size());
  auto operands = make_operands<Desc>(inputs, tensors.size() - inputs);
  for (std::size_t i = 0; i < tensors.size(); ++i) operands[i].desc = tensors[i];
  return operands;
}

namespace detail {

[[noreturn]] GOLDML_COLD inline void throw_first(const violation_sink& sink) { throw error(*sink.first()); }

// Throws error with the first violation.
template <class Desc>
void check_or_throw(const Desc& desc, operands_of<Desc>& operands) {
  violation_sink sink;
  check(desc, operands, sink);
  if (sink.first()) throw_first(sink);
}

}  // namespace detail

// The run-time call of any operator. Inputs and outputs are in the order of the C structure; an absent optional one is
// default-constructed. Throws error with the first violation, with all outputs unchanged.
template <class Desc, class Backend>
void evaluate(const Backend& backend, const Desc& desc, std::span<const const_tensor_ref> inputs,
              std::span<const tensor_ref> outputs) {
  detail::assert_support<Desc, Backend>();
  auto operands = to_operands<Desc>(inputs, outputs);
  detail::check_or_throw(desc, operands);
  detail::run_on_refs(backend, inputs, outputs, desc);
}

namespace detail {

// Whether an argument can be the operand: false only for a typed view whose type no level accepts.
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

// The element type of an argument, or void if it is known only at run time.
template <class View>
struct static_type {
  using type = void;
};
template <class T>
struct static_type<tensor_view<T>> {
  using type = std::remove_const_t<T>;
};
template <class View>
struct static_type<std::optional<View>> : static_type<View> {};

// Whether element types that must be the same are the same, as far as they are known at compile time.
template <class Desc, class... Views>
inline constexpr bool alike_types = [] {
  constexpr std::array types{data_type_of<typename static_type<Views>::type>...};
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::size_t root = type_root<Desc>(i);
    if (types[i] != data_type::unknown && types[root] != data_type::unknown && types[i] != types[root]) return false;
  }
  return true;
}();

// A new output of these sizes, for a call that returns it. The desc is checked first, so that an invalid one is refused
// without an allocation. Each of `inputs` is a tensor or a range of tensors.
template <class T, class Desc, class... Inputs>
tensor<T> new_output_of(const dimensions& sizes, const Desc& desc, const Inputs&... inputs) {
  if (const auto broken = validate(desc, inputs..., tensor_desc{.data_type = data_type_of<T>, .sizes = sizes}))
    throw error(*broken);
  return tensor<T>(sizes);
}

// The same of the implied sizes, or of the first input's where a broken rule leaves none.
template <class T, class Desc, class... Inputs>
tensor<T> new_output(const Desc& desc, const Inputs&... inputs) {
  const auto t = gather_operands<Desc>(inputs..., tensor_desc{});
  const auto sizes = implied(desc, t, operand_info_count<Desc> - 1).sizes;
  return new_output_of<T>(sizes ? sizes->clamped() : t[0].desc->sizes, desc, inputs...);
}

// The implementation of every public call. Typed operands are passed directly to a kernel that takes typed views; all
// other calls use evaluate().
template <class Desc, class Backend, class... Inputs, class... Outputs>
void call(const Backend& backend, const Desc& desc, const std::tuple<Inputs...>& inputs,
          const std::tuple<Outputs...>& outputs) {
  assert_support<Desc, Backend>();
  if constexpr (supports<Backend, Desc>)
    std::apply(
        [&](const Inputs&... input) {
          std::apply(
              [&](const Outputs&... output) {
                if constexpr ((has_static_type<Inputs> && ...) && (has_static_type<Outputs> && ...) &&
                              runs_on_views<Backend, Desc, Inputs..., Outputs...>) {
                  auto operands = gather_operands<Desc>(input..., output...);
                  check_or_throw(desc, operands);
                  kernel<Desc, Backend>::run(backend, input..., output..., desc);
                } else {
                  const std::array<const_tensor_ref, sizeof...(Inputs)> inputs_as_refs{const_tensor_ref(input)...};
                  const std::array<tensor_ref, sizeof...(Outputs)> outputs_as_refs{tensor_ref(output)...};
                  evaluate(backend, desc, std::span<const const_tensor_ref>(inputs_as_refs),
                           std::span<const tensor_ref>(outputs_as_refs));
                }
              },
              outputs);
        },
        inputs);
}

}  // namespace detail

}  // namespace goldml
