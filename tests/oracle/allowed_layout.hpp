// The rules of the operators that move elements, written from their pages: where each element of the output comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "allowed_values.hpp"

namespace judged {

using input_refs = std::span<const const_tensor_ref>;
using output_descs = std::span<const tensor_desc>;
using all_rules = std::vector<output_rules>;

// A DML_SCALAR_UNION as an element of this type.
inline bits bits_of_scalar(const scalar& value, data_type type) {
  bits result = 0;
  visit_data_type(all_types{}, type, [&]<class T>(std::type_identity<T>) { result = bits_of(value.as<T>()); });
  return result;
}

// Output[c] = Input[Offsets + Strides * c]
inline all_rules rules_of(const slice_desc& desc, input_refs inputs, output_descs outputs) {
  const values input = values_of(inputs[0]);
  return {exactly(outputs[0].sizes, [&](coordinate_tuple c) {
    for (std::size_t i = 0; i < c.size(); ++i)
      c[i] = static_cast<std::uint32_t>(desc.offsets[i] + std::uint64_t{desc.strides[i]} * c[i]);
    return input[number_of(c, inputs[0].desc().sizes)];
  })};
}

// The positions that a window visits, from the end at which its stride begins, one step per element of `sizes`.
template <class Desc>
std::vector<std::vector<std::uint32_t>> visited(const Desc& desc, const dimensions& sizes) {
  std::vector<std::vector<std::uint32_t>> positions;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t first = desc.input_window_offsets[i];
    const std::int64_t last = first + desc.input_window_sizes[i] - 1;
    std::int64_t at = desc.input_window_strides[i] < 0 ? last : first;
    positions.emplace_back();
    for (std::uint32_t n = 0; n < sizes[i]; ++n, at += desc.input_window_strides[i])
      positions.back().push_back(static_cast<std::uint32_t>(at));
  }
  return positions;
}

inline all_rules rules_of(const slice1_desc& desc, input_refs inputs, output_descs outputs) {
  const auto positions = visited(desc, outputs[0].sizes);
  const values input = values_of(inputs[0]);
  return {exactly(outputs[0].sizes, [&](coordinate_tuple c) {
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = positions[i][c[i]];
    return input[number_of(c, inputs[0].desc().sizes)];
  })};
}

// Zeros, with the input's elements at the positions that SLICE1 would have read.
inline all_rules rules_of(const slice_grad_desc& desc, input_refs inputs, output_descs outputs) {
  const auto positions = visited(desc, inputs[0].desc().sizes);
  const values input = values_of(inputs[0]);
  output_rules rules(element_count(outputs[0].sizes), {true, {0}});
  std::size_t element = 0;
  for (coordinate_tuple c : coordinates_of(inputs[0].desc().sizes)) {
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = positions[i][c[i]];
    rules[number_of(c, outputs[0].sizes)].allowed = {input[element++]};
  }
  return {rules};
}

inline all_rules rules_of(const split_desc& desc, input_refs inputs, output_descs outputs) {
  const values input = values_of(inputs[0]);
  all_rules rules;
  std::uint32_t base = 0;
  for (const tensor_desc& output : outputs) {
    rules.push_back(exactly(output.sizes, [&](coordinate_tuple c) {
      c[desc.axis] += base;
      return input[number_of(c, inputs[0].desc().sizes)];
    }));
    base += output.sizes[desc.axis];
  }
  return rules;
}

// The inputs are put into the output one after the other.
inline all_rules rules_of(const join_desc& desc, input_refs inputs, output_descs outputs) {
  output_rules rules(element_count(outputs[0].sizes));
  std::uint32_t base = 0;
  for (const const_tensor_ref& input : inputs) {
    const values elements = values_of(input);
    std::size_t element = 0;
    for (coordinate_tuple c : coordinates_of(input.desc().sizes)) {
      c[desc.axis] += base;
      rules[number_of(c, outputs[0].sizes)].allowed.push_back(elements[element++]);
    }
    base += input.desc().sizes[desc.axis];
  }
  return {rules};
}

