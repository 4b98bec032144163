// ELEMENT_WISE_QUANTIZE_LINEAR and ELEMENT_WISE_DEQUANTIZE_LINEAR on the CPU.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/base/streaming.hpp>
#include <goldml/cpu/engine/element_wise/bits.hpp>
#include <goldml/cpu/engine/element_wise/plan.hpp>
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

// Whether all elements of a tensor are one.
template <class T>
bool is_one_element(const tensor_view<const T>& t) {
  for (std::size_t i = 0; i < t.sizes().size(); ++i)
    if (t.sizes()[i] != 1 && t.strides()[i] != 0) return false;
  return true;
}

// Elements by one scale and zero point, in blocks: results(set, from, to).
struct quantised_blocks {
  template <class Set, class X, class Y, class Results>
  GOLDML_INLINE static void run(Set set, const element_wise_blocks& blocks, const Results& results,
                                std::type_identity<X>, std::type_identity<Y>) {
    for (std::size_t b = 0; b < blocks.count; ++b) {
      blocks.prefetch_after(b);
      std::array<X, element_wise_block> from;
      std::array<Y, element_wise_block> to;
      std::memcpy(from.data(), blocks.from[0] + b * blocks.step[0], sizeof from);
      results(from, to);
      simd::store_block<Set, sizeof to>(blocks.to + b * sizeof to, to.data(), blocks.streamed);
    }
    (void)set;
  }
};
template <class X, class Y, class Results>
void run_quantised_blocks(const cpu_backend& backend, const tensor_view<const X>& input, const tensor_view<Y>& output,
                          const Results& results) {
  const host_input from(input);
  const auto body = [&](const element_wise_blocks& blocks) {
    simd::dispatch<quantised_blocks>(backend.instruction_set(), blocks, results, std::type_identity<X>{},
                                     std::type_identity<Y>{});
  };
  run_element_wise(backend, {host_output(output), {from, from, from}, 1, data_type_of<X>, data_type_of<Y>},
                   element_wise_body(body));
}

// FLOAT32 to bytes: times the reciprocal of the scale, clipped to the quotients of the ends of the range. Of these,
// below 512, the product is off by less than 2^-13; those nearer to a half than that, and NaN, are divided.
template <class Q>
struct quotients_by_reciprocal {
  float scale, reciprocal;
  Q zero_point;
  quantize_ties ties;

  using floats = std::array<float, element_wise_block>;
  using bytes = std::array<Q, element_wise_block>;

  GOLDML_INLINE static float clipped(float x, bool is_beyond, float bound) {
    return std::bit_cast<float>(select(mask_of<std::uint32_t>(is_beyond), std::bit_cast<std::uint32_t>(bound),
                                       std::bit_cast<std::uint32_t>(x)));
  }
  GOLDML_INLINE void operator()(const floats& x, bytes& y) const {
    constexpr float to_integer = 0x1.8p23F;
    const float by = reciprocal;
    const std::int32_t zero = zero_point;
    const auto least = static_cast<float>(arithmetic::range_of_type<Q>.least - zero);
    const auto most = static_cast<float>(arithmetic::range_of_type<Q>.greatest - zero);
    std::array<std::uint32_t, element_wise_block> open;
    for (std::size_t i = 0; i < element_wise_block; ++i) {
      const float product = x[i] * by;
      const float q = clipped(clipped(product, product > most, most), product < least, least);
      const float moved = q + to_integer, off = q - (moved - to_integer);
      y[i] = static_cast<Q>(std::bit_cast<std::int32_t>(moved) - std::bit_cast<std::int32_t>(to_integer) + zero);
      const float size = std::bit_cast<float>(std::bit_cast<std::uint32_t>(off) & 0x7FFF'FFFF);
      open[i] = ~mask_of<std::uint32_t>(size < 0.5F - 0x1p-13F);
    }
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < element_wise_block; ++i) any |= open[i];
    if (any == 0) return;
    for (std::size_t i = 0; i < element_wise_block; ++i)
      if (open[i] != 0) y[i] = arithmetic::quantised(exact_double(x[i]) / exact_double(scale), zero_point, ties);
  }
};

// Integers of at most 16 bits to FLOAT32: one product, which is exact before it is rounded.
template <class Q>
struct products_by_scale {
  float scale;
  Q zero_point;

  GOLDML_INLINE void operator()(const std::array<Q, element_wise_block>& x,
                                std::array<float, element_wise_block>& y) const {
    const float by = scale;
    const std::int32_t zero = zero_point;
    for (std::size_t i = 0; i < element_wise_block; ++i) y[i] = static_cast<float>(std::int32_t{x[i]} - zero) * by;
  }
};

// The scale and the zero point, if each is one.
template <class S, class Z>
bool are_one_element(const tensor_view<const S>& scale, const std::optional<tensor_view<const Z>>& zero_point) {
  return is_one_element(scale) && (!zero_point || is_one_element(*zero_point));
}

}  // namespace detail

template <>
struct kernel<element_wise_quantize_linear_desc, cpu_backend> {
  template <class X, class S, class Q>
  static void run(const cpu_backend& backend, const tensor_view<const X>& input, const tensor_view<const S>& scale,
                  const std::optional<tensor_view<const Q>>& zero_point, const tensor_view<Q>& output,
                  const element_wise_quantize_linear_desc& desc) {
    if constexpr (std::is_same_v<X, float> && sizeof(Q) == 1)
      if (const float s = scale.data()[0];
          detail::are_one_element(scale, zero_point) && std::abs(s) > 0x1p-100F && std::abs(s) < 0x1p100F)
        return detail::run_quantised_blocks(
            backend, input, output,
            detail::quotients_by_reciprocal<Q>{s, 1 / s, zero_point ? zero_point->data()[0] : Q{0},
                                               desc.quantize_ties});
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
    if constexpr (std::is_same_v<S, float> && sizeof(Q) <= 2)
      if (detail::are_one_element(scale, zero_point) && detail::is_finite_double(scale.data()[0]))
        return detail::run_quantised_blocks(
            backend, input, output,
            detail::products_by_scale<Q>{scale.data()[0], zero_point ? zero_point->data()[0] : Q{0}});
    detail::for_each_quantised(backend, input, scale, zero_point, output, [](Q x, S s, Q z) {
      return rounded<S>(arithmetic::dequantised(std::int64_t{x} - std::int64_t{z}, exact_double(s)));
    });
  }
};

}  // namespace goldml
