// The rules of the operators that normalise, written from their pages and SPEC-normalisation in long double, for single
// precision and the default policies. Of elements with a fused activation, and of those that depend on numbers that are
// great or infinite, nothing is said, but where these leave NaN, or a bias alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include <goldml/operators/operators.hpp>

#include "allowed_layout.hpp"
#include "allowed_reduce.hpp"

namespace judged {

namespace normalised {

inline element_rule nothing_said(data_type type) {
  element_rule rule;
  rule.range = float_range{.type = type, .low = 1, .high = 0, .open = true};
  return rule;
}

// The ends that are surely allowed, and those beyond which nothing is.
struct ends {
  real low, high, outer_low, outer_high;
};
inline ends around(real value, real error, real outer_error) {
  return {value - error * (1 - 0x1p-6L), value + error * (1 - 0x1p-6L), value - outer_error * (1 + 0x1p-6L),
          value + outer_error * (1 + 0x1p-6L)};
}
template <class T>
element_rule rule_of(const ends& e) {
  const auto between = [](real low, real high) {
    approximate a;
    a.value = low + (high - low) / 2;
    a.error = (high - low) / 2;
    return *rule_of_number<T>(a, false).range;
  };
  element_rule rule;
  float_range range = between(e.low, e.high);
  const float_range outer = between(e.outer_low, e.outer_high);
  range.outer_low = outer.outer_low;
  range.outer_high = outer.outer_high;
  rule.range = range;
  return rule;
}

inline bool is_tame(real x) { return std::abs(x) < 0x1p30L; }
inline bool all_tame(const std::vector<real>& numbers) { return std::all_of(numbers.begin(), numbers.end(), is_tame); }

template <class T>
element_rule nan_only() {
  return {true, {quiet_nan_of<T>()}};
}

// The error of a result below the least normal number, which a device may flush.
template <class T>
real underflow(bool flushing) {
  return !std::is_same_v<T, float> ? 0 : flushing ? least_normal : 0x1p-150L;
}

// The elements of a tensor by coordinates, whose sizes may be 1.
class tensor_numbers {
 public:
  explicit tensor_numbers(const const_tensor_ref& t) : sizes_(t.desc().sizes) {
    for (const auto each : values_of(t)) numbers_.push_back(static_cast<real>(as_number(t.desc().data_type, each)));
  }
  real at(coordinate_tuple c) const {
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      if (sizes_[i] == 1) c[i] = 0;
    return numbers_[number_of(c, sizes_)];
  }
  bool tame() const { return all_tame(numbers_); }

 private:
  dimensions sizes_;
  std::vector<real> numbers_;
};
inline std::optional<tensor_numbers> numbers_of(const const_tensor_ref& t) {
  if (!t.present()) return {};
  return tensor_numbers(t);
}

// What a slice has, and by how much a device may be off: with exact sums a little less.
struct statistics {
  real n = 1, mean = 0, variance = 0, squares = 0;
  real mean_error = 0, outer_mean_error = 0, variance_error = 0, outer_variance_error = 0;