// The position of an added element is folded at the ends until it is inside.
inline std::int64_t folded(padding_mode mode, std::int64_t position, std::int64_t size) {
  while (position < 0 || position >= size) {
    const bool before = position < 0;
    switch (mode) {
      case padding_mode::edge:
        return before ? 0 : size - 1;
      case padding_mode::reflection:
        if (size == 1) return 0;
        position = before ? -position : 2 * (size - 1) - position;
        break;
      case padding_mode::symmetric:
        position = before ? -position - 1 : 2 * size - 1 - position;
        break;
      case padding_mode::wrap:
        position += before ? size : -size;
        break;
      default:
        return -1;
    }
  }
  return position;
}

template <class Desc>
all_rules padding_rules(const Desc& desc, const element_rule& padding, input_refs inputs, output_descs outputs) {
  const dimensions& sizes = inputs[0].desc().sizes;
  const values input = values_of(inputs[0]);
  output_rules rules;
  for (coordinate_tuple c : coordinates_of(outputs[0].sizes)) {
    bool is_constant = false;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const std::int64_t at = folded(desc.padding_mode, std::int64_t{c[i]} - desc.start_padding[i], sizes[i]);
      is_constant = is_constant || at < 0;
      c[i] = static_cast<std::uint32_t>(at);
    }
    rules.push_back(is_constant ? padding : element_rule{true, {input[number_of(c, sizes)]}});
  }
  return {rules};
}

inline all_rules rules_of(const padding_desc& desc, input_refs inputs, output_descs outputs) {
  element_rule padding;
  visit_data_type(a11_types{}, outputs[0].data_type,
                  [&]<class T>(std::type_identity<T>) { padding = attribute_rule<T>(desc.padding_value); });
  return padding_rules(desc, padding, inputs, outputs);
}

inline all_rules rules_of(const padding1_desc& desc, input_refs inputs, output_descs outputs) {
  element_rule padding;  // the value is not used, and may be of any type, in the other modes
  if (desc.padding_mode == padding_mode::constant)
    padding.allowed = {bits_of_scalar(desc.padding_value, outputs[0].data_type)};
  return padding_rules(desc, padding, inputs, outputs);
}

inline all_rules rules_of(const tile_desc&, input_refs inputs, output_descs outputs) {
  const dimensions& sizes = inputs[0].desc().sizes;
  const values input = values_of(inputs[0]);
  return {exactly(outputs[0].sizes, [&](coordinate_tuple c) {
    for (std::size_t i = 0; i < c.size(); ++i) c[i] %= sizes[i];
    return input[number_of(c, sizes)];
  })};
}

// Space[n, ch, h*b + y, w*b + x] == Depth[n, channel of (ch, y, x), h, w], over the elements of the space form.
inline output_rules space_depth_rules(std::uint32_t b, bool column_row_depth, bool to_depth,
                                      const const_tensor_ref& from, const tensor_desc& to) {
  const dimensions& space = to_depth ? from.desc().sizes : to.sizes;
  const dimensions& depth = to_depth ? to.sizes : from.desc().sizes;
  const values input = values_of(from);
  output_rules rules(input.size());
  for (const coordinate_tuple& c : coordinates_of(space)) {
    const std::uint32_t y = c[2] % b;
    const std::uint32_t x = c[3] % b;
    const std::uint32_t channel = column_row_depth ? (c[1] * b + y) * b + x : (y * b + x) * space[1] + c[1];
    const std::size_t in_space = number_of(c, space);
    const std::size_t in_depth = number_of(coordinate_tuple{c[0], channel, c[2] / b, c[3] / b}, depth);
    if (to_depth)
      rules[in_depth].allowed = {input[in_space]};
    else
      rules[in_space].allowed = {input[in_depth]};
  }
  return rules;
}

