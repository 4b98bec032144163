// Input and output have one data type.
// says: goldml DIAGONAL_MATRIX1 D1
#include <goldml/goldml.hpp>

#ifdef MUST_NOT_COMPILE
using output = double;
#else
using output = float;
#endif

void f(const goldml::tensor<float>& x, goldml::tensor<output>& y) {
  goldml::diagonal_matrix1(goldml::reference, x, y, {});
}
