// What a device may answer to RESAMPLE, its newer versions and its gradients (ledger RM-R1 to RM-R7, RD-R1).
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/place_bounds.hpp>
#include <goldml/arithmetic/resample_margins.hpp>
#include <goldml/arithmetic/uncertain_sum.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/resample.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// Judges one output of a call.
template <class T, class Desc>
class resample_judge {
 public:
  resample_judge(const Desc& desc, const tensor_view<const T>& input, const tensor_view<const T>& golden, bool flushes)
      : desc_(desc),
        input_(input),
        golden_(golden),
        mode_{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation},
        axes_(resample_axes_of(desc, input.sizes(), golden.sizes())) {
    if (mode_.half_products()) mode_.accumulation = accumulation::half;  // weights are made of products
  }

  void add(output_verdicts& result) {
    const bool linear = desc_.interpolation_mode == interpolation_mode::linear;
    if (!linear && !resample_gradient<Desc>) return add_choices(result);
    for (const resample_axis& axis : axes_) {
      if (resample_gradient<Desc> && axis.is_beyond(axis.outputs - 1)) return result.make_all_undefined();
      const axis_margins margins = margins_of(axis, mode_.half());
      margins_.push_back(resample_gradient<Desc> ? margins.transposed(axis.size) : margins);
      all_exact_ = all_exact_ && margins.exact;
      lowest_ += margins.lowest;
      if (!margins.identity) ++interpolated_;
    }
    std::size_t number = 0;
    for (const coordinate_tuple& c : coordinates_of(golden_.sizes())) {
      if (!resample_gradient<Desc> && is_beyond(c))
        result.make_undefined(number);
      else if (linear)
        add_interval(number, c, result);
      else
        add_uncertain(number, c, result);
      ++number;
    }
  }

 private:
  bool is_beyond(const coordinate_tuple& c) const {
    for (std::size_t i = 0; i < axes_.size(); ++i)
      if (axes_[i].is_beyond(c[i])) return true;
    return false;
  }

  // NEAREST_NEIGHBOR: any of the elements that are near enough, if these are not very many.
  void add_choices(output_verdicts& result) {
    struct choices {
      std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> ranges;
      dimensions sizes, input_sizes;
      std::vector<T> input;
    };
    auto all = std::make_shared<choices>();
    all->sizes = golden_.sizes();
    all->input_sizes = input_.sizes();
    for (const resample_axis& axis : axes_) {
      auto& ranges = all->ranges.emplace_back();
      for (std::uint32_t q = 0; q < axis.outputs; ++q) ranges.push_back(nearest_range(axis, q));
    }
    std::size_t number = 0;
    bool any = false;
    for (const coordinate_tuple& c : coordinates_of(golden_.sizes())) {
      constexpr std::uint64_t most = 4096;
      std::uint64_t count = 1;
      for (std::size_t i = 0; i < axes_.size(); ++i) {
        const auto [first, last] = all->ranges[i][c[i]];
        count = saturating_multiply(count, std::uint64_t{last} - first + 1);
      }
      const bool several = count > 1;
      if (is_beyond(c) || count > most) result.make_undefined(number);
      if (several) result.allow_what_is_read(number);
      any = any || several;
      ++number;
    }
    if (!any) return;
    for (const coordinate_tuple& c : coordinates_of(input_.sizes())) all->input.push_back(input_[c]);
    result.read_alternatives_with([all](std::size_t element, const auto& f) {
      const dimensions strides = packed_strides(all->input_sizes);
      dimensions counts;
      coordinate_tuple first;
      for (std::size_t i = all->sizes.size(); i-- > 0; element /= all->sizes[i]) {
        // from the last axis on
        const auto [low, high] = all->ranges[i][element % all->sizes[i]];
        counts.push_back(high - low + 1);
        first.push_back(low);
        if (i == 0) break;
      }
      for (const coordinate_tuple& c : coordinates_of(counts)) {
        std::uint64_t offset = 0;
        for (std::size_t i = 0; i < c.size(); ++i) offset += std::uint64_t{first[i] + c[i]} * strides[c.size() - 1 - i];
        if (f(scalar(all->input[static_cast<std::size_t>(offset)]))) return;
      }
    });
  }

