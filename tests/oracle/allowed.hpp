// A second implementation of what each output element may be, written from the operators' pages independently of the
// library: with built-in comparisons, output by output. The tests judge the oracle by these rules.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/oracle/generate.hpp>

namespace judged {

using namespace goldml;

using bits = std::uint64_t;
using values = std::vector<bits>;  // of a tensor, in logical row-major order

template <class T>
bits bits_of(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::make_unsigned_t<T>>(x);
  else
    return std::bit_cast<typename goldml::detail::float_bits<T>::type>(x);
}

template <class T>
T value_of(bits b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(b);
  else
    return std::bit_cast<T>(static_cast<typename goldml::detail::float_bits<T>::type>(b));
}

inline values values_of(const const_tensor_ref& ref) {
  values result;
  visit_data_type(all_types{}, ref.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto view = ref.as<T>();
    for (const coordinate_tuple& c : coordinates_of(ref.desc().sizes)) result.push_back(bits_of(view[c]));
  });
  return result;
}

inline std::size_t number_of(const coordinate_tuple& c, const dimensions& sizes) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) number = number * sizes[i] + c[i];
  return number;
}

inline bool is_nan_of(data_type type, bits b) {
  bool result = false;
  visit_data_type(type_list<float, float16, double>{}, type, [&]<class T>(std::type_identity<T>) {
    const T x = value_of<T>(b);
    result = x != x;
  });
  return result;
}

struct element_rule {
  bool defined = true;
  values allowed;
  std::uint64_t any_below = 0;  // every integer from 0 to this minus 1

  bool allows(bits b) const {
    return !defined || b < any_below || std::find(allowed.begin(), allowed.end(), b) != allowed.end();
  }
  // If any NaN is accepted for a NaN.
  bool allows_nan(data_type type, bits b) const {
    return is_nan_of(type, b) &&
           std::any_of(allowed.begin(), allowed.end(), [&](bits a) { return is_nan_of(type, a); });
  }
};

using output_rules = std::vector<element_rule>;

// The pages' pseudo-code: the first or last of the least (ARGMIN) or greatest (ARGMAX) numbers; NaN only if there is no
// number (ledger 7.1). The elements of a slice are numbered with the axes of `order` from the slowest to the fastest.
template <class T, class Desc>
output_rules best_index_rules(const Desc& desc, const tensor_view<const T>& input, const dimensions& output_sizes,
                              const dimensions& order) {
  constexpr bool greatest = std::is_same_v<Desc, argmax_desc>;
  const bool last = desc.axis_direction == axis_direction::decreasing;
  struct slice {
    std::optional<T> best;
    std::uint64_t index = 0;
    std::uint64_t elements = 0;
  };
  std::vector<slice> slices(element_count(output_sizes));
  for (coordinate_tuple c : coordinates_of(input.sizes())) {
    const T x = input[c];
    std::uint64_t number = 0;
    for (const std::uint32_t axis : order) {
      number = number * input.sizes()[axis] + c[axis];
      c[axis] = 0;
    }
    slice& s = slices[number_of(c, output_sizes)];
    ++s.elements;
    if (x != x) continue;
    const bool better = !s.best || (greatest ? x > *s.best : x < *s.best);
    const bool tie = s.best && x == *s.best && (last ? number > s.index : number < s.index);
    if (better || tie) {
      s.best = x;
      s.index = number;
    }
  }
  output_rules rules;
  for (const slice& s : slices) {
    if (!s.best)
      rules.push_back({true, {last ? s.elements - 1 : 0}, s.elements});
    else
      rules.push_back({true, {s.index}, 0});
  }
  return rules;
}

template <class Desc>
inline constexpr bool is_arg_reduce = std::is_same_v<Desc, argmin_desc> || std::is_same_v<Desc, argmax_desc>;

