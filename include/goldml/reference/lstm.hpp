// LSTM, following its page.
#pragma once

#include <goldml/operators/lstm_values.hpp>
#include <goldml/reference/recurrent.hpp>

namespace goldml {

template <>
struct kernel<lstm_desc, reference_backend> : detail::recurrent_reference<lstm_desc> {};

}  // namespace goldml
