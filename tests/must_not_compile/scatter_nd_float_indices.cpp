// The page's own example prints FLOAT32 indices; no level takes them.
// says: goldml SCATTER_ND T3 (S8)
#include <goldml/goldml.hpp>

#ifdef MUST_NOT_COMPILE
using index_type = float;
#else
using index_type = std::int32_t;
#endif

void f(const goldml::tensor<float>& x, const goldml::tensor<index_type>& i, goldml::tensor<float>& y) {
  goldml::scatter_nd(goldml::reference, x, i, x, y, {});
}