template <class Desc>
requires is_arg_reduce<Desc> std::vector<output_rules> rules_of(const Desc& desc,
                                                                std::span<const const_tensor_ref> inputs,
                                                                std::span<const tensor_desc> outputs,
                                                                bool listing_order = false) {
  dimensions order = desc.axes;
  if (!listing_order) {
    order = {};
    for (std::uint32_t i = 0; i < 8; ++i)
      if (desc.axes.contains(i)) order.push_back(i);
  }
  std::vector<output_rules> rules(1);
  visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    rules[0] = best_index_rules(desc, inputs[0].as<T>(), outputs[0].sizes, order);
  });
  return rules;
}

inline std::vector<output_rules> rules_of(const nonzero_coordinates_desc&, std::span<const const_tensor_ref> inputs,
                                          std::span<const tensor_desc> outputs) {
  const std::size_t rank = inputs[0].desc().sizes.size();
  const std::size_t columns = outputs[1].sizes.back();
  output_rules rows;
  visit_data_type(a8_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto input = inputs[0].as<T>();
    for (const coordinate_tuple& c : coordinates_of(inputs[0].desc().sizes))
      if (input[c] != T{})
        for (std::size_t j = rank - columns; j < rank; ++j) rows.push_back({true, {c[j]}, 0});
  });
  const std::uint64_t count = rows.size() / columns;
  rows.resize(element_count(outputs[1].sizes), {false, {}, 0});
  return {{{true, {count}, 0}}, rows};
}

// With the policies `refuse`: an index out of range makes everything undefined; any of the updates for an element may
// remain (ledger 7.5, 7.6).
inline std::vector<output_rules> rules_of(const scatter_nd_desc& desc, std::span<const const_tensor_ref> inputs,
                                          std::span<const tensor_desc>) {
  const dimensions& sizes = inputs[0].desc().sizes;
  const dimensions& index_sizes = inputs[1].desc().sizes;
  const dimensions& update_sizes = inputs[2].desc().sizes;
  const std::size_t all = sizes.size();
  const std::size_t r = desc.input_dimension_count;
  const std::size_t tuple_dimensions = desc.indices_dimension_count - 1;
  const std::uint32_t k = index_sizes[all - 1];
  output_rules rules;
  for (const bits b : values_of(inputs[0])) rules.push_back({true, {b}, 0});
  std::vector<bool> written(rules.size());
  const values updates = values_of(inputs[2]);
  const values indices = values_of(inputs[1]);
  bool in_range = true;
  for (const coordinate_tuple& u : coordinates_of(update_sizes)) {
    coordinate_tuple from = coordinate_tuple::filled(all, 0);
    for (std::size_t i = 0; i < tuple_dimensions; ++i)
      from[all - 1 - tuple_dimensions + i] = u[all - (r - k) - tuple_dimensions + i];
    coordinate_tuple place = coordinate_tuple::filled(all, 0);
    for (std::uint32_t j = 0; j < k; ++j) {
      from[all - 1] = j;
      const bits index = indices[number_of(from, index_sizes)];
      std::uint64_t position = index;
      const std::uint64_t size = sizes[all - r + j];
      if (inputs[1].desc().data_type == data_type::int32 && value_of<std::int32_t>(index) < 0)
        position = size + static_cast<std::uint64_t>(std::int64_t{value_of<std::int32_t>(index)});
      if (inputs[1].desc().data_type == data_type::int64 && value_of<std::int64_t>(index) < 0) position = size + index;
      in_range = in_range && position < size;
      place[all - r + j] = static_cast<std::uint32_t>(position);
    }
    if (!in_range) break;
    for (std::size_t i = 0; i < r - k; ++i) place[all - (r - k) + i] = u[all - (r - k) + i];
    const std::size_t number = number_of(place, sizes);
    if (!written[number]) rules[number].allowed.clear();
    written[number] = true;
    rules[number].allowed.push_back(updates[number_of(u, update_sizes)]);
  }
  if (!in_range) rules.assign(rules.size(), {false, {}, 0});
  return {rules};
}

