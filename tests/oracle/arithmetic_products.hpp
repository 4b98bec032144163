// Calls of GEMM and CONVOLUTION for kernels under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <goldml/operators/convolution.hpp>
#include <goldml/operators/gemm.hpp>

#include "arithmetic_calls.hpp"

namespace trial {

// GEMM: {4, n} x {n, 4}, or its B transposed, with one row of C for all rows.
template <class T>
call<T> product(random_source& random, data kind, std::size_t n) {
  constexpr std::size_t m = 4;
  const bool integers = kind == data::integers;
  const gemm_desc desc{.trans_b = random.chance(50) ? matrix_transform::transpose : matrix_transform::none,
                       .alpha = random.chance(50) ? 1.0F
                                : integers        ? -2.0F
                                                  : 1.1F,
                       .beta = random.chance(50) ? 1.0F
                               : integers        ? 3.0F
                                                 : 0.7F};
  const bool transposed = desc.trans_b == matrix_transform::transpose;
  const auto a = input_of<T>(random, kind, sizes_of(1, 1, m, n));
  const auto b = input_of<T>(random, kind, transposed ? sizes_of(1, 1, m, n) : sizes_of(1, 1, n, m));
  const auto c = input_of<T>(random, kind, sizes_of(m));
  call<T> result;
  result.elements = all_of(m * m);
  result.expect = [=](accumulation mode) {
    const tensor_desc one_row{
        .data_type = data_type_of<T>, .sizes = sizes_of(1, 1, m, m), .strides = dimensions{0, 0, 0, 1}};
    const const_tensor_ref rows(one_row, c->elements.data(), m * sizeof(T));
    return expected<T>(desc, mode, {a->ref(), b->ref(), rows}, sizes_of(1, 1, m, m));
  };
  result.value = [=](std::size_t element, fault f, const method& k) {
    const std::size_t row = element / m;
    const std::size_t column = element % m;
    const bool as_transposed = transposed != (f == fault::transposed);
    summation s;
    for (std::size_t i = 0; i < n; ++i)
      s.terms.push_back({(*a)[row * n + i + (f == fault::off_by_one ? 1 : 0)],
                         (*b)[as_transposed ? column * n + i : i * m + column]});
    harm(s.terms, f);
    s.alpha = desc.alpha;
    if (f != fault::no_c) s.added = term{desc.beta, (*c)[f == fault::bias_per_row ? row : column]};
    return value_of(k, s);
  };
  result.faults = {fault::missing_last, fault::doubled, fault::missing_tile, fault::off_by_one,
                   fault::transposed,   fault::no_c,    fault::bias_per_row};
  return result;
}

// CONVOLUTION: 3 x 3 taps, 2 groups, padding 1, strides 2 and 1; n is about the number of taps of an output element.
template <class T>
call<T> convolution_call(random_source& random, data kind, std::size_t n) {
  constexpr std::size_t groups = 2;
  constexpr std::size_t outputs = 4;
  constexpr std::size_t taps = 3;
  const bool backward = random.chance(50);
  const std::size_t channels = (std::max)(std::size_t{1}, n / (taps * taps)) * groups;
  const std::size_t height = backward ? 2 : 4;
  const std::size_t width = 5;
  const convolution_desc desc{
      .mode = random.chance(50) ? convolution_mode::convolution : convolution_mode::cross_correlation,
      .direction = backward ? convolution_direction::backward : convolution_direction::forward,
      .strides = {2, 1},
      .dilations = {1, 1},
      .start_padding = {1, 1},
      .end_padding = {1, 1},
      .output_padding = {0, 0},
      .group_count = groups};
  const auto x = input_of<T>(random, kind, sizes_of(1, channels, height, width));
  const auto w = input_of<T>(
      random, kind,
      backward ? sizes_of(channels, outputs / groups, taps, taps) : sizes_of(outputs, channels / groups, taps, taps));
  const auto bias = input_of<T>(random, kind, sizes_of(1, outputs, 1, 1));
  const std::size_t rows = backward ? 2 * (height - 1) + taps - 2 : (height + 2 - taps) / 2 + 1;
  call<T> result;
  result.elements = all_of(outputs * rows * width);
  result.expect = [=](accumulation mode) {
    return expected<T>(desc, mode, {x->ref(), w->ref(), bias->ref()}, sizes_of(1, outputs, rows, width));
  };
  result.value = [=](std::size_t element, fault f, const method& k) {
    const std::size_t o = element / (rows * width);
    const auto row = static_cast<std::int64_t>(element / width % rows);
    const auto column = static_cast<std::int64_t>(element % width);
    const std::size_t per_group = channels / groups;
    const std::size_t of_group = outputs / groups;
    const std::size_t group = (o / of_group + (f == fault::wrong_group ? 1 : 0)) % groups;
    const bool reversed = (desc.mode == convolution_mode::convolution) != (f == fault::flipped);
    summation s;
    for (std::size_t c = 0; c < per_group; ++c)
      for (std::int64_t i = 0; i < 3; ++i)
        for (std::int64_t j = 0; j < 3; ++j) {
          // The input's row and column.
          std::int64_t y = row * 2 + i - 1;
          std::int64_t z = column + j - 1;
          if (backward) {
            if ((row + 1 - i) % 2 != 0) continue;
            y = (row + 1 - i) / 2;
            z = column + 1 - j;
          }
          if (f == fault::off_by_one) ++z;
          const auto h = static_cast<std::int64_t>(height);
          const auto v = static_cast<std::int64_t>(width);
          if (y < 0 || z < 0 || y >= h || z >= v) {
            if (f != fault::padding_counted) continue;
            y = (std::clamp)(y, std::int64_t{0}, h - 1);
            z = (std::clamp)(z, std::int64_t{0}, v - 1);
          }
          const std::size_t channel = group * per_group + c;
          const auto tap = static_cast<std::size_t>(reversed ? (2 - i) * 3 + (2 - j) : i * 3 + j);
          const std::size_t filter = backward ? channel * of_group + o % of_group : o * per_group + c;
          s.terms.push_back(
              {(*x)[(channel * height + static_cast<std::size_t>(y)) * width + static_cast<std::size_t>(z)],
               (*w)[filter * taps * taps + tap]});
        }
    harm(s.terms, f);
    if (f != fault::no_c)
      s.added = term{(*bias)[f == fault::bias_per_row ? static_cast<std::size_t>(row) % outputs : o]};
    return value_of(k, s);
  };
  result.faults = {fault::missing_last, fault::doubled,         fault::off_by_one,   fault::wrong_group,
                   fault::flipped,      fault::padding_counted, fault::bias_per_row, fault::no_c};
  return result;
}

}  // namespace trial
