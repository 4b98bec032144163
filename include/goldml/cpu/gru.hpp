// GRU on the CPU.
#pragma once

#include <goldml/cpu/engine/recurrent.hpp>
#include <goldml/operators/gru_values.hpp>

namespace goldml {

template <>
struct kernel<gru_desc, cpu_backend> : detail::recurrent_on_cpu<gru_desc> {};

}  // namespace goldml
