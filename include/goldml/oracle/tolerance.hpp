// The tolerance that a test by numbers needs so that it calls no right device wrong, and what it lets through: for
// tests that take only numbers, as torch.testing, numpy.testing, or a table of units in the last place.
//
//   oracle::tolerance_search search;
//   for (const auto& c : oracle::cases<gemm_desc>({.count = 100})) search.add(c);
//   for (const oracle::tolerance& t : search.found()) use(t.absolute, t.relative);
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/number.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/legal_values.hpp>
#include <goldml/oracle/wrong_devices.hpp>

namespace goldml::oracle {

// What a tolerance lets through of one kind of wrong device. Elements that are equal to the golden ones are no errors.
struct let_through {
  wrong_device device = wrong_device::missing_term;
  struct counts {
    std::uint64_t wrong = 0;     // there are
    std::uint64_t pair = 0;      // of these: accepted by the pair of tolerances,
    std::uint64_t ulp = 0;       // by the distance in representable numbers,
    std::uint64_t interval = 0;  // by goldml
  };
  counts outputs;   // of which an element is wrong; accepted: all of their elements are
  counts elements;  // at most 256 of an output are tried
};

// Of the outputs of one data type.
struct tolerance {
  data_type type = data_type::unknown;
  // |got - golden| <= absolute + relative * |golden|, as numpy.isclose and torch.isclose compare: of the pairs that
  // accept every right device the tightest one. What an element uses of a pair is the error that a right device may
  // have, as a part of what the pair allows; the mean over the elements is the greatest. With three digits, rounded up,
  // so that a test may compute in FLOAT32; FLOAT16 has to be converted to FLOAT32 before.
  double absolute = 0, relative = 0;
  double absolute_alone = 0;  // if the other one is 0
  double relative_alone = 0;  // infinite if a right device may give another number where the golden one is 0
  std::uint64_t ulp = 0;      // representable numbers from the golden one
  double width = 0;           // 1 / that mean: how many times the error of a right device the pair allows, about
  // Elements by what a tolerance is for them.
  std::uint64_t rounded = 0;    // right devices give several finite numbers
  std::uint64_t exact = 0;      // only the golden value is right, so that any tolerance is too wide
  std::uint64_t nans = 0;       // NaN: the test has to take NaN as equal to NaN
  std::uint64_t open = 0;       // right devices may give infinities, NaN or anything else: no tolerance accepts them
  std::uint64_t undefined = 0;  // nothing is right or wrong
  std::vector<let_through> wrong = {};
};

namespace detail {

template <element T>
double double_of(T x) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>)
    return exact_double(x);
  else
    return static_cast<double>(x);
}

// b - a, rounded up; a <= b.
template <element T>
double distance_up(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const auto distance = static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
    const auto result = static_cast<double>(distance);
    return result < 0x1p63 && static_cast<std::uint64_t>(result) < distance ? std::nextafter(result, HUGE_VAL) : result;
  } else {
    const double x = double_of(a), y = double_of(b), d = y - x, back = y - d;
    return (back - x) + (y - (back + d)) > 0 ? std::nextafter(d, HUGE_VAL) : d;  // what the subtraction has lost
  }
}
template <element T>
std::uint64_t steps_between(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
  else
    return *ulp_distance(a, b);
}

// Up to three digits, and more by some roundings of FLOAT32, by which a test may compute.
inline double three_digits(double x) {
  if (x < 1e-300 || !goldml::detail::is_finite_double(x)) return x;
  const double exponent = 2 - std::floor(std::log10(x)), power = std::pow(10.0, std::abs(exponent));
  const double larger = x * (1 + 0x1p-21);
  return exponent < 0 ? std::ceil(larger / power) * power : std::ceil(larger * power) / power;
}

// The pairs that accept elements of these magnitudes with these errors, as the lines above their points.
class tolerance_lines {
 public:
  struct point {
    double magnitude, error;
  };
  void add(double magnitude, double error) {
    points_.push_back({magnitude, error});
    if (points_.size() >= most_points) keep_corners();
  }

