// With unit_one.cpp. Here <windows.h> comes after the headers of the CPU backends and before those of devices,
// which include it themselves.
#include "../catch.hpp"

#include "host_headers.hpp"
// After them.
#include "windows_macros.hpp"
// After the macros.
#include "device_headers.hpp"

std::vector<std::uint32_t> least_of_rows_in_unit_two(const std::vector<float>& x) {
  std::vector<std::uint32_t> y(2);
  goldml::argmin(goldml::reference, goldml::tensor_view{x, {2, 2}}, goldml::tensor_view{y, {2, 1}}, {.axes = {1}});
  return y;
}
