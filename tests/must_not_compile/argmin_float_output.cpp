// An index cannot be FLOAT32.
// says: goldml ARGMIN T3 (A9)
#include <goldml/goldml.hpp>

#ifdef MUST_NOT_COMPILE
using output = float;
#else
using output = std::int64_t;
#endif

void f(const float* x, output* y) {
  goldml::argmin(goldml::reference, goldml::tensor_view{x, {3}}, goldml::tensor_view{y, {1}}, {.axes = {0}});
}
