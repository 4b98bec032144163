// What a device may answer to DYNAMIC_QUANTIZE_LINEAR: the zero point and the elements follow from the scale that it
// wrote (SPEC-quantised 4.7; ledger QU-R5, QU-R16).
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/dynamic_quantise.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/operators/dynamic_quantize_linear.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/quantised_elements.hpp>

namespace goldml::detail {

// The judgement of a call on X and Q. Its outputs: the elements, the scale, the zero point.
template <class X, class Q>
class dynamic_quantise_judge {
 public:
  dynamic_quantise_judge(const dynamic_quantize_linear_desc& desc, const tensor_view<const X>& input, bool flushes)
      : input_(input), mode_{std::is_same_v<X, float>, flushes && std::is_same_v<X, float>, desc.accumulation} {
    for (const coordinate_tuple& c : coordinates_of(input.sizes())) range_.add(exact_double(X(input[c])));
    // Ends that are subnormal may be read as 0.
    flushed_ = range_;
    const auto flush = [&](double& x) {
      if (mode_.flushes && std::abs(x) < single_precision.least) x = 0;
    };
    flush(flushed_.low);
    flush(flushed_.high);
  }

  // Adds what the outputs may be to verdicts of which nothing is known.
  void judge(float scale, Q zero_point, output_verdicts& elements, output_verdicts& scales,
             output_verdicts& zero_points) const {
    judge_scale(scales);
    const double s = exact_double(scale);
    if (arithmetic::leaves_undefined(range_, s, mode_)) {
      zero_points.make_undefined(0);
      elements.make_all_undefined();
      return;
    }
    allow_quantised(0, arithmetic::zero_point_freedom(range_.low, s, mode_), least, quantize_ties::even, zero_points);
    if (!is_zero(range_.low) && is_zero(flushed_.low)) zero_points.allow(0, scalar(least));
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(input_.sizes())) {
      const arithmetic::quantise_freedom free = arithmetic::element_freedom(exact_double(X(input_[c])), s, mode_);
      if (free.undefined) {
        elements.make_undefined(element);
      } else {
        allow_quantised(element, free, zero_point, quantize_ties::even, elements);
        if (free.also_zero) elements.allow(element, scalar(zero_point));
      }
      ++element;
    }
  }

  // The zero point by a scale, and the elements by both.
  Q zero_point_by(float scale) const { return arithmetic::zero_point_of<Q>(range_, scale); }
  host_tensor elements_by(float scale, Q zero_point) const {
    host_tensor result(tensor_desc{.data_type = data_type_of<Q>, .sizes = input_.sizes()});
    const auto to = result.ref().template as<Q>();
    for (const coordinate_tuple& c : coordinates_of(input_.sizes()))
      to[c] = arithmetic::quantised(exact_double(X(input_[c])) / exact_double(scale), zero_point, quantize_ties::even);
    return result;
  }

  bool accepts_scale(float golden, float scale) const {
    output_verdicts one(1);
    judge_scale(one);
    const interval* const allowed = one.interval_of(0);
    return order_key(scale) == order_key(golden) ||
           (allowed != nullptr && place_in(*allowed, scale) != interval_place::outside) ||
           one.any_alternative(0, [&](const scalar& other) { return other.as<float>() == scale; });
  }
  bool accepts_zero_point(float scale, Q zero_point) const {
    output_verdicts one(1);
    const double s = exact_double(scale);
    if (arithmetic::leaves_undefined(range_, s, mode_)) return true;
    allow_quantised(0, arithmetic::zero_point_freedom(range_.low, s, mode_), least, quantize_ties::even, one);
    const interval* const allowed = one.interval_of(0);
    return zero_point == zero_point_by(scale) ||
           (allowed != nullptr && place_in(*allowed, zero_point) != interval_place::outside) ||
           (is_zero(flushed_.low) && zero_point == least);
  }

 private:
  static constexpr Q least = (std::numeric_limits<Q>::min)();

  void judge_scale(output_verdicts& scales) const {
    const double width = range_.width();
    if (mode_.rounds_to_half() && !range_.is_empty() && !(width >= 0x1p-6 && width < half_precision.greatest)) {
      scales.make_undefined(0);
      return;
    }
    const graded_interval all = arithmetic::scale_interval(range_, mode_);
    scales.allow_interval(0, all.allowed);
    if (all.close != all.allowed) scales.narrow_interval(0, all.close, interval_refusal::reciprocals);
    if (!mode_.flushes || range_.is_empty()) return;
    if (width / 255 < single_precision.least * (1 + 0x1p-20)) scales.allow(0, scalar(0.0F));
    if (flushed_.width() != width && !flushed_.is_empty())
      scales.allow_other_interval(0, arithmetic::scale_interval(flushed_, mode_).allowed);
  }