  statistics() = default;
  statistics(const std::vector<real>& x, bool uses_mean, real epsilon, bool is_output, real lam)
      : n(static_cast<real>(x.size())) {
    real sum = 0, magnitude = 0, most = 0;
    for (const real e : x) sum += e, magnitude += std::abs(e), most = std::max(most, std::abs(e)), squares += e * e;
    squares /= n;
    mean = uses_mean ? sum / n : 0;
    for (const real e : x) variance += (e - mean) * (e - mean);
    variance /= n;
    const real levels = std::ceil(std::log2(n));
    const auto errors = [&](real additions, real& of_mean, real& of_variance) {
      if (!uses_mean) {
        of_variance = grown(n + 9) * variance;
        return;
      }
      if (n == 1) return;
      of_mean = grown(additions) * magnitude / n + grown(8 + 6 * levels) * most * (1 + grown(additions));
      const real centred = grown(additions + 14) * variance + 3 * std::sqrt(variance) * of_mean + of_mean * of_mean;
      const real c = std::abs(mean), one_pass = grown(n + 11) * squares + 2 * c * of_mean + of_mean * of_mean +
                                                grown(3) * (c + of_mean) * (c + of_mean);
      of_variance = std::max(centred, std::min(one_pass, (variance + (is_output ? 0 : epsilon)) / 32));
    };
    errors(std::min(n, 8 * std::sqrt(n)), mean_error, variance_error);
    errors(n, outer_mean_error, outer_variance_error);
    if (uses_mean && n > 1) {
      outer_variance_error += (3 * std::sqrt(variance) + 2 * outer_mean_error + 4 * std::abs(mean)) * (n + 2) * lam;
      outer_mean_error += (n + 2) * lam;
    }
    outer_variance_error += (n + 2) * lam;
  }
};

// The affine step of an element, or nothing where little is known of the root.
inline std::optional<ends> affine(const statistics& of, real epsilon, bool divides, real x, real s, real b, real a,
                                  bool may_be_exact, real lam) {
  const real d = of.variance + epsilon, c = of.mean;
  const real r = divides ? 1 / std::sqrt(d) : 1, y = s * (x - c) * r + b + a;
  const auto error = [&](real dc, real dv, real least) -> real {
    const real addends = grown(3) * (std::abs(b) + std::abs(a)), reach = std::abs(x) + std::abs(c) + dc;
    if (!divides) return std::abs(s) * (dc + grown(4) * reach) + addends;
    const real dd = dv + unit_of_float * (d + dv) + least, er = 12 * unit_of_float;
    const real low =
        std::max(d - dd, dc == 0 && dv == 0 ? d - dd : epsilon * (1 - 2 * unit_of_float) - 1e-6L * dc * dc - least);
    if (!(low > d / 8)) return std::numeric_limits<real>::infinity();
    const real e1 = std::max((1 + er) * std::sqrt(d / low) - 1, 1 - (1 - er) * std::sqrt(d / (d + dd)));
    return std::abs(s) * r * ((std::abs(x - c) + dc) * e1 + dc + grown(5) * (1 + e1) * reach) + addends;
  };
  if (divides && !(d > 0x1p-40L && d < 0x1p60L)) return {};
  const real inner = error(of.mean_error, of.variance_error, 0),
             outer = error(of.outer_mean_error, of.outer_variance_error, lam) +
                     lam * ((2 * std::abs(s) + std::abs(x) + std::abs(c) + 1) * std::max(1.0L, r) + 4);
  if (!std::isfinite(outer) || !(outer < 0x1p60L)) return {};
  const bool exact = may_be_exact || s == 0 || (x == 0 && c == 0) || x == c || !divides;
  return around(y, exact ? 0 : inner, outer);
}

template <class F>
all_rules for_type(data_type type, std::size_t outputs, const F& f) {
  all_rules rules(outputs);
  visit_data_type(type_list<float, float16>{}, type,
                  [&]<class T>(std::type_identity<T>) { f(std::type_identity<T>{}, rules); });
  return rules;
}

// The slice of an element: coordinates that differ on these axes.
inline std::vector<coordinate_tuple> slice_of(coordinate_tuple c, const dimensions& sizes, const dimensions& axes) {
  std::vector<coordinate_tuple> found{c};
  for (const std::uint32_t axis : axes) {
    std::vector<coordinate_tuple> more;
    for (coordinate_tuple each : found)
      for (each[axis] = 0; each[axis] < sizes[axis]; ++each[axis]) more.push_back(each);
    found = more;
  }
  return found;
}
inline std::vector<real> numbers_at(const tensor_numbers& t, const std::vector<coordinate_tuple>& places) {
  std::vector<real> result;
  for (const coordinate_tuple& c : places) result.push_back(t.at(c));
  return result;
}
inline dimensions ones_of(const dimensions& sizes) {
  dimensions axes;
  for (std::uint32_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 1) axes.push_back(i);
  return axes;
}

// An infinite divisor leaves this.
template <class T>
element_rule rule_of_addends(real b, real a, real lam) {
  return rule_of<T>(around(b + a, 0, lam == 0 ? 0 : 5 * lam + grown(3) * (std::abs(b) + std::abs(a))));
}

// Of the members of MEAN_VARIANCE_NORMALIZATION.
struct step {
  dimensions axes;
  bool uses_mean = true, divides = true;
  float epsilon = 0;
  bool fuses = false;
  bool centred = false;  // the variance, without the mean
};

inline all_rules rules_of_slices(const step& by, input_refs inputs, output_descs outputs, std::size_t add,
                                 bool flushing) {
  const bool training = outputs.size() == 3;
  return for_type(outputs[0].data_type, outputs.size(), [&]<class T>(std::type_identity<T>, all_rules& rules) {
    const tensor_numbers x(inputs[0]);
    const auto scale = numbers_of(inputs[1]), bias = numbers_of(inputs[2]);
    const auto addend = add == 0 ? std::optional<tensor_numbers>() : numbers_of(inputs[add]);
    const dimensions& sizes = outputs[0].sizes;
    const real epsilon = static_cast<real>(by.epsilon), lam = underflow<T>(flushing);
    const auto is_nan = [](real e) { return std::isnan(e); };
    const bool tame = (!scale || scale->tame()) && (!bias || bias->tame()) && (!addend || addend->tame());
    const bool alone = !by.uses_mean && !by.divides;
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      const std::vector<real> slice = alone ? std::vector{x.at(c)} : numbers_at(x, slice_of(c, sizes, by.axes));
      const bool constant = std::all_of(slice.begin(), slice.end(), [&](real e) { return e == slice[0]; });
      std::optional<ends> e;
      if (!by.fuses && by.divides && std::any_of(slice.begin(), slice.end(), is_nan)) {
        rules[0].push_back(nan_only<T>());
        continue;
      }
      const bool has_infinity = std::any_of(slice.begin(), slice.end(), [](real each) { return std::isinf(each); });
      if (!by.fuses && tame && by.divides && !by.uses_mean && !by.centred && has_infinity && std::isfinite(epsilon) &&
          (is_tame(x.at(c)) || std::isinf(x.at(c)))) {
        rules[0].push_back(std::isinf(x.at(c)) ? nan_only<T>() : rule_of_addends<T>(bias ? bias->at(c) : 0, 0, lam));
        continue;
      }
      if (!by.fuses && tame && all_tame(slice))
        e = affine(statistics(slice, by.uses_mean, epsilon, false, lam), epsilon, by.divides, x.at(c),
                   scale ? scale->at(c) : 1, bias ? bias->at(c) : 0, addend ? addend->at(c) : 0, constant, lam);
      rules[0].push_back(e ? rule_of<T>(*e) : nothing_said(outputs[0].data_type));
    }
    if (!training) return;
    for (const coordinate_tuple& c : coordinates_of(outputs[1].sizes)) {
      const std::vector<real> slice = numbers_at(x, slice_of(c, sizes, by.axes));
      if (!all_tame(slice)) {
        for (const std::size_t i : {1U, 2U}) rules[i].push_back(nothing_said(outputs[0].data_type));
        continue;
      }
      const statistics s(slice, true, epsilon, true, lam);
      rules[1].push_back(rule_of<T>(around(s.mean, s.n == 1 ? 0 : s.mean_error, s.outer_mean_error)));
      if (s.n == 1 && flushing && std::is_same_v<T, float> && std::abs(slice[0]) < least_normal)
        rules[1].back().allowed = {0, sign_bit_of<T>};
      ends e = around(s.variance, s.variance == 0 ? 0 : s.variance_error, s.outer_variance_error);
      e.low = std::max(e.low, 0.0L);
      rules[2].push_back(rule_of<T>(e));
    }
  });
}

}  // namespace normalised

