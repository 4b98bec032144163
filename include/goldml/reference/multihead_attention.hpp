// MULTIHEAD_ATTENTION and MULTIHEAD_ATTENTION1, following their pages.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/core/rounding.hpp>
#include <goldml/operators/multihead_attention_row.hpp>
#include <goldml/operators/multihead_attention_values.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

template <attention_operator Desc>
struct kernel<Desc, reference_backend> {
  // A template, so that only a unit with a call instantiates it for all types.
  template <std::same_as<reference_backend> Backend>
  static void run(const Backend&, std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs,
                  const Desc& desc) {
    visit_data_type(type_list<float, float16>{}, outputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const detail::attention_call<T> call(desc, inputs, outputs);
      call.check_lengths();
      call.store_presents([](double x, double bias) { return rounded<T>(x + bias); });
      for (std::uint64_t number = 0; number < call.row_count(); ++number) {
        const detail::attention_row_place at = call.row(number);
        detail::attention_row<T> row(call, at);
        for (std::uint32_t d = 0; d < call.z.dv; ++d) call.output.at(at.b, at.n, at.i, d) = row.element(d);
      }
    });
  }
};

}  // namespace goldml
