// Chains of calls, whose inputs are results of earlier calls: a correct device may hold another number in such an
// intermediate than the golden one, and has to be judged by what it makes of its own.
//
// If the device's own intermediate is at hand, it is an input of expect() like any other. If it is not,
// legal_values_of() says what a correct device may hold there, and expect_in_chain() what it may then answer. An
// element for which that is not known has the verdict `depends`: comparing it is neither an agreement nor a difference.
//
//   const auto quotient = oracle::expect(divide, inputs, descs);
//   const auto rounded = oracle::expect_in_chain(ceil, std::array{oracle::legal_values_of(quotient)}, descs);
//   const auto judged = oracle::judge(rounded, actual);
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/any_desc.hpp>
#include <goldml/core/attribute_values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/interval.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/golden_calls.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle {

// What is known of the element that a correct device holds.
enum class certainty : std::uint8_t {
  exact,    // it is the golden value
  any_nan,  // it is a NaN, as the golden value is
  between,  // it is a number from a least to a greatest one, which may be infinite
  unknown,  // nothing
};

// What a correct device may hold in a tensor.
struct legal_values {
  const_tensor_ref golden = {};        // absent: an optional tensor that is omitted
  host_tensor low = {};                // with the desc of `golden`: the least and the greatest number that each element
  host_tensor high = {};               // may be; the golden value where `states` has no `between`
  std::vector<certainty> states = {};  // of the elements in row-major order; none: all are exact

  legal_values() = default;
  legal_values(const const_tensor_ref& exact) : golden(exact) {}  // NOLINT(google-explicit-constructor): it is one

  bool exact() const { return states.empty(); }
};

namespace detail {

// Like a < b, but -0.0 is below +0.0. Not for NaN.
template <element T>
bool is_below(T a, T b) {
  if constexpr (is_floating_type<T>) {
    using bits = typename goldml::detail::float_bits<T>::type;
    constexpr auto sign = std::numeric_limits<bits>::digits - 1;
    if (order_key(a) == order_key(b)) return std::bit_cast<bits>(a) >> sign > std::bit_cast<bits>(b) >> sign;
  }
  return order_key(a) < order_key(b);
}

// The float `steps` representable numbers above or below x, an infinity if it is beyond. x is not NaN.
template <element T>
T stepped(T x, bool up, std::uint64_t steps) {
  using bits = typename goldml::detail::float_bits<T>::type;
  using key = std::make_signed_t<bits>;
  constexpr auto infinity = static_cast<std::int64_t>(goldml::detail::float_bits<T>::infinity);
  const std::int64_t from = up ? order_key(x) : -std::int64_t{order_key(x)};
  const std::uint64_t room = static_cast<std::uint64_t>(infinity) - static_cast<std::uint64_t>(from);
  std::int64_t to = infinity;
  if (steps < room) to = static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + steps);
  if (!up) to = -to;
  const auto magnitude = static_cast<bits>(static_cast<key>(to < 0 ? -to : to));
  constexpr auto sign = static_cast<bits>(bits{1} << (std::numeric_limits<bits>::digits - 1));
  return std::bit_cast<T>(static_cast<bits>(magnitude | (to < 0 || (to == 0 && !up) ? sign : bits{0})));
}

// The values that an element may have: none at first.
template <element T>
struct value_range {
  bool empty = true;
  certainty state = certainty::exact;
  T low{};
  T high{};

  void add(const value_range& other) {
    if (other.empty) return;
    if (empty) {
      *this = other;
    } else if (state == certainty::unknown || other.state == certainty::unknown) {
      state = certainty::unknown;
    } else if (is_nan(low) || is_nan(other.low)) {
      if (!same_bits(low, other.low))
        state = is_nan(low) && is_nan(other.low) ? certainty::any_nan : certainty::unknown;
    } else {
      if (is_below(other.low, low)) low = other.low;
      if (is_below(high, other.high)) high = other.high;
      state = same_bits(low, high) ? certainty::exact : certainty::between;
    }
  }
  void add(T value) { add({false, certainty::exact, value, value}); }

