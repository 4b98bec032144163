// One sampler an operator: legal descs and sizes at random, input values that only the operator can choose, and ways to
// break each of its own rules. What the generator cannot know from the operators' descriptions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/host_tensor.hpp>
#include <goldml/core/number.hpp>
#include <goldml/operators/operators.hpp>
#include <goldml/oracle/data_class.hpp>
#include <goldml/oracle/random.hpp>

namespace goldml::oracle {

// A desc with a desc for each of its tensors, in the order of the C structure; none for an optional one left out.
template <class Desc>
struct sampled_case {
  Desc desc;
  std::array<std::optional<tensor_desc>, operator_traits<Desc>::operands.size()> tensors;
};

// Specialised for each operator, with
//   sample(random, level)                    a legal case, all tensors packed
//   break_rule(random, case)                 breaks one rule of the operator's own in a legal case and returns its
//   code;
//                                            "" where the case cannot break the one drawn
//   unshared_input                           an input that must not be broadcast; absent: none
//   fill(random, desc, data_class, inputs)   where some input's values are bound by others; absent: none are
template <class Desc>
struct sampler;

template <>
struct sampler<argmin_desc> {
  static sampled_case<argmin_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<argmin_desc> result;
    const tensor_desc input{
        .data_type = random.pick(limits_at(operator_traits<argmin_desc>::operands[0], level)->data_types),
        .sizes = random.sizes(1, 8)};
    dimensions& axes = result.desc.axes;
    for (std::size_t i = 0; i < input.sizes.size(); ++i)
      if (random.chance(50)) axes.push_back(i);
    if (axes.empty()) axes.push_back(random.below(input.sizes.size()));
    random.shuffle(axes);
    result.desc.axis_direction = random.chance(50) ? axis_direction::increasing : axis_direction::decreasing;
    result.tensors = {
        input, tensor_desc{.data_type = random.pick(data_types_ix), .sizes = argmin_output_sizes(input.sizes, axes)}};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<argmin_desc>& c) {
    const auto dimension_count = static_cast<std::uint32_t>(c.tensors[0]->sizes.size());
    dimensions& output = c.tensors[1]->sizes;
    const std::uint32_t axis = c.desc.axes[0];
    switch (random.below(8)) {
      case 0:
        output = dimension_count < 8 ? concatenate({1}, output) : output.slice(1, 8);
        return "A1";
      case 1: {
        const std::uint64_t kept = random.below(dimension_count);
        if (c.desc.axes.contains(static_cast<std::uint32_t>(kept))) return "";
        output[kept] += 1;
        return "A2";
      }
      case 2:
        c.desc.axes = {axis};
        output = argmin_output_sizes(c.tensors[0]->sizes, c.desc.axes);
        output[axis] += 1;
        return "A3";
      case 3:
        c.desc.axis_direction = static_cast<axis_direction>(2);
        return "A8";
      case 4:
        c.tensors[0]->sizes = {2, 0x4000'0001};
        c.tensors[1] = {.data_type = data_type::int32, .sizes = {1, 1}};
        c.desc.axes = {0, 1};
        return "A10";
      case 5:
        c.desc.axes = {axis, dimension_count};
        break;
      case 6:
        c.desc.axes = {axis, axis};
        break;
      default:
        c.desc.axes = {};
        break;
    }
    output = argmin_output_sizes(c.tensors[0]->sizes, c.desc.axes);
    return c.desc.axes.empty() ? "A6" : c.desc.axes[1] == axis ? "A5" : "A4";
  }
};

template <>
struct sampler<nonzero_coordinates_desc> {
  static sampled_case<nonzero_coordinates_desc> sample(random_source& random, goldml::feature_level level) {
    const bool any_rank = level >= feature_level::level_4_0;
    const tensor_desc input{.data_type = random.pick(data_types_a8),
                            .sizes = random.sizes(any_rank ? 1 : 4, any_rank ? 8 : 5)};
    const std::size_t rank = input.sizes.size();
    const std::size_t fewest = std::max<std::size_t>(1, effective_rank(input.sizes));
    const dimensions matrix{element_count(input.sizes), fewest + random.below(rank - fewest + 1)};
    const std::size_t count_rank = any_rank ? 1 + random.below(8) : rank;
    const std::size_t rows_rank = any_rank ? 2 + random.below(7) : rank;
    return {{},
            {input, tensor_desc{.data_type = data_type::uint32, .sizes = dimensions::filled(count_rank, 1)},
             tensor_desc{.data_type = data_type::uint32, .sizes = left_pad(matrix, rows_rank, 1)}}};
  }

