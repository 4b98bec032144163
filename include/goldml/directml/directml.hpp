// The backend directml::device with all its operators, for tensors in host memory.
//
// A call is checked as with every backend, and then again at the feature level of the DirectML in use. It throws
// device_error for a level, a data type or a policy that DirectML or the adapter does not support.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <goldml/core/evaluate.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/directml/dispatch.hpp>

namespace goldml::directml {

namespace detail {

// Throws device_error if this DirectML does not support the call on this adapter.
template <class Desc>
void require_support(const device& dml, Desc desc, std::span<const const_tensor_ref> inputs,
                     std::span<const tensor_ref> outputs) {
  using traits = operator_traits<Desc>;
  auto operands = to_operands<Desc>(inputs, outputs);
  if (dml.feature_level() < desc.feature_level) {
    desc.feature_level = dml.feature_level();
    violation_sink sink;
    check(desc, operands, sink);
    if (sink.first())
      throw device_error(unsupported,
                         fmt::format("{} on DirectML of feature level {}", traits::name, name_of(dml.feature_level())),
                         to_string(*sink.first()));
  }
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i].desc && !dml.supports(operands[i].desc->data_type))
      throw device_error(unsupported, fmt::format("{} of {}", traits::name, name_of(operands[i].desc->data_type)),
                         fmt::format("DirectML does not support the type of {} on the adapter {}",
                                     traits::operands[place_of_tensor(traits::operands, i, operands.size()).info].name,
                                     dml.gpu().adapter().name));
}

// Throws device_error for a policy whose result DirectML does not guarantee.
inline void refuse_policy(std::string_view operator_name, std::string_view policy, const std::string& why) {
  throw device_error(unsupported, fmt::format("{} with {}", operator_name, policy), why);
}

// The kernel of an operator whose results DirectML guarantees under all policies. Kernels of other operators call it
// last.
template <class Desc>
struct plain_kernel {
  static void run(const device& dml, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    require_support(dml, desc, inputs, outputs);
    execute(dml, desc, inputs, outputs);
  }
};

// ARGMIN and ARGMAX. DirectML skips NaN (ledger 7.1), so nan_policy::propagate is refused for floats.
template <class Desc>
struct arg_reduce_kernel {
  static void run(const device& dml, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    const data_type type = inputs[0].desc().data_type;
    if (desc.nan_policy == nan_policy::propagate && (type == data_type::float32 || type == data_type::float16))
      refuse_policy(operator_traits<Desc>::name, "nan_policy=propagate", "DirectML passes over NaN");
    plain_kernel<Desc>::run(dml, inputs, outputs, desc);
  }
};

}  // namespace detail

}  // namespace goldml::directml

namespace goldml {

template <>
struct kernel<argmin_desc, directml::device> : directml::detail::arg_reduce_kernel<argmin_desc> {};

template <>
struct kernel<argmax_desc, directml::device> : directml::detail::arg_reduce_kernel<argmax_desc> {};

// Rows past the count are undefined. DirectML may write them, but only defined rows are copied to the caller's tensor.
template <>
struct kernel<nonzero_coordinates_desc, directml::device> {
  static void run(const directml::device& dml, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const nonzero_coordinates_desc& desc) {
    const tensor_ref &count = outputs[0], &coordinates = outputs[1];
    d3d12::require_host_memory(coordinates);
    host_tensor answer(coordinates.desc());
    const std::array<tensor_ref, 2> answers{count, answer.ref()};
    directml::detail::plain_kernel<nonzero_coordinates_desc>::run(dml, inputs, answers, desc);
    tensor_desc defined = coordinates.desc();
    defined.strides = effective_strides(defined);
    const dimensions first = dimensions::filled(count.desc().sizes.size(), 0);
    std::uint32_t& rows = defined.sizes[defined.sizes.size() - 2];
    rows = (std::min)(rows, count.as<std::uint32_t>()[first]);
    if (rows != 0) d3d12::copy_elements(defined, answer.bytes().data(), coordinates.data());
  }
};

// DirectML guarantees nothing if indices are out of range or tuples collide (ledger 7.5, 7.6), so the host reads the
// indices first. It throws the violations of `refuse` policies, and refuses other policies if the indices need them.
template <>
struct kernel<scatter_nd_desc, directml::device> {
  static void run(const directml::device& dml, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const scatter_nd_desc& desc) {
    const const_tensor_ref& indices = inputs[1];
    const scatter_nd_shape shape(desc, inputs[0].desc().sizes, indices.desc().sizes);
    visit_data_type(ix_types{}, indices.desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const tensor_view<const Index> view = indices.as<Index>();
      if (const auto broken = check_indices(desc, view, shape)) throw error(*broken);
      if (const auto open = check_indices(scatter_nd_desc{}, view, shape))
        directml::detail::refuse_policy("SCATTER_ND",
                                        open->rule == "S10" ? policy_text("range_policy", desc.range_policy)
                                                            : policy_text("duplicates", desc.duplicates),
                                        "DirectML promises nothing for these indices: " + to_string(*open));
    });
    directml::detail::plain_kernel<scatter_nd_desc>::run(dml, inputs, outputs, desc);
  }

 private:
  template <class Policy>
  static std::string policy_text(std::string_view name, Policy value) {
    return fmt::format("{}={}", name, enumerator_name(value));
  }
};

template <>
struct kernel<diagonal_matrix1_desc, directml::device> : directml::detail::plain_kernel<diagonal_matrix1_desc> {};

template <>
struct kernel<fill_value_constant_desc, directml::device> : directml::detail::plain_kernel<fill_value_constant_desc> {};

template <>
struct kernel<slice1_desc, directml::device> : directml::detail::plain_kernel<slice1_desc> {};

// DirectML guarantees nothing for a Value that does not fit an integer type (ledger L18). Such a Value arrives here
// only with the policy `saturate`.
template <>
struct kernel<diagonal_matrix_desc, directml::device> {
  static void run(const directml::device& dml, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const diagonal_matrix_desc& desc) {
    if (!convert_value(desc.value, outputs[0].desc().data_type, value_conversion::refuse))
      directml::detail::refuse_policy("DIAGONAL_MATRIX", "value_conversion=saturate",
                                      "DirectML promises nothing for a Value that does not fit");
    directml::detail::plain_kernel<diagonal_matrix_desc>::run(dml, inputs, outputs, desc);
  }
};

}  // namespace goldml
