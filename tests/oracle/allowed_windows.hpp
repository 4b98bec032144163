// The rules of pooling, its gradients, FOLD and UNFOLD, written from their pages and the ledger's PO-R1 to PO-R5: every
// place of every window is looked at, and the bounds are derived again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <goldml/operators/operators.hpp>

#include "allowed_layout.hpp"
#include "allowed_reduce.hpp"

namespace judged {

template <class Desc>
inline constexpr bool has_windows = requires(Desc desc) {
  desc.window_size;
};

namespace windows {

// The places in the image of the taps of window o that are inside, on one axis; and how many are inside the padded one.
struct axis_taps {
  std::vector<std::int64_t> inside;
  std::int64_t padded = 0;
};

template <class Desc>
axis_taps taps_on_axis(const Desc& desc, std::size_t axis, std::int64_t size, std::int64_t q) {
  std::int64_t dilation = 1;
  if constexpr (requires { desc.dilations; }) dilation = desc.dilations[axis];
  axis_taps result;
  for (std::int64_t j = 0; j < desc.window_size[axis]; ++j) {
    const std::int64_t place = q * desc.strides[axis] + j * dilation - desc.start_padding[axis];
    if (place >= 0 && place < size) result.inside.push_back(place);
    if (place < size + desc.end_padding[axis]) ++result.padded;
  }
  return result;
}

// The numbers of a window's elements in the whole image, in ascending order; and what an average is divided by.
struct covered {
  std::vector<std::uint64_t> elements;
  real divisor = 1;
  real axes = 0;  // on which it is no power of two
};

template <class Desc>
covered covered_by(const Desc& desc, const dimensions& image, const coordinate_tuple& o) {
  covered result;
  result.elements = {std::uint64_t{o[0]} * image[1] + o[1]};
  for (std::size_t axis = 0; axis + 2 < image.size(); ++axis) {
    const axis_taps taps = taps_on_axis(desc, axis, image[2 + axis], o[2 + axis]);
    std::vector<std::uint64_t> next;
    for (const std::uint64_t outer : result.elements)
      for (const std::int64_t place : taps.inside)
        next.push_back(outer * image[2 + axis] + static_cast<std::uint64_t>(place));
    result.elements = next;
    if constexpr (requires { desc.include_padding; }) {
      const std::int64_t count = !desc.include_padding ? static_cast<std::int64_t>(taps.inside.size())
                                 : desc.pool_overhang == pool_overhang::window ? std::int64_t{desc.window_size[axis]}
                                                                               : taps.padded;
      result.divisor *= static_cast<real>(count);
      if ((count & (count - 1)) != 0) ++result.axes;
    }
  }
  return result;
}

// The sum of numbers, each divided by its divisor.
inline approximate sum_of_quotients(const std::vector<real>& x, const std::vector<real>& divisors, real axes,
                                    bool is_float32, bool flushing) {
  const real n = static_cast<real>(x.size()), m = n + 9 * axes;
  const summed numbers = sum_of(x, x, m, is_float32, flushing);
  std::vector<real> quotients;
  bool divides = false;
  real magnitude = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    quotients.push_back(x[i] / divisors[i]);
    divides = divides || divisors[i] != 1;
    if (std::isfinite(x[i])) magnitude += std::abs(quotients.back());
  }
  approximate r = numbers.result;
  if (numbers.exact || n == 1) r.above = r.below = r.nan = false;
  if (!std::isfinite(r.value)) return r;
  const summed of_quotients = sum_of(quotients, quotients, m, is_float32, flushing);
  r.value = of_quotients.result.value;
  const bool exact = magnitude == 0 || (axes == 0 && numbers.exact && of_quotients.exact);
  const real lost = numbers.flushed_away + (divides && is_float32 && !flushing ? n * 0x1p-150L : 0);
  r.error = exact ? 0 : grown(m) * magnitude + lost;
  return r;
}

// (sum of |x|^p)^(1/p) by powers.
template <class T>
element_rule rule_of_norm(const std::vector<real>& x, real p) {
  constexpr real infinite = std::numeric_limits<real>::infinity();
  real most = 0;
  for (const real each : x) {
    if (std::isnan(each)) return rule_of_number<T>({each, 0}, true);
    most = std::max(most, std::abs(each));
  }
  approximate a;
  a.value = most;
  if (most == 0 || std::isinf(most)) return rule_of_number<T>(a, true);
  real sum = 0, off = 0;
  for (const real each : x) {
    if (each == 0) continue;
    const real power = std::pow(std::abs(each), p);  // a long double holds it
    sum += power;
    off += power * std::expm1(0x1p-21L * (1 + p * std::max(1.0L, std::abs(std::log2(std::abs(each))))));
  }
  const real n = static_cast<real>(x.size()), t = off / sum + grown(n), lost = 2 * n * least_normal;
  const real rest = 0x1p-21L * (1 + 1.5L * std::max(1.0L, std::abs(std::log2(sum))) / p);
  const real low = std::pow(std::max(0.0L, sum * (1 - t) - lost), 1 / p) * (1 - rest);
  const real high =
      sum * (1 + t) + lost >= greatest_float ? infinite : std::pow(sum * (1 + t) + lost, 1 / p) * (1 + rest);
  a.value = std::isinf(high) ? low : (low + high) / 2;
  a.error = std::isinf(high) ? low * 0x1p-40L : (high - low) / 2;
  element_rule rule = rule_of_number<T>(a, true);
  if (std::isinf(high)) {
    rule.range->above = true;
    rule.range->high = rule.range->outer_high = std::numeric_limits<double>::infinity();
  }
  return rule;
}

}  // namespace windows

