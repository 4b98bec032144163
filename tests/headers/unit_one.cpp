// With unit_two.cpp: every public header in two translation units links into one program, and both see the same library.
// Here all of them come after <windows.h> with its macros.
#ifdef _WIN32
#include <windows.h>
#endif

#include "libraries.hpp"
// After all headers that are not goldml's.
#include "windows_macros.hpp"
// After the macros.
#include "device_headers.hpp"
#include "host_headers.hpp"

std::vector<std::uint32_t> least_of_rows_in_unit_two(const std::vector<float>& x);

std::vector<std::uint32_t> least_of_rows(const std::vector<float>& x) {
  std::vector<std::uint32_t> y(2);
  goldml::argmin(goldml::reference, goldml::tensor_view{x, {2, 2}}, goldml::tensor_view{y, {2, 1}}, {.axes = {1}});
  return y;
}

int main() {
  const std::vector<float> x{3, 1, 2, 4};
  const bool agree = least_of_rows(x) == least_of_rows_in_unit_two(x) &&
                     least_of_rows(x) == std::vector<std::uint32_t>{1, 0} &&
                     goldml::io::parse_json("[]").IsArray();
  fmt::print("two units {}\n", agree ? "agree" : "differ");
  return agree ? 0 : 1;
}