  static std::string_view break_rule(random_source& random, sampled_case<nonzero_coordinates_desc>& c) {
    dimensions& rows = c.tensors[2]->sizes;
    const std::size_t last = rows.size() - 1;
    switch (random.below(5)) {
      case 0:
        c.tensors[1]->sizes[random.below(c.tensors[1]->sizes.size())] = 2;
        return "N1";
      case 1:
        rows[last - 1] += 1;
        return "N3";
      case 2:
        rows[last] = static_cast<std::uint32_t>(c.tensors[0]->sizes.size()) + 1;
        return "N4";
      case 3:
        if (c.desc.feature_level >= feature_level::level_4_0) return "";
        c.tensors[1]->sizes = dimensions::filled(9 - c.tensors[1]->sizes.size(), 1);  // 5 for 4, 4 for 5
        return "N6";
      default:
        if (rows.size() == 2) rows = concatenate({1}, rows);
        rows[0] = 2;
        return "N5";
    }
  }
};

template <>
struct sampler<diagonal_matrix1_desc> {
  static sampled_case<diagonal_matrix1_desc> sample(random_source& random, goldml::feature_level) {
    sampled_case<diagonal_matrix1_desc> result;
    const tensor_desc output{.data_type = random.pick(data_types_a11), .sizes = random.sizes(2, 4)};
    result.tensors = {random.chance(70) ? std::optional(output) : std::nullopt, output};
    visit_data_type(all_types{}, output.data_type, [&]<class T>(std::type_identity<T>) {
      auto value = scalar::from_bits(output.data_type, random.bits()).as<T>();
      if (is_nan(value)) value = std::numeric_limits<T>::quiet_NaN();  // a model's text holds no other
      result.desc.value = value;
    });
    const auto bound = [&]() -> std::int32_t {
      const std::uint64_t kind = random.below(8);
      if (kind < 2)
        return kind == 0 ? (std::numeric_limits<std::int32_t>::min)() : (std::numeric_limits<std::int32_t>::max)();
      return static_cast<std::int32_t>(random.between(-8, 8));
    };
    result.desc.diagonal_fill_begin = bound();
    result.desc.diagonal_fill_end = bound();
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<diagonal_matrix1_desc>& c) {
    tensor_desc& output = *c.tensors[1];
    if (!c.tensors[0]) c.tensors[0] = output;
    switch (random.below(4)) {
      case 0:
        c.tensors[0]->data_type = output.data_type == data_type::int8 ? data_type::uint8 : data_type::int8;
        return "D1";
      case 1:
        c.tensors[0]->sizes = output.sizes.size() < 4 ? concatenate({1}, output.sizes) : output.sizes.slice(1, 4);
        return "D2";
      case 2:
        c.tensors[0]->sizes[random.below(output.sizes.size())] += 1;
        return "D3";
      default:
        c.desc.value = output.data_type == data_type::int8 ? scalar(std::uint8_t{1}) : scalar(std::int8_t{1});
        return "D5";
    }
  }
};

template <>
struct sampler<scatter_nd_desc> {
  static constexpr std::size_t unshared_input = 1;  // broadcast indices would name places twice

