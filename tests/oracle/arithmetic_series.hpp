// Calls of CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT, SOFTMAX1, UPSAMPLE_2D and RNN for kernels under test.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/operators/cumulative.hpp>
#include <goldml/operators/rnn.hpp>
#include <goldml/operators/softmax.hpp>
#include <goldml/operators/upsample_2d.hpp>

#include "arithmetic_calls.hpp"

namespace trial {

// The product of factors in the order of the kernel.
template <class A>
A product_of(const arithmetic<A>& in, const method& k, std::vector<A> factors) {
  if (factors.empty()) return held<A>(1);
  if (k.order == order::backward) std::reverse(factors.begin(), factors.end());
  const bool in_pairs = k.order == order::pairwise || k.order == order::lanes || k.order == order::blocked;
  while (in_pairs && factors.size() > 1) {
    std::vector<A> next;
    for (std::size_t i = 0; i < factors.size(); i += 2)
      next.push_back(i + 1 < factors.size() ? in.multiply(factors[i], factors[i + 1]) : factors[i]);
    factors = next;
  }
  A product = factors[0];
  for (std::size_t i = 1; i < factors.size(); ++i) product = in.multiply(product, factors[i]);
  return product;
}

// CUMULATIVE_SUMMATION or CUMULATIVE_PRODUCT of a line of n; some of its elements are computed.
template <class T, class Desc>
call<T> cumulative(random_source& random, data kind, std::size_t n) {
  constexpr bool multiplies = std::is_same_v<Desc, cumulative_product_desc>;
  const auto x = input_of<T>(random, kind, sizes_of(1, n));
  if (multiplies && kind != data::subnormal)  // near 1, or a few twos
    for (T& e : x->elements)
      e = kind == data::integers ? held<T>(random.below(n) < 6 ? 2
                                           : random.chance(50) ? -1
                                                               : 1)
                                 : held<T>(1 + wide(e) / (4 * std::sqrt(static_cast<double>(n))));
  const bool exclusive = random.chance(50);
  const bool decreasing = random.chance(50);
  Desc desc;
  desc.axis = 1;
  desc.axis_direction = decreasing ? axis_direction::decreasing : axis_direction::increasing;
  if constexpr (multiplies)
    desc.has_exclusive_product = exclusive;
  else
    desc.has_exclusive_sum = exclusive;
  call<T> result;
  for (int i = 0; i < 8; ++i) result.elements.push_back(random.below(n));
  result.elements.push_back(decreasing ? 0 : n - 1);
  result.expect = [=](accumulation mode) { return expected<T>(desc, mode, {x->ref()}, x->sizes); };
  result.value = [=](std::size_t element, fault f, const method& k) {
    const bool from_end = decreasing != (f == fault::swapped_direction);
    const bool without = exclusive != (f == fault::swapped_exclusive);
    std::vector<term> terms;
    const std::size_t count = (from_end ? n - element : element + 1) - (without ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i)
      terms.push_back({(*x)[(from_end ? n - 1 - i : i) + (f == fault::off_by_one ? 1 : 0)]});
    harm(terms, f);
    if (!multiplies) return value_of(k, summation{.terms = terms});
    return with_arithmetic(k, [&]<class A>(const arithmetic<A>& in) {
      std::vector<A> factors;
      for (const term& t : terms) factors.push_back(held<A>(t.a));
      return wide(product_of(in, k, factors));
    });
  };
  result.faults = {fault::missing_last, fault::doubled, fault::off_by_one, fault::swapped_exclusive,
                   fault::swapped_direction};
  return result;
}

// SOFTMAX1 over a line of n.
template <class T>
call<T> softmax(random_source& random, data kind, std::size_t n) {
  const auto x = input_of<T>(random, kind, sizes_of(1, n));
  // Large numbers, for which e^x overflows.
  const double shift = random.chance(50) ? 0 : std::is_same_v<T, float> ? 300 : 128;
  for (T& e : x->elements) e = held<T>(wide(e) + shift);
  call<T> result;
  for (int i = 0; i < 8; ++i) result.elements.push_back(random.below(n));
  result.expect = [=](accumulation mode) {
    return expected<T>(activation_softmax1_desc{.axes = {1}}, mode, {x->ref()}, x->sizes);
  };
  result.value = [=](std::size_t element, fault f, const method& k) {
    float most = (*x)[0];
    for (std::size_t i = 0; i < n; ++i) most = (std::max)(most, (*x)[i]);
    if (f == fault::no_maximum && k.steps == steps::real)  // e^x overflows on the device, or the result is right
      f = most > 88 ? f : fault::none;
    if (f == fault::no_maximum && k.steps == steps::real) return std::numeric_limits<double>::quiet_NaN();
    if (f == fault::no_maximum) most = 0;
    return with_arithmetic(k, [&]<class A>(const arithmetic<A>& in) {
      const auto power = [&](std::size_t i) {
        const A distance = in.subtract(in.product(held<A>(double{(*x)[i]})), in.product(held<A>(double{most})));
        return in.product(held<A>(std::exp(wide(distance))));
      };
      std::vector<term> powers;
      std::vector<A> exact;
      for (std::size_t i = 0; i < n; ++i) exact.push_back(power(i));
      for (const A e : exact) powers.push_back({wide(e)});
      harm(powers, f);
      const A sum = sum_of(in, k, std::span<const term>(powers));
      return wide(in.divide(exact[element], sum));
    });
  };
  result.faults = {fault::missing_last, fault::doubled, fault::no_maximum};
  return result;
}

// UPSAMPLE_2D, linear, of 3 rows of about n.
template <class T>
call<T> upsampling(random_source& random, data kind, std::size_t n) {
  constexpr std::size_t height = 3;
  const std::size_t width = (std::max)(std::size_t{2}, (std::min)(n, std::size_t{64}));
  const auto scale = static_cast<std::uint32_t>(kind == data::integers ? 2 : 2 + random.below(3));
  const auto x = input_of<T>(random, kind, sizes_of(1, 1, height, width));
  const upsample_2d_desc desc{.scale_size = {.width = scale, .height = scale},
                              .interpolation_mode = interpolation_mode::linear};
  call<T> result;
  result.elements = some_of(random, height * width * scale * scale);
  result.expect = [=](accumulation mode) {
    return expected<T>(desc, mode, {x->ref()}, sizes_of(1, 1, height * scale, width * scale));
  };
  result.value = [=](std::size_t element, fault f, const method& k) {
    return with_arithmetic(k, [&]<class A>(const arithmetic<A>& in) {
      const auto of = [](double v) { return held<A>(v); };
      // The place on an axis, and what is past its element.
      const auto place = [&](std::size_t position, std::size_t size) {
        const auto q = static_cast<double>(position);
        if (f == fault::corners)
          return in.divide(of(q * static_cast<double>(size - 1)), of(static_cast<double>(size * scale - 1)));
        if (f == fault::asymmetric) return in.divide(of(q), of(scale));
        const A centre = in.add(of(q), of(0.5));
        return in.subtract(
            k.scales_first ? in.multiply(centre, in.divide(of(1), of(scale))) : in.divide(centre, of(scale)), of(0.5));
      };
      const A t = place(element / (width * scale), height);
      const A u = place(element % (width * scale), width);
      const A row = of(std::floor(wide(t)));
      const A column = of(std::floor(wide(u)));
      const auto at = [&](int down, int right) {
        const auto clamped = [](double i, std::size_t size) {
          return static_cast<std::size_t>((std::clamp)(i, 0.0, static_cast<double>(size - 1)));
        };
        return of(double{(*x)[clamped(wide(row) + down, height) * width + clamped(wide(column) + right, width)]});
      };
      const auto between = [&](A p, A q, A part) {
        if (k.order == order::fused) return in.fused(part, in.subtract(q, p), p);
        return in.add(in.multiply(in.subtract(of(1), part), p), in.multiply(part, q));
      };
      const A along = in.subtract(u, column);
      return wide(between(between(at(0, 0), at(0, 1), along), between(at(1, 0), at(1, 1), along), in.subtract(t, row)));
    });
  };
  result.faults = {fault::corners, fault::asymmetric};
  return result;
}

// RNN in both directions, with n features, 3 steps, 2 sequences and a hidden state of 4: TANH of small sums, RELU of
// integers.
template <class T>
call<T> recurrent(random_source& random, data kind, std::size_t n) {
  constexpr std::size_t length = 3;
  constexpr std::size_t directions = 2;
  constexpr std::size_t batch = 2;
  constexpr std::size_t hidden = 4;
  const bool integers = kind == data::integers;
  const auto x = input_of<T>(random, kind, sizes_of(1, length, batch, n));
  const auto w = input_of<T>(random, kind, sizes_of(1, directions, hidden, n));
  const auto r = input_of<T>(random, kind, sizes_of(1, directions, hidden, hidden));
  const auto b = input_of<T>(random, kind, sizes_of(1, 1, directions, 2 * hidden));
  if (!integers)
    for (T& e : w->elements)  // so that TANH is not 1
      e = held<T>(wide(e) / (kind == data::normal ? std::sqrt(static_cast<double>(n)) : static_cast<double>(n)));
  rnn_desc desc{.direction = recurrent_network_direction::bidirectional};
  for (std::size_t i = 0; i < directions; ++i)
    desc.activation_descs.push_back(integers ? activations::relu() : activations::tanh());
  call<T> result;
  result.elements = some_of(random, length * directions * batch * hidden);
  result.expect = [=](accumulation mode) {
    rnn_desc in_mode = desc;
    in_mode.accumulation = mode;
    const std::vector<const_tensor_ref> inputs{x->ref(), w->ref(), r->ref(), b->ref(), {}, {}};
    const std::vector<tensor_desc> outputs{
        {.data_type = data_type_of<T>, .sizes = sizes_of(length, directions, batch, hidden)},
        {.data_type = data_type_of<T>, .sizes = sizes_of(1, directions, batch, hidden)}};
    return oracle::expect(in_mode, std::span<const const_tensor_ref>(inputs), outputs);
  };
  result.value = [=](std::size_t element, fault f, const method& k) {
    const std::size_t unit = element % hidden;
    const std::size_t sequence = element / hidden % batch;
    const std::size_t direction = element / (hidden * batch) % directions;
    const std::size_t last = element / (hidden * batch * directions);
    const bool reversed = direction == 1 && f != fault::not_reversed;
    std::vector<double> h(hidden, 0);
    for (std::size_t done = 0; done < length; ++done) {
      const std::size_t t = reversed ? length - 1 - done : done;
      std::vector<double> next;
      for (std::size_t j = 0; j < hidden; ++j) {
        summation s;
        for (std::size_t i = 0; i < n; ++i)
          s.terms.push_back({(*x)[(t * batch + sequence) * n + i], (*w)[(direction * hidden + j) * n + i]});
        harm(s.terms, f);
        for (std::size_t i = 0; done > 0 && i < hidden; ++i)
          s.terms.push_back(
              {h[i], (*r)[direction * hidden * hidden + (f == fault::transposed ? i * hidden + j : j * hidden + i)]});
        s.terms.push_back({(*b)[direction * 2 * hidden + j]});
        if (f != fault::no_c) s.terms.push_back({(*b)[direction * 2 * hidden + hidden + j]});
        const double sum = value_of(k, s);
        const double activated = integers ? (sum > 0 ? sum : sum <= 0 ? 0 : sum) : std::tanh(sum);
        next.push_back(with_arithmetic(k, [&]<class A>(const arithmetic<A>&) {
          // The device may store its state.
          const bool stores = k.scales_first && k.steps != steps::real;
          return stores ? wide(stored<T>(wide(held<A>(activated)), k.cuts)) : wide(held<A>(activated));
        }));
      }
      h = next;
      if (t == last) break;
    }
    return h[unit];
  };
  result.faults = {fault::missing_last, fault::doubled, fault::transposed, fault::no_c, fault::not_reversed};
  return result;
}

}  // namespace trial
