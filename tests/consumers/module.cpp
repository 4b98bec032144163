// The first program of README.md with `import goldml;`.
#include <cstdint>
#include <cstdio>
#include <vector>

import goldml;

int main() {
  using namespace goldml;
  const std::vector<float> x{1, 2, 3, 3, 0, 4, 2, 5, 2};
  std::vector<std::uint32_t> y(3);
  argmin(cpu, tensor_view{x, {3, 3}}, tensor_view{y, {3, 1}}, {.axes = {1}});
  std::printf("%u %u %u\n", y[0], y[1], y[2]);

  const tensor_desc input{.data_type = data_type::float32, .sizes = {3, 3}};
  const tensor_desc output{.data_type = data_type::uint32, .sizes = {3, 3}};
  if (const auto broken = validate(argmin_desc{.axes = {1}}, input, output)) std::puts(to_string(*broken).c_str());
}
