// Declares the fit of what a device answered to a call, so that programs that link goldml::compiled need not compile
// it.
#pragma once

#include <span>

#include <goldml/core/tensor_ref.hpp>
#include <goldml/oracle/compare_options.hpp>
#include <goldml/oracle/fit/result.hpp>
#include <goldml/oracle/golden.hpp>
#include <goldml/oracle/golden_calls.hpp>
#ifndef GOLDML_COMPILED
#include <goldml/oracle/fit_of_call.hpp>
#endif

namespace goldml::oracle::detail {

// In oracle/fit_of_call.hpp.
template <class Any>
fit_result fit_of_call(const golden_calls& calls, const void* desc, std::span<const const_tensor_ref> inputs,
                       const golden_output& output, const const_tensor_ref& actual, const compare_options& options);

}  // namespace goldml::oracle::detail