  tensor_view<const X> input_;
  arithmetic_mode mode_;
  arithmetic::number_range range_, flushed_;
};

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<dynamic_quantize_linear_desc> Desc>
struct verdict_traits<Desc> {
  static void verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> golden,
                       std::span<output_verdicts> result) {
    judge(desc, inputs, false, golden, result);
  }
  static void flushed_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                               std::span<const tensor_ref> flushed, std::span<output_verdicts> result) {
    judge(desc, inputs, true, flushed, result);
  }
  // With the scale and the zero point of the device, where they are accepted themselves.
  static bool verdicts_given(const Desc& desc, std::span<const const_tensor_ref> inputs,
                             std::span<const const_tensor_ref> actual, std::span<given_output> outputs) {
    if (!actual[1].present() || !actual[2].present()) return false;
    visit(inputs[0].desc().data_type, outputs[0].golden.desc().data_type,
          [&]<class X, class Q>(std::type_identity<X>, std::type_identity<Q>) {
            const float golden_scale = outputs[1].golden.as<float>().data()[0];
            const float given_scale = actual[1].as<float>().data()[0];
            const Q given_zero = actual[2].as<Q>().data()[0];
            const bool single = std::is_same_v<X, float>;
            const goldml::detail::dynamic_quantise_judge<X, Q> kept(desc, inputs[0].as<X>(), false),
                flushing(desc, inputs[0].as<X>(), true);
            const auto accepts = [&](float scale) {
              return kept.accepts_scale(golden_scale, scale) || (single && flushing.accepts_scale(golden_scale, scale));
            };
            const float scale = accepts(given_scale) ? given_scale : golden_scale;
            const bool zero_accepted = kept.accepts_zero_point(scale, given_zero) ||
                                       (single && flushing.accepts_zero_point(scale, given_zero));
            const Q zero = zero_accepted ? given_zero : kept.zero_point_by(scale);
            outputs[0].values = kept.elements_by(scale, zero);
            outputs[2].values = host_tensor(outputs[2].golden);
            outputs[2].values->ref().template as<Q>().data()[0] = kept.zero_point_by(scale);
            const auto add = [&](const auto& judge, output_verdicts given_output::*verdicts) {
              for (given_output& output : outputs) output.*verdicts = output_verdicts((output.*verdicts).size());
              judge.judge(scale, zero, outputs[0].*verdicts, outputs[1].*verdicts, outputs[2].*verdicts);
            };
            add(kept, &given_output::verdicts);
            add(flushing, &given_output::flushed_verdicts);
            outputs[0].from = " from the device's scale and zero point";
            outputs[2].from = " from the device's scale";
          });
    return true;
  }
  // A byte, two intervals and an alternative for each element, twice.
  static std::uint64_t verdict_memory(const Desc&, const operands_of<Desc>& t) {
    return saturating_multiply(element_count(t[0].desc->sizes), 2 * (1 + 2 * sizeof(interval) + 96));
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts,
                                                 .flushed_verdicts = &flushed_verdicts,
                                                 .verdicts_given = &verdicts_given,
                                                 .verdict_memory = &verdict_memory,
                                                 .flush_of = &flush_always<flushed_answer::in_verdicts>};

 private:
  template <class F>
  static void visit(data_type input, data_type output, const F& f) {
    visit_data_type(type_list<float, float16>{}, input, [&](auto x) {
      visit_data_type(type_list<std::uint8_t, std::int8_t>{}, output, [&](auto q) { f(x, q); });
    });
  }
  static void judge(const Desc& desc, std::span<const const_tensor_ref> inputs, bool flushes,
                    std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    visit(inputs[0].desc().data_type, golden[0].desc().data_type,
          [&]<class X, class Q>(std::type_identity<X>, std::type_identity<Q>) {
            goldml::detail::dynamic_quantise_judge<X, Q>(desc, inputs[0].as<X>(), flushes)
                .judge(golden[1].as<float>().data()[0], golden[2].as<Q>().data()[0], result[0], result[1], result[2]);
          });
  }
};

}  // namespace goldml::oracle
