// RNN, following its page. A hidden state has 128 bits; the elements that are stored are rounded once.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/operators/rnn.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <>
struct kernel<rnn_desc, reference_backend> {
  // A template, so that only a unit with a call instantiates it for all types.
  template <std::same_as<reference_backend> Backend>
  static void run(const Backend&, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const rnn_desc& desc) {
    visit_data_type(type_list<float, float16>{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto t = detail::rnn_operands_of<T>(inputs, outputs, desc);
      detail::check_lengths(t);
      for (std::uint32_t direction = 0; direction < t.directions(); ++direction)
        for (std::uint32_t b = 0; b < t.batch(); ++b) run_sequence<T>(t, direction, b);
    });
  }

 private:
  template <class T>
  static void run_sequence(const detail::rnn_operands<T>& t, std::uint32_t direction, std::uint32_t b) {
    const std::uint32_t length = t.length(b);
    const activation& f = t.f(direction);
    std::vector<detail::hidden_number> h = t.initial_state(direction, b);
    if (t.single)
      for (std::uint32_t i = 0; i < t.hidden_size(); ++i)  // what remains if the length is 0
        (*t.single)[{0, direction, b, i}] = rounded<T>(t.initial(direction, b, i));
    for (std::uint32_t n = 0; n < length; ++n) {
      const std::uint32_t time = t.time(direction, length, n);
      std::vector<detail::hidden_number> next;
      for (std::uint32_t i = 0; i < t.hidden_size(); ++i) {
        const detail::extended_sum sum = t.sum(direction, b, time, i, h);
        next.push_back(detail::hidden_of(f, sum));
        const T element = arithmetic::fused_rounded<T>(f, sum);
        if (t.sequence) (*t.sequence)[{time, direction, b, i}] = element;
        if (t.single) (*t.single)[{0, direction, b, i}] = element;
      }
      h = next;
    }
    for (std::uint32_t time = length; t.sequence && time < t.steps(); ++time)
      for (std::uint32_t i = 0; i < t.hidden_size(); ++i) (*t.sequence)[{time, direction, b, i}] = T(0.0F);
  }
};

}  // namespace goldml
