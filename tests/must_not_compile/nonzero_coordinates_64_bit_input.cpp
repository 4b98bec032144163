// NONZERO_COORDINATES does not take 64-bit types.
// says: goldml NONZERO_COORDINATES T3 (N7)
#include <goldml/goldml.hpp>

#ifdef MUST_NOT_COMPILE
using input = std::int64_t;
#else
using input = std::int32_t;
#endif

void f(const goldml::tensor<input>& x, goldml::tensor<std::uint32_t>& count, goldml::tensor<std::uint32_t>& rows) {
  goldml::nonzero_coordinates(goldml::reference, x, count, rows);
}
