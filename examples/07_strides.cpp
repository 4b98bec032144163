// Strides, in elements: a transposed view of the input, and stride 0 to broadcast a row.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <goldml/goldml.hpp>

int main() {
  using namespace goldml;
  const std::vector<float> x{1, 2, 3,  //
                             3, 0, 4};
  std::vector<std::uint32_t> y(3);
  argmin(reference, tensor_view{x, {3, 2}, {1, 3}}, tensor_view{y, {3, 1}}, {.axes = {1}});  // of each column of x
  std::printf("%u %u %u\n", y[0], y[1], y[2]);

  const tensor<float> row({3}, {1, 2, 3});
  std::vector<float> upper(9);
  diagonal_matrix1(reference, tensor_view{row.elements(), {3, 3}, {0, 1}}, tensor_view{upper, {3, 3}},
                   {.value = 0.0f, .diagonal_fill_begin = -2, .diagonal_fill_end = 0});
  for (std::size_t i = 0; i < 9; ++i) std::printf(i % 3 == 2 ? "%g\n" : "%g ", upper[i]);
}