inline all_rules rules_of(const mean_variance_normalization_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  const dimensions axes = d.cross_channel ? dimensions{1, 2, 3} : dimensions{2, 3};
  return normalised::rules_of_slices({axes, true, d.normalize_variance, d.epsilon, d.fused_activation.has_value()},
                                     inputs, outputs, 0, flushing);
}
inline all_rules rules_of(const mean_variance_normalization1_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  return normalised::rules_of_slices({d.axes, true, d.normalize_variance, d.epsilon, d.fused_activation.has_value()},
                                     inputs, outputs, 0, flushing);
}
inline all_rules rules_of(const mean_variance_normalization2_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  return normalised::rules_of_slices({d.axes, d.use_mean, d.use_variance, d.epsilon, d.fused_activation.has_value(),
                                      d.use_mean_off != use_mean_off::zero},
                                     inputs, outputs, 0, flushing);
}
inline all_rules rules_of(const batch_normalization_training_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  return normalised::rules_of_slices(
      {normalised::ones_of(inputs[1].desc().sizes), true, true, d.epsilon, d.fused_activation.has_value()}, inputs,
      outputs, 3, flushing);
}

inline all_rules rules_of(const batch_normalization_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  using namespace normalised;
  return for_type(outputs[0].data_type, 1, [&]<class T>(std::type_identity<T>, all_rules& rules) {
    const tensor_numbers x(inputs[0]), mean(inputs[1]), variance(inputs[2]), scale(inputs[3]), bias(inputs[4]);
    for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
      statistics s;
      s.mean = mean.at(c);
      s.variance = variance.at(c);
      std::optional<ends> e;
      const bool tame = !d.fused_activation && all_tame({x.at(c), s.mean, scale.at(c), bias.at(c)});
      if (tame && s.variance + static_cast<real>(d.epsilon) == std::numeric_limits<real>::infinity()) {
        rules[0].push_back(rule_of_addends<T>(bias.at(c), 0, underflow<T>(flushing)));
        continue;
      }
      if (tame && is_tame(s.variance))
        e = affine(s, static_cast<real>(d.epsilon), true, x.at(c), scale.at(c), bias.at(c), 0, false,
                   underflow<T>(flushing));
      rules[0].push_back(e ? rule_of<T>(*e) : nothing_said(outputs[0].data_type));
    }
  });
}

