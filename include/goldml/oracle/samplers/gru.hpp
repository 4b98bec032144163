// Random cases of GRU.
#pragma once

#include <goldml/operators/gru.hpp>
#include <goldml/oracle/samplers/recurrent.hpp>

namespace goldml::oracle {

template <>
struct sampler<gru_desc> : gated_sampler<gru_desc> {
  static sampled_case<gru_desc> sample(random_source& random, goldml::feature_level level) {
    sampled_case<gru_desc> result = gated_sampler<gru_desc>::sample(random, level);
    result.desc.linear_before_reset = random.chance(50);
    return result;
  }
};

}  // namespace goldml::oracle
