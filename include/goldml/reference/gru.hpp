// GRU, following its page.
#pragma once

#include <goldml/operators/gru_values.hpp>
#include <goldml/reference/recurrent.hpp>

namespace goldml {

template <>
struct kernel<gru_desc, reference_backend> : detail::recurrent_reference<gru_desc> {};

}  // namespace goldml
