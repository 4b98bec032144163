// A user's first program, built by each kind of consumer.
#include <goldml/goldml.hpp>

#include <cstdio>

int main() {
  const float x[] = {1, 2, 3, 3, 0, 4, 2, 5, 2};
  std::uint32_t y[3] = {};
  goldml::argmin(goldml::reference, goldml::tensor_view{x, {3, 3}}, goldml::tensor_view{y, {3, 1}}, {.axes = {1}});
  std::printf("%u %u %u\n", y[0], y[1], y[2]);
  return y[0] == 0 && y[1] == 1 && y[2] == 0 ? 0 : 1;
}