  static bool same_bits(T a, T b) {
    if constexpr (is_floating_type<T>) {
      using bits = typename goldml::detail::float_bits<T>::type;
      return std::bit_cast<bits>(a) == std::bit_cast<bits>(b);
    } else {
      return a == b;
    }
  }
  friend bool operator==(const value_range& a, const value_range& b) {
    return a.state == b.state && same_bits(a.low, b.low) && same_bits(a.high, b.high);
  }
};

// Adds the numbers of an interval, and its infinities. A NaN that it also allows makes the element unknown, unless the
// golden value is one.
template <element T, class Number>
void add_interval(const basic_interval<Number>& allowed, T golden, const compare_options& options,
                  value_range<T>& range) {
  const auto has = [&](std::uint8_t flag) { return (allowed.also & flag) != 0; };
  if (!is_nan(allowed.low) && !is_nan(allowed.high) && order_key(allowed.low) <= order_key(allowed.high)) {
    auto low = static_cast<T>(allowed.low);
    auto high = static_cast<T>(allowed.high);
    if (!options.narrow_toward_zero && has(interval_also::low_toward_zero)) low = stepped(low, true, 1);
    if (!options.narrow_toward_zero && has(interval_also::high_toward_zero)) high = stepped(high, false, 1);
    if (order_key(low) <= order_key(high)) {  // either zero is allowed
      range.add(is_zero(low) ? static_cast<T>(-0.0F) : low);
      range.add(is_zero(high) ? static_cast<T>(0.0F) : high);
    }
  }
  const auto add = [&](std::uint8_t flag, float special) {
    const auto value = static_cast<T>(special);
    if (has(flag) && !(options.stable && is_overflow(allowed, golden, value))) range.add(value);
  };
  add(interval_also::positive_infinity, std::numeric_limits<float>::infinity());
  add(interval_also::negative_infinity, -std::numeric_limits<float>::infinity());
  add(interval_also::nan, std::numeric_limits<float>::quiet_NaN());
}

// Adds what the tolerance of the options allows beside each value of a range.
template <element T>
void add_tolerance(const compare_options& options, value_range<T>& range) {
  if (options.floats == float_match::bits || range.state == certainty::unknown || is_nan(range.low)) return;
  const auto add = [&](T end, bool up) {
    if (goldml::detail::magnitude_bits(end) == goldml::detail::float_bits<T>::infinity) return;
    if (options.floats == float_match::ulp) return range.add(stepped(end, up, options.ulp));
    const auto value = static_cast<double>(end);
    const double by = options.absolute + options.relative * std::abs(value);
    range.add(stepped(static_cast<T>(up ? value + by : value - by), up, 1));
  };
  if (options.relative >= 1) {
    range.state = certainty::unknown;
    return;
  }
  add(range.low, false);
  add(range.high, true);
}