// The page's formula, literally.
inline std::vector<output_rules> rules_of(const diagonal_matrix1_desc& desc, std::span<const const_tensor_ref> inputs,
                                          std::span<const tensor_desc> outputs) {
  const values input = inputs[0].present() ? values_of(inputs[0]) : values(element_count(outputs[0].sizes));
  bits value = 0;
  visit_data_type(a11_types{}, outputs[0].data_type,
                  [&]<class T>(std::type_identity<T>) { value = bits_of(desc.value.as<T>()); });
  const std::int64_t b = desc.diagonal_fill_begin;
  const std::int64_t e = desc.diagonal_fill_end;
  output_rules rules;
  for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
    const std::int64_t t = std::int64_t{c.back()} - c[c.size() - 2];
    const bool use = ((e >= b) != (t >= b)) != (t < e);
    rules.push_back({true, {use ? value : input[rules.size()]}, 0});
  }
  return {rules};
}

// The elements that a FLOAT attribute may become: its exact value if the floating type can represent it, otherwise
// either neighbour in FLOAT16; integers are truncated toward zero (ledger L18). Only for values in the range of the
// type.
template <class T>
values conversions_of(float value) {
  if constexpr (std::is_same_v<T, float16>) {
    // Tries every finite number of 16 bits.
    bits below = 0, above = 0;
    double most = -INFINITY, least = INFINITY;
    for (bits b = 0; b < 0x10000; ++b) {
      const double number = static_cast<double>(value_of<float16>(b));
      if (number == double{value} && (number != 0 || std::signbit(value) == (b != 0))) return {b};
      if (number < double{value} && number > most) most = number, below = b;
      if (number > double{value} && number < least) least = number, above = b;
    }
    return {below, above};
  } else if constexpr (std::is_integral_v<T>) {
    return {bits_of(static_cast<T>(static_cast<std::int64_t>(value)))};
  } else {
    return {bits_of(T{value})};
  }
}

// Output[c] is the value if row + Offset == column, otherwise +0.
inline std::vector<output_rules> rules_of(const diagonal_matrix_desc& desc, std::span<const const_tensor_ref>,
                                          std::span<const tensor_desc> outputs) {
  values on_diagonal;
  visit_data_type(a11_types{}, outputs[0].data_type,
                  [&]<class T>(std::type_identity<T>) { on_diagonal = conversions_of<T>(desc.value); });
  output_rules rules;
  for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
    const std::int64_t row = c[c.size() - 2];
    rules.push_back({true, row + desc.offset == c.back() ? on_diagonal : values{0}, 0});
  }
  return {rules};
}

inline std::vector<output_rules> rules_of(const fill_value_constant_desc& desc, std::span<const const_tensor_ref>,
                                          std::span<const tensor_desc> outputs) {
  bits value = 0;
  visit_data_type(a11_types{}, outputs[0].data_type,
                  [&]<class T>(std::type_identity<T>) { value = bits_of(desc.value.as<T>()); });
  return {output_rules(element_count(outputs[0].sizes), {true, {value}, 0})};
}

// Visits each window from the end at which its stride begins, one step per element of the output.
inline std::vector<output_rules> rules_of(const slice1_desc& desc, std::span<const const_tensor_ref> inputs,
                                          std::span<const tensor_desc> outputs) {
  const dimensions& input_sizes = inputs[0].desc().sizes;
  const dimensions& output_sizes = outputs[0].sizes;
  std::vector<std::vector<std::uint32_t>> positions;
  for (std::size_t i = 0; i < output_sizes.size(); ++i) {
    const std::int64_t first = desc.input_window_offsets[i];
    const std::int64_t last = first + desc.input_window_sizes[i] - 1;
    std::int64_t at = desc.input_window_strides[i] < 0 ? last : first;
    positions.emplace_back();
    for (std::uint32_t n = 0; n < output_sizes[i]; ++n, at += desc.input_window_strides[i])
      positions.back().push_back(static_cast<std::uint32_t>(at));
  }
  const values input = values_of(inputs[0]);
  output_rules rules;
  for (coordinate_tuple c : coordinates_of(output_sizes)) {
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = positions[i][c[i]];
    rules.push_back({true, {input[number_of(c, input_sizes)]}, 0});
  }
  return {rules};
}