// FLOAT64: long double has 11 bits more, so that a sum is known to within those.
inline element_rule rule_of_double_sum(const std::vector<bits>& terms) {
  real sum = 0, magnitude = 0;
  int lowest = 10000;
  for (const bits b : terms) {
    const real x = value_of<double>(b);
    sum += x;
    if (!std::isfinite(x) || x == 0) continue;
    magnitude += std::abs(x);
    lowest = std::min(lowest, lowest_bit(x));
  }
  element_rule rule;
  if (std::isnan(sum)) return {true, {quiet_nan_of<double>()}};
  if (terms.empty()) return {true, {0}};
  if (terms.size() == 1 && sum == 0) return {true, {terms[0], 0, sign_bit_of<double>}};  // it may be added to a 0
  if (terms.size() == 1) return {true, {terms[0]}};
  const real unit = 0x1p-53L, growth = std::expm1((static_cast<real>(terms.size()) - 1) * std::log1p(unit));
  float_range range;
  range.type = data_type::float64;
  const bool exact = magnitude == 0 || magnitude <= std::ldexp(0x1p53L, lowest);
  const real error = std::isinf(sum) || exact ? 0 : growth * magnitude;
  const real slack = exact || std::isinf(sum) ? 0 : magnitude * 0x1p-62L * static_cast<real>(terms.size());
  range.low = static_cast<double>(sum - std::max(0.0L, error - slack));
  range.high = static_cast<double>(sum + std::max(0.0L, error - slack));
  range.outer_low = static_cast<double>(sum - error - 2 * slack - (exact ? 0 : std::abs(sum) * 0x1p-51L + 0x1p-1073L));
  range.outer_high = static_cast<double>(sum + error + 2 * slack + (exact ? 0 : std::abs(sum) * 0x1p-51L + 0x1p-1073L));
  rule.range = range;
  return rule;
}

