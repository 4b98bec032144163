// argmin: the index of the least value of each row; the last of equal values wins.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <goldml/goldml.hpp>

int main() {
  using namespace goldml;
  const std::vector<float> x{1, 2, 3,  //
                             3, 0, 4,  //
                             2, 5, 2};
  std::vector<std::uint32_t> y(3);
  argmin(reference, tensor_view{x, {3, 3}}, tensor_view{y, {3, 1}},
         argmin_desc{.axes = {1}, .axis_direction = axis_direction::decreasing});
  std::printf("%u %u %u\n", y[0], y[1], y[2]);
}
