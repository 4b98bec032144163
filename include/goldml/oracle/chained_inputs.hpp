// What is known of the inputs of a call in a chain, and the inputs at which the call is computed.
#pragma once

#include <algorithm>
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
#include <goldml/core/number.hpp>
#include <goldml/oracle/carries.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/golden_calls.hpp>
#include <goldml/oracle/legal_values.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::oracle::detail {

// Whether an operand of an operator that moves elements selects them, so that its values are not moved.
inline bool selects(const operand_info& operand) {
  return operand.name.find("Indices") != std::string_view::npos ||
         operand.name.find("Lengths") != std::string_view::npos ||
         operand.name.find("Condition") != std::string_view::npos;
}

// A call of which elements of inputs are not exact: what is known of them, and the inputs at which it is computed.
class chained_inputs {
 public:
  chained_inputs(const golden_calls& calls, const void* desc, std::span<const legal_values> inputs,
                 std::span<const tensor_desc> outputs, const compare_options& options,
                 std::span<const const_tensor_ref> initial)
      : calls_(calls), desc_(desc), inputs_(inputs), outputs_(outputs), options_(options), initial_(initial) {
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

  golden as_exact() const { return expect_any<any_desc>(calls_, desc_, refs_, outputs_, initial_); }

 protected:
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
        how_ = carries::by_parts;
    }
    if (scales && has(carries::unscaled)) how_ = carries::by_parts;
    if (scales) how_ &= ~carries::any_type;
    if (has(carries::sorts) && any(certainty::unknown)) how_ = carries::by_parts;
    if (has(carries::by_parts)) return false;
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
    return expect_any<any_desc>(calls_, desc_, refs, outputs_, initial_);
  }

  const golden_calls& calls_;
  const void* desc_;
  std::span<const legal_values> inputs_;
  std::span<const tensor_desc> outputs_;
  const compare_options& options_;
  std::span<const const_tensor_ref> initial_;  // of expect()
  std::vector<const_tensor_ref> refs_;
  std::vector<std::vector<certainty>> states_;  // of the elements of each input
  unsigned how_ = 0;                            // carries
};

}  // namespace goldml::oracle::detail