// What a correct device may answer for one element, as the options accept it.
template <element T>
value_range<T> range_of(const golden& answers, std::size_t output, std::size_t element,
                        const compare_options& options) {
  value_range<T> range;
  for (const golden_outputs& answer : answers.answers) {
    if (!is_granted(deviation_of(answer), options)) continue;
    const golden_output& golden = answer[output];
    const auto values = golden.values.ref().template as<T>();
    const T expected = values[coordinate_at(values.sizes(), element)];
    const auto add_verdict = [&](const output_verdicts& verdicts) {
      if (verdicts[element] == verdict::exact) return;
      if constexpr (is_floating_type<T>)
        if (const auto* allowed = verdicts.template interval_of<interval_number<T>>(element, options.refused()))
          add_interval(*allowed, expected, options, range);
      if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float16>)
        verdicts.for_each_other(element, [&](const interval& other) { add_interval(other, expected, options, range); });
      if constexpr (std::is_integral_v<T>)
        if (const std::uint64_t end = verdicts.any_index_below(element); end > 0) {
          range.add(T{0});
          range.add(static_cast<T>(end - 1));
        }
      verdicts.any_alternative(element, [&](const scalar& other) {
        range.add(other.as<T>());
        return false;
      });
    };
    if (golden.verdicts[element] == verdict::undefined || golden.verdicts[element] == verdict::depends) {
      range.empty = false;
      range.state = certainty::unknown;
      return range;
    }
    range.add(expected);
    add_verdict(golden.verdicts);
    if (options.fp32_flush && golden.flushed) {
      const auto flushed = golden.flushed->ref().template as<T>();
      range.add(flushed[coordinate_at(flushed.sizes(), element)]);
    }
    if (options.fp32_flush && golden.flushed_verdicts) add_verdict(*golden.flushed_verdicts);
    if constexpr (is_floating_type<T>) {
      if (range.state == certainty::unknown) return range;
      if (is_nan(range.low)) {
        if (options.nans == nan_match::any_nan && !golden.exact_nans) range.state = certainty::any_nan;
        continue;
      }
      if (options.zeros == zero_match::either_sign && is_zero(range.low)) range.add(static_cast<T>(-0.0F));
      if (options.zeros == zero_match::either_sign && is_zero(range.high)) range.add(static_cast<T>(0.0F));
      add_tolerance(options, range);
    }
  }
  return range;
}

// Calls f(type_identity<T>) with the data type of a tensor.
template <class F>
void with_type_of(const tensor_desc& desc, F&& f) {
  visit_data_type(all_types{}, desc.data_type, f);
}

}  // namespace detail

// What a correct device may hold in an output of a call, as the options accept it. The golden answer must outlive the
// result.
inline legal_values legal_values_of(const golden& answers, std::size_t output = 0,
                                    const compare_options& options = {}) {
  legal_values result(answers.answers.front()[output].values.ref());
  if (!result.golden.present()) return result;
  detail::with_type_of(result.golden.desc(), [&]<class T>(std::type_identity<T>) {
    const dimensions& sizes = result.golden.desc().sizes;
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(sizes)) {
      const auto range = detail::range_of<T>(answers, output, element, options);
      if (range.state != certainty::exact) {
        if (result.exact()) {
          result.low = host_tensor(result.golden);
          result.high = result.low;
          result.states.resize(static_cast<std::size_t>(element_count(sizes)));
        }
        result.states[element] = range.state;
        if (range.state == certainty::between) {
          result.low.ref().template as<T>()[c] = range.low;
          result.high.ref().template as<T>()[c] = range.high;
        }
      }
      ++element;
    }
  });
  return result;
}