  static sampled_case<scatter_nd_desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<scatter_nd_desc>::operands[0], level);
    const dimensions d = random.sizes(1, limits.most_dimensions);
    const std::size_t r = d.size();
    const std::size_t k = 1 + random.below(r);
    const dimensions slice = d.slice(k, r);
    // As many tuples as there are places at the most, so that each can have a place of its own.
    std::uint64_t places = element_count(d.slice(0, k));
    dimensions tuples;
    const std::size_t most_tuple_dimensions =
        (std::min)(limits.most_dimensions - slice.size(), limits.most_dimensions - std::size_t{1});
    for (std::size_t left = random.below(most_tuple_dimensions + 1); left > 0; --left) {
      tuples.push_back(1 + random.below(std::min<std::uint64_t>(places, 6)));
      places /= tuples.back();
    }
    const dimensions i = concatenate(tuples, {k});
    const std::size_t needed =
        (std::max)({r, i.size(), tuples.size() + slice.size(), std::size_t{limits.fewest_dimensions}});
    const std::size_t dimension_count = needed + random.below(limits.most_dimensions - needed + 1);
    const tensor_desc data{.data_type = random.pick(limits.data_types), .sizes = left_pad(d, dimension_count, 1)};
    sampled_case<scatter_nd_desc> result;
    result.desc.input_dimension_count = static_cast<std::uint32_t>(r);
    result.desc.indices_dimension_count = static_cast<std::uint32_t>(i.size());
    tensor_desc updates = data;
    updates.sizes = left_pad(concatenate(tuples, slice), dimension_count, 1);
    result.tensors = {data,
                      tensor_desc{.data_type = random.pick(
                                      limits_at(operator_traits<scatter_nd_desc>::operands[1], level)->data_types),
                                  .sizes = left_pad(i, dimension_count, 1)},
                      updates, data};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<scatter_nd_desc>& c) {
    const std::size_t dimension_count = c.tensors[0]->sizes.size();
    const auto more = [&](dimensions& sizes) { sizes[random.below(sizes.size())] += 1; };
    switch (random.below(8)) {
      case 0:
        if (c.desc.feature_level < feature_level::level_3_0) return "";  // there are 4 dimensions only
        for (tensor_desc* t : {&*c.tensors[0], &*c.tensors[2], &*c.tensors[3]})
          t->sizes = dimension_count < 8 ? concatenate({1}, t->sizes) : t->sizes.slice(1, 8);
        return "S1";
      case 1:
        c.tensors[3]->data_type = c.tensors[0]->data_type == data_type::int8 ? data_type::uint8 : data_type::int8;
        return "S2";
      case 2:
        more(c.tensors[3]->sizes);
        return "S3";
      case 3:
        c.desc.input_dimension_count = static_cast<std::uint32_t>(dimension_count) + 1;
        return "S4";
      case 4:
        if (dimension_count > c.desc.indices_dimension_count)
          c.tensors[1]->sizes[0] = 2;
        else if (dimension_count > c.desc.input_dimension_count)
          c.tensors[0]->sizes[0] = c.tensors[3]->sizes[0] = 2;
        else
          return "";
        return "S5";
      case 5:
        c.tensors[1]->sizes[dimension_count - 1] = c.desc.input_dimension_count + 1;
        return "S6";
      case 6:  // tuples of one coordinate in D - 1 dimensions, slices of D - 1 dimensions
        if (dimension_count < 3) return "";
        c.desc.input_dimension_count = c.desc.indices_dimension_count = static_cast<std::uint32_t>(dimension_count);
        c.tensors[1]->sizes[dimension_count - 1] = 1;
        return "S9";
      default:
        more(c.tensors[2]->sizes);
        return "S7";
    }
  }

  // Indices: each tuple a place of its own, some counted from the end; or, as the class of data says, places named
  // twice or indices out of range.
  static void fill(random_source& random, const scatter_nd_desc& desc, data_class data, std::span<host_tensor> inputs) {
    const scatter_nd_shape shape(desc, inputs[0].desc().sizes, inputs[1].desc().sizes);
    const std::uint64_t places = element_count(shape.places);
    const std::uint64_t pool = data == data_class::collisions ? (std::min)(places, std::uint64_t{3}) : places;
    // A step that has no factor in common with the number of places visits each of them once.
    std::uint64_t step = 1 + random.below(places);
    while (std::gcd(step, places) != 1) ++step;
    const std::uint64_t start = random.below(places);
    visit_data_type(ix_types{}, inputs[1].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const tensor_view<Index> indices = inputs[1].ref().as<Index>();
      std::uint64_t number = 0;
      for (const coordinate_tuple& t : coordinates_of(shape.tuples)) {
        const std::uint64_t turn = data == data_class::collisions ? random.below(pool) : number++;
        const coordinate_tuple place = coordinate_at(shape.places, (start + turn * step) % places);
        for (std::uint32_t j = 0; j < shape.tuple_size; ++j)
          indices[shape.at(t, {j})] = index_of<Index>(random, place[j], shape.places[j], data);
      }
    });
  }

 private:
  template <class Index>
  static Index index_of(random_source& random, std::uint32_t position, std::uint32_t size, data_class data) {
    if (data == data_class::out_of_range && random.chance(30))
      return random.chance(50) ? (std::numeric_limits<Index>::max)() : static_cast<Index>(size);
    const bool from_end = std::is_signed_v<Index> && random.chance(data == data_class::negative_indices ? 80 : 20);
    return static_cast<Index>(from_end ? std::int64_t{position} - size : std::int64_t{position});
  }
};

}  // namespace goldml::oracle
