// What a device may answer to NONZERO_COORDINATES.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/core/verdict.hpp>
#include <goldml/operators/nonzero_coordinates.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

template <std::same_as<nonzero_coordinates_desc> Desc>
struct verdict_traits<Desc> {
  // Rows past the count are undefined.
  static void verdicts(const nonzero_coordinates_desc&, std::span<const const_tensor_ref>,
                       std::span<const tensor_ref> golden, std::span<output_verdicts> result) {
    const auto count = golden[0].as<std::uint32_t>();
    const std::size_t defined = count[dimensions::filled(count.sizes().size(), 0)];
    for (std::size_t element = defined * golden[1].desc().sizes.back(); element < result[1].size(); ++element)
      result[1].make_undefined(element);
  }

  static constexpr verdict_options<Desc> options{
      .verdicts = &verdicts, .flush_of = &flush_always<flushed_answer::whole>, .count_output = 0};
};

}  // namespace goldml::oracle
