// Calls of arithmetic operators for kernels under test: random inputs, the golden answer of the operator, and how a
// right or wrong kernel computes each output element. Written from the operators' pages, without the backends' code.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/operators/element_wise.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/oracle/verdict.hpp>

#include "arithmetic_kernels.hpp"

namespace trial {

using namespace goldml;

// What a wrong kernel does.
enum class fault {
  none,
  missing_last,       // the last term is missing
  doubled,            // a term is added twice
  missing_tile,       // the terms after the last full tile of 32 are missing, or that tile
  off_by_one,         // the window starts one element too late
  wrong_count,        // AVERAGE divides by the count of a padded slice
  no_abs,             // L1 adds numbers instead of magnitudes
  approximate,        // x / y is x times a reciprocal with a relative error of 2^-21
  transposed,         // a matrix is read as if it were transposed
  no_c,               // Beta * C, or the bias, is forgotten
  bias_per_row,       // the bias of a column or channel is read by the row
  wrong_group,        // the channels of another group
  flipped,            // the filter is reversed
  padding_counted,    // padding has the elements at the edge instead of zeros
  swapped_exclusive,  // exclusive instead of inclusive, and the reverse
  swapped_direction,  // from the other end
  no_maximum,         // SOFTMAX as written: e^x / sum of e^x
  corners,            // corners are aligned instead of pixel centres
  asymmetric,         // the upper left corners of pixels are aligned
  not_reversed,       // the second direction goes forward
};
struct fault_name {
  fault value;
  std::string_view text;
};
inline constexpr fault_name fault_names[] = {
    {fault::missing_last, "last element missing"},
    {fault::doubled, "a term counted twice"},
    {fault::missing_tile, "last tile of 32 missing"},
    {fault::off_by_one, "window off by one"},
    {fault::wrong_count, "divided by the wrong count"},
    {fault::no_abs, "magnitudes forgotten"},
    {fault::approximate, "fast-math division"},
    {fault::transposed, "weights transposed"},
    {fault::no_c, "Beta * C or bias forgotten"},
    {fault::bias_per_row, "bias per row"},
    {fault::wrong_group, "wrong group"},
    {fault::flipped, "filter flipped"},
    {fault::padding_counted, "padding counted"},
    {fault::swapped_exclusive, "exclusive and inclusive swapped"},
    {fault::swapped_direction, "direction swapped"},
    {fault::no_maximum, "maximum not subtracted"},
    {fault::corners, "corners aligned"},
    {fault::asymmetric, "pixels not centred"},
    {fault::not_reversed, "second direction not reversed"},
};
inline std::string_view text_of(fault f) {
  return std::find_if(std::begin(fault_names), std::end(fault_names), [&](const fault_name& n) { return n.value == f; })
      ->text;
}

enum class data {
  integers,   // -8 .. 8
  normal,     // normally distributed, mean 0: sums cancel
  one_sign,   // between 0 and 1
  counts,     // 1 .. 8
  subnormal,  // multiples of the least subnormal number
};

template <class T>
T number_of(random_source& random, data kind) {
  const auto unit = [&] { return (static_cast<double>(random.bits() >> 11) + 0.5) * 0x1p-53; };
  double x = 0;
  switch (kind) {
    case data::integers:
      x = static_cast<double>(random.between(-8, 8));
      break;
    case data::normal:
      x = std::sqrt(-2 * std::log(unit())) * std::cos(2 * std::numbers::pi * unit());
      break;
    case data::one_sign:
      x = unit();
      break;
    case data::counts:
      x = static_cast<double>(random.between(1, 8));
      break;
    case data::subnormal:
      x = static_cast<double>(random.between(-8, 8)) * (std::is_same_v<T, float> ? 0x1p-149 : 0x1p-24);
      break;
  }
  return held<T>(x);
}
// One call whose output has elements of type T.
template <class T>
struct call {
  std::vector<std::size_t> elements = {};  // the numbers of those that are computed, in row-major order
  std::function<oracle::golden(accumulation)> expect = {};
  // What a kernel holds for an element before it stores it.
  std::function<double(std::size_t element, fault, const method&)> value = {};
  std::vector<fault> faults = {};  // those that this call has

  T result(std::size_t element, fault f, const method& k) const { return stored<T>(value(element, f, k), k.cuts); }
};

// The elements 0 .. count-1.
inline std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = i;
  return result;
}

// The elements 0 .. count-1, or some of them if there are many.
inline std::vector<std::size_t> some_of(random_source& random, std::size_t count) {
  std::vector<std::size_t> result = all_of(count);
  if (count > 32)
    for (std::size_t& i : result) i = random.below(count);
  result.resize((std::min)(count, std::size_t{32}));
  return result;
}

template <class... Sizes>
dimensions sizes_of(Sizes... sizes) {
  return {static_cast<std::uint32_t>(sizes)...};
}

