// Arg-reductions: the index of the least or the greatest element of each slice, for all data types and strides.
#pragma once

#include <type_traits>

#include <goldml/core/data_type.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/arg_reduce/keys.hpp>
#include <goldml/cpu/engine/arg_reduce/plan.hpp>
#ifndef GOLDML_COMPILED
#include <goldml/cpu/engine/arg_reduce/call.hpp>
#endif

namespace goldml::detail {

// Writes the index of each slice; `keys` orders the elements of the plan's input. Defined in arg_reduce/call.hpp.
template <class Keys>
void arg_reduce(const cpu_backend& backend, const arg_reduce_plan& plan, const Keys& keys);

// Elements of type T to indices of type Index.
template <extremum Wanted, class T, class Index>
void arg_reduce(const cpu_backend& backend, const tensor_view<const T>& input, const tensor_view<Index>& output,
                const arg_reduce_options& options) {
  const arg_reduce_plan plan(host_input(input), host_output(output), sizeof(Index) == 8, options);
  arg_reduce(backend, plan, order_keys_for<Wanted, T>(options.nan_first));
}

// The same with data types known at run time: that of `input` is one of Types.
template <extremum Wanted, class... Types>
void arg_reduce(const cpu_backend& backend, type_list<Types...> types, const const_tensor_ref& input,
                const tensor_ref& output, const arg_reduce_options& options) {
  const bool indices_are_wide = element_size_in_bytes(output.desc().data_type) == 8;
  const arg_reduce_plan plan(host_input(input), host_output(output), indices_are_wide, options);
  require_found(visit_data_type(types, input.desc().data_type, [&]<class T>(std::type_identity<T>) {
    arg_reduce(backend, plan, order_keys_for<Wanted, T>(options.nan_first));
  }));
}

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template void detail::arg_reduce(const cpu_backend&, const detail::arg_reduce_plan&, const detail::order_keys<std::uint8_t, false>&);
extern template void detail::arg_reduce(const cpu_backend&, const detail::arg_reduce_plan&, const detail::order_keys<std::uint16_t, false>&);
extern template void detail::arg_reduce(const cpu_backend&, const detail::arg_reduce_plan&, const detail::order_keys<std::uint32_t, false>&);
extern template void detail::arg_reduce(const cpu_backend&, const detail::arg_reduce_plan&, const detail::order_keys<std::uint64_t, false>&);
extern template void detail::arg_reduce(const cpu_backend&, const detail::arg_reduce_plan&, const detail::order_keys<std::uint16_t, true, false>&);
extern template void detail::arg_reduce(const cpu_backend&, const detail::arg_reduce_plan&, const detail::order_keys<std::uint32_t, true, false>&);
extern template void detail::arg_reduce(const cpu_backend&, const detail::arg_reduce_plan&, const detail::order_keys<std::uint16_t, true, true>&);
extern template void detail::arg_reduce(const cpu_backend&, const detail::arg_reduce_plan&, const detail::order_keys<std::uint32_t, true, true>&);
// clang-format on
}  // namespace goldml
#endif
