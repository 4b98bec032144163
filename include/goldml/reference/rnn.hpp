// RNN, following its page.
#pragma once

#include <goldml/operators/rnn_values.hpp>
#include <goldml/reference/recurrent.hpp>

namespace goldml {

template <>
struct kernel<rnn_desc, reference_backend> : detail::recurrent_reference<rnn_desc> {};

}  // namespace goldml
