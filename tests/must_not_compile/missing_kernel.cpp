// The error for a backend without the operator's kernel says which header to include. There is no fallback.
#include <goldml/operators/argmin.hpp>
#include <goldml/reference/backend.hpp>

void f(const goldml::tensor<float>& x, goldml::tensor<std::uint32_t>& y) {
  goldml::argmin(goldml::reference, x, y, {.axes = {0}});  // says: this backend has no kernel for this operator
}