namespace detail {

// How an operator carries what is known of its inputs to its outputs, where it is not `moves` alone. All are
// element-wise or sort. Each output element is monotone in each input element between the points at which the call is
// computed: the ends, and what the flags add.
namespace carries {
inline constexpr unsigned by_ends = 1;
inline constexpr unsigned any_type = 2;          // also integers; without it only floats, as integers wrap
inline constexpr unsigned bounded_integers = 4;  // also integers from 0 to 127, which every type has
inline constexpr unsigned zero = 8;              // also at 0, where the direction may change, or NaN may arise
inline constexpr unsigned divides = 16;          // only if the range of the second input does not have 0
inline constexpr unsigned equals = 32;           // also at a number that the ranges of both inputs have
inline constexpr unsigned integral = 64;         // the results are integers
inline constexpr unsigned sorts = 128;     // by_ends, of the first output; what the other outputs have is not known
inline constexpr unsigned unscaled = 256;  // only without ScaleBias, which would move the 0
}  // namespace carries

struct carry_row {
  std::string_view name;
  unsigned how;
};

inline constexpr auto carry_table = [] {
  using namespace carries;
  return std::to_array<carry_row>({
      {"ELEMENT_WISE_IDENTITY", by_ends | any_type | zero},
      {"ELEMENT_WISE_ABS", by_ends | zero | unscaled},
      {"ELEMENT_WISE_NEGATE", by_ends},
      {"ELEMENT_WISE_SIGN", by_ends | any_type | integral},
      {"ELEMENT_WISE_IS_NAN", by_ends},
      {"ELEMENT_WISE_IS_INFINITY", by_ends},
      {"ELEMENT_WISE_CEIL", by_ends | zero | integral},
      {"ELEMENT_WISE_FLOOR", by_ends | zero | integral},
      {"ELEMENT_WISE_ROUND", by_ends | integral},
      {"ELEMENT_WISE_CLIP", by_ends | any_type | zero},
      {"ELEMENT_WISE_CLIP1", by_ends | any_type | zero},
      {"ELEMENT_WISE_MIN", by_ends | any_type},
      {"ELEMENT_WISE_MAX", by_ends | any_type},
      {"ELEMENT_WISE_ADD", by_ends},
      {"ELEMENT_WISE_ADD1", by_ends},
      {"ELEMENT_WISE_SUBTRACT", by_ends},
      {"ELEMENT_WISE_MULTIPLY", by_ends | zero},
      {"ELEMENT_WISE_DIVIDE", by_ends | zero | divides},
      {"ELEMENT_WISE_IF", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_AND", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_OR", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_XOR", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_NOT", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_EQUALS", by_ends | any_type | equals},
      {"ELEMENT_WISE_LOGICAL_GREATER_THAN", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_LESS_THAN", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", by_ends | any_type},
      {"ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", by_ends | any_type},
      {"CAST", by_ends | bounded_integers},
      {"ACTIVATION_CELU", by_ends | zero},
      {"ACTIVATION_ELU", by_ends | zero},
      {"ACTIVATION_HARD_SIGMOID", by_ends | zero},
      {"ACTIVATION_IDENTITY", by_ends},
      {"ACTIVATION_LEAKY_RELU", by_ends | zero},
      {"ACTIVATION_LINEAR", by_ends | zero},
      {"ACTIVATION_PARAMETRIC_SOFTPLUS", by_ends | zero},
      {"ACTIVATION_RELU", by_ends | zero | any_type},
      {"ACTIVATION_SCALED_ELU", by_ends | zero},
      {"ACTIVATION_SCALED_TANH", by_ends | zero},
      {"ACTIVATION_SIGMOID", by_ends | zero},
      {"ACTIVATION_SOFTPLUS", by_ends | zero},
      {"ACTIVATION_SOFTSIGN", by_ends | zero},
      {"ACTIVATION_TANH", by_ends | zero},
      {"TOP_K", sorts | any_type},
      {"TOP_K1", sorts | any_type},
  });
}();

// Whether an operand of an operator that moves elements selects them, so that its values are not moved.
inline bool selects(const operand_info& operand) {
  return operand.name.find("Indices") != std::string_view::npos ||
         operand.name.find("Lengths") != std::string_view::npos ||
         operand.name.find("Condition") != std::string_view::npos;
}

// A call of which elements of inputs are not exact.
class chained_call {
 public:
  chained_call(const golden_calls& calls, const void* desc, std::span<const legal_values> inputs,
               std::span<const tensor_desc> outputs, const compare_options& options)
      : calls_(calls), desc_(desc), inputs_(inputs), outputs_(outputs), options_(options) {
    for (const legal_values& input : inputs) {
      refs_.push_back(input.golden);
      states_.push_back(input.states);
      if (calls.exact_nans)
        for (certainty& state : states_.back())
          if (state == certainty::any_nan) state = certainty::unknown;
    }
  }

  // Whether all inputs are as good as exact.
  bool is_exact() const { return !any(certainty::between) && !any(certainty::unknown); }

  golden as_exact() const { return expect_any<any_desc>(calls_, desc_, refs_, outputs_); }

  // The golden answer, with the verdicts of a device whose inputs are as they are known.
  golden carried(std::size_t most_calls) {
    golden base = as_exact();
    std::vector<output_range> ranges;
    for (const golden_output& output : base.answers.front()) ranges.emplace_back(output.values);
    const bool moves = find_rule();
    std::vector<std::vector<point>> runs;
    if (moves || how_ != 0) runs = points(moves);
    const bool marked = moves && any(certainty::unknown);
    if (runs.empty() || runs.size() + (marked ? 3 : 1) > most_calls) {
      for (output_range& range : ranges) range.states.assign(range.states.size(), certainty::unknown);
    } else {
      add(base, ranges);
      for (const std::vector<point>& run : runs) add(expect_at(run), ranges);
      if (marked)
        add_marks(ranges);
      else
        add_unknown(ranges);
    }
    return with_verdicts(std::move(base), ranges, moves);
  }

 private:
  // The values of an input at which a call is computed.
  enum class point : std::uint8_t {
    golden,
    low,
    high,
    zero,       // 0, or the nearest number
    common,     // a number that the ranges of both inputs have; where there is none, the least
    mark_zero,  // golden, but 0 where nothing is known
    mark_one,
  };

  // What the calls that have been computed answered in an output.
  struct output_range {
    host_tensor low, high;
    std::vector<certainty> states;
    std::vector<double> beyond;  // how far numbers were allowed beyond the golden one, at most
    bool empty = true;

    explicit output_range(const host_tensor& golden)
        : low(golden),
          high(golden),
          states(golden.omitted() ? 0 : static_cast<std::size_t>(element_count(golden.desc().sizes))),
          beyond(states.size()) {}
  };

  bool any(certainty wanted) const {
    return std::any_of(states_.begin(), states_.end(), [&](const std::vector<certainty>& states) {
      return std::find(states.begin(), states.end(), wanted) != states.end();
    });
  }

  // Sets how_, and makes unknown what the operator cannot carry. Whether elements are only moved.
  bool find_rule() {
    const operator_description& op = *calls_.description;
    const auto row =
        std::find_if(carry_table.begin(), carry_table.end(), [&](const carry_row& r) { return r.name == op.name; });
    if (row == carry_table.end()) {
      bool selected = false;
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        selected = selected || (selects(op.info_of(i, inputs_.size() + outputs_.size())) && !is_exact(i));
      return op.moves && !selected;
    }
    how_ = row->how;
    bool scales = false;
    for (const attribute& a : op.attributes) {
      if (a.kind == attribute_kind::scale_bias)
        scales = static_cast<const std::optional<scale_bias>*>(a.address(desc_))->has_value();
      if (a.kind == attribute_kind::activation &&
          static_cast<const std::optional<activation>*>(a.address(desc_))->has_value())
        how_ = 0;
    }
    if (scales && has(carries::unscaled)) how_ = 0;
    if (scales) how_ &= ~carries::any_type;
    if (has(carries::sorts) && any(certainty::unknown)) how_ = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (!is_exact(i))
        with_type_of(refs_[i].desc(), [&]<class T>(std::type_identity<T>) {
          for_each_between<T>(i, [&](std::size_t element, T low, T high) {
            if (!can_carry(i, low, high)) states_[i][element] = certainty::unknown;
          });
        });
    return false;
  }

  bool has(unsigned flag) const { return (how_ & flag) != 0; }
  bool is_exact(std::size_t input) const {
    return std::all_of(states_[input].begin(), states_[input].end(),
                       [](certainty c) { return c == certainty::exact || c == certainty::any_nan; });
  }

  template <class T>
  bool can_carry(std::size_t input, T low, T high) const {
    if constexpr (is_floating_type<T>) {
      using goldml::detail::float_bits;
      using goldml::detail::magnitude_bits;
      if (magnitude_bits(low) == float_bits<T>::infinity || magnitude_bits(high) == float_bits<T>::infinity)
        return has(carries::sorts);
      if (has(carries::bounded_integers) && !is_in_output_type(static_cast<double>(low), static_cast<double>(high)))
        return false;
      return !has(carries::divides) || input != 1 || order_key(low) > 0 || order_key(high) < 0;
    } else {
      return has(carries::any_type) || (has(carries::bounded_integers) && low >= 0 && high <= 127);
    }
  }

  // Whether an output of integers holds these numbers.
  bool is_in_output_type(double low, double high) const {
    bool result = true;
    with_type_of(outputs_[0], [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>)
        result = low >= static_cast<double>((std::numeric_limits<T>::min)()) &&
                 high < std::ldexp(1.0, std::numeric_limits<T>::digits);
    });
    return result;
  }

  // Calls f(element, low, high) for each element of an input that is between two numbers.
  template <class T, class F>
  void for_each_between(std::size_t input, F&& f) const {
    const auto low = inputs_[input].low.ref().template as<T>();
    const auto high = inputs_[input].high.ref().template as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(low.sizes())) {
      if (states_[input][element] == certainty::between) f(element, static_cast<T>(low[c]), static_cast<T>(high[c]));
      ++element;
    }
  }