inline all_rules rules_of(const lp_normalization_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  using namespace normalised;
  return for_type(outputs[0].data_type, 1, [&]<class T>(std::type_identity<T>, all_rules& rules) {
    const tensor_numbers x(inputs[0]);
    const real epsilon = static_cast<real>(d.epsilon), u = unit_of_float, lam = underflow<T>(flushing);
    for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
      const std::vector<real> slice = numbers_at(x, slice_of(c, outputs[0].sizes, {d.axis}));
      real sum = 0;
      for (const real e : slice) sum += d.p == 1 ? std::abs(e) : e * e;
      const real n = static_cast<real>(slice.size()), norm = d.p == 1 ? sum : std::sqrt(sum);
      if (std::isnan(x.at(c))) {
        rules[0].push_back({true, {quiet_nan_of<T>()}});
        continue;
      }
      const real least = std::is_same_v<T, float> ? 4 * n * least_normal : 0;
      if (!std::all_of(slice.begin(), slice.end(), is_tame) || sum == 0 || (d.p == 2 && sum < least) ||
          (norm >= 0.9L * epsilon && sum < least) || (least > 0 && std::max(norm, epsilon) < 4 * least_normal)) {
        rules[0].push_back(nothing_said(outputs[0].data_type));
        continue;
      }
      std::vector<real> divisors{std::max(norm, epsilon), norm + epsilon};
      if (d.p == 2) divisors.insert(divisors.end(), {std::sqrt(sum + epsilon), std::sqrt(std::max(sum, epsilon))});
      ends all{1e30L, -1e30L, 1e30L, -1e30L};
      for (std::size_t k = 0; k < divisors.size(); ++k) {
        const real g = 1 - grown(d.p == 1 ? n - 1 : n), dv = 9 * u, sq = 3 * u, more = k == 1 || k == 2 ? u : 0;
        const real error = (d.p == 1 ? (1 + dv) / g
                                     : std::max((1 + 0x1p-21L) * (1 + grown(1)) / std::sqrt(g),
                                                (1 + dv) / (std::sqrt(g) * (1 - sq)))) -
                           1 + more;
        const real y = x.at(c) / divisors[k];
        const real lost = std::abs(y) * 2 * n * lam / sum + lam * (2 + 1 / divisors[k]);
        const ends e =
            around(y, d.p == 1 ? 0 : std::abs(y) * (error - more), std::abs(y) * error * (1 + 0x1p-6L) + lost);
        all = {std::min(all.low, e.low), std::max(all.high, e.high), std::min(all.outer_low, e.outer_low),
               std::max(all.outer_high, e.outer_high)};
      }
      rules[0].push_back(rule_of<T>(all));
    }
  });
}

