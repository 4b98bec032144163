// Random cases of ACTIVATION_HARDMAX and ACTIVATION_HARDMAX1.
#pragma once

#include <goldml/operators/hardmax.hpp>
#include <goldml/oracle/samplers/softmax.hpp>

namespace goldml::oracle {

template <goldml::detail::hardmax_operator Desc>
struct sampler<Desc> : detail::softmax_sampler<Desc> {
  using base = detail::softmax_sampler<Desc>;
  static constexpr sampler_options<Desc> options{.suit = base::has_axes ? &base::suit : nullptr};
};

}  // namespace goldml::oracle
