// The operators that copy elements of one input, without looking at their values: `reference` as a loop over the
// output.
#pragma once

#include <optional>
#include <type_traits>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

// An operator with a function origin_of(desc, input_sizes, output_sizes, c): the place in the input of the element that
// is copied to c, or nullopt if none is. Such an element is zero, or filler(desc, std::type_identity<T>{}) if there is
// that function.
template <class Desc>
concept has_origin = requires(const Desc& desc, const dimensions& sizes, const coordinate_tuple& c) {
  origin_of(desc, sizes, sizes, c);
};

template <has_origin Desc>
struct kernel<Desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& input, const tensor_view<T>& output,
                  const Desc& desc) {
    T rest(0);
    if constexpr (requires { filler(desc, std::type_identity<T>{}); }) rest = filler(desc, std::type_identity<T>{});
    for (const coordinate_tuple& c : coordinates_of(output.sizes())) {
      const std::optional<coordinate_tuple> from = origin_of(desc, input.sizes(), output.sizes(), c);
      output[c] = from ? input[*from] : rest;
    }
  }
};

}  // namespace goldml
