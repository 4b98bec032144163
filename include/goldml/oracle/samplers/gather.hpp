// Random cases of GATHER, GATHER_ELEMENTS, GATHER_ND and GATHER_ND1.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/gather.hpp>
#include <goldml/operators/gather_elements.hpp>
#include <goldml/operators/gather_nd.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

namespace detail {

// An index that selects a position below `size`, or, for the class of data, sometimes one that is out of range.
template <class Index>
Index index_below(random_source& random, std::uint32_t size, data_class data) {
  if (data == data_class::out_of_range && random.chance(30)) {
    const std::int64_t beyond = std::is_signed_v<Index> && random.chance(50) ? -std::int64_t{size} - 1 : size;
    return random.chance(50) ? static_cast<Index>(beyond)
           : beyond < 0      ? std::numeric_limits<Index>::lowest()
                             : (std::numeric_limits<Index>::max)();
  }
  const bool from_end = std::is_signed_v<Index> && random.chance(data == data_class::negative_indices ? 80 : 20);
  const auto position = static_cast<std::int64_t>(random.below(size));
  return static_cast<Index>(from_end ? -1 - position : position);
}

// A case of the tensors, with the output that the desc and the sizes of the inputs imply.
template <class Desc>
sampled_case<Desc> gather_case(random_source& random, const Desc& desc, goldml::feature_level level,
                               const tensor_desc& input, const dimensions& indices) {
  const operand_limits& limits = *limits_at(operator_traits<Desc>::operands[1], level);
  tensor_desc output = input;
  output.sizes = operator_traits<Desc>::output_sizes(desc, input.sizes, indices).value();
  return {desc, {input, tensor_desc{.data_type = random.pick(limits.data_types), .sizes = indices}, output}};
}

// Sets the indices. With a stride of 0 one element is the index for several axes, so it fits the smallest.
template <class Desc>
void fill_gather_indices(random_source& random, const Desc& desc, data_class data, std::span<host_tensor> inputs) {
  const dimensions& input = inputs[0].desc().sizes;
  const dimensions& sizes = inputs[1].desc().sizes;
  std::uint32_t smallest = (std::numeric_limits<std::uint32_t>::max)();
  for (const coordinate_tuple& c : coordinates_of(sizes))
    smallest = (std::min)(smallest, operator_traits<Desc>::indexed_size(desc, input, c));
  const bool shared = inputs[1].desc().strides.contains(0);
  visit_data_type(ix_types{}, inputs[1].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
    const tensor_view<Index> indices = inputs[1].ref().as<Index>();
    for (const coordinate_tuple& c : coordinates_of(sizes))
      indices[c] =
          index_below<Index>(random, shared ? smallest : operator_traits<Desc>::indexed_size(desc, input, c), data);
  });
}

}  // namespace detail

template <>
struct sampler<gather_desc> {
  static sampled_case<gather_desc> sample(random_source& random, goldml::feature_level level) {
    tensor_desc input = random_tensor(random, operator_traits<gather_desc>::operands[0].limits, level);
    // More than one dimension of indices takes leading 1s of the input.
    if (random.chance(50)) {
      const std::size_t most = limits_at(operator_traits<gather_desc>::operands[0], level)->most_dimensions;
      input.sizes = left_pad(input.sizes, input.sizes.size() + random.below(most - input.sizes.size() + 1), 1);
    }
    std::size_t leading = 0;
    while (leading < input.sizes.size() && (input.sizes[leading] == 1 || random.chance(20))) input.sizes[leading++] = 1;
    gather_desc desc;
    const std::size_t count = random.below((std::min)(leading + 1, input.sizes.size()) + 1);
    const std::size_t least_axis = count == 0 ? 0 : count - 1;
    desc.axis = static_cast<std::uint32_t>(least_axis + random.below(input.sizes.size() - least_axis));
    desc.index_dimensions = static_cast<std::uint32_t>(count);
    std::uint64_t most = (std::max)(
        random.most_elements() / ((element_count(input.sizes) + input.sizes[desc.axis] - 1) / input.sizes[desc.axis]),
        std::uint64_t{1});
    dimensions indices;
    for (std::size_t i = 0; i < count; ++i) {
      indices.push_back(1 + random.below(std::min<std::uint64_t>(most, 6)));
      most /= indices.back();
    }
    return detail::gather_case(random, desc, level, input, left_pad(indices, input.sizes.size(), 1));
  }

  static std::string_view break_rule(random_source& random, sampled_case<gather_desc>& c) {
    const auto dimension_count = static_cast<std::uint32_t>(c.tensors[0]->sizes.size());
    switch (random.below(4)) {
      case 0:
        c.desc.index_dimensions = dimension_count + 1;
        return "GA4";
      case 1:
        if (c.desc.index_dimensions < 2) {
          if (c.desc.axis + 2 > dimension_count) return "";
          c.desc.index_dimensions = c.desc.axis + 2;
        } else {
          c.tensors[0]->sizes[random.below(c.desc.index_dimensions - 1)] += 1;
        }
        return "GA5";
      case 2:
        if (c.desc.index_dimensions == dimension_count) return "";
        c.tensors[1]->sizes[random.below(dimension_count - c.desc.index_dimensions)] += 1;
        return "GA6";
      default:
        c.tensors[2]->sizes[random.below(dimension_count)] += 1;
        return "GA7";
    }
  }

  static void fill(random_source& random, const gather_desc& desc, data_class data, std::span<host_tensor> inputs) {
    detail::fill_gather_indices(random, desc, data, inputs);
  }

