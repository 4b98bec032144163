// The code of docs/directml.md. Part of test_directml.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/cpu/cpu.hpp>
#include <goldml/directml/from_directml.hpp>

#include "catch.hpp"

using namespace goldml;

namespace {

// The index of the least element of each row of x, computed from the same structure that DirectML gets.
std::vector<std::uint32_t> least_of_rows(const std::vector<float>& x, UINT axis) {
  const UINT input_sizes[] = {2, 3}, output_sizes[] = {2, 1};
  const DML_BUFFER_TENSOR_DESC input_buffer = {
      DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, input_sizes, nullptr, 24, 0};
  const DML_BUFFER_TENSOR_DESC output_buffer = {
      DML_TENSOR_DATA_TYPE_UINT32, DML_TENSOR_FLAG_NONE, 2, output_sizes, nullptr, 8, 0};
  const DML_TENSOR_DESC input = {DML_TENSOR_TYPE_BUFFER, &input_buffer};
  const DML_TENSOR_DESC output = {DML_TENSOR_TYPE_BUFFER, &output_buffer};
  const DML_ARGMIN_OPERATOR_DESC argmin = {&input, &output, 1, &axis, DML_AXIS_DIRECTION_INCREASING};
  const DML_OPERATOR_DESC desc = {DML_OPERATOR_ARGMIN, &argmin};

  if (const auto broken = directml::validate(desc)) throw std::runtime_error(to_string(*broken));
  std::vector<std::uint32_t> y(2);
  directml::evaluate(cpu, desc, {x}, {y});
  return y;
}

}  // namespace

TEST_CASE("directml: the code of the page") {
  CHECK(least_of_rows({3, 1, 2, 0, 5, -1}, 1) == std::vector<std::uint32_t>{1, 2});
  std::string message;
  try {
    least_of_rows({3, 1, 2, 0, 5, -1}, 2);
  } catch (const std::runtime_error& e) {
    message = e.what();
  }
  CHECK(message.substr(0, 55) == "ARGMIN A4: Axes[0] is 2, wanted below DimensionCount 2 ");
}
