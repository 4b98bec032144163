// Random cases of SCATTER_ND.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/operators/scatter_nd.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<scatter_nd_desc> {
  static sampled_case<scatter_nd_desc> sample(random_source& random, goldml::feature_level level) {
    const operand_limits& limits = *limits_at(operator_traits<scatter_nd_desc>::operands[0], level);
    const dimensions d = random.sizes(1, limits.most_dimensions);
    const std::size_t r = d.size();
    const std::size_t k = 1 + random.below(r);
    const dimensions slice = d.slice(k, r);
    // At most as many tuples as places, so that tuples can be distinct.
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
    switch (random.below(5)) {
      case 0:
        c.desc.input_dimension_count = static_cast<std::uint32_t>(dimension_count) + 1;
        return "S4";
      case 1:
        if (dimension_count > c.desc.indices_dimension_count)
          c.tensors[1]->sizes[0] = 2;
        else if (dimension_count > c.desc.input_dimension_count)
          c.tensors[0]->sizes[0] = c.tensors[3]->sizes[0] = 2;
        else
          return "";
        return "S5";
      case 2:
        c.tensors[1]->sizes[dimension_count - 1] = c.desc.input_dimension_count + 1;
        return "S6";
      case 3:  // tuples of one coordinate in D - 1 dimensions, slices of D - 1 dimensions
        if (dimension_count < 3) return "";
        c.desc.input_dimension_count = c.desc.indices_dimension_count = static_cast<std::uint32_t>(dimension_count);
        c.tensors[1]->sizes[dimension_count - 1] = 1;
        return "S9";
      default:
        c.tensors[2]->sizes[random.below(dimension_count)] += 1;
        return "S7";
    }
  }

  // Indices: distinct tuples, some counted from the end; or, depending on the class of data, duplicate places
  // or indices out of range.
  static void fill(random_source& random, const scatter_nd_desc& desc, data_class data, std::span<host_tensor> inputs) {
    const scatter_nd_shape shape(desc, inputs[0].desc().sizes, inputs[1].desc().sizes);
    const std::uint64_t places = element_count(shape.places);
    const std::uint64_t pool = data == data_class::collisions ? (std::min)(places, std::uint64_t{3}) : places;
    // A step coprime to the number of places visits each of them once.
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

  // Broadcast indices would be duplicates.
  static constexpr sampler_options<scatter_nd_desc> options{.fill = &fill, .unshared_input = 1};

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