template <class Desc>
bool is(const any_desc& desc) {
  return &desc.description() == &description_of<Desc>();
}
inline bool reduces_args(const any_desc& desc) { return is<argmin_desc>(desc) || is<argmax_desc>(desc); }

// The rules of a case of any operator.
inline std::vector<output_rules> rules_of_case(const oracle::generated_case<any_desc>& c, bool listing_order = false) {
  const std::vector<const_tensor_ref> refs = c.input_refs();
  const std::span<const const_tensor_ref> inputs(refs);
  const std::span<const tensor_desc> outputs(c.outputs);
  std::vector<output_rules> rules;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if (!is<Desc>(c.text.desc)) return;
    if constexpr (is_arg_reduce<Desc>)
      rules = rules_of(c.text.desc.as<Desc>(), inputs, outputs, listing_order);
    else
      rules = rules_of(c.text.desc.as<Desc>(), inputs, outputs);
  });
  return rules;
}

// The case with its FLOAT32 subnormals replaced by zeros of the same sign.
inline oracle::generated_case<any_desc> flushed_case(oracle::generated_case<any_desc> c) {
  for (host_tensor& input : c.inputs) {
    if (input.desc().data_type != data_type::float32) continue;
    for (const coordinate_tuple& at : coordinates_of(input.desc().sizes)) {
      float& x = input.ref().as<float>()[at];
      const auto number = std::bit_cast<std::uint32_t>(x);
      if ((number & 0x7F80'0000) == 0) x = std::bit_cast<float>(number & 0x8000'0000);
    }
  }
  return c;
}

// All correct answers, each for the whole output. In strict mode there is one.
inline std::vector<std::vector<output_rules>> right_answers(const oracle::generated_case<any_desc>& c, bool strict) {
  std::vector<std::vector<output_rules>> answers{rules_of_case(c)};
  if (strict) return answers;
  if (reduces_args(c.text.desc)) {
    const oracle::generated_case<any_desc> flushed = flushed_case(c);
    answers.push_back(rules_of_case(c, true));
    for (std::size_t answer = 0; answer < 2; ++answer) {
      const auto other = rules_of_case(flushed, answer == 1);
      for (std::size_t element = 0; element < other[0].size(); ++element)
        answers[answer][0][element].allowed.push_back(other[0][element].allowed.front());
    }
  } else if (is<nonzero_coordinates_desc>(c.text.desc)) {
    answers.push_back(rules_of_case(flushed_case(c)));
  }
  return answers;
}

// The number of wrong elements.
inline std::uint64_t broken_elements(const std::vector<output_rules>& rules, const std::vector<values>& got,
                                     const std::vector<tensor_desc>& outputs, bool strict) {
  std::uint64_t broken = 0;
  for (std::size_t i = 0; i < rules.size(); ++i)
    for (std::size_t element = 0; element < rules[i].size(); ++element) {
      const element_rule& rule = rules[i][element];
      const bits b = got[i][element];
      if (!rule.allows(b) && (strict || !rule.allows_nan(outputs[i].data_type, b))) ++broken;
    }
  return broken;
}

// The same for the nearest of the correct answers. If no answer has this count of NONZERO_COORDINATES, that is one
// difference; otherwise only the answers with this count are compared.
inline std::uint64_t broken_elements(const any_desc& desc, const std::vector<std::vector<output_rules>>& right,
                                     const std::vector<values>& got, const std::vector<tensor_desc>& outputs,
                                     bool strict) {
  std::uint64_t least = is<nonzero_coordinates_desc>(desc) ? 1 : ~std::uint64_t{0};
  bool any = false;
  for (const std::vector<output_rules>& rules : right) {
    if (is<nonzero_coordinates_desc>(desc) && !rules[0][0].allows(got[0][0])) continue;
    const std::uint64_t broken = broken_elements(rules, got, outputs, strict);
    least = any ? (std::min)(least, broken) : broken;
    any = true;
  }
  return least;
}

}  // namespace judged
