// LSTM on the CPU.
#pragma once

#include <goldml/cpu/engine/recurrent.hpp>
#include <goldml/operators/lstm_values.hpp>

namespace goldml {

template <>
struct kernel<lstm_desc, cpu_backend> : detail::recurrent_on_cpu<lstm_desc> {};

}  // namespace goldml
