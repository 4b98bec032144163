// NONZERO_COORDINATES: the elements at the coordinates of the expected row and of the actual one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <goldml/operators/nonzero_coordinates.hpp>
#include <goldml/oracle/deciding/deciding.hpp>
#include <goldml/oracle/verdicts/nonzero_coordinates.hpp>

namespace goldml::oracle {

template <>
struct deciding<nonzero_coordinates_desc> {
  static std::string text(const nonzero_coordinates_desc&, std::span<const const_tensor_ref> inputs, std::size_t output,
                          const golden_output& expected, const coordinate_tuple& where, const const_tensor_ref& got) {
    if (output == verdict_traits<nonzero_coordinates_desc>::options.count_output) return "";
    return fmt::format("    input:    {}; {}\n", row_text(inputs[0], expected.values.ref(), where),
                       row_text(inputs[0], got, where));
  }

 private:
  // "{0,2} is 3 (0x00000003)"
  static std::string row_text(const const_tensor_ref& input, const const_tensor_ref& rows, coordinate_tuple where) {
    const dimensions& sizes = input.desc().sizes;
    const auto view = rows.as<std::uint32_t>();
    const std::size_t columns = rows.desc().sizes.back();
    coordinate_tuple c = coordinate_tuple::filled(sizes.size(), 0);
    bool inside = true;
    for (std::size_t j = 0; j < columns; ++j) {
      where[where.size() - 1] = static_cast<std::uint32_t>(j);
      c[sizes.size() - columns + j] = view[where];
      inside = inside && view[where] < sizes[sizes.size() - columns + j];
    }
    return fmt::format("{} is {}", c, inside ? detail::element_text(input, c) : "outside the input");
  }
};

}  // namespace goldml::oracle
