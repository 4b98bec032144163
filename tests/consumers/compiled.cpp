// A program that uses goldml::compiled: the kernels of its calls of `cpu`, typed or not, are in the library.
#include <goldml/goldml.hpp>

#include <cstdio>

#ifndef GOLDML_COMPILED
#error "goldml::compiled defines GOLDML_COMPILED for whoever links it"
#endif

int main() {
  using namespace goldml;
  const float x[] = {1, 2, 3, 3, 0, 4, 2, 5, 2};
  std::uint32_t y[3] = {}, z[3] = {};
  argmin(cpu, tensor_view{x, {3, 3}}, tensor_view{y, {3, 1}}, {.axes = {1}});
  const const_tensor_ref input({.data_type = data_type::float32, .sizes = {3, 3}}, x, sizeof x);
  const tensor_ref output({.data_type = data_type::uint32, .sizes = {3, 1}}, z, sizeof z);
  argmin(cpu, input, output, {.axes = {1}});
  std::printf("%u %u %u\n", z[0], z[1], z[2]);
  return y[0] == 0 && y[1] == 1 && y[2] == 0 && z[0] == 0 && z[1] == 1 && z[2] == 0 ? 0 : 1;
}
