// ARGMIN does not take FLOAT64.
// says: goldml ARGMIN T3 (A11)
#include <goldml/goldml.hpp>

#ifdef MUST_NOT_COMPILE
using input = double;
#else
using input = float;
#endif

void f(const input* x, std::uint32_t* y) {
  goldml::argmin(goldml::reference, goldml::tensor_view{x, {3}}, goldml::tensor_view{y, {1}}, {.axes = {0}});
}
