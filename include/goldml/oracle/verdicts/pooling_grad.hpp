// What a device may answer to AVERAGE_POOLING_GRAD and MAX_POOLING_GRAD (ledger PO-R1 to PO-R5, AR-R1, AR-R8).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/quotient_bounds.hpp>
#include <goldml/arithmetic/uncertain_sum.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/pooling_grad.hpp>
#include <goldml/operators/pooling_values.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/pooling.hpp>

namespace goldml::detail {

template <class T>
void add_verdicts_of_averages(const average_pooling_grad_desc& desc, const tensor_view<const T>& gradient,
                              const tensor_view<T>& golden, const arithmetic_mode& mode, output_verdicts& result) {
  const image_windows windows(window_lists_of(desc), golden.sizes(), gradient.sizes());
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
    sum_terms quotients, numbers;
    int axes = 0;
    double greatest = 1;
    windows.for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple&) {
      const window_divisor by(divisors_of(desc, windows, o));
      const double g = exact_double(T(gradient[o]));
      numbers.add(g);
      quotients.add(g / by.product);
      axes = (std::max)(axes, by.axes);
      greatest = (std::max)(greatest, by.product);
    });
    if (mode.half() && greatest > half_precision.greatest)
      result.make_undefined(element);
    else if (!is_zero(numbers.count()))
      result.allow_interval_beside(
          element, graded_interval_of<T>(bound_of_quotients(quotients, numbers, axes, greatest != 1, mode)),
          interval_refusal::reciprocals, T(golden[c]));
    ++element;
  }
}

// Whether a window may give its gradient to each of its elements: which of its taps may be its greatest.
template <class T>
class greatest_candidates {
 public:
  greatest_candidates(const max_pooling_grad_desc& desc, const tensor_view<const T>& x, const image_windows& windows,
                      const dimensions& counts, bool flushes)
      : x_(x), counts_(counts) {
    winners_.reserve(static_cast<std::size_t>(element_count(counts)));
    for (const coordinate_tuple& o : coordinates_of(counts)) {
      const window_taps taps = windows.taps_of(o);
      const auto number = [&](const std::optional<coordinate_tuple>& c) { return c ? number_of(*c, x.sizes()) : none; };
      winner& each = winners_.emplace_back();
      each.first = each.flushed = number(greatest_tap(x, taps, desc.nan_policy));
      if (flushes) each.flushed = number(greatest_tap(x, taps, desc.nan_policy, [](T v) { return flushed(v); }));
      each.may_be_any = is_bottomless(taps);
      each.may_be_nan = desc.nan_policy == nan_policy::skip && has_nan_beside(taps, each.first);
    }
  }

  // Adds g, the gradient of window o, to the sum of element c, whose number is `place`, if the window may give it.
  void add_to(uncertain_sum& sum, double g, const coordinate_tuple& o, const coordinate_tuple& c,
              std::uint64_t place) const {
    const winner& by = winners_[static_cast<std::size_t>(number_of(o, counts_))];
    const bool is_sure = by.first == by.flushed && !by.may_be_any && !by.may_be_nan;
    const bool may_be_this = by.may_be_any || (by.may_be_nan && is_nan(T(x_[c])));
    if (by.first == place || by.flushed == place || may_be_this) sum.add(g, is_sure, by.first == place);
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  struct winner {
    std::uint64_t first = none, flushed = none;  // the greatest element, and that of a device that flushes
    bool may_be_any = false;                     // it may also be any element, or none,
    bool may_be_nan = false;                     // or any NaN
  };

  // Nothing but -infinity, which a running maximum does not select.
  bool is_bottomless(const window_taps& taps) const {
    for (const coordinate_tuple& r : coordinates_of(taps.counts))
      if (const T each = x_[taps[r]]; is_nan(each) || order_key(each) > order_key(least_of<T>())) return false;
    return taps.count() != 0;
  }
  bool has_nan_beside(const window_taps& taps, std::uint64_t first) const {
    for (const coordinate_tuple& r : coordinates_of(taps.counts))
      if (is_nan(T(x_[taps[r]])) && number_of(taps[r], x_.sizes()) != first) return true;
    return false;
  }

  const tensor_view<const T>& x_;
  const dimensions& counts_;
  std::vector<winner> winners_;  // by the number of the window
};

template <class T>
void add_verdicts_of_greatest(const max_pooling_grad_desc& desc, const tensor_view<const T>& x,
                              const tensor_view<const T>& gradient, const tensor_view<T>& golden,
                              const arithmetic_mode& mode, output_verdicts& result) {
  const image_windows windows(window_lists_of(desc), golden.sizes(), gradient.sizes());
  const greatest_candidates<T> candidates(desc, x, windows, gradient.sizes(), mode.flushes);
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
    uncertain_sum sum;
    windows.for_hits(c, [&](const coordinate_tuple& o, const coordinate_tuple&) {
      candidates.add_to(sum, exact_double(T(gradient[o])), o, c, element);
    });
    if (!sum.is_empty()) result.allow_interval_beside(element, sum.template intervals<T>(mode), T(golden[c]));
    ++element;
  }
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <goldml::detail::pooling_grad_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
      const auto gradient = inputs.back().as<T>();
      const auto y = golden[0].as<T>();
      if constexpr (Desc::of_max)
        goldml::detail::add_verdicts_of_greatest<T>(desc, inputs[0].as<T>(), gradient, y, mode, result[0]);
      else
        goldml::detail::add_verdicts_of_averages<T>(desc, gradient, y, mode, result[0]);
    });
  }
  // For each element a byte and intervals, or two values; of MAX for each window two numbers.
  static std::uint64_t verdict_memory(const Desc&, const operands_of<Desc>& t) {
    const std::uint64_t each = 1 + sizeof(interval) + more_interval_memory + (Desc::of_max ? 192 : 0);
    const std::uint64_t windows = Desc::of_max ? element_count(t[t.size() - 2].desc->sizes) : 0;
    return saturating_add(saturating_multiply(element_count(t.back().desc->sizes), each),
                          saturating_multiply(3 * sizeof(std::uint64_t), windows));
  }

  static constexpr verdict_options<Desc> options = [] {
    verdict_options<Desc> all = flushing_verdict_traits<Desc>::flushing_options();
    if constexpr (!Desc::of_max) {
      all.to_alternative = &clip_windows<Desc>;
      all.alternative = clipped_windows;
    }
    return all;
  }();
};

}  // namespace goldml::oracle
