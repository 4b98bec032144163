// Faults of a device's output: ways to make the golden values wrong.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/goldml.hpp>

#include "allowed.hpp"

namespace judged {

inline constexpr data_type_set float_types{data_type::float32, data_type::float16, data_type::float64};
inline constexpr data_type_set float32_only{data_type::float32};
inline constexpr data_type_set float32_and_16{data_type::float32, data_type::float16};

// The golden values of all outputs, which a fault changes.
struct answer {
  oracle::random_source& random;
  const oracle::any_operator& op;
  const oracle::generated_case<any_desc>& c;
  const all_rules& rules;
  std::vector<values> outputs;

  std::size_t any_output() { return random.below(outputs.size()); }
  const dimensions& sizes(std::size_t output) const { return c.outputs[output].sizes; }
  data_type type(std::size_t output) const { return c.outputs[output].data_type; }
  std::uint32_t width(std::size_t output) const { return element_size_in_bits(type(output)); }
  bits mask(std::size_t output) const { return ~bits{0} >> (64 - width(output)); }
  bits sign(std::size_t output) const { return bits{1} << (width(output) - 1); }

  // Elements of 4 bits are what is left of them in memory.
  void cut() {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      for (bits& b : outputs[i])
        if (is_4_bit(type(i))) b = goldml::detail::sign_extended(type(i), static_cast<std::uint8_t>(b & 0xF));
  }

  bool is_subnormal(std::size_t output, bits b) const {
    bool result = false;
    visit_data_type(type_list<float, float16, double>{}, type(output), [&]<class T>(std::type_identity<T>) {
      using limits = std::numeric_limits<T>;
      const T x = value_of<T>(b);
      result = x != T{} && x < (limits::min)() && x > -(limits::min)();
    });
    return result;
  }

  // A defined element of the output for which `fits` is true, if any.
  template <class Fits>
  std::optional<std::size_t> any_element(std::size_t output, Fits&& fits) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < outputs[output].size(); ++i)
      if (rules[output][i].defined && fits(i)) found.push_back(i);
    if (found.empty()) return std::nullopt;
    return found[random.below(found.size())];
  }
  std::optional<std::size_t> any_element(std::size_t output) {
    return any_element(output, [](std::size_t) { return true; });
  }
};

