// NumPy's .npy files, written and read back.
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <span>

#include <goldml/goldml.hpp>
#include <goldml/io/npy.hpp>

int main() {
  using namespace goldml;
  const tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto path = std::filesystem::temp_directory_path() / "goldml_example.npy";
  io::write_npy(path, data_type::float32, std::vector<std::uint64_t>{2, 3}, std::as_bytes(std::span(x.elements())));
  const io::npy_array array = io::read_npy(path, /*max_bytes=*/1 << 20);
  std::filesystem::remove(path);

  const const_tensor_ref input({.data_type = array.type, .sizes = dimensions(array.shape)}, array.bytes.data(),
                               array.bytes.size());
  tensor<std::uint32_t> y({2, 1});
  argmin(reference, input, y, {.axes = {1}, .axis_direction = axis_direction::decreasing});
  std::printf("%s %u %u\n", to_string(input.desc()).c_str(), y[{0, 0}], y[{1, 0}]);
}
