// Random cases of RNN.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/operators/rnn.hpp>
#include <goldml/oracle/samplers/recurrent.hpp>

namespace goldml::oracle {

template <>
struct sampler<rnn_desc> : recurrent_sampler<rnn_desc> {
  static constexpr std::array<std::uint32_t, 2> exact_steps{100, 100};  // with FLOAT32 and FLOAT16
  static activation exact_activation(std::size_t) { return activations::relu(); }
  static activation any_activation(random_source& random, std::size_t) {
    using enum arithmetic::activation_type;
    constexpr std::array types{identity, relu, arithmetic::activation_type::tanh};
    return {static_cast<std::uint32_t>(types[random.below(types.size())])};
  }
};

}  // namespace goldml::oracle