  double at(const coordinate_tuple& c) const { return double_of(T(input_[c])); }

  void store(std::size_t number, const coordinate_tuple& c, const bound& b, const graded_interval& both,
             output_verdicts& result) const {
    if constexpr (std::is_integral_v<T>) {
      if constexpr (!resample_gradient<Desc>) {
        bound close = b;
        close.error = b.close_error.value_or(b.error);
        result.allow_interval_beside(
            number, graded_interval{integers_of(b, desc_.integer_rounding), integers_of(close, desc_.integer_rounding)},
            interval_refusal::reciprocals, T(golden_[c]));
      }
    } else {
      result.allow_interval_beside(number, both, interval_refusal::reciprocals, T(golden_[c]));
    }
  }

  // LINEAR.
  void add_interval(std::size_t number, const coordinate_tuple& c, output_verdicts& result) const {
    for (std::size_t i = 0; i < axes_.size(); ++i)
      if (!resample_gradient<Desc> && axes_[i].is_filtered(c[i])) return add_hull(number, c, result);
    margin_sum sum;
    for_each_margin_tap(margins_, c,
                        [&](const margin_tap& by, const coordinate_tuple& place) { sum.add(by, at(place)); });
    const double d = interpolated_;
    const double m = resample_gradient<Desc> ? (std::max)(sum.read() - 1, 0.0) + 2 * d + (d > 0 ? 2 : 0)
                                             : 2 * d + std::ldexp(1.0, interpolated_) - 1;
    const bound b = sum.bound_with(m, mode_, all_exact_, lowest_, !resample_gradient<Desc>);
    using number_type = std::conditional_t<std::is_integral_v<T>, float, T>;
    store(number, c, b, sum.template interval_with<number_type>(b), result);
  }

  // Antialiased: whatever filter a device has, its weights are not negative, and their sum is 1 (ledger RM-R4).
  void add_hull(std::size_t number, const coordinate_tuple& c, output_verdicts& result) const {
    std::vector<axis_margins> near_by(axes_.size());
    double terms = 2;
    coordinate_tuple zero = coordinate_tuple::filled(c.size(), 0);
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const resample_axis& axis = axes_[i];
      if (!axis.is_filtered(c[i])) {
        near_by[i].taps.push_back(margins_[i].taps[c[i]]);
        if (!margins_[i].identity) terms *= 2;
        continue;
      }
      // A device may limit t to the elements first.
      const double wide = 1 / exact_double(axis.scale), t = axis.place(c[i]).value(),
                   limited_t = (std::clamp)(t, 0.0, static_cast<double>(axis.size - 1));
      const double reach =
          wide + 1 + (axis.is_exact() ? 0 : axis.margin(c[i], roundings_of_reciprocal_place)) + 0x1p-20;
      terms *= 2 * std::ceil(wide) + 1;
      auto& taps = near_by[i].taps.emplace_back();
      const auto limited = [&](double k) {
        return static_cast<std::uint32_t>((std::clamp)(k, 0.0, static_cast<double>(axis.size - 1)));
      };
      const std::uint32_t last = limited(std::floor((std::max)(t, limited_t) + reach));
      for (std::uint32_t k = limited(std::ceil((std::min)(t, limited_t) - reach)); k <= last; ++k)
        taps.push_back({k, 1, 1, 1, true});
    }
    double least = infinite_double, greatest = -infinite_double, lost = 0;
    bound b;
    for_each_margin_tap(near_by, zero, [&](const margin_tap& by, const coordinate_tuple& place) {
      const double x = at(place);
      if (!is_finite_double(x)) {
        b.add(interval_also::nan | interval_also::of_terms, true);
        b.add(interval_also::positive_infinity, x > 0);
        b.add(interval_also::negative_infinity, x < 0);
      } else if (by.allowance > 0 || by.weight > 0) {
        least = (std::min)(least, x);
        greatest = (std::max)(greatest, x);
        if (std::abs(x) < 0x1p-126) lost = (std::max)(lost, std::abs(x));
      }
    });
    const double unit = mode_.of().unit, g = growth(23 + terms + (mode_.half() ? 3 : 0), unit);
    if (mode_.half())
      lost = (1 + g) * 0x1p-25 * (3 * terms + 1);
    else
      lost = mode_.flushes ? lost + terms * 0x1p-125 : mode_.float32 ? terms * 0x1p-150 : 0;
    b.value = least > greatest ? nan_double : least / 2 + greatest / 2;
    b.error = (greatest / 2 - least / 2) * (1 + 0x1p-40) + g * (std::max)(greatest, -least) + lost;
    b.usual_error = b.error;
    b.add(interval_also::specials, greatest - least >= mode_.of().greatest ||
                                       (mode_.half() && (std::max)(greatest, -least) > mode_.of().greatest));
    using number_type = std::conditional_t<std::is_integral_v<T>, float, T>;
    store(number, c, b, graded_interval_of<number_type>(b), result);
  }

  // The gradient of NEAREST_NEIGHBOR.
  void add_uncertain(std::size_t number, const coordinate_tuple& c, output_verdicts& result) const {
    if constexpr (!std::is_integral_v<T>) {
      uncertain_sum sum;
      for_each_margin_tap(margins_, c, [&](const margin_tap& by, const coordinate_tuple& place) {
        sum.add(at(place), !by.may_vanish, by.weight > 0);
      });
      result.allow_interval_beside(number, sum.template intervals<T>(mode_), T(golden_[c]));
    }
  }

  const Desc& desc_;
  const tensor_view<const T> input_, golden_;
  arithmetic_mode mode_;
  std::vector<resample_axis> axes_;
  std::vector<axis_margins> margins_;
  bool all_exact_ = true;
  int lowest_ = 0;
  int interpolated_ = 0;
};

}  // namespace goldml::detail

