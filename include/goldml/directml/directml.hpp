// The backend directml::device with all its operators, on tensors in the host's memory.
//
// A call is checked as on every backend, then once more by the feature level of the DirectML at hand. What DirectML or
// the adapter lacks is a device_error: a level, a data type, a policy that it does not promise.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <goldml/core/backend.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/directml/dispatch.hpp>

namespace goldml::directml {

namespace detail {

// Throws device_error for what this DirectML lacks on this adapter.
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
                                     traits::operands[i].name, dml.gpu().adapter().name));
}

// A policy that DirectML does not promise.
inline void refuse_policy(std::string_view operator_name, std::string_view policy, const std::string& why) {
  throw device_error(unsupported, fmt::format("{} with {}", operator_name, policy), why);
}

template <class Desc>
void run(const device& dml, const Desc& desc, std::initializer_list<const_tensor_ref> inputs,
         std::initializer_list<tensor_ref> outputs) {
  const std::span in(inputs.begin(), inputs.size());
  const std::span out(outputs.begin(), outputs.size());
  require_support(dml, desc, in, out);
  execute(dml, desc, in, out);
}

}  // namespace detail

}  // namespace goldml::directml

namespace goldml {

// DirectML passes over NaN (ledger 7.1): nan_policy::propagate is refused where there may be one.
template <>
struct kernel<argmin_desc, directml::device> {
  static void run(const directml::device& dml, const const_tensor_ref& input, const tensor_ref& output,
                  const argmin_desc& desc) {
    const data_type type = input.desc().data_type;
    if (desc.nan_policy == nan_policy::propagate && (type == data_type::float32 || type == data_type::float16))
      directml::detail::refuse_policy("ARGMIN", "nan_policy=propagate", "DirectML passes over NaN");
    directml::detail::run(dml, desc, {input}, {output});
  }
};

// Rows beyond the count are undefined: whatever DirectML writes there does not reach the caller's tensor.
template <>
struct kernel<nonzero_coordinates_desc, directml::device> {
  static void run(const directml::device& dml, const const_tensor_ref& input, const tensor_ref& count,
                  const tensor_ref& coordinates, const nonzero_coordinates_desc& desc) {
    host_tensor answer(coordinates.desc());
    directml::detail::run(dml, desc, {input}, {count, answer.ref()});
    tensor_desc defined = coordinates.desc();
    defined.strides = effective_strides(defined);
    const dimensions first = dimensions::filled(count.desc().sizes.size(), 0);
    std::uint32_t& rows = defined.sizes[defined.sizes.size() - 2];
    rows = (std::min)(rows, count.as<std::uint32_t>()[first]);
    if (rows != 0) d3d12::copy_elements(defined, answer.bytes().data(), coordinates.data());
  }
};

// DirectML promises nothing where indices are out of range or tuples collide (ledger 7.5, 7.6): the host looks at the
// indices beforehand. The policies refuse what they refuse; other policies do for indices that need none.
template <>
struct kernel<scatter_nd_desc, directml::device> {
  static void run(const directml::device& dml, const const_tensor_ref& input, const const_tensor_ref& indices,
                  const const_tensor_ref& updates, const tensor_ref& output, const scatter_nd_desc& desc) {
    const scatter_nd_shape shape(desc, input.desc().sizes, indices.desc().sizes);
    visit_data_type(ix_types{}, indices.desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const tensor_view<const Index> view = indices.as<Index>();
      if (const auto broken = check_indices(desc, view, shape)) throw error(*broken);
      if (const auto open = check_indices(scatter_nd_desc{}, view, shape))
        directml::detail::refuse_policy("SCATTER_ND",
                                        open->rule == "S10" ? policy_text("range_policy", desc.range_policy)
                                                            : policy_text("duplicates", desc.duplicates),
                                        "DirectML promises nothing for these indices: " + to_string(*open));
    });
    directml::detail::run(dml, desc, {input, indices, updates}, {output});
  }

 private:
  template <class Policy>
  static std::string policy_text(std::string_view name, Policy value) {
    return fmt::format("{}={}", name, enumerator_name(value));
  }
};

template <>
struct kernel<diagonal_matrix1_desc, directml::device> {
  static void run(const directml::device& dml, const const_tensor_ref& input, const tensor_ref& output,
                  const diagonal_matrix1_desc& desc) {
    directml::detail::run(dml, desc, {input}, {output});
  }
};

}  // namespace goldml
