// A device with a classic bug, and the report that shows it: a running minimum that starts from the first element keeps
// a leading NaN forever.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/report.hpp>

// Stands for your kernel: argmin over the last axis of a packed {rows, columns} matrix.
std::vector<std::uint32_t> wrong_argmin(const std::vector<float>& x, std::size_t rows, std::size_t columns) {
  std::vector<std::uint32_t> y(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    float least = x[row * columns];
    for (std::size_t i = 1; i < columns; ++i)
      if (x[row * columns + i] < least) {  // always false once least is NaN
        least = x[row * columns + i];
        y[row] = static_cast<std::uint32_t>(i);
      }
  }
  return y;
}

int main() {
  using namespace goldml;
  const auto line = "ARGMIN InputTensor=FLOAT32{4,6} OutputTensor=UINT32{4,1} Axes={1} data=special seed=1";
  const auto test = oracle::make_case(oracle::parse_case<argmin_desc>(line));

  const auto input = test.inputs[0].ref().as<float>();
  const std::vector<float> x(input.data(), input.data() + 24);
  const tensor<std::uint32_t> y({4, 1}, wrong_argmin(x, 4, 6));

  const std::vector<const_tensor_ref> actual{y.view()};
  const auto judged = oracle::compare(test.expected, actual);
  std::fputs(oracle::report(test.expected, actual, judged, {}, oracle::names_of(test), test.line()).c_str(), stdout);
}