namespace normalised {

// The window of an element, or those whose windows have it.
inline std::vector<coordinate_tuple> window_of(const coordinate_tuple& c, const dimensions& sizes, bool channels,
                                               std::int64_t size, bool mirrored) {
  std::vector<coordinate_tuple> found;
  const std::int64_t before = mirrored ? size / 2 : (size - 1) / 2, after = mirrored ? (size - 1) / 2 : size / 2;
  for (coordinate_tuple i : coordinates_of(sizes)) {
    bool inside = true;
    for (std::size_t axis = 0; axis < 4; ++axis) {
      const std::int64_t apart = std::int64_t{i[axis]} - c[axis];
      const bool is_free = channels ? axis == 1 : axis >= 2;
      inside = inside && (is_free ? -before <= apart && apart <= after : apart == 0);
    }
    if (inside) found.push_back(i);
  }
  return found;
}

// D of an element, its powers and what a device may have of them.
struct response {
  real d = 0, off = 0;
  real power(real b) const { return std::pow(d, -b); }
  real own(real b) const {
    const auto of = [&](real v) {
      return std::expm1(std::abs(b) * (0x1p-21L * std::max(0.7L, std::abs(v)) + 0x1p-22L * std::abs(v)) + 0x1p-21L);
    };
    return std::max(of(std::log(d - off)), of(std::log(d + off)));
  }
  real by_divisor(real b) const {
    return std::max(std::abs(std::pow(d - off, -b) - power(b)), std::abs(std::pow(d + off, -b) - power(b)));
  }
  real tau(real b) const { return (1 + by_divisor(b) / power(b)) * (1 + own(b)) * (1 + 10 * unit_of_float) - 1; }
};
template <class Desc>
response response_at(const Desc& desc, const tensor_numbers& x, const coordinate_tuple& c, const dimensions& sizes,
                     bool& tame, real lam) {
  real squares = 0, count = 0;
  for (const coordinate_tuple& i : window_of(c, sizes, desc.cross_channel, desc.local_size, false)) {
    tame = tame && is_tame(x.at(i));
    squares += x.at(i) * x.at(i);
    count += 1;
  }
  const real alpha = static_cast<real>(desc.alpha) / desc.local_size, bias = static_cast<real>(desc.bias);
  response result{bias + alpha * squares,
                  grown(count + 12) * (std::abs(bias) + std::abs(alpha) * squares) +
                      lam * (3 + std::abs(static_cast<real>(desc.alpha)) * (count + 1) + squares)};
  tame = tame && result.d - result.off > 0x1p-20L && result.d < 0x1p40L;
  return result;
}

}  // namespace normalised

inline all_rules rules_of(const local_response_normalization_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  using namespace normalised;
  return for_type(outputs[0].data_type, 1, [&]<class T>(std::type_identity<T>, all_rules& rules) {
    const tensor_numbers x(inputs[0]);
    const real beta = static_cast<real>(d.beta), lam = underflow<T>(flushing);
    for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
      bool tame = true;
      const response r = response_at(d, x, c, outputs[0].sizes, tame, lam);
      const real p = r.power(beta), size = std::abs(x.at(c)), step = 10 * unit_of_float;
      const real error =
          size * (r.by_divisor(beta) * (1 + r.own(beta)) + p * r.own(beta)) * (1 + step) + step * size * p;
      rules[0].push_back(tame ? rule_of<T>(around(x.at(c) * p, error, error + lam * (size + p + 1)))
                              : nothing_said(outputs[0].data_type));
    }
  });
}

