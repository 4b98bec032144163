// Element-wise operators: one data type for the operands that must match, where it is known when compiling.
// says: these operands have the same data type
#include <cstdint>
#include <vector>

#include <goldml/reference/element_wise.hpp>

int main() {
  using namespace goldml;
  const std::vector<float> a{1, 2};
#ifdef MUST_NOT_COMPILE
  const std::vector<std::int32_t> b{3, 4};
#else
  const std::vector<float> b{3, 4};
#endif
  std::vector<float> output(2);
  element_wise_min(reference, a, b, output);
}