inline all_rules rules_of(const space_to_depth_desc& desc, input_refs inputs, output_descs outputs) {
  return {space_depth_rules(desc.block_size, false, true, inputs[0], outputs[0])};
}
inline all_rules rules_of(const space_to_depth1_desc& desc, input_refs inputs, output_descs outputs) {
  const bool order = desc.order == depth_space_order::column_row_depth;
  return {space_depth_rules(desc.block_size, order, true, inputs[0], outputs[0])};
}
inline all_rules rules_of(const depth_to_space_desc& desc, input_refs inputs, output_descs outputs) {
  return {space_depth_rules(desc.block_size, false, false, inputs[0], outputs[0])};
}
inline all_rules rules_of(const depth_to_space1_desc& desc, input_refs inputs, output_descs outputs) {
  const bool order = desc.order == depth_space_order::column_row_depth;
  return {space_depth_rules(desc.block_size, order, false, inputs[0], outputs[0])};
}

// The page's formula, literally.
inline all_rules rules_of(const diagonal_matrix1_desc& desc, input_refs inputs, output_descs outputs) {
  const values input = inputs[0].present() ? values_of(inputs[0]) : values(element_count(outputs[0].sizes));
  const bits value = bits_of_scalar(desc.value, outputs[0].data_type);
  const std::int64_t b = desc.diagonal_fill_begin;
  const std::int64_t e = desc.diagonal_fill_end;
  std::size_t element = 0;
  return {exactly(outputs[0].sizes, [&](const coordinate_tuple& c) {
    const std::int64_t t = std::int64_t{c.back()} - c[c.size() - 2];
    const bool use = ((e >= b) != (t >= b)) != (t < e);
    const bits kept = input[element++];
    return use ? value : kept;
  })};
}

// Output[c] is the value if row + Offset == column, otherwise +0. FLOAT16 may have either neighbour (ledger L18).
inline all_rules rules_of(const diagonal_matrix_desc& desc, input_refs, output_descs outputs) {
  element_rule on_diagonal;
  visit_data_type(a11_types{}, outputs[0].data_type, [&]<class T>(std::type_identity<T>) {
    on_diagonal = attribute_rule<T>(desc.value);
    if constexpr (std::is_same_v<T, float16>)
      if (desc.value == desc.value) on_diagonal.allowed.push_back(neighbours_of<T>(exact_number(desc.value)).away);
  });
  output_rules rules;
  for (const coordinate_tuple& c : coordinates_of(outputs[0].sizes)) {
    const std::int64_t row = c[c.size() - 2];
    rules.push_back(row + desc.offset == c.back() ? on_diagonal : element_rule{true, {0}});
  }
  return {rules};
}

inline all_rules rules_of(const fill_value_constant_desc& desc, input_refs, output_descs outputs) {
  const bits value = bits_of_scalar(desc.value, outputs[0].data_type);
  return {output_rules(element_count(outputs[0].sizes), {true, {value}})};
}

// ONE_HOT: `on` at the place of the index, if it has one, otherwise `off`.
inline all_rules rules_of(const one_hot_desc& desc, input_refs inputs, output_descs outputs) {
  const bits off = values_of(inputs[1])[0];
  const bits on = values_of(inputs[1])[1];
  const dimensions& index_sizes = inputs[0].desc().sizes;
  const std::int64_t n = outputs[0].sizes[desc.axis];
  all_rules rules;
  visit_data_type(ix_types{}, inputs[0].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
    const values indices = values_of(inputs[0]);
    rules.push_back(exactly(outputs[0].sizes, [&](coordinate_tuple c) {
      const std::int64_t place = c[desc.axis];
      c[desc.axis] = 0;
      const auto index = value_of<Index>(indices[number_of(c, index_sizes)]);
      // The place counted from the end is below 0; no unsigned index is.
      return index == static_cast<Index>(place) || (std::is_signed_v<Index> && index == static_cast<Index>(place - n))
                 ? on
                 : off;
    }));
  });
  return rules;
}

}  // namespace judged