  // The points of all inputs at which the call is computed besides the golden one.
  std::vector<std::vector<point>> points(bool moves) const {
    std::vector<std::vector<point>> runs;
    const auto all = [&](point p) {
      runs.emplace_back();
      for (std::size_t i = 0; i < inputs_.size(); ++i) runs.back().push_back(is_exact(i) ? point::golden : p);
    };
    if (moves || has(carries::sorts)) {  // each element is an element of an input, whose range it has
      all(point::low);
      all(point::high);
      return runs;
    }
    runs.emplace_back();
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      std::vector<point> own{point::golden};
      if (!is_exact(i)) own = {point::low, point::high};
      if (!is_exact(i) && has(carries::zero)) own.push_back(point::zero);
      std::vector<std::vector<point>> longer;
      for (const std::vector<point>& run : runs)
        for (const point p : own) {
          longer.push_back(run);
          longer.back().push_back(p);
        }
      runs = std::move(longer);
    }
    if (has(carries::equals)) runs.emplace_back(inputs_.size(), point::common);
    return runs;
  }

  // An input with other values.
  host_tensor changed(std::size_t input, point p) const {
    host_tensor result(refs_[input]);
    with_type_of(result.desc(), [&]<class T>(std::type_identity<T>) {
      const auto values = result.ref().as<T>();
      if (p == point::zero) {
        for_each_between<T>(input, [&](std::size_t element, T low, T high) {
          const T zero{};
          values[coordinate_at(values.sizes(), element)] = is_below(zero, low)    ? low
                                                           : is_below(high, zero) ? high
                                                                                  : zero;
        });
      } else if (p == point::common) {
        std::size_t element = 0;
        for (const coordinate_tuple& c : coordinates_of(values.sizes())) {
          const auto [low, high] = ends<T>(input, element, c);
          const auto [other_low, other_high] = ends<T>(1 - input, element, c);
          ++element;
          if (is_nan(low) || is_nan(other_low)) continue;
          const T both = is_below(low, other_low) ? other_low : low;
          values[c] = is_below(high, both) || is_below(other_high, both) ? low : both;
        }
      } else {
        std::size_t element = 0;
        for (const coordinate_tuple& c : coordinates_of(values.sizes()))
          if (states_[input][element++] == certainty::unknown)
            values[c] = p == point::mark_zero ? T{} : static_cast<T>(std::uint8_t{1});
      }
    });
    return result;
  }
  template <class T>
  std::pair<T, T> ends(std::size_t input, std::size_t element, const coordinate_tuple& c) const {
    if (states_[input].empty() || states_[input][element] != certainty::between) {
      const T value = refs_[input].as<T>()[c];
      return {value, value};
    }
    return {inputs_[input].low.ref().template as<T>()[c], inputs_[input].high.ref().template as<T>()[c]};
  }

  golden expect_at(const std::vector<point>& run) const {
    std::vector<host_tensor> made;
    made.reserve(run.size());
    std::vector<const_tensor_ref> refs = refs_;
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (run[i] == point::golden) continue;
      if (run[i] == point::low)
        refs[i] = inputs_[i].low.ref();
      else if (run[i] == point::high)
        refs[i] = inputs_[i].high.ref();
      else
        refs[i] = std::as_const(made.emplace_back(changed(i, run[i]))).ref();
    }
    return expect_any<any_desc>(calls_, desc_, refs, outputs_);
  }

  // Adds what a call answers to the ranges.
  void add(const golden& run, std::vector<output_range>& ranges) const {
    for (std::size_t output = 0; output < ranges.size(); ++output) {
      output_range& range = ranges[output];
      if (range.low.omitted()) continue;
      with_type_of(range.low.desc(), [&]<class T>(std::type_identity<T>) {
        const auto golden = run.answers.front()[output].values.ref().template as<T>();
        const auto low = range.low.ref().as<T>();
        const auto high = range.high.ref().as<T>();
        std::size_t element = 0;
        for (const coordinate_tuple& c : coordinates_of(golden.sizes())) {
          const auto added = range_of<T>(run, output, element, options_);
          value_range<T> all{range.empty, range.states[element], low[c], high[c]};
          all.add(added);
          low[c] = all.low;
          high[c] = all.high;
          range.states[element] = all.state;
          if constexpr (is_floating_type<T>)
            if (added.state == certainty::between)
              for (const double by : {static_cast<double>(added.high) - static_cast<double>(golden[c]),
                                      static_cast<double>(golden[c]) - static_cast<double>(added.low)})
                if (std::isfinite(by)) range.beyond[element] = (std::max)(range.beyond[element], by);
          ++element;
        }
      });
      range.empty = false;
    }
  }

  // What moved elements of which nothing is known: those that change if all these elements change.
  void add_marks(std::vector<output_range>& ranges) const {
    std::vector<golden> marks;
    for (const point p : {point::mark_zero, point::mark_one}) {
      std::vector<point> run;
      for (std::size_t i = 0; i < inputs_.size(); ++i) run.push_back(is_exact(i) ? point::golden : p);
      marks.push_back(expect_at(run));
    }
    for (std::size_t output = 0; output < ranges.size(); ++output)
      if (!ranges[output].low.omitted())
        with_type_of(ranges[output].low.desc(), [&]<class T>(std::type_identity<T>) {
          for (std::size_t element = 0; element < ranges[output].states.size(); ++element)
            if (!(range_of<T>(marks[0], output, element, options_) == range_of<T>(marks[1], output, element, options_)))
              ranges[output].states[element] = certainty::unknown;
        });
  }

  // What element-wise operators make of elements of which nothing is known; and the outputs that a sort leaves open.
  void add_unknown(std::vector<output_range>& ranges) const {
    if (has(carries::sorts)) {
      for (std::size_t output = 1; output < ranges.size(); ++output)
        ranges[output].states.assign(ranges[output].states.size(), certainty::unknown);
      return;
    }
    for (const std::vector<certainty>& states : states_)
      for (std::size_t element = 0; element < states.size(); ++element)
        if (states[element] == certainty::unknown) ranges[0].states.at(element) = certainty::unknown;
  }

  // Whether a moved element is undefined, whatever the inputs have, or an element-wise one whose inputs are exact.
  bool remains_undefined(bool moves, std::size_t element) const {
    return moves || (has(carries::by_ends) &&
                     std::all_of(states_.begin(), states_.end(), [&](const std::vector<certainty>& states) {
                       return states.empty() || states[element] == certainty::exact ||
                              states[element] == certainty::any_nan;
                     }));
  }

  golden with_verdicts(golden base, const std::vector<output_range>& ranges, bool moves) const {
    base.answers.resize(1);
    for (std::size_t output = 0; output < ranges.size(); ++output) {
      golden_output& answer = base.answers.front()[output];
      const output_range& range = ranges[output];
      answer.flushed = nullptr;
      answer.flushed_verdicts = nullptr;
      const output_verdicts of_golden = std::exchange(answer.verdicts, output_verdicts(range.states.size()));
      answer.verdicts.range = of_golden.range;
      if (range.low.omitted()) continue;
      with_type_of(range.low.desc(), [&]<class T>(std::type_identity<T>) {
        const auto low = range.low.ref().as<T>();
        const auto high = range.high.ref().as<T>();
        std::size_t element = 0;
        for (const coordinate_tuple& c : coordinates_of(low.sizes())) {
          if (range.states[element] == certainty::unknown && of_golden[element] == verdict::undefined &&
              remains_undefined(moves, element))
            answer.verdicts.make_undefined(element);
          else if (range.states[element] == certainty::unknown)
            answer.verdicts.make_dependent(element);
          else if (range.states[element] == certainty::between)
            allow<T>(low[c], high[c], range.beyond[element], element, answer.verdicts);
          ++element;
        }
      });
    }
    return base;
  }

  // Allows the numbers of a range. A bound of rounding errors changes less than the result: at a point between those
  // that were computed it is less than twice the greatest of theirs, `beyond`.
  template <class T>
  void allow(T low, T high, double beyond, std::size_t element, output_verdicts& verdicts) const {
    if constexpr (is_floating_type<T>) {
      using number = interval_number<T>;
      if (beyond > 0) {
        low = stepped(rounded_to<T>(static_cast<double>(low) - 2 * beyond), false, 1);
        high = stepped(rounded_to<T>(static_cast<double>(high) + 2 * beyond), true, 1);
      }
      const auto least = static_cast<number>(low);
      const auto most = static_cast<number>(high);
      const std::uint8_t also = has(carries::integral) ? interval_also::integers : std::uint8_t{0};
      verdicts.allow_interval(element, basic_interval<number>{least, most, least, most, also});
    } else {
      constexpr std::uint64_t most_values = 256;
      const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
      if (width >= most_values) return verdicts.make_dependent(element);
      for (std::uint64_t i = 0; i <= width; ++i)
        verdicts.allow(element, scalar(static_cast<T>(static_cast<std::uint64_t>(low) + i)));
    }
  }
  template <class T>
  static T rounded_to(double x) {
    if constexpr (std::is_same_v<T, double>)
      return x;
    else
      return rounded<T>(x);
  }

  const golden_calls& calls_;
  const void* desc_;
  std::span<const legal_values> inputs_;
  std::span<const tensor_desc> outputs_;
  const compare_options& options_;
  std::vector<const_tensor_ref> refs_;
  std::vector<std::vector<certainty>> states_;  // of the elements of each input
  unsigned how_ = 0;                            // carries
};

