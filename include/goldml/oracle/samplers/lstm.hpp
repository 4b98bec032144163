// Random cases of LSTM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/operators/lstm.hpp>
#include <goldml/oracle/samplers/recurrent.hpp>

namespace goldml::oracle {

template <>
struct sampler<lstm_desc> : gated_sampler<lstm_desc> {
  static constexpr std::array<std::uint32_t, 2> exact_steps{4, 2};  // with FLOAT32 and FLOAT16
  static activation exact_activation(std::size_t which) {
    return which == 0 ? activations::identity() : activations::relu();
  }
  static sampled_case<lstm_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<lstm_desc> result = gated_sampler<lstm_desc>::sample(random, level);
    result.desc.use_clip_threshold = random.chance(30);
    result.desc.clip_threshold = static_cast<float>(random.below(9)) / 2;
    result.desc.couple_input_forget = random.chance(30);
    return result;
  }
};

}  // namespace goldml::oracle
