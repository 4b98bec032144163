// A third-party backend: a type, and `kernel` specialised for each operator that it supports. A kernel gets operands
// that have passed every rule. An operator without a kernel is a compile error; there is no fallback to another
// backend.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <goldml/goldml.hpp>

struct my_device {
  const char* name;
};

template <>
struct goldml::kernel<goldml::nonzero_coordinates_desc, my_device> {
  template <class T>
  static void run(const my_device& device, const tensor_view<const T>& input, const tensor_view<std::uint32_t>& count,
                  const tensor_view<std::uint32_t>& rows, const nonzero_coordinates_desc& desc) {
    std::printf("on %s\n", device.name);
    kernel<nonzero_coordinates_desc, reference_backend>::run(reference, input, count, rows, desc);  // your code here
  }
};

int main() {
  const std::vector<std::int32_t> x{0, 7, 0, 9};
  std::vector<std::uint32_t> count(1);
  std::vector<std::uint32_t> rows(4);
  goldml::nonzero_coordinates(my_device{"my device"}, x, count, goldml::tensor_view{rows, {4, 1}});
  std::printf("%u: %u %u\n", count[0], rows[0], rows[1]);
}
