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
#include <goldml/operators/multihead_attention_values.hpp>

namespace goldml::directml {

namespace detail {

// Throws device_error if this DirectML does not support the call on this adapter.
inline void require_support(const device& dml, const operator_description& op, const void* desc,
                            std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
  auto operands = to_operands(inputs, outputs);
  any_desc at_its_level(op, desc);
  if (dml.feature_level() < at_its_level.level()) {
    at_its_level.level() = dml.feature_level();
    violation_sink sink;
    check(at_its_level, operands, sink);
    if (sink.first())
      throw device_error(unsupported,
                         fmt::format("{} on DirectML of feature level {}", op.name, name_of(dml.feature_level())),
                         to_string(*sink.first()));
  }
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i].desc && !dml.supports(operands[i].desc->data_type))
      throw device_error(unsupported, fmt::format("{} of {}", op.name, name_of(operands[i].desc->data_type)),
                         fmt::format("DirectML does not support the type of {} on the adapter {}",
                                     op.info_of(i, operands.size()).name, dml.gpu().adapter().name));
}

// Throws device_error for a policy whose result DirectML does not guarantee.
[[noreturn]] inline void refuse_policy(std::string_view operator_name, std::string_view policy,
                                       const std::string& why) {
  throw device_error(unsupported, fmt::format("{} with {}", operator_name, policy), why);
}

// Whether the second input of a shift has a count of the element's width or more.
inline bool has_long_shift(const const_tensor_ref& counts) {
  bool found = false;
  visit_data_type(type_list<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>{}, counts.desc().data_type,
                  [&]<class T>(std::type_identity<T>) {
                    const tensor_view<const T> view = counts.as<T>();
                    for (const coordinate_tuple& c : coordinates_of(view.sizes()))
                      found = found || view[c] >= T{8 * sizeof(T)};
                  });
  return found;
}

inline bool is_float(const const_tensor_ref& tensor) {
  if (!tensor.present()) return false;
  const data_type type = tensor.desc().data_type;
  return type == data_type::float32 || type == data_type::float16 || type == data_type::float64;
}

// Policies under which a call is legal or not. They do not change the result of a legal one.
inline constexpr std::array<std::string_view, 6> policies_of_legality{
    "same_resource", "empty_axes", "inverted_range", "k_limit", "off_axis_sizes", "constant_pow_integers"};

// Throws device_error for a policy that is not the default, if its result may be one that DirectML does not guarantee.
// nan_policy matters for floats, shift_policy for counts of the width and more (ledger L20, L22, L24),
// integer_scale_bias for integers (L28), which the first input has.
inline void require_default_policies(const operator_description& op, const void* desc,
                                     std::span<const const_tensor_ref> inputs) {
  for (const attribute& policy : op.policies) {
    if (policy.kind != attribute_kind::enumeration ||
        std::find(policies_of_legality.begin(), policies_of_legality.end(), policy.name) != policies_of_legality.end())
      continue;
    const std::uint32_t value = load_enumerator(policy.address(desc));
    if (value == policy.names.rows[0].value) continue;
    if (policy.name == "integer_scale_bias" && is_float(inputs[0])) continue;
    if (policy.name == "nan_policy" && std::none_of(inputs.begin(), inputs.end(), is_float)) continue;
    if (policy.name == "shift_policy" && !has_long_shift(inputs[1])) continue;
    refuse_policy(op.name, fmt::format("{}={}", policy.name, policy.names.name_of(value).value_or("?")),
                  "DirectML promises only the default");
  }
}

// "range_policy=clamp"
template <class Policy>
std::string policy_text(std::string_view name, Policy value) {
  return fmt::format("{}={}", name, enumerator_name(value));
}

