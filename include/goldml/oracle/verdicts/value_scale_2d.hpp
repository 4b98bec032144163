// What a device may answer to VALUE_SCALE_2D (ledger VS-R1, AR-R4 to AR-R7).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/value_scale_2d.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

template <std::same_as<value_scale_2d_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  // A sum of a product and a number, with two roundings or one.
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes, desc.accumulation};
      const auto x = inputs[0].as<T>();
      const auto y = golden[0].as<T>();
      std::size_t element = 0;
      for (const coordinate_tuple& c : coordinates_of(golden[0].desc().sizes)) {
        sum_terms terms;
        terms.add_product(exact_double(desc.scale), exact_double(T(x[c])));
        terms.add(exact_double(desc.bias[c[1]]));
        const bound b = terms.bound_with(2, mode);
        if (!allows_only(b, T(y[c]))) result[0].allow_interval(element, interval_of<T>(b));
        ++element;
      }
    });
  }
  // For each element a byte and an interval.
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 2>& t) {
    return saturating_multiply(element_count(t[0].desc->sizes), 1 + sizeof(interval));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