  static constexpr sampler_options<gather_desc> options{.fill = &fill};
};

template <>
struct sampler<gather_elements_desc> {
  static sampled_case<gather_elements_desc> sample(random_source& random, goldml::feature_level level) {
    const tensor_desc input = random_tensor(random, operator_traits<gather_elements_desc>::operands[0].limits, level);
    gather_elements_desc desc;
    desc.axis = static_cast<std::uint32_t>(random.below(input.sizes.size()));
    dimensions indices = input.sizes;
    indices[desc.axis] = static_cast<std::uint32_t>(1 + random.below(2 * std::uint64_t{input.sizes[desc.axis]}));
    return detail::gather_case(random, desc, level, input, indices);
  }

  static std::string_view break_rule(random_source& random, sampled_case<gather_elements_desc>& c) {
    const std::size_t dimension = random.below(c.tensors[0]->sizes.size());
    if (random.chance(50)) {
      c.tensors[2]->sizes[dimension] += 1;
      return "GE5";
    }
    if (dimension == c.desc.axis) return "";
    c.tensors[random.below(2)]->sizes[dimension] += 1;
    return "GE4";
  }

  static void fill(random_source& random, const gather_elements_desc& desc, data_class data,
                   std::span<host_tensor> inputs) {
    detail::fill_gather_indices(random, desc, data, inputs);
  }

  static constexpr sampler_options<gather_elements_desc> options{.fill = &fill};
};

template <class Desc>
requires std::same_as<Desc, gather_nd_desc> || std::same_as<Desc, gather_nd1_desc>
struct sampler<Desc> {
  static sampled_case<Desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<Desc>::operands[0], level);
    tensor_desc input{.data_type = random.pick(limits.data_types), .sizes = random.sizes(1, limits.most_dimensions)};
    const dimensions d = input.sizes;
    const std::size_t r = d.size();
    const std::size_t b = has_batch ? random.below(r) : 0;
    const std::size_t k = 1 + random.below(r - b);
    dimensions tuples = d.slice(0, b);
    std::uint64_t most = element_count(d.slice(b, b + k));
    const std::size_t most_added = limits.most_dimensions - (std::max)(b + (r - b - k), b + 1);
    for (std::size_t left = random.below(most_added + 1); left > 0; --left) {
      tuples.push_back(1 + random.below(std::min<std::uint64_t>(most, 6)));
      most /= tuples.back();
    }
    const dimensions i = concatenate(tuples, {k});
    const std::size_t needed =
        (std::max)({r, i.size(), tuples.size() + (r - b - k), std::size_t{limits.fewest_dimensions}});
    const std::size_t dimension_count = needed + random.below(limits.most_dimensions - needed + 1);
    input.sizes = left_pad(d, dimension_count, 1);
    Desc desc;
    desc.input_dimension_count = static_cast<std::uint32_t>(r);
    desc.indices_dimension_count = static_cast<std::uint32_t>(i.size());
    if constexpr (has_batch) desc.batch_dimension_count = static_cast<std::uint32_t>(b);
    return detail::gather_case(random, desc, level, input, left_pad(i, dimension_count, 1));
  }

  static std::string_view break_rule(random_source& random, sampled_case<Desc>& c) {
    dimensions& input = c.tensors[0]->sizes;
    dimensions& indices = c.tensors[1]->sizes;
    const std::size_t dimension_count = input.size();
    const std::size_t b = goldml::detail::batch_dimensions_of(c.desc);
    switch (random.below(7)) {
      case 0:
        (random.chance(50) ? c.desc.input_dimension_count : c.desc.indices_dimension_count) =
            random.chance(50) ? 0 : static_cast<std::uint32_t>(dimension_count) + 1;
        return "GN3";
      case 1:
        if (dimension_count > c.desc.indices_dimension_count)
          indices[0] = 2;
        else if (dimension_count > c.desc.input_dimension_count)
          input[0] = 2;
        else
          return "";
        return "GN4";
      case 2:
        if constexpr (has_batch)
          c.desc.batch_dimension_count = (std::min)(c.desc.input_dimension_count, c.desc.indices_dimension_count);
        return has_batch ? "GN5" : "";
      case 3:
        if (b == 0) return "";
        indices[dimension_count - c.desc.indices_dimension_count + random.below(b)] += 1;
        return "GN6";
      case 4:
        indices[dimension_count - 1] = c.desc.input_dimension_count - static_cast<std::uint32_t>(b) + 1;
        return "GN7";
      case 5:  // tuples of one coordinate in D - 1 dimensions, slices of D - 1 dimensions
        if (dimension_count < 3 || b != 0) return "";
        c.desc.input_dimension_count = c.desc.indices_dimension_count = static_cast<std::uint32_t>(dimension_count);
        indices[dimension_count - 1] = 1;
        return "GN8";
      default:
        c.tensors[2]->sizes[random.below(dimension_count)] += 1;
        return "GN9";
    }
  }

  static void fill(random_source& random, const Desc& desc, data_class data, std::span<host_tensor> inputs) {
    detail::fill_gather_indices(random, desc, data, inputs);
  }

  // The indices of a tuple have axes of different sizes.
  static constexpr sampler_options<Desc> options{.fill = &fill, .unshared_input = 1};

 private:
  static constexpr bool has_batch = requires(Desc desc) { desc.batch_dimension_count; };
};

}  // namespace goldml::oracle
