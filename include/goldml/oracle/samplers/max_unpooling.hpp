// Random cases of MAX_UNPOOLING.
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
#include <goldml/operators/max_unpooling.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<max_unpooling_desc> {
  static sampled_case<max_unpooling_desc> sample(random_source& random, goldml::feature_level level) {
    const auto& operands = operator_traits<max_unpooling_desc>::operands;
    const tensor_desc input{.data_type = random.pick(limits_at(operands[0], level)->data_types),
                            .sizes = random.sizes(4, 4)};
    const tensor_desc indices{.data_type = random.pick(limits_at(operands[1], level)->data_types),
                              .sizes = input.sizes};
    // Windows of up to 3 elements in two dimensions; or any sizes, so that there may be fewer places than indices.
    tensor_desc output = input;
    if (random.chance(80)) {
      const std::uint64_t room = room_to_grow(random, input.sizes);
      for (std::size_t i = 2; i < 4; ++i)
        output.sizes[i] = static_cast<std::uint32_t>(output.sizes[i] * (1 + random.below(room < 9 ? 2 : 3)));
    } else {
      output.sizes = random.sizes(4, 4);
    }
    return {{}, {input, indices, output}};
  }

  // Indices: each place once, some out of range; or, depending on the class of data, places more than once or many
  // indices out of range.
  static void fill(random_source& random, const max_unpooling_desc&, data_class data, std::span<host_tensor> inputs) {
    // The output's sizes are not known here. Places go beyond the input's number of elements, as in most outputs.
    const bool collide = data == data_class::collisions;
    const std::uint64_t places = element_count(inputs[1].desc().sizes) * (collide ? 1 : 1 + random.below(6));
    const std::uint64_t pool = (std::min)(places, std::uint64_t{3});  // of collisions
    std::uint64_t step = 1 + random.below(places);  // coprime to the number of places: visits each of them once
    while (std::gcd(step, places) != 1) ++step;
    const std::uint64_t start = random.below(places);
    visit_data_type(type_list<std::uint32_t, std::uint64_t>{}, inputs[1].desc().data_type,
                    [&]<class Index>(std::type_identity<Index>) {
                      const tensor_view<Index> indices = inputs[1].ref().as<Index>();
                      std::uint64_t number = 0;
                      for (const coordinate_tuple& c : coordinates_of(indices.sizes())) {
                        const std::uint64_t turn = collide ? random.below(pool) : number++;
                        indices[c] = static_cast<Index>((start + turn * step) % places);
                        if (random.chance(data == data_class::out_of_range ? 30 : 2))
                          indices[c] = (std::numeric_limits<Index>::max)();
                      }
                    });
  }

  // Broadcast indices would be duplicates.
  static constexpr sampler_options<max_unpooling_desc> options{.fill = &fill, .unshared_input = 1};
};

}  // namespace goldml::oracle