namespace goldml::oracle {

template <goldml::detail::resample_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    using types = typename goldml::detail::types_of_operand<Desc, 0>::type;
    visit_data_type(types{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const const_tensor_ref answer = golden[0];
      goldml::detail::resample_judge<T, Desc>(desc, inputs[0].as<T>(), answer.as<T>(), flushes).add(result[0]);
    });
  }
  // A byte and two intervals for each element, or another value; the taps of the coordinates, and for NEAREST_NEIGHBOR
  // the input.
  static std::uint64_t verdict_memory(const Desc& desc, const std::array<operand, 2>& t) {
    std::uint64_t taps = 0;
    for (const auto& axis : goldml::detail::resample_axes_of(desc, t[0].desc->sizes, t[1].desc->sizes)) {
      const double width = 5 + 2 * axis.margin(axis.outputs - 1, goldml::detail::roundings_of_reciprocal_place);
      taps = saturating_add(taps, saturating_multiply(std::uint64_t{128} * axis.outputs,
                                                      static_cast<std::uint64_t>((std::min)(width, axis.size + 2.0))));
    }
    const bool linear = desc.interpolation_mode == interpolation_mode::linear;
    const bool moves = !linear && !goldml::detail::resample_gradient<Desc>;
    const std::uint64_t each = moves ? 1 : 1 + 2 * sizeof(interval) + more_interval_memory + (linear ? 0 : 192);
    return saturating_add(saturating_add(taps, saturating_multiply(each, element_count(t[1].desc->sizes))),
                          moves ? saturating_multiply(4, element_count(t[0].desc->sizes)) : 0);
  }
  // A gradient with the offsets of the forward operator (ledger RD-R1).
  static bool to_alternative(Desc& desc, data_type, std::uint64_t) {
    if constexpr (goldml::detail::resample_gradient<Desc>) {
      if (desc.gradient_offsets == gradient_offsets::forward || desc.input_pixel_offsets == desc.output_pixel_offsets)
        return false;
      desc.gradient_offsets = gradient_offsets::forward;
      return true;
    }
    return false;
  }

  static constexpr verdict_options<Desc> options = [] {
    verdict_options<Desc> result = flushing_verdict_traits<Desc>::flushing_options();
    if (goldml::detail::resample_gradient<Desc>) {
      result.to_alternative = &to_alternative;
      result.alternative = "the pixel offsets of the forward operator";
    }
    return result;
  }();
};

}  // namespace goldml::oracle
