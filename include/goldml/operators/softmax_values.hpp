// The golden values of SOFTMAX and LOG_SOFTMAX.
#pragma once

#include <type_traits>

#include <goldml/arithmetic/softmax.hpp>
#include <goldml/operators/softmax.hpp>

namespace goldml::detail {

template <softmax_function F>
using softmax_values =
    std::conditional_t<F == softmax_function::softmax, arithmetic::softmax_of, arithmetic::log_softmax_of>;

}  // namespace goldml::detail
