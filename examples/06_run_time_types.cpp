// tensor_ref: the same call with data types known only at run time; and evaluate(), the common call of all
// operators.
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <goldml/goldml.hpp>

int main() {
  using namespace goldml;
  const std::vector<std::int8_t> x{5, -3, 7, -3};
  std::vector<std::int64_t> y(1);
  const const_tensor_ref input({.data_type = data_type::int8, .sizes = {4}}, x.data(), x.size());
  const tensor_ref output({.data_type = data_type::int64, .sizes = {1}}, y.data(), sizeof(std::int64_t));

  argmin(reference, input, output, {.axes = {0}});
  std::printf("%d\n", static_cast<int>(y[0]));

  evaluate(reference, argmin_desc{.axes = {0}, .axis_direction = axis_direction::decreasing}, std::array{input},
           std::array{output});
  std::printf("%d\n", static_cast<int>(y[0]));
}
