// FILL_VALUE_SEQUENCE, following its page and the ledger (L65).
#pragma once

#include <cstdint>
#include <type_traits>

#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/rounding.hpp>
#include <goldml/operators/fill_value_sequence.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<fill_value_sequence_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<T>& output, const fill_value_sequence_desc& desc) {
    if constexpr (std::is_integral_v<T>) {
      const auto start = static_cast<std::uint64_t>(desc.value_start.as<T>());
      const auto delta = static_cast<std::uint64_t>(desc.value_delta.as<T>());
      std::uint64_t number = 0;  // of c in row-major order
      for (const coordinate_tuple& c : coordinates_of(output.sizes()))
        output[c] = static_cast<T>(start + number++ * delta);  // modulo 2^64, and then modulo 2^bits
    } else {
      const T start = desc.value_start.as<T>();
      const double delta = exact_double(desc.value_delta.as<T>());
      std::uint64_t number = 0;
      T value = start;
      for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
        if (number > 0 && desc.sequence == sequence::accumulate)
          value = goldml::rounded<T>(value_of_sequence(exact_double(value), 1, delta));
        else if (number > 0)
          value = goldml::rounded<T>(value_of_sequence(exact_double(start), number, delta));
        output[c] = value;
        ++number;
      }
    }
  }
};

}  // namespace goldml
