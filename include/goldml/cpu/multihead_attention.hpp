// MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1 on the CPU.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/rounding.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/attention.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/multihead_attention_values.hpp>

namespace goldml {

template <attention_operator Desc>
struct kernel<Desc, cpu_backend> {
  // A template, so that only a unit with a call instantiates it.
  template <std::same_as<cpu_backend> Backend>
  static void run(const Backend& backend, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::attention_call<T> call(desc, inputs, outputs);
      call.check_lengths();
      call.store_presents([](double x, double bias) { return rounded<T>(x + bias); });
      const std::uint64_t rows = call.row_count();
      detail::parallel_for(backend, saturating_multiply(rows, call.z.t() * (call.z.d + call.z.dv)), rows,
                           [&](std::uint64_t begin, std::uint64_t end) {
                             const detail::ieee_arithmetic mode;
                             detail::attention_engine<T>(backend.instruction_set(), call).run(begin, end);
                           });
    });
  }
};

}  // namespace goldml
