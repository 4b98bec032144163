// Random cases of REVERSE_SUBSEQUENCES.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/reverse_subsequences.hpp>
#include <goldml/oracle/sampler.hpp>

namespace goldml::oracle {

template <>
struct sampler<reverse_subsequences_desc> {
  static sampled_case<reverse_subsequences_desc> sample(random_source& random, goldml::feature_level level) {
    const auto& operands = operator_traits<reverse_subsequences_desc>::operands;
    sampled_case<reverse_subsequences_desc> result;
    const tensor_desc data = random_tensor(random, operands[0].limits, level);
    result.desc.axis = static_cast<std::uint32_t>(random.below(data.sizes.size()));
    tensor_desc lengths{.data_type = random.pick(limits_at(operands[1], level)->data_types), .sizes = data.sizes};
    lengths.sizes[result.desc.axis] = 1;
    result.tensors = {data, lengths, data};
    return result;
  }

  static std::string_view break_rule(random_source& random, sampled_case<reverse_subsequences_desc>& c) {
    const std::size_t i = random.below(c.tensors[1]->sizes.size());
    if (random.chance(50)) {
      c.tensors[2]->sizes[i] += 1;
      return "RS6";
    }
    c.tensors[1]->sizes[i] += 1;
    return i == c.desc.axis ? "RS4" : "RS5";
  }

  // Lengths: from 0 to the size of the axis, and some above it, which mean the whole sequence.
  static void fill(random_source& random, const reverse_subsequences_desc& desc, data_class data,
                   std::span<host_tensor> inputs) {
    const std::uint32_t size = inputs[0].desc().sizes[desc.axis];
    visit_data_type(type_list<std::uint32_t, std::uint64_t>{}, inputs[1].desc().data_type,
                    [&]<class Length>(std::type_identity<Length>) {
                      const tensor_view<Length> lengths = inputs[1].ref().as<Length>();
                      for (const coordinate_tuple& c : coordinates_of(lengths.sizes()))
                        lengths[c] = length_of<Length>(random, size, data);
                    });
  }

  static constexpr sampler_options<reverse_subsequences_desc> options{.fill = &fill};

 private:
  template <class Length>
  static Length length_of(random_source& random, std::uint32_t size, data_class data) {
    if (random.chance(data == data_class::out_of_range ? 60 : 10)) {
      if (random.chance(50)) return static_cast<Length>(std::uint64_t{size} + 1 + random.below(4));
      // The low 32 bits of a length of 64 bits alone would be too short.
      constexpr Length most = (std::numeric_limits<Length>::max)();
      return sizeof(Length) == 8 && random.chance(50) ? static_cast<Length>(most / 2 + 1) : most;
    }
    return static_cast<Length>(random.below(std::uint64_t{size} + 1));
  }
};

}  // namespace goldml::oracle
