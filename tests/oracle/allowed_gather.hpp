// What each element of the outputs of the gathers and SCATTER_ELEMENTS may be, written from the pages independently of
// the library. They are judged like the rules of allowed.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>
#include <goldml/operators/scatter_elements.hpp>

#include "allowed_values.hpp"

namespace judged {

// The position that an index selects on an axis; nothing if it is out of range.
inline std::optional<std::uint64_t> position_of(data_type type, bits index, std::uint64_t size) {
  std::uint64_t position = index;
  if (type == data_type::int32 && value_of<std::int32_t>(index) < 0)
    position = size + static_cast<std::uint64_t>(std::int64_t{value_of<std::int32_t>(index)});
  if (type == data_type::int64 && value_of<std::int64_t>(index) < 0) position = size + index;
  if (position < size) return position;
  return std::nullopt;
}

inline element_rule read_from(const values& input, std::uint64_t number, bool in_range) {
  return in_range ? element_rule{true, {input[static_cast<std::size_t>(number)]}, 0} : element_rule{false, {}, 0};
}

// The product of the sizes first .. last-1.
inline std::uint64_t product(const dimensions& sizes, std::size_t first, std::size_t last) {
  std::uint64_t result = 1;
  for (std::size_t i = first; i < last; ++i) result *= sizes[i];
  return result;
}

// Three nested loops: over what is before the axis, over the indices, over what is after it. The elements of the output
// come in row-major order.
inline std::vector<output_rules> rules_of(const gather_desc& desc, std::span<const const_tensor_ref> inputs,
                                          std::span<const tensor_desc>) {
  const dimensions& sizes = inputs[0].desc().sizes;
  const values input = values_of(inputs[0]);
  const std::uint64_t size = sizes[desc.axis];
  const std::uint64_t after = product(sizes, desc.axis + 1, sizes.size());
  output_rules rules;
  for (std::uint64_t before = 0; before < product(sizes, 0, desc.axis); ++before)
    for (const bits index : values_of(inputs[1])) {
      const auto position = position_of(inputs[1].desc().data_type, index, size);
      for (std::uint64_t i = 0; i < after; ++i)
        rules.push_back(read_from(input, (before * size + position.value_or(0)) * after + i, position.has_value()));
    }
  return {rules};
}

inline std::vector<output_rules> rules_of(const gather_elements_desc& desc, std::span<const const_tensor_ref> inputs,
                                          std::span<const tensor_desc>) {
  const dimensions& sizes = inputs[0].desc().sizes;
  const dimensions& index_sizes = inputs[1].desc().sizes;
  const values input = values_of(inputs[0]);
  const values indices = values_of(inputs[1]);
  output_rules rules;
  for (coordinate_tuple c : coordinates_of(index_sizes)) {
    const auto position = position_of(inputs[1].desc().data_type, indices[number_of(c, index_sizes)], sizes[desc.axis]);
    c[desc.axis] = static_cast<std::uint32_t>(position.value_or(0));
    rules.push_back(read_from(input, number_of(c, sizes), position.has_value()));
  }
  return {rules};
}

// Every tuple in turn: batch, place and element of the slice as numbers in row-major order.
inline output_rules tuple_rules(std::size_t r, std::size_t b, std::span<const const_tensor_ref> inputs) {
  const dimensions& sizes = inputs[0].desc().sizes;
  const dimensions& index_sizes = inputs[1].desc().sizes;
  const std::size_t first = sizes.size() - r + b;  // the first dimension after the batch
  const std::size_t k = index_sizes.back();
  const values input = values_of(inputs[0]);
  const values indices = values_of(inputs[1]);
  const std::uint64_t batches = product(sizes, 0, first);
  const std::uint64_t places = product(sizes, first, first + k);
  const std::uint64_t slice = product(sizes, first + k, sizes.size());
  const std::uint64_t tuples = indices.size() / k;
  output_rules rules;
  for (std::uint64_t t = 0; t < tuples; ++t) {
    std::uint64_t place = 0;
    bool in_range = true;
    for (std::size_t j = 0; j < k; ++j) {
      const auto position =
          position_of(inputs[1].desc().data_type, indices[static_cast<std::size_t>(t * k + j)], sizes[first + j]);
      in_range = in_range && position;
      place = place * sizes[first + j] + position.value_or(0);
    }
    const std::uint64_t batch = t / (tuples / batches);
    for (std::uint64_t s = 0; s < slice; ++s)
      rules.push_back(read_from(input, (batch * places + place) * slice + s, in_range));
  }
  return rules;
}

inline std::vector<output_rules> rules_of(const gather_nd_desc& desc, std::span<const const_tensor_ref> inputs,
                                          std::span<const tensor_desc>) {
  return {tuple_rules(desc.input_dimension_count, 0, inputs)};
}

inline std::vector<output_rules> rules_of(const gather_nd1_desc& desc, std::span<const const_tensor_ref> inputs,
                                          std::span<const tensor_desc>) {
  return {tuple_rules(desc.input_dimension_count, desc.batch_dimension_count, inputs)};
}

// With the policies `refuse`: an index out of range makes everything undefined; any of the updates for an element may
// remain.
inline std::vector<output_rules> rules_of(const scatter_elements_desc& desc, std::span<const const_tensor_ref> inputs,
                                          std::span<const tensor_desc>) {
  const dimensions& sizes = inputs[0].desc().sizes;
  const dimensions& index_sizes = inputs[1].desc().sizes;
  const values indices = values_of(inputs[1]);
  const values updates = values_of(inputs[2]);
  output_rules rules;
  for (const bits b : values_of(inputs[0])) rules.push_back({true, {b}, 0});
  std::vector<bool> written(rules.size());
  for (coordinate_tuple c : coordinates_of(index_sizes)) {
    const std::size_t from = number_of(c, index_sizes);
    const auto position = position_of(inputs[1].desc().data_type, indices[from], sizes[desc.axis]);
    if (!position) return {output_rules(rules.size(), {false, {}, 0})};
    c[desc.axis] = static_cast<std::uint32_t>(*position);
    const std::size_t to = number_of(c, sizes);
    if (!written[to]) rules[to].allowed.clear();
    written[to] = true;
    rules[to].allowed.push_back(updates[from]);
  }
  return {rules};
}

}  // namespace judged
