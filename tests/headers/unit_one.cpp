// With unit_two.cpp: everything in two translation units links into one program, and both see the same library.
#include "everything.hpp"

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