// A tensor in memory of its own, as the operators' inputs.
template <class T>
struct input {
  std::vector<T> elements;
  dimensions sizes;

  const_tensor_ref ref() const { return tensor_view<const T>(elements, sizes); }
  // Past the end, some other number.
  float operator[](std::size_t i) const { return i < elements.size() ? static_cast<float>(elements[i]) : 3; }
};

template <class T>
std::shared_ptr<input<T>> input_of(random_source& random, data kind, const dimensions& sizes) {
  const auto result = std::make_shared<input<T>>(input<T>{std::vector<T>(element_count(sizes)), sizes});
  for (T& x : result->elements) x = number_of<T>(random, kind);
  return result;
}

template <class T, class Desc>
oracle::golden expected(Desc desc, accumulation mode, const std::vector<const_tensor_ref>& inputs,
                        const dimensions& sizes) {
  desc.accumulation = mode;
  const std::vector<tensor_desc> outputs{{.data_type = data_type_of<T>, .sizes = sizes}};
  return oracle::expect(desc, std::span<const const_tensor_ref>(inputs), outputs);
}

// Adds the faults that every sum may have. The term that is doubled is one in the middle.
inline void harm(std::vector<term>& terms, fault f) {
  if (terms.empty()) return;
  switch (f) {
    case fault::missing_last:
      terms.pop_back();
      break;
    case fault::doubled:
      terms.push_back(terms[terms.size() / 2]);
      break;
    case fault::missing_tile:
      terms.resize((terms.size() - 1) / 32 * 32);
      break;
    default:
      break;
  }
}

// REDUCE of `rows` slices of n.
template <class T>
call<T> reduction(random_source& random, data kind, reduce_function function, std::size_t rows, std::size_t n) {
  const auto x = input_of<T>(random, kind, sizes_of(rows, n));
  call<T> result;
  result.elements = all_of(rows);
  result.expect = [=](accumulation mode) {
    return expected<T>(reduce_desc{.function = function, .axes = {1}}, mode, {x->ref()}, sizes_of(rows, 1));
  };
  result.value = [=](std::size_t row, fault f, const method& k) {
    summation s;
    const std::size_t first = row * n + (f == fault::off_by_one ? 1 : 0);
    const bool squares = function == reduce_function::sum_square || function == reduce_function::l2;
    for (std::size_t i = 0; i < n; ++i) {
      const float e = (*x)[first + i];
      s.terms.push_back(squares                                                 ? term{e, e}
                        : function == reduce_function::l1 && f != fault::no_abs ? term{std::abs(e)}
                                                                                : term{e});
    }
    harm(s.terms, f);
    if (function == reduce_function::average)
      s.count = static_cast<std::uint32_t>(f == fault::wrong_count ? (n / 4 + 1) * 4 : n);
    s.root = function == reduce_function::l2;
    return value_of(k, s);
  };
  result.faults = {fault::missing_last, fault::doubled, fault::missing_tile, fault::off_by_one};
  if (function == reduce_function::average) result.faults.push_back(fault::wrong_count);
  if (function == reduce_function::l1) result.faults.push_back(fault::no_abs);
  return result;
}

// DIVIDE of 32 numbers by numbers other than 0.
template <class T>
call<T> division(random_source& random, data kind, std::size_t) {
  constexpr std::size_t n = 32;
  const dimensions sizes = sizes_of(n);
  const auto x = input_of<T>(random, kind, sizes);
  const auto y = input_of<T>(random, kind, sizes);
  for (T& e : y->elements)
    if (static_cast<float>(e) == 0) e = held<T>(3);
  call<T> result;
  result.elements = all_of(n);
  result.expect = [=](accumulation mode) {
    return expected<T>(element_wise_divide_desc{}, mode, {x->ref(), y->ref()}, sizes);
  };
  result.value = [=](std::size_t i, fault f, const method& k) {
    if (f == fault::approximate) {
      // Direct3D's `rcp` may be off by half of that.
      const double reciprocal = (1.0 + (i % 2 == 0 ? 0x1p-20 : -0x1p-20)) / double{(*y)[i]};
      return k.steps == steps::real ? reciprocal * double{(*x)[i]}
                                    : static_cast<double>(static_cast<float>(reciprocal) * (*x)[i]);
    }
    return with_arithmetic(k, [&](const auto& in) {
      using A = std::decay_t<decltype(in.add(in.divide({}, {}), {}))>;
      const A p = held<A>(double{(*x)[i]});
      const A q = held<A>(double{(*y)[i]});
      // Direct, or with the reciprocal.
      return wide(k.scales_first ? in.multiply(p, in.divide(held<A>(1), q)) : in.divide(p, q));
    });
  };
  if (std::is_same_v<T, float>) result.faults.push_back(fault::approximate);
  return result;
}

}  // namespace trial
