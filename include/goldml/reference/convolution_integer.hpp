// CONVOLUTION_INTEGER, following its page and the ledger (QU-R6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/operators/convolution_integer.hpp>
#include <goldml/reference/backend.hpp>
#include <goldml/reference/convolution.hpp>

namespace goldml {

namespace detail {

// Calls store(c, sum) with the sum for each element of the output.
template <class Desc, class X, class W, class Store>
void sums_of_convolution(const Desc& desc, const tensor_view<const X>& input,
                         const std::optional<tensor_view<const X>>& input_zero_point,
                         const tensor_view<const W>& filter,
                         const std::optional<tensor_view<const W>>& filter_zero_point, const dimensions& sizes,
                         const Store& store) {
  const std::size_t axes = input.sizes().size() - 2;
  const std::uint32_t inputs = filter.sizes()[1];             // channels of a group
  const std::uint32_t outputs = sizes[1] / desc.group_count;  // channels of a group
  const std::int64_t input_zero = line_parameters<X>(input_zero_point).at(0);
  const line_parameters<W> filter_zeros(filter_zero_point);
  std::vector<std::vector<std::vector<convolution_tap>>> taps;  // by axis and output coordinate
  for (std::size_t axis = 0; axis < axes; ++axis)
    taps.push_back(convolution_taps(forward_convolution(desc), axis, input.sizes()[2 + axis], filter.sizes()[2 + axis],
                                    sizes[2 + axis]));
  for (const coordinate_tuple& o : coordinates_of(sizes)) {
    const std::int64_t filter_zero = filter_zeros.at(o[1]);
    dimensions counts;  // of the taps that read an element
    for (std::size_t axis = 0; axis < axes; ++axis)
      counts.push_back(static_cast<std::uint32_t>(taps[axis][o[2 + axis]].size()));
    std::int64_t sum = 0;
    for (std::uint32_t c = 0; c < inputs; ++c)
      for (const coordinate_tuple& t : coordinates_of(counts)) {
        coordinate_tuple x{o[0], o[1] / outputs * inputs + c}, w{o[1], c};
        for (std::size_t axis = 0; axis < axes; ++axis) {
          const auto [i, j] = taps[axis][o[2 + axis]][t[axis]];
          x.push_back(i);
          w.push_back(j);
        }
        sum += (std::int64_t{input[x]} - input_zero) * (std::int64_t{filter[w]} - filter_zero);
      }
    store(o, sum);
  }
}

}  // namespace detail

template <>
struct kernel<convolution_integer_desc, reference_backend> {
  template <class X, class W>
  static void run(const reference_backend&, const tensor_view<const X>& input,
                  const std::optional<tensor_view<const X>>& input_zero_point, const tensor_view<const W>& filter,
                  const std::optional<tensor_view<const W>>& filter_zero_point, const tensor_view<std::int32_t>& output,
                  const convolution_integer_desc& desc) {
    detail::sums_of_convolution(
        desc, input, input_zero_point, filter, filter_zero_point, output.sizes(),
        [&](const coordinate_tuple& o, std::int64_t sum) { output[o] = detail::low_word(sum); });
  }
};

}  // namespace goldml
