// Sequences of numbers, written in the order of the output's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <goldml/arithmetic/exact_sum.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/operators/fill_value_sequence.hpp>

namespace goldml::detail {

// Calls write(to, first, weight, stride, count) for runs of elements, `stride` bytes apart, whose row-major numbers are
// first, first + weight, first + 2 * weight, and so on.
template <std::size_t Size, class Write>
void fill_in_memory_order(const cpu_backend& backend, const host_output& output, const Write& write) {
  loop_nest<2> loops;  // strides: of the output in bytes, and of the row-major number
  const dimensions weights = packed_strides(output.sizes);
  for (std::size_t i = 0; i < output.sizes.size(); ++i)
    loops.add(output.sizes[i], {std::uint64_t{output.strides[i]} * Size, weights[i]});
  loops.sort_by_stride(0);
  loops.merge();
  const loop<2> run = loops.take_innermost();
  const std::uint64_t items = loops.iterations() * run.size;
  parallel_for(backend, items * Size, items, [&](std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
      const std::uint64_t at = begin % run.size;
      const std::uint64_t count = run.size - at < end - begin ? run.size - at : end - begin;
      const auto offset = offsets_at(loops, begin / run.size);
      std::byte* const to = output.data + offset[0] + at * run.stride[0];
      const std::uint64_t first = offset[1] + at * run.stride[1];
      if (run.stride[0] == Size)  // a constant stride, so that the loop is vectorised
        write(to, first, run.stride[1], Size, count);
      else
        write(to, first, run.stride[1], run.stride[0], count);
      begin += count;
    }
  });
}

// A block of start + number * delta, each exact and rounded once. Numbers are below 2^32.
template <class T>
struct sequence_block {
  static constexpr std::size_t size = 64;
  double start, delta;

  template <class Set>
  GOLDML_INLINE static void run(Set, const sequence_block& all, std::uint64_t first, std::uint64_t weight,
                                number_bits_of<T> (&result)[size]) {
    const double low_step = all.delta;
    const double high_step = 65536 * all.delta;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t number = first + i * weight;
      // 16 bits times 24 are exact, and so is the sum with its error.
      const double high = static_cast<double>(static_cast<std::int32_t>(number >> 16)) * high_step;
      const double low = static_cast<double>(static_cast<std::int32_t>(number & 0xFFFF)) * low_step;
      const double product = high + low;
      const double part = product - high;
      const double rest_of_product = (high - (product - part)) + (low - part);
      const double sum = all.start + product;
      const double addend = sum - all.start;
      const double rest_of_sum = (all.start - (sum - addend)) + (product - addend);
      // One of the rests is 0 where the sum cancels, so that what adding them loses is never seen.
      result[i] = rounded_bits<T>(sum_to_odd(sum, rest_of_product + rest_of_sum));
    }
  }
};

template <class T>
void fill_sequence_of_floats(const cpu_backend& backend, const host_output& output,
                             const fill_value_sequence_desc& desc) {
  using bits = number_bits_of<T>;
  const T start = desc.value_start.as<T>();
  const sequence_block<T> all{exact_double(start), exact_double(desc.value_delta.as<T>())};
  const auto store = [](std::byte* to, bits value) { std::memcpy(to, &value, sizeof value); };
  if (desc.sequence == sequence::accumulate) {  // each element needs the one before
    const ieee_arithmetic mode;
    loop_nest<1> loops;
    for (std::size_t i = 0; i < output.sizes.size(); ++i)
      loops.add(output.sizes[i], {std::uint64_t{output.strides[i]} * sizeof(T)});
    bits value = std::bit_cast<bits>(start);
    loops.for_each([&](const auto& offset) {
      store(output.data + offset[0], value);
      value = rounded_bits<T>(double_of_bits<T>(value) + all.delta);
    });
    return;
  }
  // Sums of zeros, and infinities and NaN, are the same for every number above 0.
  const bool is_constant = !is_finite_double(all.start) || !is_finite_double(all.delta) ||
                           (is_zero(all.start) && is_zero(all.delta));
  const auto set = backend.instruction_set();
  fill_in_memory_order<sizeof(T)>(
      backend, output,
      [&](std::byte* to, std::uint64_t first, std::uint64_t weight, std::uint64_t stride, std::uint64_t count) {
        const ieee_arithmetic mode;
        const bits constant = rounded_bits<T>(all.start + all.delta);
        bits block[sequence_block<T>::size];
        for (std::uint64_t done = 0; done < count; done += sequence_block<T>::size) {
          if (!is_constant)
            simd::dispatch<sequence_block<T>>(set, all, first + done * weight, weight, block);
          const std::uint64_t left = count - done < sequence_block<T>::size ? count - done : sequence_block<T>::size;
          if (!is_constant && stride == sizeof(T))
            std::memcpy(to + done * stride, block, left * sizeof(T));
          else
            for (std::uint64_t i = 0; i < left; ++i) store(to + (done + i) * stride, is_constant ? constant : block[i]);
        }
      });
  store(output.data, std::bit_cast<bits>(start));
}

}  // namespace goldml::detail
