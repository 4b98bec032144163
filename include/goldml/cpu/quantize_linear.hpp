// ELEMENT_WISE_QUANTIZE_LINEAR and ELEMENT_WISE_DEQUANTIZE_LINEAR on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/quantize_linear.hpp>

namespace goldml {

namespace detail {

// output[c] = f(input[c], scale[c], zero_point[c]), in the order of the output's memory.
template <class X, class S, class Z, class Y, class F>
void for_each_quantised(const cpu_backend& backend, const tensor_view<const X>& input,
                        const tensor_view<const S>& scale, const std::optional<tensor_view<const Z>>& zero_point,
                        const tensor_view<Y>& output, const F& f) {
  static constexpr Z absent = 0;
  const Z* const zeros = zero_point ? zero_point->data() : &absent;
  loop_nest<4> loops;
  for (std::size_t i = 0; i < output.sizes().size(); ++i)
    loops.add(output.sizes()[i], {output.strides()[i], input.strides()[i], scale.strides()[i],
                                  zero_point ? zero_point->strides()[i] : std::uint32_t{0}});
  loops.sort_by_stride(0);
  loops.merge();
  const loop<4> run = loops.take_innermost();
  parallel_for(backend, 4 * element_count(output.sizes()) * (sizeof(X) + sizeof(Y)), loops.iterations(),
               [&](std::uint64_t begin, std::uint64_t end) {
                 const ieee_arithmetic mode;
                 loops.for_range(begin, end, [&](const auto& offset) {
                   for (std::uint64_t i = 0; i < run.size; ++i)
                     output.data()[offset[0] + i * run.stride[0]] =
                         f(input.data()[offset[1] + i * run.stride[1]], scale.data()[offset[2] + i * run.stride[2]],
                           zeros[offset[3] + i * run.stride[3]]);
                 });
               });
}

}  // namespace detail

template <>
struct kernel<element_wise_quantize_linear_desc, cpu_backend> {
  template <class X, class S, class Q>
  static void run(const cpu_backend& backend, const tensor_view<const X>& input, const tensor_view<const S>& scale,
                  const std::optional<tensor_view<const Q>>& zero_point, const tensor_view<Q>& output,
                  const element_wise_quantize_linear_desc& desc) {
    detail::for_each_quantised(backend, input, scale, zero_point, output, [&](X x, S s, Q z) {
      return arithmetic::quantised(arithmetic::quantised_number(x) / exact_double(s), z, desc.quantize_ties);
    });
  }
};

template <>
struct kernel<element_wise_dequantize_linear_desc, cpu_backend> {
  template <class Q, class S>
  static void run(const cpu_backend& backend, const tensor_view<const Q>& input, const tensor_view<const S>& scale,
                  const std::optional<tensor_view<const Q>>& zero_point, const tensor_view<S>& output,
                  const element_wise_dequantize_linear_desc&) {
    detail::for_each_quantised(backend, input, scale, zero_point, output, [](Q x, S s, Q z) {
      return rounded<S>(arithmetic::dequantised(std::int64_t{x} - std::int64_t{z}, exact_double(s)));
    });
  }
};

}  // namespace goldml
