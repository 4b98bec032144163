// Random cases of LSTM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/operators/lstm.hpp>
#include <goldml/oracle/samplers/recurrent.hpp>

namespace goldml::oracle {

template <>
struct sampler<lstm_desc> : recurrent_sampler<lstm_desc> {
  static sampled_case<lstm_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<lstm_desc> result = recurrent_sampler<lstm_desc>::sample(random, level);
    result.desc.use_clip_threshold = random.chance(30);
    result.desc.clip_threshold = static_cast<float>(random.below(9)) / 2;
    result.desc.couple_input_forget = random.chance(30);
    return result;
  }
  // Mostly SIGMOID for the gates, and TANH elsewhere.
  static activation any_activation(random_source& random, std::size_t which) {
    using enum arithmetic::activation_type;
    constexpr std::array types{identity, relu, arithmetic::activation_type::tanh, softsign};
    const auto usual = which == 0 ? arithmetic::activation_type::sigmoid : arithmetic::activation_type::tanh;
    return {static_cast<std::uint32_t>(random.chance(60) ? usual : types[random.below(types.size())])};
  }
};

}  // namespace goldml::oracle