  // Calls f(absolute, relative) with each pair of which neither can be less: the edges of the hull.
  template <class F>
  void for_each_edge(F&& f) {
    if (points_.empty()) return;
    keep_corners();
    for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
      const point &a = points_[i], &b = points_[i + 1];
      const double slope = (b.error - a.error) / (b.magnitude - a.magnitude);
      f((std::max)(0.0, a.error - slope * a.magnitude), slope);
    }
    f(points_.back().error, 0.0);
  }

 private:
  static constexpr std::size_t most_points = std::size_t{1} << 16;

  // Keeps the corners of the upper hull of the points and (0, 0), up to the greatest error.
  void keep_corners() {
    points_.push_back({0, 0});
    std::sort(points_.begin(), points_.end(), [](const point& a, const point& b) {
      return std::pair(a.magnitude, -a.error) < std::pair(b.magnitude, -b.error);
    });
    std::vector<point> corners;
    for (const point& p : points_) {
      if (!corners.empty() && (p.magnitude == corners.back().magnitude || p.error <= corners.back().error)) continue;
      while (corners.size() > 1 && !is_corner(corners[corners.size() - 2], corners.back(), p)) corners.pop_back();
      corners.push_back(p);
    }
    points_ = std::move(corners);
  }
  static bool is_corner(const point& a, const point& b, const point& c) {
    return (b.error - a.error) * (c.magnitude - a.magnitude) > (c.error - a.error) * (b.magnitude - a.magnitude);
  }

  std::vector<point> points_;
};

}  // namespace detail

// Collects the outputs of calls, and finds their tolerance.
class tolerance_search {
 public:
  explicit tolerance_search(compare_options options = {}) : options_(options) {}

  // Adds the outputs of a call.
  void add(const golden& expected) {
    for (std::size_t i = 0; i < expected.answers.front().size(); ++i)
      if (!expected.answers.front()[i].values.omitted()) add_output(expected, i);
  }
  // The same, and what wrong devices give for these inputs; of a sample of its elements nothing.
  template <class Operators = all_operators>
  void add(const any_desc& desc, std::span<const const_tensor_ref> inputs, const golden& expected) {
    add(expected);
    const golden_output& output = expected.answers.front().front();
    if (expected.answers.front().size() != 1 || output.sample) return;
    const auto& calls = *any_operator_of<Operators>(desc.description()).golden;
    of_type(output.values.desc().data_type)
        .add_wrong(detail::wrong_outputs_of(calls, desc.get(), inputs, output, options_));
  }
  template <class Desc>
  void add(const generated_case<Desc>& c) {
    add(any_desc(c.text.desc), c.input_refs(), c.expected);
  }

  // One for each data type of the outputs, in the order of data_type.
  std::vector<tolerance> found() {
    std::vector<tolerance> result;
    for (auto& [type, outputs] : types_) result.push_back(outputs.found(type));
    return result;
  }

 private:
  // The outputs of one data type.
  struct outputs_of_type {
    tolerance counted;
    detail::tolerance_lines lines;
    // Of the rounded elements, by the leading bits of the golden value's magnitude: the sum of their errors.
    std::map<std::uint64_t, double> errors;
    std::vector<wrong_output> wrong;

    void add_wrong(std::vector<wrong_output>&& more) { std::move(more.begin(), more.end(), std::back_inserter(wrong)); }

    // The sum over the elements of the error of a right device, as a part of what a pair allows.
    double used_of(double absolute, double relative) const {
      double sum = 0;
      for (const auto& [bits, error] : errors)  // at most a sixteenth above
        sum += error / (absolute + relative * (bits == 0 ? 0 : std::bit_cast<double>((bits + 1) << dropped_bits)));
      return sum;
    }

