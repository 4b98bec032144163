// Random cases of SCATTER_ELEMENTS.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/scatter_elements.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<scatter_elements_desc> {
  static sampled_case<scatter_elements_desc> sample(random_source& random, goldml::feature_level level) {
    const auto& operands = operator_traits<scatter_elements_desc>::operands;
    const tensor_desc data = random_tensor(random, operands[0].limits, level);
    sampled_case<scatter_elements_desc> result;
    result.desc.axis = static_cast<std::uint32_t>(random.below(data.sizes.size()));
    // At most as many indices along the axis as places, so that they can be distinct.
    tensor_desc indices{.data_type = random.pick(limits_at(operands[1], level)->data_types), .sizes = data.sizes};
    indices.sizes[result.desc.axis] = static_cast<std::uint32_t>(1 + random.below(data.sizes[result.desc.axis]));
    const tensor_desc updates{.data_type = data.data_type, .sizes = indices.sizes};
    result.tensors = {data, indices, updates, data};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<scatter_elements_desc>& c) {
    const std::size_t i = random.below(c.tensors[0]->sizes.size());
    const std::size_t changed = 1 + random.below(3);
    if (changed == 1 && i == c.desc.axis) return "";
    c.tensors[changed]->sizes[i] += 1;
    return changed == 1 ? "SE4" : changed == 2 ? "SE5" : "SE6";
  }

  // Indices: distinct along the axis, some counted from the end; or, depending on the class of data, duplicate places
  // or indices out of range.
  static void fill(random_source& random, const scatter_elements_desc& desc, data_class data,
                   std::span<host_tensor> inputs) {
    const std::uint64_t size = inputs[0].desc().sizes[desc.axis];
    dimensions sequences = inputs[1].desc().sizes;
    const std::uint32_t count = sequences[desc.axis];
    sequences[desc.axis] = 1;
    visit_data_type(ix_types{}, inputs[1].desc().data_type, [&]<class Index>(std::type_identity<Index>) {
      const tensor_view<Index> indices = inputs[1].ref().as<Index>();
      for (coordinate_tuple c : coordinates_of(sequences)) {
        // A step coprime to the number of places visits each of them once.
        std::uint64_t step = 1 + random.below(size);
        while (std::gcd(step, size) != 1) ++step;
        const std::uint64_t start = random.below(size);
        for (std::uint32_t i = 0; i < count; ++i) {
          c[desc.axis] = i;
          const std::uint64_t turn =
              data == data_class::collisions ? random.below((std::min)(size, std::uint64_t{3})) : i;
          indices[c] = index_of<Index>(random, (start + turn * step) % size, size, data);
        }
      }
    });
  }

  // Broadcast indices would be duplicates.
  static constexpr sampler_options<scatter_elements_desc> options{.fill = &fill, .unshared_input = 1};

 private:
  template <class Index>
  static Index index_of(random_source& random, std::uint64_t position, std::uint64_t size, data_class data) {
    if (data == data_class::out_of_range && random.chance(30))
      return random.chance(50) ? (std::numeric_limits<Index>::max)() : static_cast<Index>(size);
    const bool from_end = std::is_signed_v<Index> && random.chance(data == data_class::negative_indices ? 80 : 20);
    return static_cast<Index>(from_end ? position - size : position);
  }
};

}  // namespace goldml::oracle
