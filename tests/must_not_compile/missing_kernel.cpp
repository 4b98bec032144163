// The error for a backend without the operator's kernel says which header to include. There is no fallback.
// says: goldml: this backend has no kernel for this operator
#include <goldml/operators/argmin.hpp>
#include <goldml/reference/backend.hpp>
#ifndef MUST_NOT_COMPILE
#include <goldml/reference/argmin.hpp>
#endif

void f(const float* x, std::uint32_t* y) {
  goldml::argmin(goldml::reference, goldml::tensor_view{x, {3}}, goldml::tensor_view{y, {1}}, {.axes = {0}});
}