inline all_rules rules_of(const local_response_normalization_grad_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  using namespace normalised;
  return for_type(outputs[0].data_type, 1, [&]<class T>(std::type_identity<T>, all_rules& rules) {
    const tensor_numbers x(inputs[0]), dy(inputs[1]);
    const dimensions& sizes = outputs[0].sizes;
    const real beta = static_cast<real>(d.beta), by = 2 * static_cast<real>(d.alpha) * beta / d.local_size,
               lam = underflow<T>(flushing);
    for (const coordinate_tuple& j : coordinates_of(sizes)) {
      bool tame = true;
      const response own = response_at(d, x, j, sizes, tame, lam);
      const auto places = window_of(j, sizes, d.cross_channel, d.local_size, true);
      const real g = grown(static_cast<real>(places.size()) + 14);
      real sum = 0, size = 0, most = 0, lost = 0;
      for (const coordinate_tuple& i : places) {
        const response r = response_at(d, x, i, sizes, tame, lam);
        tame = tame && is_tame(dy.at(i));
        const real term = dy.at(i) * x.at(i) * r.power(beta + 1);
        const real t1 =
            std::max(r.tau(beta + 1), (1 + r.tau(beta)) * (1 + r.off / (r.d - r.off)) * (1 + 10 * unit_of_float) - 1);
        sum += term;
        size += std::abs(term);
        most += std::abs(term) * (1 + t1) * (1 + g);
        const real a = std::abs(x.at(i)), b = std::abs(dy.at(i));
        lost += r.power(beta + 1) * (a + b + 1) + (b + 1) * (a + 1) + 1;
      }
      const real first = std::abs(dy.at(j)) * own.power(beta), q = std::abs(by * x.at(j)), t = own.tau(beta);
      const real error = first * t + q * (most - size) + grown(2) * (first * (1 + t) + q * most);
      const real y = dy.at(j) * own.power(beta) - by * x.at(j) * sum;
      const bool zero = first == 0 && q * size == 0;
      const real flushed_away = lam * (own.power(beta) + std::abs(dy.at(j)) + 7 + q * lost +
                                       most * (std::abs(by) + std::abs(x.at(j)) + 1) + std::abs(by));
      rules[0].push_back(tame ? rule_of<T>(around(y, zero ? 0 : error, error + flushed_away))
                              : nothing_said(outputs[0].data_type));
    }
  });
}

