// ELEMENT_WISE_QUANTIZED_LINEAR_ADD on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/arithmetic/requantise.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/quantized_linear_add.hpp>

namespace goldml {

template <>
struct kernel<element_wise_quantized_linear_add_desc, cpu_backend> {
  template <class A, class B, class Y>
  static void run(const cpu_backend& backend, const tensor_view<const A>& a, const tensor_view<const float>& a_scale,
                  const std::optional<tensor_view<const A>>& a_zero_point, const tensor_view<const B>& b,
                  const tensor_view<const float>& b_scale, const std::optional<tensor_view<const B>>& b_zero_point,
                  const tensor_view<const float>& output_scale,
                  const std::optional<tensor_view<const Y>>& output_zero_point, const tensor_view<Y>& output,
                  const element_wise_quantized_linear_add_desc& desc) {
    const arithmetic::requantising_scales scales{exact_double(a_scale.data()[0]), exact_double(b_scale.data()[0]),
                                                 exact_double(output_scale.data()[0])};
    const int a_zero = detail::line_parameters<A>(a_zero_point).at(0);
    const int b_zero = detail::line_parameters<B>(b_zero_point).at(0);
    const Y zero = detail::line_parameters<Y>(output_zero_point).at(0);
    detail::loop_nest<3> loops;
    for (std::size_t i = 0; i < output.sizes().size(); ++i)
      loops.add(output.sizes()[i], {output.strides()[i], a.strides()[i], b.strides()[i]});
    loops.sort_by_stride(0);
    loops.merge();
    const detail::loop<3> run = loops.take_innermost();
    detail::parallel_for(
        backend, 8 * element_count(output.sizes()), loops.iterations(), [&](std::uint64_t begin, std::uint64_t end) {
          const detail::ieee_arithmetic mode;
          loops.for_range(begin, end, [&](const auto& offset) {
            for (std::uint64_t i = 0; i < run.size; ++i) {
              const double v =
                  arithmetic::quotient_of_sum(scales, int{a.data()[offset[1] + i * run.stride[1]]} - a_zero,
                                              int{b.data()[offset[2] + i * run.stride[2]]} - b_zero);
              output.data()[offset[0] + i * run.stride[0]] = arithmetic::quantised(v, zero, desc.quantize_ties);
            }
          });
        });
  }
};

}  // namespace goldml
