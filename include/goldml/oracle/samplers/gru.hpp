// Random cases of GRU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/operators/gru.hpp>
#include <goldml/oracle/samplers/recurrent.hpp>

namespace goldml::oracle {

template <>
struct sampler<gru_desc> : gated_sampler<gru_desc> {
  static constexpr std::array<std::uint32_t, 2> exact_steps{2, 1};  // with FLOAT32 and FLOAT16
  static activation exact_activation(std::size_t which) {
    return which == 0 ? activations::relu() : activations::identity();
  }
  static sampled_case<gru_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<gru_desc> result = gated_sampler<gru_desc>::sample(random, level);
    result.desc.linear_before_reset = random.chance(50);
    return result;
  }
};

}  // namespace goldml::oracle
