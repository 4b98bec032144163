// diagonal_matrix1: fills diagonals [begin, end) over zeros or over an input; the upper triangle, like NumPy's triu.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>

#include <goldml/goldml.hpp>

void print(const goldml::tensor<float>& matrix) {
  for (std::uint32_t y = 0; y < matrix.sizes()[0]; ++y) {
    for (std::uint32_t x = 0; x < matrix.sizes()[1]; ++x) std::printf("%g ", matrix[{y, x}]);
    std::printf("\n");
  }
}

int main() {
  using namespace goldml;
  print(diagonal_matrix1<float>(reference, {3, 4}, {.value = 7.0f, .diagonal_fill_begin = 0, .diagonal_fill_end = 2}));

  const tensor<float> matrix({3, 4}, {4, 7, 3, 7, 1, 2, 8, 6, 9, 4, 1, 8});
  constexpr std::int32_t unbounded = std::numeric_limits<std::int32_t>::min();
  print(diagonal_matrix1(reference, matrix, {.value = 0.0f, .diagonal_fill_begin = unbounded, .diagonal_fill_end = 0}));
}