template <class Desc>
requires(has_windows<Desc>&& goldml::detail::pooling_operator<Desc>) all_rules
    rules_of(const Desc& desc, input_refs inputs, output_descs outputs, bool flushing = false) {
  const values input = values_of(inputs[0]);
  const dimensions& image = inputs[0].desc().sizes;
  constexpr pooling_function function = Desc::function;
  all_rules rules(1);
  const bool with_indices = outputs.size() > 1 && !outputs[1].sizes.empty();
  if (outputs.size() > 1) rules.emplace_back();
  visit_data_type(a10_types{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    constexpr bool is_float32 = std::is_same_v<T, float>;
    for (const coordinate_tuple& o : coordinates_of(outputs[0].sizes)) {
      const windows::covered window = windows::covered_by(desc, image, o);
      std::vector<bits> taps;
      std::vector<real> x;
      for (const std::uint64_t element : window.elements) {
        taps.push_back(input[element]);
        if constexpr (!std::is_integral_v<T>)
          x.push_back(static_cast<real>(static_cast<double>(value_of<T>(taps.back()))));
      }
      if constexpr (function == pooling_function::max) {
        if (taps.empty()) {
          rules[0].push_back({false, {}});
          if (with_indices) rules[1].push_back({false, {}});
          continue;
        }
        rules[0].push_back(rule_of_extreme<T>(false, taps, flushing && is_float32));
        if (!with_indices) continue;
        element_rule index;
        index.defined = std::is_integral_v<T>;
        bool has_number = false;
        for (const bool flushes : {false, true}) {  // the first of the greatest numbers, flushed or not
          if (flushes && !(flushing && is_float32)) continue;
          std::size_t best = taps.size();
          for (std::size_t i = 0; i < taps.size(); ++i) {
            const auto number = [&](std::size_t k) { return value_of<T>(flushes ? flushed<T>(taps[k]) : taps[k]); };
            if constexpr (!std::is_integral_v<T>) {
              if (std::isnan(x[i])) continue;
              has_number = true;
              index.defined = index.defined || !std::isinf(x[i]) || x[i] > 0;
            }
            if (best == taps.size() || number(i) > number(best)) best = i;
          }
          index.allowed.push_back(window.elements[best == taps.size() ? 0 : best]);
        }
        if constexpr (!std::is_integral_v<T>)
          for (std::size_t i = 0; i < taps.size(); ++i)
            if (std::isnan(x[i])) {
              index.defined = index.defined || !has_number;  // beside -infinity alone any index is right
              index.allowed.push_back(window.elements[i]);
            }
        rules[1].push_back(index);
      } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>) {
        if (taps.empty()) {
          bool defined = true;
          if constexpr (function == pooling_function::average) defined = desc.include_padding;
          rules[0].push_back({defined, {0}});
        } else if constexpr (function == pooling_function::average) {
          rules[0].push_back(rule_of_number<T>(windows::sum_of_quotients(x, std::vector<real>(x.size(), window.divisor),
                                                                         window.axes, is_float32, flushing),
                                               false));
        } else if (desc.p < 3) {
          rules[0].push_back(reduced_rule<T>(desc.p == 1 ? reduce_function::l1 : reduce_function::l2, taps, flushing));
        } else {
          rules[0].push_back(windows::rule_of_norm<T>(x, static_cast<real>(desc.p)));
        }
      }
    }
  });
  return rules;
}

// MAX_POOLING_GRAD: which of the elements of a window may be its greatest; the first of these surely, if it is alone.
template <class T>
std::vector<std::uint64_t> greatest_of(const std::vector<std::uint64_t>& elements, const values& input, bool flushing) {
  std::vector<std::uint64_t> result;
  bool all_least = true;
  const auto add = [&](std::uint64_t element) {
    if (std::find(result.begin(), result.end(), element) == result.end()) result.push_back(element);
  };
  for (const bool flushes : {false, true}) {
    if (flushes && !flushing) continue;
    const auto number = [&](std::uint64_t e) { return value_of<T>(flushes ? flushed<T>(input[e]) : input[e]); };
    std::size_t best = elements.size();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const T x = number(elements[i]);
      if (x != x) continue;
      if (best == elements.size() || x > number(elements[best])) best = i;
    }
    if (!elements.empty()) add(elements[best == elements.size() ? 0 : best]);
  }
  for (const std::uint64_t element : elements) {
    const T x = value_of<T>(input[element]);
    all_least = all_least && x == -std::numeric_limits<T>::infinity();
    if (x != x) add(element);
  }
  if (all_least) {
    for (const std::uint64_t element : elements) add(element);
    if (!elements.empty()) result.push_back(~std::uint64_t{0});  // or none of them
  }
  return result;
}

