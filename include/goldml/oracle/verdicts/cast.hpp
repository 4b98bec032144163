// What a device may answer to CAST besides the golden value (ledger L35).
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/function_reference.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/value_conversion.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/cast.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// A number to convert: a float of any type, or an integer.
struct cast_source {
  bool is_float;
  double number;            // of a float, exact
  bool negative;            // of an integer
  std::uint64_t magnitude;  // of an integer

  template <class T>
  explicit cast_source(T x) : is_float(is_floating_type<T>), number(0), negative(false), magnitude(0) {
    if constexpr (std::is_same_v<T, float>) {
      number = widened(x);
    } else if constexpr (is_floating_type<T>) {
      number = static_cast<double>(x);
    } else {
      negative = x < 0;
      magnitude = negative ? std::uint64_t{0} - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
    }
  }
};

// What is left open. toward_zero: of a float, the next one toward zero, as the number was rounded away from it.
// nearest_integer: of an integer whose low bits were taken, the nearest one of the type.
enum class cast_freedom { none, toward_zero, nearest_integer, anything };

template <class To>
double as_double(To x) {
  return cast_source(x).number;
}

// Whether a float, truncated, is in the range of an integer type. False for NaN.
template <class To>
bool truncates_into(double x) {
  using limits = std::numeric_limits<To>;
  if (is_nan(x)) return false;
  // The greatest number below the range: for 64 bits, the next float.
  const double least = static_cast<double>((limits::min)());
  const auto below = limits::digits > 52 && least < 0 ? order_key(least) - 1 : order_key(least - 1);
  return order_key(x) > below && order_key(x) < order_key(std::ldexp(1.0, limits::digits));
}

template <class To>
cast_freedom freedom_of(const cast_source& x, To golden) {
  if constexpr (is_floating_type<To>) {
    if (is_nan(golden)) return cast_freedom::none;
    const double y = as_double(golden);
    if (x.is_float)
      return magnitude_bits(y) > magnitude_bits(x.number) ? cast_freedom::toward_zero : cast_freedom::none;
    // Not exact: the golden value is an integer, or an infinity.
    const double above = std::ldexp(1.0, 64);
    const bool away = order_key(y) <= order_key(-above) || order_key(y) >= order_key(above) ||
                      static_cast<std::uint64_t>(y < 0 ? -y : y) > x.magnitude;
    return away ? cast_freedom::toward_zero : cast_freedom::none;
  } else {
    if (x.is_float) return truncates_into<To>(x.number) ? cast_freedom::none : cast_freedom::anything;
    const bool negative = golden < 0;
    const auto bits = static_cast<std::uint64_t>(golden);
    const std::uint64_t magnitude = negative ? std::uint64_t{0} - bits : bits;
    const bool same = magnitude == x.magnitude && negative == x.negative;
    return same ? cast_freedom::none : cast_freedom::nearest_integer;
  }
}

// The other value that the freedom allows.
template <class To>
To other_cast(const cast_source& x, To golden, cast_freedom freedom) {
  if constexpr (is_floating_type<To>) {
    using bits = typename float_bits<To>::type;
    if (freedom == cast_freedom::toward_zero)
      return std::bit_cast<To>(static_cast<bits>(std::bit_cast<bits>(golden) - 1));  // the sign is the highest bit
  } else {
    using limits = std::numeric_limits<To>;
    if (freedom == cast_freedom::nearest_integer) return x.negative ? (limits::min)() : (limits::max)();
  }
  return golden;
}

// Adds the reader of the other values that freedoms allow. Those of FLOAT16 are rounded toward zero.
template <class To, class Verdicts>
void read_casts_with(alternative_reader reader, Verdicts& result) {
  if constexpr (std::is_same_v<To, float16>)
    result.read_values_toward_zero_with(std::move(reader));
  else
    result.read_alternatives_with(std::move(reader));
}

// read(c) is the input's element at c. A policy that is not the default leaves nothing open.
template <class Verdicts>
void add_cast_verdicts(cast_overflow overflow, integer_narrowing narrowing,
                       function_reference<cast_source(const coordinate_tuple&)> read, const tensor_ref& golden,
                       Verdicts& result) {
  visit_data_type(a11_types{}, golden.desc().data_type, [&]<class To>(std::type_identity<To>) {
    const auto y = golden.as<To>();
    auto others = std::make_shared<std::vector<To>>();
    others->reserve(result.size());
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden.desc().sizes)) {
      const cast_source x = read(c);
      const To expected = y[c];
      cast_freedom freedom = freedom_of(x, expected);
      if (freedom == cast_freedom::anything && overflow != cast_overflow::saturate) freedom = cast_freedom::none;
      if (freedom == cast_freedom::nearest_integer && narrowing != integer_narrowing::wrap)
        freedom = cast_freedom::none;
      others->push_back(other_cast(x, expected, freedom));
      if (freedom == cast_freedom::anything)
        result.make_undefined(element);
      else if (freedom != cast_freedom::none)
        result.allow_what_is_read(element);
      ++element;
    }
    read_casts_with<To>([others = std::move(others)](std::size_t i, const auto& f) { f(scalar((*others)[i])); },
                        result);
  });
}

// FLOAT32 results of FLOAT64s, rounded either way, may be flushed if they are subnormal. Both have the same sign, so
// there is one zero for each.
template <class Verdicts>
void add_flushed_casts(const tensor_view<const double>& x, const tensor_view<float>& golden, Verdicts& result) {
  auto zeros = std::make_shared<std::vector<float>>(result.size());
  const auto is_subnormal = [](float y) { return !is_zero(y) && is_zero(flushed(y)); };
  bool any = false;
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
    const cast_source source(static_cast<double>(x[c]));
    const float y = golden[c];
    const float other = other_cast(source, y, freedom_of(source, y));
    if (is_subnormal(y) || is_subnormal(other)) {
      (*zeros)[element] = flushed(is_subnormal(y) ? y : other);
      result.allow_what_is_read(element);
      any = true;
    }
    ++element;
  }
  if (any)
    result.read_alternatives_with([zeros = std::move(zeros)](std::size_t i, const auto& f) { f(scalar((*zeros)[i])); });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<cast_desc> Desc>
struct verdict_traits<Desc> {
  static void verdicts(const cast_desc& desc, std::span<const const_tensor_ref> inputs,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    visit_data_type(a11_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto x = inputs[0].as<T>();
      goldml::detail::add_cast_verdicts(
          desc.cast_overflow, desc.integer_narrowing,
          [&](const coordinate_tuple& c) { return goldml::detail::cast_source(static_cast<T>(x[c])); }, golden[0],
          result[0]);
    });
  }
  static void flushed_verdicts(const cast_desc&, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    if (inputs[0].desc().data_type == data_type::float64 && flushed[0].desc().data_type == data_type::float32)
      goldml::detail::add_flushed_casts(inputs[0].as<double>(), flushed[0].as<float>(), result[0]);
  }
  // The other value of each element; of FLOAT32, also its zero and another verdict.
  static std::uint64_t verdict_memory(const cast_desc&, const operands_of<cast_desc>& t) {
    const tensor_desc& output = *t[1].desc;
    const bool has_zeros = output.data_type == data_type::float32;
    return saturating_multiply(element_count(output.sizes),
                               element_size_in_bytes(output.data_type) + (has_zeros ? sizeof(float) + 1 : 0));
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts,
                                                 .flushed_verdicts = &flushed_verdicts,
                                                 .verdict_memory = &verdict_memory,
                                                 .flush_of = &flush_always<flushed_answer::per_element>};
};

}  // namespace goldml::oracle
