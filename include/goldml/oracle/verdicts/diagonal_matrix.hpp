// What a device may answer to DIAGONAL_MATRIX (ledger L18).
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/float16.hpp>
#include <goldml/core/number.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/diagonal_matrix.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

template <std::same_as<diagonal_matrix_desc> Desc>
struct verdict_traits<Desc> {
  // An inexact FLOAT16 value may be either neighbour, because its rounding is not specified.
  static void verdicts(const diagonal_matrix_desc& desc, std::span<const const_tensor_ref>,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    if (golden[0].desc().data_type != data_type::float16) return;
    const auto rounded = static_cast<float16>(desc.value);
    const double wanted = goldml::detail::widened(desc.value);
    const double back = static_cast<double>(rounded);
    if (is_nan(desc.value) || back == wanted) return;
    // The neighbour on the other side of the value.
    const bool above = back > wanted;
    const auto bits = std::bit_cast<std::uint16_t>(rounded);
    const bool negative = (bits & 0x8000) != 0;
    std::uint16_t neighbour = static_cast<std::uint16_t>(above == negative ? bits + 1 : bits - 1);
    if ((bits & 0x7FFF) == 0) neighbour = above ? std::uint16_t{0x8001} : std::uint16_t{0x0001};
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(golden[0].desc().sizes)) {
      if (is_on_diagonal(c, desc.offset)) result[0].allow(element, std::bit_cast<float16>(neighbour));
      ++element;
    }
  }

  static constexpr verdict_options<Desc> options{.verdicts = &verdicts};
};

}  // namespace goldml::oracle
