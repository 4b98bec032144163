// What a device may answer to ELEMENT_WISE_QUANTIZE_LINEAR and ELEMENT_WISE_DEQUANTIZE_LINEAR besides the golden value
// (SPEC-quantised 2.3, 2.4; ledger QU-R1 to QU-R4, AR-R8).
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/quantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/quantize_linear.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/quantised_elements.hpp>

namespace goldml::detail {

// Adds a reader of the numbers of type T that were kept, one for each element.
template <class T>
void read_kept(std::shared_ptr<const std::vector<T>> kept, output_verdicts& result) {
  if (!kept->empty())
    result.read_alternatives_with([kept = std::move(kept)](std::size_t i, const auto& f) { f(scalar((*kept)[i])); });
}

// scale_at(c) and zero_at(c) are the scale, a double, and the zero point of an element.
template <class Q, class X, class Desc, class Scale, class Zero>
void add_quantised_verdicts(const Desc& desc, const tensor_view<const X>& input, const Scale& scale_at,
                            const Zero& zero_at, const arithmetic::integer_range& range, bool flushes,
                            output_verdicts& result) {
  const arithmetic_mode mode{!std::is_same_v<X, float16>, flushes, desc.accumulation};
  auto zeros = std::make_shared<std::vector<Q>>();
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(input.sizes())) {
    const Q z = zero_at(c);
    const arithmetic::quantise_freedom free = arithmetic::quantise_freedom_of(X(input[c]), scale_at(c), mode);
    if (free.undefined) {
      result.make_undefined(element);
    } else {
      allow_quantised(element, free, z, desc.quantize_ties, result, range);
      if (free.also_zero) {
        zeros->resize(result.size());
        (*zeros)[element] = z;
        result.allow_what_is_read(element);
      }
    }
    ++element;
  }
  read_kept<Q>(std::move(zeros), result);
}

// A difference of 32 bits that the type does not hold, and its scale.
struct wrapped_difference {
  std::int64_t difference;
  double scale;
};

template <class Q, class S, class Desc, class Scale, class Zero>
void add_dequantised_verdicts(const Desc& desc, const tensor_view<const Q>& input, const Scale& scale_at,
                              const Zero& zero_at, const tensor_view<const S>& golden, bool flushes,
                              output_verdicts& result) {
  constexpr bool single = std::is_same_v<S, float>;
  const arithmetic_mode mode{single, flushes, desc.accumulation};
  auto wrapped = std::make_shared<std::vector<wrapped_difference>>();
  bool any_zero = false;
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
    const double s = scale_at(c);
    const arithmetic::dequantise_freedom free =
        arithmetic::dequantise_freedom_of(Q(input[c]), Q(zero_at(c)), s, single, mode);
    if (free.undefined) {
      result.make_undefined(element);
    } else if (flushes) {
      any_zero = any_zero || free.also_zero;
      if (free.also_zero) result.allow_what_is_read(element);
    } else if (free.anything) {
      result.allow_interval(element, any_answer);
    } else {
      const double error = free.error == 0 ? 0 : free.error + std::abs(free.y) * 0x1p-50;
      interval allowed = interval_of<S>(free.y, error, error);
      allowed.also = static_cast<std::uint8_t>(allowed.also | free.also);
      result.allow_interval_beside(element, allowed, S(golden[c]));
      if (free.wraps) {
        wrapped->resize(result.size());
        (*wrapped)[element] = {free.difference, s};
        result.allow_what_is_read(element);
      }
    }
    ++element;
  }
  if (any_zero) result.read_alternatives_with([](std::size_t, const auto& f) { f(scalar(S(0))); });
  if (!wrapped->empty())
    result.read_alternatives_with([wrapped = std::move(wrapped)](std::size_t i, const auto& f) {
      const auto& [difference, s] = (*wrapped)[i];
      arithmetic::for_each_wrapped<S>(difference, s, [&](S y) { return f(scalar(y)); });
    });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <goldml::detail::quantize_linear_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc, 1> {
  static constexpr bool quantises = std::same_as<Desc, element_wise_quantize_linear_desc>;

  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    using quantised_types = typename goldml::detail::types_of_operand<Desc, quantises ? 3 : 0>::type;
    const data_type type = (quantises ? const_tensor_ref(golden[0]) : inputs[0]).desc().data_type;
    visit_data_type(quantised_types{}, type, [&]<class Q>(std::type_identity<Q>) {
      const auto zero_at = [zero_point = goldml::detail::optional_view<Q>(inputs[2])](const coordinate_tuple& c) {
        return goldml::detail::zero_point_at(zero_point, c);
      };
      const auto scale_at = [&]<class S>(std::type_identity<S>) {
        return [scale = inputs[1].as<S>()](const coordinate_tuple& c) { return exact_double(S(scale[c])); };
      };
      if constexpr (quantises) {
        const auto with = [&]<class X, class S>(std::type_identity<X>, std::type_identity<S> of_scale) {
          goldml::detail::add_quantised_verdicts<Q>(desc, inputs[0].as<X>(), scale_at(of_scale), zero_at,
                                                    arithmetic::range_of_type<Q>, flushes, result[0]);
        };
        using single = std::type_identity<float>;
        if (inputs[0].desc().data_type == data_type::float32) with(single{}, single{});
        if (inputs[0].desc().data_type == data_type::int32) with(std::type_identity<std::int32_t>{}, single{});
        if (inputs[0].desc().data_type == data_type::float16)
          with(std::type_identity<float16>{}, std::type_identity<float16>{});
      } else {
        visit_data_type(
            type_list<float, float16>{}, golden[0].desc().data_type, [&]<class S>(std::type_identity<S> of_scale) {
              goldml::detail::add_dequantised_verdicts<Q, S>(desc, inputs[0].as<Q>(), scale_at(of_scale), zero_at,
                                                             const_tensor_ref(golden[0]).as<S>(), flushes, result[0]);
            });
      }
    });
  }
  // A byte, two intervals, and a zero point or what wraps.
  static std::uint64_t verdict_memory(const Desc&, const operands_of<Desc>& t) {
    const std::size_t kept = quantises ? 1 : sizeof(goldml::detail::wrapped_difference);
    return saturating_multiply(element_count(t[3].desc->sizes), 1 + 2 * sizeof(interval) + kept);
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc, 1>::flushing_options();
};

}  // namespace goldml::oracle
