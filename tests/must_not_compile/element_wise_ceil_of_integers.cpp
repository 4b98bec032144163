// Element-wise operators: a data type that no feature level has.
// says: ELEMENT_WISE T3
#include <cstdint>
#include <vector>

#include <goldml/reference/element_wise.hpp>

int main() {
  using namespace goldml;
#ifdef MUST_NOT_COMPILE
  std::vector<std::int32_t> x{1, 2};
#else
  std::vector<float> x{1, 2};
#endif
  element_wise_ceil(reference, x, x);
}
