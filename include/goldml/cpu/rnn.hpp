// RNN on the CPU.
#pragma once

#include <goldml/cpu/engine/recurrent.hpp>
#include <goldml/operators/rnn_values.hpp>

namespace goldml {

template <>
struct kernel<rnn_desc, cpu_backend> : detail::recurrent_on_cpu<rnn_desc> {};

}  // namespace goldml