template <class Desc>
requires(has_windows<Desc>&& goldml::detail::pooling_grad_operator<Desc>) all_rules
    rules_of(const Desc& desc, input_refs inputs, output_descs outputs, bool flushing = false) {
  const dimensions& image = outputs[0].sizes;
  const dimensions& counts = inputs.back().desc().sizes;
  const values gradient = values_of(inputs.back());
  struct terms {
    std::vector<real> x, divisors, perhaps;
    real axes = 0;
  };
  std::vector<terms> all(element_count(image));
  output_rules rules;
  visit_data_type(type_list<float, float16>{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    constexpr bool is_float32 = std::is_same_v<T, float>;
    for (const coordinate_tuple& o : coordinates_of(counts)) {
      const windows::covered window = windows::covered_by(desc, image, o);
      const real g = static_cast<real>(static_cast<double>(value_of<T>(gradient[number_of(o, counts)])));
      if constexpr (Desc::of_max) {
        const auto places = greatest_of<T>(window.elements, values_of(inputs[0]), flushing && is_float32);
        for (const std::uint64_t place : places) {
          if (place == ~std::uint64_t{0}) continue;
          (places.size() == 1 ? all[place].x : all[place].perhaps).push_back(g);
          if (places.size() == 1) all[place].divisors.push_back(1);
        }
      } else {
        for (const std::uint64_t element : window.elements) {
          all[element].x.push_back(g);
          all[element].divisors.push_back(window.divisor);
          all[element].axes = std::max(all[element].axes, window.axes);
        }
      }
    }
    for (terms& t : all) {
      if (t.x.empty() && t.perhaps.empty()) {
        rules.push_back({true, {0}});
        continue;
      }
      if constexpr (!Desc::of_max) {
        rules.push_back(
            rule_of_number<T>(windows::sum_of_quotients(t.x, t.divisors, t.axes, is_float32, flushing), false));
      } else {
        const auto summed_with = [&](const std::vector<real>& x) {
          summed s = sum_of(x, x, x.empty() ? 0 : static_cast<real>(x.size()) - 1, is_float32, flushing);
          if (s.exact || x.size() == 1) s.result.above = s.result.below = s.result.nan = false;
          return s;
        };
        std::vector<real> every = t.x;
        for (const real each : t.perhaps)
          if (std::isfinite(each)) every.push_back(each);
        const summed sure = summed_with(t.x), whole = summed_with(every);
        approximate a = sure.result;
        real above = 0, below = 0;
        a.above = whole.result.above;
        a.below = whole.result.below;
        a.nan = whole.result.nan;
        for (const real each : t.perhaps) {
          if (std::isnan(each))
            a.nan = true;
          else if (std::isinf(each))
            (each > 0 ? a.above : a.below) = true;
          else
            (each > 0 ? above : below) += each;
        }
        if (std::isinf(a.value) && (a.value > 0 ? a.below : a.above)) {
          a.nan = true;
          (a.value > 0 ? a.below : a.above) = false;
        }
        if (a.above && a.below) a.nan = true;
        if (std::isnan(a.value)) a.nan = a.above = a.below = false;  // whatever is added
        const bool exact = whole.exact || every.size() <= 1;         // one is not rounded
        if (std::isfinite(a.value) && t.perhaps.size() == 1 && exact && above + below != 0) {
          element_rule rule = rule_of_number<T>({a.value, 0}, false);
          const element_rule other = rule_of_number<T>({a.value + above + below, 0}, false);
          rule.apart.push_back(*other.range);
          rules.push_back(rule);
          continue;
        }
        if (std::isfinite(a.value)) {
          a.error = exact ? 0 : grown(static_cast<real>(every.size()) - 1) * whole.magnitude + whole.flushed_away;
          a.value += (above + below) / 2;
          a.error += (above - below) / 2;
        }
        a.of_terms = every.size() < t.x.size() + t.perhaps.size();
        rules.push_back(rule_of_number<T>(a, false));
        if (t.x.size() == 1 && every.size() == 1 && flushing && is_float32 && std::abs(t.x[0]) < least_normal)
          rules.back().allowed = {0, sign_bit_of<T>};
      }
    }
  });
  return {rules};
}