inline golden expect_in_chain(const golden_calls& calls, const void* desc, std::span<const legal_values> inputs,
                              std::span<const tensor_desc> outputs, const compare_options& options,
                              std::size_t most_calls) {
  chained_call call(calls, desc, inputs, outputs, options);
  return call.is_exact() ? call.as_exact() : call.carried(most_calls);
}

}  // namespace detail

// Like expect(), of inputs of which it is known what a correct device may hold in them. Operators that move elements,
// comparisons, logic, element-wise operators, activations, CAST and the values of TOP_K carry it to their outputs: the
// call is computed at the ends of the inputs' ranges, at most `most_calls` times. Where another operator has an input
// that is not exact, where nothing is known of an input element, or where more calls would be needed, elements
// `depend`. `options` are those of the comparison that follows.
template <described Desc>
golden expect_in_chain(const Desc& desc, std::span<const legal_values> inputs, std::span<const tensor_desc> outputs,
                       const compare_options& options = {},
                       std::size_t most_calls = (std::numeric_limits<std::size_t>::max)()) {
  return detail::expect_in_chain(detail::golden_calls_of<Desc>(), &desc, inputs, outputs, options, most_calls);
}
// The same of an operator of the list.
template <class Operators = all_operators>
golden expect_in_chain(const any_desc& desc, std::span<const legal_values> inputs, std::span<const tensor_desc> outputs,
                       const compare_options& options = {},
                       std::size_t most_calls = (std::numeric_limits<std::size_t>::max)()) {
  return detail::expect_in_chain(*any_operator_of<Operators>(desc.description()).golden, desc.get(), inputs, outputs,
                                 options, most_calls);
}

}  // namespace goldml::oracle
