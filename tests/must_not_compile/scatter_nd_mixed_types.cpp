// Input, updates and output have one data type.
// says: goldml SCATTER_ND S2
#include <goldml/goldml.hpp>

#ifdef MUST_NOT_COMPILE
using update = double;
#else
using update = float;
#endif

void f(const goldml::tensor<float>& x, const goldml::tensor<int>& i, const goldml::tensor<update>& u,
       goldml::tensor<float>& y) {
  goldml::scatter_nd(goldml::reference, x, i, u, y, {});
}