namespace normalised {

template <class Desc>
all_rules rules_of_gradient(const Desc& d, input_refs inputs, output_descs outputs, bool projects, bool flushing) {
  return for_type(outputs[0].data_type, 3, [&]<class T>(std::type_identity<T>, all_rules& rules) {
    const tensor_numbers x(inputs[0]), dy(inputs[1]), mean(inputs[2]), variance(inputs[3]), scale(inputs[4]);
    const dimensions &sizes = outputs[0].sizes, axes = ones_of(inputs[2].desc().sizes);
    const real lam = underflow<T>(flushing);
    struct sums {
      real n, r, d, e1, k = 0, sum = 0, magnitude = 0, reach = 0, apart = 0, sizes = 0, small = 0, small_reach = 0;
      bool has_gradients = true, has_terms = true, has_root = true, vanishes = false;  // r is 0
    };
    const auto sums_at = [&](const coordinate_tuple& c) {
      const auto places = slice_of(c, sizes, axes);
      sums s{
          .n = static_cast<real>(places.size()), .r = 0, .d = variance.at(c) + static_cast<real>(d.epsilon), .e1 = 0};
      s.has_terms = is_tame(mean.at(c));
      s.has_root = is_tame(variance.at(c)) && s.d > 0x1p-20L;
      s.vanishes = s.d == std::numeric_limits<real>::infinity();
      const real off = unit_of_float * s.d + lam, er = 12 * unit_of_float;
      s.r = 1 / std::sqrt(s.d);
      s.e1 = std::max((1 + er) * std::sqrt(s.d / (s.d - off)) - 1, 1 - (1 - er) * std::sqrt(s.d / (s.d + off)));
      real inputs_sum = 0;
      for (const coordinate_tuple& i : places) {
        s.has_gradients = s.has_gradients && is_tame(dy.at(i));
        s.has_terms = s.has_terms && is_tame(dy.at(i)) && is_tame(x.at(i));
        s.sum += dy.at(i);
        s.magnitude += std::abs(dy.at(i));
        s.k += dy.at(i) * (x.at(i) - mean.at(c));
        s.reach += std::abs(dy.at(i)) * (std::abs(x.at(i)) + std::abs(mean.at(c)));
        inputs_sum += x.at(i);
        s.sizes += std::abs(x.at(i)) + std::abs(mean.at(c));
        if (flushing && std::is_same_v<T, float> && std::abs(dy.at(i)) < least_normal) {
          s.small += std::abs(dy.at(i));
          s.small_reach += std::abs(dy.at(i)) * (std::abs(x.at(i)) + std::abs(mean.at(c)));
        }
      }
      s.apart = std::abs(inputs_sum / s.n - mean.at(c));
      return s;
    };
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      const sums s = sums_at(c);
      const real by = scale.at(c) * s.r, size = std::abs(by), g = dy.at(c),
                 h = std::abs(x.at(c)) + std::abs(mean.at(c));
      const bool knows = is_tame(scale.at(c)) && (projects ? s.has_terms : is_tame(g));
      if (!knows || (!s.has_root && !s.vanishes)) {
        rules[0].push_back(nothing_said(outputs[0].data_type));
        continue;
      }
      if (s.vanishes) {
        rules[0].push_back(rule_of<T>(around(0, 0, 0)));
        continue;
      }
      const real last = (1 + grown(3)) * (1 + s.e1);
      if (!projects) {
        const real error = std::abs(by * g) * (last - 1), k = std::abs(scale.at(c));
        const real lost = lam * (k * s.r + std::abs(g) * (s.r + 1) + k + s.r + 1);
        rules[0].push_back(rule_of<T>(around(by * g, error, error + lost)));
        continue;
      }
      const real k = s.k / s.n, t = (x.at(c) - mean.at(c)) * k / s.d, y = by * (g - s.sum / s.n - t);
      const real dm = grown(s.n + 9) * s.magnitude / s.n, dk = grown(s.n + 12) * s.reach / s.n;
      const real e2 = (1 + s.e1) * (1 + s.e1) * (1 + grown(10)) - 1;
      const real inner =
          dm + h * dk / s.d * (1 + e2) + std::abs(t) * e2 +
          grown(4) * (1 + e2) * (std::abs(g) + std::abs(s.sum / s.n) + dm + h * (std::abs(k) + dk) / s.d);
      const real error = size * inner * last + std::abs(y) * (last - 1);
      // With a mean that is the batch's, as far as rounding tells.
      const real readings = size * s.apart * (std::abs(k) + (h + s.apart) * std::abs(s.sum / s.n)) / s.d;
      const real r2 = s.r * s.r, a = s.reach / s.n, mean_g = s.magnitude / s.n, k_s = std::abs(scale.at(c));
      const real lost = size * lam * (4 + h * r2 * (2 * mean_g + s.sizes / s.n + 3) + h + a * (2 * r2 + h)) +
                        lam * ((1 + s.r) * (std::abs(g) + mean_g + h * a * r2) + k_s + s.r + 5 + h * (1 + a));
      rules[0].push_back(rule_of<T>(around(y, scale.at(c) == 0 ? 0 : error, error + readings + lost)));
    }
    for (const coordinate_tuple& c : coordinates_of(outputs[1].sizes)) {
      const sums s = sums_at(c);
      rules[2].push_back(
          s.has_gradients
              ? rule_of<T>(around(s.sum, 0, grown(s.n - 1) * s.magnitude + s.small + (flushing ? 2 * s.n * lam : 0)))
              : nothing_said(outputs[0].data_type));
      if (!s.has_terms || (!s.has_root && !s.vanishes)) {
        rules[1].push_back(nothing_said(outputs[0].data_type));
        continue;
      }
      if (s.vanishes) {
        rules[1].push_back(rule_of<T>(around(0, 0, 0)));
        continue;
      }
      const real y = s.k * s.r, error = s.r * grown(s.n + 4) * (1 + s.e1) * s.reach + std::abs(y) * s.e1;
      const real lost = lam * std::max(1.0L, s.r) * (4 * s.n + 2 * s.magnitude + 2 * s.sizes) + s.r * s.small_reach;
      rules[1].push_back(rule_of<T>(around(y, error, error + lost)));
    }
  });
}

}  // namespace normalised

inline all_rules rules_of(const batch_normalization_grad_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  return normalised::rules_of_gradient(d, inputs, outputs, false, flushing);
}
inline all_rules rules_of(const batch_normalization_training_grad_desc& d, input_refs inputs, output_descs outputs,
                          bool flushing = false) {
  return normalised::rules_of_gradient(d, inputs, outputs, true, flushing);
}

}  // namespace judged
