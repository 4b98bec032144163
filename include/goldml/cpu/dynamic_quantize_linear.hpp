// DYNAMIC_QUANTIZE_LINEAR on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include <goldml/arithmetic/dynamic_quantise.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/operators/dynamic_quantize_linear.hpp>

namespace goldml {

template <>
struct kernel<dynamic_quantize_linear_desc, cpu_backend> {
  template <class X, class Q>
  static void run(const cpu_backend& backend, const tensor_view<const X>& input, const tensor_view<Q>& output,
                  const tensor_view<float>& scale, const tensor_view<Q>& zero_point,
                  const dynamic_quantize_linear_desc& desc) {
    detail::loop_nest<2> loops;
    for (std::size_t i = 0; i < output.sizes().size(); ++i)
      loops.add(output.sizes()[i], {output.strides()[i], input.strides()[i]});
    loops.sort_by_stride(0);
    loops.merge();
    const detail::loop<2> run = loops.take_innermost();
    // Calls f(element, offset in the output) for each, in parts; after each part done().
    const auto for_each = [&](const auto& part) {
      detail::parallel_for(backend, 4 * element_count(output.sizes()) * sizeof(X), loops.iterations(),
                           [&](std::uint64_t begin, std::uint64_t end) {
                             const detail::ieee_arithmetic mode;
                             part([&](const auto& f) {
                               loops.for_range(begin, end, [&](const auto& offset) {
                                 for (std::uint64_t i = 0; i < run.size; ++i)
                                   f(exact_double(input.data()[offset[1] + i * run.stride[1]]),
                                     offset[0] + i * run.stride[0]);
                               });
                             });
                           });
    };
    arithmetic::number_range range;
    std::mutex lock;
    for_each([&](const auto& visit) {
      arithmetic::number_range own;
      visit([&](double x, std::uint64_t) { own.add(x); });
      const std::lock_guard guard(lock);
      range.add(own);
    });
    const detail::ieee_arithmetic mode;
    const float s = arithmetic::scale_of(range, desc.zero_range);
    const double divisor = exact_double(s);
    const Q z = arithmetic::zero_point_of<Q>(range, s);
    for_each([&](const auto& visit) {
      visit([&](double x, std::uint64_t to) {
        output.data()[to] = arithmetic::quantised(x / divisor, z, quantize_ties::even);
      });
    });
    scale.data()[0] = s;
    zero_point.data()[0] = z;
  }
};

}  // namespace goldml
