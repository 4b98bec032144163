// Recurrent layers, following their pages. States have 128 bits; the elements that are stored are rounded once.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/operators/recurrent_values.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml::detail {

template <class Desc>
struct recurrent_reference {
  // A template, so that only a unit with a call instantiates it for all types.
  template <std::same_as<reference_backend> Backend>
  static void run(const Backend&, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const recurrent_values<Desc, T> t(inputs, outputs, desc);
      check_lengths<Desc>(t);
      for (std::uint32_t direction = 0; direction < t.directions(); ++direction)
        for (std::uint32_t b = 0; b < t.batch(); ++b) {
          auto states = golden_states(t, direction, b);
          using golden = typename recurrent_values<Desc, T>::golden;
          run_sequence(
              t, direction, b,
              [&](std::uint32_t time) {
                states = golden_after(t, direction, states, [&](std::span<const golden> before) {
                  return golden_sums<T, golden>{t, direction, b, time, before};
                });
              },
              [&](std::size_t output, std::uint32_t i) { return t.element(states[i], output); });
        }
    });
  }
};

}  // namespace goldml::detail