// Each fault returns whether it could be injected. Whether the output is then wrong is determined afterwards.
namespace fault {

inline bool one_bit(answer& a) {
  const std::size_t output = a.any_output();
  const auto element = a.any_element(output);
  if (element) a.outputs[output][*element] ^= bits{1} << a.random.below(a.width(output));
  return element.has_value();
}

// The value of another element, or the next one up or down.
inline bool other_value(answer& a) {
  const std::size_t output = a.any_output();
  const auto element = a.any_element(output);
  if (!element) return false;
  bits& changing = a.outputs[output][*element];
  const std::uint64_t kind = a.random.below(3);
  changing = kind == 0   ? a.outputs[output][a.random.below(a.outputs[output].size())]
             : kind == 1 ? (changing + 1) & a.mask(output)
                         : (changing - 1) & a.mask(output);
  return true;
}

// Overwrites a row along the last dimension with another row, or with one value.
inline bool row(answer& a) {
  const std::size_t output = a.any_output();
  values& all = a.outputs[output];
  const std::size_t columns = a.sizes(output).back();
  const std::size_t rows = all.size() / columns;
  const std::size_t to = a.random.below(rows) * columns;
  const std::size_t from = a.random.below(rows) * columns;
  const bool same = a.random.chance(50);
  const values before = all;
  for (std::size_t i = 0; i < columns; ++i) all[to + i] = same ? before[from] ^ 1 : before[from + i];
  return true;
}

// From one slice of a dimension on, each slice is replaced by its neighbour: one is missing, or one is doubled.
template <bool Dropped>
bool slice(answer& a) {
  const std::size_t output = a.any_output();
  const dimensions& sizes = a.sizes(output);
  const std::size_t dimension = a.random.below(sizes.size());
  const std::uint32_t size = sizes[dimension];
  if (size == 1) return false;
  const auto first = static_cast<std::uint32_t>(a.random.below(size - 1));
  const values before = a.outputs[output];
  std::size_t element = 0;
  for (coordinate_tuple c : coordinates_of(sizes)) {
    if (Dropped && c[dimension] >= first && c[dimension] + 1 < size) ++c[dimension];
    if (!Dropped && c[dimension] > first) --c[dimension];
    a.outputs[output][element++] = before[number_of(c, sizes)];
  }
  return true;
}

inline bool last_element(answer& a) {
  const std::size_t output = a.outputs.size() - 1;
  std::optional<std::size_t> last;
  a.any_element(output, [&](std::size_t i) {
    last = i;
    return false;
  });
  if (last) a.outputs[output][*last] ^= bits{1} << a.random.below(a.width(output));
  return last.has_value();
}

// An element between gaps.
inline bool between_gaps(answer& a) {
  const std::size_t output = a.any_output();
  const dimensions strides = effective_strides(a.c.outputs[output]);
  const std::uint64_t span = last_index(a.sizes(output), strides) + 1;
  if (span == a.outputs[output].size()) return false;
  std::vector<bool> addressed(span);
  for (const coordinate_tuple& c : coordinates_of(a.sizes(output))) addressed[offset_of(c, strides)] = true;
  const auto element = a.any_element(output, [&](std::size_t i) {
    const std::uint64_t offset = offset_of(coordinate_at(a.sizes(output), i), strides);
    return offset > 0 && offset + 1 < span && !addressed[offset - 1] && !addressed[offset + 1];
  });
  if (element) a.outputs[output][*element] ^= bits{1} << a.random.below(a.width(output));
  return element.has_value();
}

// Two dimensions of the same size.
inline bool exchanged(answer& a) {
  std::vector<std::array<std::size_t, 3>> pairs;  // an output and two of its dimensions
  for (std::size_t output = 0; output < a.outputs.size(); ++output) {
    const dimensions& sizes = a.sizes(output);
    for (std::size_t i = 0; i < sizes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (sizes[i] == sizes[j] && sizes[i] > 1) pairs.push_back({output, i, j});
  }
  if (pairs.empty()) return false;
  const auto [output, i, j] = pairs[a.random.below(pairs.size())];
  const dimensions& sizes = a.sizes(output);
  const values before = a.outputs[output];
  std::size_t element = 0;
  for (coordinate_tuple c : coordinates_of(sizes)) {
    std::swap(c[i], c[j]);
    a.outputs[output][element++] = before[number_of(c, sizes)];
  }
  return true;
}

// No element was written: memory keeps its previous contents.
template <bits Pattern>
bool nothing_written(answer& a) {
  for (std::size_t i = 0; i < a.outputs.size(); ++i)
    for (bits& b : a.outputs[i]) b = Pattern & a.mask(i);
  return true;
}

// Moved elements: a zero with the other sign, or a flushed subnormal (ledger 7.4: bit-exact).
inline bool zero_sign(answer& a) {
  const auto element = a.any_element(0, [&](std::size_t i) { return (a.outputs[0][i] & ~a.sign(0)) == 0; });
  if (element) a.outputs[0][*element] ^= a.sign(0);
  return element.has_value();
}
inline bool moved_and_flushed(answer& a) {
  bool any = false;
  for (bits& b : a.outputs[0])
    if (a.is_subnormal(0, b)) {
      b &= a.sign(0);
      any = true;
    }
  return any;
}

// ARGMIN, ARGMAX.
inline bool other_tie(answer& a) {
  any_desc other = a.c.text.desc;
  for (const attribute& row : a.op.attributes())
    if (row.name == "AxisDirection")
      store_enumerator(row.address(other.get()), 1 - load_enumerator(row.address(other.get())));
  host_tensor output(a.c.outputs[0]);
  const auto inputs = a.c.input_refs();
  const std::array<tensor_ref, 1> outputs{output.ref()};
  a.op.golden->evaluate(other.get(), inputs, outputs);
  a.outputs[0] = values_of(std::as_const(output).ref());
  return true;
}

inline bool past_nan_slice(answer& a) {
  const auto element = a.any_element(0, [&](std::size_t i) { return a.rules[0][i].any_below > 0; });
  if (element) a.outputs[0][*element] = a.rules[0][*element].any_below;
  return element.has_value();
}

inline bool count_off_by_one(answer& a) {
  a.outputs[0][0] += a.random.chance(50) ? 1 : ~bits{0};
  a.outputs[0][0] &= a.mask(0);
  return true;
}

inline bool rows_swapped(answer& a) {
  const std::size_t columns = a.sizes(1).back();
  const std::uint64_t count = a.outputs[0][0];
  if (count < 2) return false;
  const std::size_t first = a.random.below(count) * columns;
  const std::size_t second = a.random.below(count) * columns;
  for (std::size_t i = 0; i < columns; ++i) std::swap(a.outputs[1][first + i], a.outputs[1][second + i]);
  return true;
}

// If updates collide, the input's value remains: none of the updates was written.
inline bool no_winner(answer& a) {
  const bool from_zeros = is<max_unpooling_desc>(a.c.text.desc);
  const values input = from_zeros ? values(a.outputs[0].size()) : values_of(a.c.inputs[0].ref());
  const auto element = a.any_element(0, [&](std::size_t i) { return a.rules[0][i].allowed.size() > 1; });
  if (element) a.outputs[0][*element] = input[*element];
  return element.has_value();
}

}  // namespace fault

// A kind of fault, and the floating types for which it exists, if not for all.
struct fault_kind {
  std::string_view name;
  bool (*make)(answer&);
  std::optional<data_type_set> floats = {};
  bool is_rare = false;  // because it changes nothing in most outputs
};

// The kinds that there must be for an operator.
inline std::vector<fault_kind> fault_kinds(const oracle::any_operator& op) {
  const any_desc desc(*op.description);
  std::vector<fault_kind> kinds{{"one bit flipped", fault::one_bit},
                                {"another value", fault::other_value},
                                {"a row overwritten", fault::row},
                                {"the last element", fault::last_element},
                                {"an element between gaps", fault::between_gaps, {}, true},
                                {"nothing written, 0xCD", fault::nothing_written<0xCDCD'CDCD'CDCD'CDCD>},
                                {"nothing written, zeros", fault::nothing_written<0>}};
  if (!is<fill_value_constant_desc>(desc)) {  // all its elements are equal
    kinds.push_back({"a slice dropped", fault::slice<true>, {}, true});
    kinds.push_back({"a slice doubled", fault::slice<false>, {}, true});
    kinds.push_back({"two dimensions exchanged", fault::exchanged, {}, true});
  }
  if (reduces_args(desc)) {
    if (!is<reduce_desc>(desc)) kinds.push_back({"the other tie direction", fault::other_tie});
    kinds.push_back({"an index past a NaN slice", fault::past_nan_slice, float_types});
  } else if (is<nonzero_coordinates_desc>(desc)) {
    kinds.push_back({"the count off by one", fault::count_off_by_one});
    kinds.push_back({"two rows swapped", fault::rows_swapped});
  } else if (making_of(desc) == making::moved) {
    kinds.push_back({"the sign of a zero", fault::zero_sign, float_types});
    // DIAGONAL_MATRIX converts its FLOAT to FLOAT64, where it is never subnormal.
    kinds.push_back({"moved values flushed", fault::moved_and_flushed,
                     is<diagonal_matrix_desc>(desc) ? float32_and_16 : float_types});
    if (scatters(desc)) kinds.push_back({"a collision without winner", fault::no_winner});
  }
  return kinds;
}

}  // namespace judged
