// ADAM_OPTIMIZER on the CPU: in double with its error, a block of elements at a time without branches, and as
// `reference` what that does not decide.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/float_mode.hpp>
#include <goldml/cpu/engine/base/instruction_set.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/element_wise/doubles.hpp>
#include <goldml/operators/adam_values.hpp>

namespace goldml {

namespace detail {

inline constexpr std::size_t adam_block = 64;
template <class T>
using adam_elements = std::array<number_bits_of<T>, adam_block>;

// The numbers of a block of elements, each known to within an error, as the products and sums of three FLOAT32 and what
// is made of them: far from the ends of double. An error that is not finite says that nothing is known. Each operation
// is a vector loop.
struct adam_lanes {
  std::array<double, adam_block> value, error;

  static constexpr double unit = 0x1p-52;  // of one operation, with a margin
  static constexpr double unknown = std::numeric_limits<double>::infinity();

  // f(value, error, lane) sets both of a lane.
  template <class F>
  GOLDML_INLINE static adam_lanes of(const F& f) {
    adam_lanes y;
    for (std::size_t i = 0; i < adam_block; ++i) f(y.value[i], y.error[i], i);
    return y;
  }
  GOLDML_INLINE friend adam_lanes operator*(const adam_lanes& a, const adam_lanes& b) {
    return of([&](double& y, double& off, std::size_t i) GOLDML_INLINE_LAMBDA {
      y = a.value[i] * b.value[i];
      off = magnitude_of(a.value[i]) * b.error[i] + a.error[i] * (magnitude_of(b.value[i]) + b.error[i]) +
            magnitude_of(y) * unit;
    });
  }
  GOLDML_INLINE friend adam_lanes operator+(const adam_lanes& a, const adam_lanes& b) {
    return of([&](double& y, double& off, std::size_t i) GOLDML_INLINE_LAMBDA {
      y = a.value[i] + b.value[i];
      off = a.error[i] + b.error[i] + magnitude_of(y) * unit;
    });
  }
  GOLDML_INLINE friend adam_lanes operator-(const adam_lanes& a, const adam_lanes& b) {
    return of([&](double& y, double& off, std::size_t i) GOLDML_INLINE_LAMBDA {
      y = a.value[i] - b.value[i];
      off = a.error[i] + b.error[i] + magnitude_of(y) * unit;
    });
  }
  GOLDML_INLINE friend adam_lanes operator/(const adam_lanes& a, const adam_lanes& b) {
    return of([&](double& y, double& off, std::size_t i) GOLDML_INLINE_LAMBDA {
      y = a.value[i] / b.value[i];
      const double least = magnitude_of(b.value[i]) - b.error[i];
      off = choose(least > 0, (a.error[i] + magnitude_of(y) * b.error[i]) / least + magnitude_of(y) * unit, unknown);
    });
  }
  GOLDML_INLINE friend adam_lanes sqrt(const adam_lanes& x) {
    std::array<double, adam_block> root;  // apart: what a root of a negative number needs is no vector code
    for (std::size_t i = 0; i < adam_block; ++i) root[i] = std::sqrt(x.value[i]);
    return of([&](double& y, double& off, std::size_t i) GOLDML_INLINE_LAMBDA {
      y = root[i];
      const double by = x.error[i] / choose(y > 0x1p-500, y, 0x1p-500) + y * unit;
      off = choose(x.value[i] >= x.error[i], by, unknown);
    });
  }
  GOLDML_INLINE friend adam_lanes one_minus(const adam_lanes& x) {
    return of([](double& y, double& off, std::size_t) GOLDML_INLINE_LAMBDA { y = 1, off = 0; }) - x;
  }
  GOLDML_INLINE friend const adam_lanes& may_store(const adam_lanes& x) { return x; }

  // A number in each lane.
  static adam_lanes all(const golden_number& x) {
    adam_lanes result;
    const double y = x.is_finite() ? arithmetic::to_double(x.finite) : x.special;
    result.value.fill(y);
    const bool is_exact = x.is_finite() && x.finite.low == 0 && x.finite.high << 53 == 0;
    result.error.fill(is_exact ? 0 : x.is_finite() ? std::abs(y) * unit : unknown);
    return result;
  }

