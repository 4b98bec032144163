// nonzero_coordinates: the number of nonzero elements, and their coordinates. Rows past the count are undefined.
#include <cstdio>

#include <goldml/goldml.hpp>

int main() {
  using namespace goldml;
  const tensor<float> x({2, 4}, {1, 0, 0, 2,  //
                                 -0.0f, 3.5f, 0, -5.2f});
  const auto [count, coordinates] = nonzero_coordinates(reference, x);
  for (std::uint32_t row = 0; row < count; ++row)
    std::printf("(%u,%u)\n", coordinates[{row, 0}], coordinates[{row, 1}]);
}