// GATHER and its kin, and SCATTER_ELEMENTS: DirectML guarantees nothing if indices are out of range or collide (ledger
// L60, L63), so the host reads them first. It throws the violations of `refuse` policies, and refuses other policies if
// the indices need them.
template <class Desc>
void require_plain_indices(const Desc& desc, std::span<const const_tensor_ref> inputs) {
  using traits = operator_traits<Desc>;
  const dimensions& sizes = inputs[0].desc().sizes;
  if (const auto broken = traits::options.check_indices(desc, sizes, inputs[1])) throw error(*broken);
  const auto refuse_if_needed = [&](const Desc& strict, const std::string& policy) {
    if (const auto open = traits::options.check_indices(strict, sizes, inputs[1]))
      refuse_policy(traits::name, policy, "DirectML promises nothing for these indices: " + to_string(*open));
  };
  Desc strict = desc;
  strict.range_policy = range_policy::refuse;
  refuse_if_needed(strict, policy_text("range_policy", desc.range_policy));
  if constexpr (requires { desc.duplicates; }) {
    strict.duplicates = duplicates::refuse;
    refuse_if_needed(strict, policy_text("duplicates", desc.duplicates));
  }
}

// Computes an operator whose policies have been checked. The desc is of the structure's operator.
inline void run_plain(const device& dml, const structure_description& structure, const void* desc,
                      std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
  require_support(dml, *structure.op, desc, inputs, outputs);
  execute(dml, structure, desc, inputs, outputs);
}

template <class Desc>
void run_plain(const device& dml, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
               const Desc& desc) {
  run_plain(dml, structure_of<Desc>(), &desc, inputs, outputs);
}

// ARGMIN and ARGMAX. DirectML skips NaN (ledger 7.1), so nan_policy::propagate is refused for floats.
template <class Desc>
struct arg_reduce_kernel {
  static void run(const device& dml, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    if (desc.nan_policy == nan_policy::propagate && is_float(inputs[0]))
      refuse_policy(operator_traits<Desc>::name, "nan_policy=propagate", "DirectML passes over NaN");
    run_plain(dml, inputs, outputs, desc);
  }
};

// DirectML guarantees nothing for a batch index of ROI_ALIGN that is no image (ledger RA-R7), so the host reads these
// first. Throws `rule`, and refuses another policy if an index needs it.
template <class Desc>
void require_images(const Desc& desc, std::string_view rule, const const_tensor_ref& batches, std::uint32_t images) {
  if (const auto broken = goldml::detail::check_images(desc, rule, batches, images)) throw error(*broken);
  Desc strict = desc;
  strict.range_policy = range_policy::refuse;
  if (const auto open = goldml::detail::check_images(strict, rule, batches, images))
    refuse_policy(operator_traits<Desc>::name, policy_text("range_policy", desc.range_policy),
                  "DirectML promises nothing for this batch index: " + to_string(*open));
}

// ROI_ALIGN, ROI_ALIGN1 and ROI_ALIGN_GRAD.
template <class Desc>
struct roi_align_kernel {
  static void run(const device& dml, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  Desc desc) {
    if constexpr (std::is_same_v<Desc, roi_align_grad_desc>)
      require_images(desc, "RG11", inputs[3], goldml::detail::image_sizes(inputs, outputs)[0]);
    else
      require_images(desc, "RA9", inputs[2], inputs[0].desc().sizes[0]);
    desc.range_policy = range_policy::refuse;  // no index needs another
    require_default_policies(description_of<Desc>(), &desc, inputs);
    run_plain(dml, inputs, outputs, desc);
  }
};

}  // namespace detail

}  // namespace goldml::directml