    tolerance found(data_type type) {
      tolerance result = counted;
      result.type = type;
      double most = 0;
      bool is_first = true;
      lines.for_each_edge([&](double absolute, double relative) {
        if (std::exchange(is_first, false)) result.relative_alone = absolute > 0 ? HUGE_VAL : relative;
        result.absolute_alone = absolute;  // of the last edge
        if (const double used = used_of(absolute, relative); used > most) {
          most = used;
          result.absolute = absolute;
          result.relative = relative;
        }
      });
      for (double* x : {&result.absolute, &result.relative, &result.absolute_alone, &result.relative_alone})
        *x = detail::three_digits(*x);
      if (result.rounded > 0)
        result.width = static_cast<double>(result.rounded) / used_of(result.absolute, result.relative);
      result.wrong = let_through_by(result);
      return result;
    }

    std::vector<let_through> let_through_by(const tolerance& t) const {
      std::map<wrong_device, let_through> of;
      for (const wrong_output& output : wrong) {
        let_through& one = of.try_emplace(output.device, let_through{output.device, {}, {}}).first->second;
        let_through::counts in_output;
        for (const wrong_element& e : output.elements) {
          ++in_output.wrong;
          if (e.error <= t.absolute + t.relative * e.magnitude) ++in_output.pair;
          if (e.ulp <= t.ulp) ++in_output.ulp;
          if (e.accepted) ++in_output.interval;
        }
        for (std::uint64_t let_through::counts::*c : {&let_through::counts::wrong, &let_through::counts::pair,
                                                      &let_through::counts::ulp, &let_through::counts::interval}) {
          one.elements.*c += in_output.*c;
          if (in_output.wrong > 0 && in_output.*c == in_output.wrong) ++(one.outputs.*c);
        }
      }
      std::vector<let_through> result;
      for (const auto& [device, one] : of) result.push_back(one);
      return result;
    }
  };
  static constexpr int dropped_bits = 48;

  outputs_of_type& of_type(data_type type) { return types_[type]; }

  void add_output(const golden& expected, std::size_t number) {
    const golden_output& output = expected.answers.front()[number];
    outputs_of_type& to = of_type(output.values.desc().data_type);
    detail::with_type_of(output.values.desc(), [&]<class T>(std::type_identity<T>) {
      const auto values = output.values.ref().template as<T>();
      std::size_t element = 0;
      for (const coordinate_tuple& c : coordinates_of(values.sizes())) {
        add_element(to, values[c], detail::range_of<T>(expected, number, element, options_), output.verdicts[element]);
        ++element;
      }
    });
  }

  template <class T>
  static void add_element(outputs_of_type& to, T golden, const detail::value_range<T>& legal, verdict v) {
    tolerance& counted = to.counted;
    if (v == verdict::undefined || v == verdict::depends) return void(++counted.undefined);
    if (legal.state == certainty::unknown) return void(++counted.open);
    if constexpr (is_floating_type<T>) {
      if (is_nan(golden)) return void(++counted.nans);
      const auto is_finite = [](T x) { return goldml::detail::is_finite_double(detail::double_of(x)); };
      const bool one_infinity = !is_finite(golden) && order_key(legal.low) == order_key(legal.high);
      if (!one_infinity && !(is_finite(golden) && is_finite(legal.low) && is_finite(legal.high)))
        return void(++counted.open);
      if (one_infinity) return void(++counted.exact);
    }
    const double error = (std::max)(detail::distance_up(legal.low, golden), detail::distance_up(golden, legal.high));
    if (!(error > 0)) return void(++counted.exact);
    ++counted.rounded;
    counted.ulp = (std::max)(
        counted.ulp, (std::max)(detail::steps_between(legal.low, golden), detail::steps_between(golden, legal.high)));
    const double magnitude = std::abs(detail::double_of(golden));
    to.lines.add(magnitude, error);
    to.errors[std::bit_cast<std::uint64_t>(magnitude) >> dropped_bits] += error;
  }

  compare_options options_;
  std::map<data_type, outputs_of_type> types_;
};

}  // namespace goldml::oracle
