// The backend's headers after <windows.h> with all its macros or, on other systems, after macros of the same names.
// Also the two calls of the documentation, on host memory.
#include "catch.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <fmt/format.h>

#include "../headers/windows_macros.hpp"

#include <goldml/d3d12/d3d12.hpp>

#include "gpu.hpp"

using namespace goldml;

TEST_CASE("d3d12: the same call as on a CPU, with a device as backend") {
  const d3d12::device gpu = gpus::open();
  const std::vector<float> x{1, 2, 3, 3, 0, 4, 2, 5, 2};
  std::vector<std::uint32_t> y(3);
  argmin(gpu, tensor_view{x, {3, 3}}, tensor_view{y, {3, 1}}, {.axes = {1}});
  CHECK(y == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(refusal_of([&] { argmin(gpu, tensor_view{x, {3, 3}}, tensor_view{y, {3, 1}}, {.axes = {0}}); }) == "A2");

  // Owning tensors, and the other operators.
  const tensor<float> matrix({2, 2}, {0, 7, -0.0f, 9});
  tensor<std::uint32_t> count({1}), coordinates({4, 2});
  nonzero_coordinates(gpu, matrix, count, coordinates);
  CHECK(count.elements()[0] == 2);
  CHECK(coordinates.elements()[3] == 1);
  const tensor<float> triangle =
      diagonal_matrix1(gpu, matrix, {.value = 5.0f, .diagonal_fill_begin = 1, .diagonal_fill_end = 2});
  CHECK(triangle.elements()[1] == 5);
  const tensor<float> scattered =
      scatter_nd(gpu, matrix, tensor<std::int64_t>({1, 2}, {-1, 0}), tensor<float>({1, 1}, {3}),
                 {.input_dimension_count = 2, .indices_dimension_count = 1});
  CHECK(scattered.elements()[2] == 3);
}
