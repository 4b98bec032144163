// NONZERO_COORDINATES on the CPU.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/compact.hpp>
#include <goldml/operators/nonzero_coordinates.hpp>

namespace goldml {

template <>
struct kernel<nonzero_coordinates_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& input,
                  const tensor_view<std::uint32_t>& count, const tensor_view<std::uint32_t>& output,
                  const nonzero_coordinates_desc&) {
    const detail::compact_plan plan{detail::host_input(input), is_floating_type<T>, detail::host_output(output)};
    write_count(count, detail::compact<simd::bits_of_size<element_size_in_bytes(data_type_of<T>)>>(backend, plan));
  }

  // A template, so that only a unit with a run-time call instantiates the engine for all widths.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const nonzero_coordinates_desc& desc) {
    const auto count = outputs[0].as<std::uint32_t>();
    const auto output = outputs[1].as<std::uint32_t>();
    detail::require_found(visit_data_type(a8_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      run(backend, inputs[0].as<T>(), count, output, desc);
    }));
  }

 private:
  // The only element of `count` is at offset 0.
  static void write_count(const tensor_view<std::uint32_t>& count, std::uint64_t rows) {
    *count.data() = static_cast<std::uint32_t>(rows);
  }
};

}  // namespace goldml