// FOLD and UNFOLD: each element of the columns by its place in the image.
template <class Desc, class F>
void for_columns_of(const Desc& desc, const dimensions& image, const dimensions& columns, const F& f) {
  const std::size_t last = columns.size() - 1, axes = desc.window_sizes.size();
  for (const coordinate_tuple& c : coordinates_of(columns)) {
    coordinate_tuple place = image;
    std::uint64_t row = c[last - 1], column = c[last];
    bool inside = true;
    for (std::size_t i = axes; i-- > 0;) {
      const std::uint64_t extent = std::uint64_t{desc.window_sizes[i] - 1} * desc.dilations[i] + 1;
      const std::uint64_t blocks =
          (std::uint64_t{image[2 + i]} + desc.start_padding[i] + desc.end_padding[i] - extent) / desc.strides[i] + 1;
      const std::int64_t at = static_cast<std::int64_t>(column % blocks * desc.strides[i] +
                                                        row % desc.window_sizes[i] * desc.dilations[i]) -
                              desc.start_padding[i];
      column /= blocks;
      row /= desc.window_sizes[i];
      inside = inside && at >= 0 && at < image[2 + i];
      place[2 + i] = static_cast<std::uint32_t>(inside ? at : 0);
    }
    place[0] = c[last - 2];
    place[1] = static_cast<std::uint32_t>(row);
    f(number_of(c, columns), inside, number_of(place, image));
  }
}
inline all_rules rules_of(const unfold_desc& desc, input_refs inputs, output_descs outputs) {
  const values image = values_of(inputs[0]);
  output_rules rules;
  values padding{0};  // of floats either zero
  if (data_type_set{data_type::float16, data_type::float32, data_type::float64}.contains(outputs[0].data_type))
    padding.push_back(bits{1} << (8 * element_size_in_bytes(outputs[0].data_type) - 1));
  for_columns_of(desc, inputs[0].desc().sizes, outputs[0].sizes, [&](std::size_t, bool inside, std::size_t place) {
    rules.push_back({true, inside ? values{image[place]} : padding});
  });
  return {rules};
}
inline all_rules rules_of(const fold_desc& desc, input_refs inputs, output_descs outputs, bool flushing = false) {
  const values columns = values_of(inputs[0]);
  std::vector<std::vector<bits>> terms(element_count(outputs[0].sizes));
  for_columns_of(desc, outputs[0].sizes, inputs[0].desc().sizes,
                 [&](std::size_t number, bool inside, std::size_t place) {
                   if (inside) terms[place].push_back(columns[number]);
                 });
  output_rules rules;
  visit_data_type(a11_types{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    for (const std::vector<bits>& each : terms) {
      if constexpr (std::is_same_v<T, double>) {
        rules.push_back(rule_of_double_sum(each));
      } else {
        rules.push_back(each.empty() ? element_rule{true, {0}} : reduced_rule<T>(reduce_function::sum, each, flushing));
      }
    }
  });
  return {rules};
}

}  // namespace judged
