// Random cases of ONE_HOT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/one_hot.hpp>
#include <goldml/oracle/sampler.hpp>
#include <goldml/reference/one_hot.hpp>

namespace goldml::oracle {

template <>
struct sampler<one_hot_desc> {
  static sampled_case<one_hot_desc> sample(random_source& random, goldml::feature_level level) {
    const auto& operands = operator_traits<one_hot_desc>::operands;
    sampled_case<one_hot_desc> result;
    tensor_desc indices = random_tensor(random, operands[0].limits, level);
    std::size_t axis = random.below(indices.sizes.size());
    for (std::size_t i = 0; i < indices.sizes.size() && indices.sizes[axis] != 1; ++i)  // one of size 1 if there is one
      axis = (axis + 1) % indices.sizes.size();
    indices.sizes[axis] = 1;
    result.desc.axis = static_cast<std::uint32_t>(axis);
    tensor_desc output{.data_type = random.pick(limits_at(operands[2], level)->data_types), .sizes = indices.sizes};
    output.sizes[axis] = static_cast<std::uint32_t>(1 + random.below(9));
    tensor_desc values{.data_type = output.data_type, .sizes = dimensions::filled(output.sizes.size(), 1)};
    values.sizes[random.below(values.sizes.size())] = static_cast<std::uint32_t>(2 + random.below(3));
    if (random.chance(20)) values.sizes[random.below(values.sizes.size())] += 1;
    result.tensors = {indices, values, output};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<one_hot_desc>& c) {
    dimensions &indices = c.tensors[0]->sizes, &output = c.tensors[2]->sizes;
    switch (random.below(3)) {
      case 0:
        indices[c.desc.axis] = 2;
        return "OH4";
      case 1: {
        const std::size_t other = random.below(output.size());
        if (other == c.desc.axis) return "";
        (random.chance(50) ? indices : output)[other] += 1;
        return "OH5";
      }
      default:
        c.tensors[1]->sizes = dimensions::filled(output.size(), 1);
        return "OH6";
    }
  }

  // Indices: most of them on the axis, some counted from its end, some just outside it or far outside.
  static void fill(random_source& random, const one_hot_desc&, data_class data, std::span<host_tensor> inputs) {
    visit_data_type(ix_types{}, inputs[0].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const tensor_view<Index> indices = inputs[0].ref().as<Index>();
      for (const coordinate_tuple& c : coordinates_of(indices.sizes())) indices[c] = index_of<Index>(random, data);
    });
  }

  static constexpr sampler_options<one_hot_desc> options{.fill = &fill};

 private:
  template <class Index>
  static Index index_of(random_source& random, data_class data) {
    const bool is_far = random.chance(data == data_class::out_of_range ? 40 : 5);
    if (is_far && random.chance(50)) return (std::numeric_limits<Index>::max)();
    if (is_far) return std::numeric_limits<Index>::lowest();  // 0 if unsigned
    const bool from_end = std::is_signed_v<Index> && random.chance(data == data_class::negative_indices ? 80 : 20);
    const auto index = static_cast<std::int64_t>(random.below(9));
    return static_cast<Index>(from_end ? -index : index);
  }
};

}  // namespace goldml::oracle