namespace goldml {

// Every operator that has a structure, unless it has a kernel of its own below.
template <class Desc>
requires directml::detail::has_structure<Desc>
struct kernel<Desc, directml::device> {
  static void run(const directml::device& dml, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const Desc& desc) {
    if constexpr (operator_traits<Desc>::options.check_indices != nullptr)
      directml::detail::require_plain_indices(desc, inputs);
    else
      directml::detail::require_default_policies(description_of<Desc>(), &desc, inputs);
    directml::detail::run_plain(dml, inputs, outputs, desc);
  }
};

template <>
struct kernel<argmin_desc, directml::device> : directml::detail::arg_reduce_kernel<argmin_desc> {};

template <>
struct kernel<argmax_desc, directml::device> : directml::detail::arg_reduce_kernel<argmax_desc> {};

template <>
struct kernel<roi_align_desc, directml::device> : directml::detail::roi_align_kernel<roi_align_desc> {};

template <>
struct kernel<roi_align1_desc, directml::device> : directml::detail::roi_align_kernel<roi_align1_desc> {};

template <>
struct kernel<roi_align_grad_desc, directml::device> : directml::detail::roi_align_kernel<roi_align_grad_desc> {};

// DirectML guarantees nothing for lengths of the past that do not fit into the caches, so the host reads them first.
template <>
struct kernel<multihead_attention1_desc, directml::device> {
  static void run(const directml::device& dml, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const multihead_attention1_desc& desc) {
    directml::detail::require_default_policies(description_of<multihead_attention1_desc>(), &desc, inputs);
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      detail::attention_call<T>(desc, inputs, outputs).check_lengths();
    });
    directml::detail::run_plain(dml, inputs, outputs, desc);
  }
};

// Rows past the count are undefined. DirectML may write them, but only defined rows are copied to the caller's tensor.
template <>
struct kernel<nonzero_coordinates_desc, directml::device> {
  static void run(const directml::device& dml, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const nonzero_coordinates_desc& desc) {
    const tensor_ref &count = outputs[0], &coordinates = outputs[1];
    d3d12::require_host_memory(coordinates);
    host_tensor answer(coordinates.desc());
    const std::array<tensor_ref, 2> answers{count, answer.ref()};
    directml::detail::run_plain(dml, inputs, answers, desc);
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
                                        open->rule == "S10"
                                            ? directml::detail::policy_text("range_policy", desc.range_policy)
                                            : directml::detail::policy_text("duplicates", desc.duplicates),
                                        "DirectML promises nothing for these indices: " + to_string(*open));
    });
    directml::detail::run_plain(dml, inputs, outputs, desc);
  }
};

// DirectML guarantees nothing for indices that name one place (ledger L67), so the host reads them first.
template <>
struct kernel<max_unpooling_desc, directml::device> {
  static void run(const directml::device& dml, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const max_unpooling_desc& desc) {
    const std::uint64_t places = element_count(outputs[0].desc().sizes);
    visit_data_type(type_list<std::uint32_t, std::uint64_t>{}, inputs[1].desc().data_type,
                    [&]<class Index>(std::type_identity<Index>) {
                      const tensor_view<const Index> indices = inputs[1].as<Index>();
                      if (const auto broken = check_indices(desc, indices, places)) throw error(*broken);
                      if (const auto open = check_indices(max_unpooling_desc{}, indices, places))
                        directml::detail::refuse_policy(
                            "MAX_UNPOOLING", directml::detail::policy_text("duplicates", desc.duplicates),
                            "DirectML promises nothing for these indices: " + to_string(*open));
                    });
    directml::detail::run_plain(dml, inputs, outputs, desc);
  }
};

// DirectML guarantees nothing for a Value that does not fit an integer type (ledger L18). Such a Value arrives here
// only with the policy `saturate`.
template <>
struct kernel<diagonal_matrix_desc, directml::device> {
  static void run(const directml::device& dml, std::span<const const_tensor_ref> inputs,
                  std::span<const tensor_ref> outputs, const diagonal_matrix_desc& desc) {
    if (!convert_value(desc.value, outputs[0].desc().data_type, value_conversion::refuse))
      directml::detail::refuse_policy("DIAGONAL_MATRIX", "value_conversion=saturate",
                                      "DirectML promises nothing for a Value that does not fit");
    directml::detail::run_plain(dml, inputs, outputs, desc);
  }
};

}  // namespace goldml