  template <class Set, class T>
  GOLDML_INLINE static void run(Set, const formula::adam_weights<adam_lanes>& w,
                                const formula::adam_weights<golden_number>& golden,
                                const std::array<adam_elements<T>, 4>& in, std::array<adam_elements<T>, 3>& out,
                                std::type_identity<T>) {
    using bits = number_bits_of<T>;
    const auto number = [&](std::size_t k) GOLDML_INLINE_LAMBDA {
      return of([&](double& y, double& off, std::size_t i)
                    GOLDML_INLINE_LAMBDA { y = double_of_bits<T>(in[k][i]), off = 0; });
    };
    const auto next = formula::adam_step<adam_lanes>({number(0), number(1), number(2)}, number(3), w);
    adam_elements<T> undecided{};
    const auto decide = [&](const adam_lanes& x, adam_elements<T>& result) GOLDML_INLINE_LAMBDA {
      for (std::size_t i = 0; i < adam_block; ++i) {
        const double by = x.error[i] * (1 + 0x1p-40);
        result[i] = rounded_bits<T>(x.value[i] - by);
        const bits high = rounded_bits<T>(x.value[i] + by);
        const bits is_open = mask_of<bits>(!(magnitude_of(x.value[i]) + by < 0x1p900));
        undecided[i] = static_cast<bits>(undecided[i] | (result[i] ^ high) | is_open);
      }
    };
    decide(next.parameter, out[0]);
    decide(next.first, out[1]);
    decide(next.second, out[2]);
    for (std::size_t i = 0; i < adam_block; ++i) {
      if (undecided[i] == 0) continue;
      const auto element = [&](std::size_t k) { return std::bit_cast<T>(in[k][i]); };
      const auto exact = golden_adam_step<T>(golden, element(0), element(1), element(2), element(3));
      out[0][i] = std::bit_cast<bits>(exact.parameter);
      out[1][i] = std::bit_cast<bits>(exact.first);
      out[2][i] = std::bit_cast<bits>(exact.second);
    }
  }
};

}  // namespace detail

template <>
struct kernel<adam_optimizer_desc, cpu_backend> {
  template <class T>
  static void run(const cpu_backend& backend, const tensor_view<const T>& parameters, const tensor_view<const T>& first,
                  const tensor_view<const T>& second, const tensor_view<const T>& gradient,
                  const tensor_view<const std::uint32_t>& step, const tensor_view<T>& new_parameters,
                  const tensor_view<T>& new_first, const tensor_view<T>& new_second, const adam_optimizer_desc& desc) {
    const auto golden = detail::golden_adam_weights(desc, detail::training_step(step));
    using lanes = detail::adam_lanes;
    const formula::adam_weights<lanes> weights{lanes::all(golden.rate), lanes::all(golden.correction),
                                               lanes::all(golden.beta1), lanes::all(golden.beta2),
                                               lanes::all(golden.epsilon)};
    const std::array from{parameters.data(), first.data(), second.data(), gradient.data()};
    const std::array to{new_parameters.data(), new_first.data(), new_second.data()};
    detail::loop_nest<7> loops;
    for (std::size_t i = 0; i < gradient.sizes().size(); ++i)
      loops.add(gradient.sizes()[i],
                {new_parameters.strides()[i], new_first.strides()[i], new_second.strides()[i], parameters.strides()[i],
                 first.strides()[i], second.strides()[i], gradient.strides()[i]});
    loops.sort_by_stride(0);
    loops.merge();
    const std::uint64_t count = loops.iterations();
    constexpr std::array<std::uint64_t, 7> ones{1, 1, 1, 1, 1, 1, 1};
    const bool is_packed = loops.empty() || (loops.size() == 1 && loops[0].stride == ones);
    constexpr std::uint64_t each = 32 * detail::adam_block;
    detail::parallel_for(
        backend, 7 * count * sizeof(T), (count + each - 1) / each, [&](std::uint64_t begin, std::uint64_t end) {
          const detail::ieee_arithmetic mode;
          std::array<detail::adam_elements<T>, 4> in{};
          std::array<detail::adam_elements<T>, 3> out;
          std::array<std::array<std::uint64_t, 7>, detail::adam_block> offsets;
          const std::uint64_t last = (std::min)(count, end * each);
          for (std::uint64_t at = begin * each; at < last; at += detail::adam_block) {
            const auto size = static_cast<std::size_t>((std::min<std::uint64_t>)(detail::adam_block, last - at));
            std::size_t n = 0;
            if (!is_packed) loops.for_range(at, at + size, [&](const auto& offset) { offsets[n++] = offset; });
            for (std::size_t k = 0; k < in.size(); ++k)
              if (is_packed)
                std::memcpy(in[k].data(), from[k] + at, size * sizeof(T));
              else
                for (std::size_t i = 0; i < size; ++i) std::memcpy(&in[k][i], from[k] + offsets[i][3 + k], sizeof(T));
            simd::dispatch<lanes>(backend.instruction_set(), weights, golden, in, out, std::type_identity<T>{});
            for (std::size_t k = 0; k < out.size(); ++k)
              if (is_packed)
                std::memcpy(static_cast<void*>(to[k] + at), out[k].data(), size * sizeof(T));
              else
                for (std::size_t i = 0; i < size; ++i)
                  std::memcpy(static_cast<void*>(to[k] + offsets[i][k]), &out[k][i], sizeof(T));
          }
        });
  }
};

}  // namespace goldml
