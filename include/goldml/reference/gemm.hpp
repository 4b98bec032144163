// GEMM, following its page and the ledger (GM-R1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <goldml/arithmetic/fused.hpp>
#include <goldml/arithmetic/fused_softmax.hpp>
#include <goldml/arithmetic/values.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/gemm.hpp>
#include <goldml/reference/backend.hpp>

namespace goldml {

namespace detail {

// The coordinates of an element of the same batch.
inline coordinate_tuple in_matrix(const coordinate_tuple& c, std::uint32_t row, std::uint32_t column) {
  coordinate_tuple result = c;
  result[c.size() - 2] = row;
  result[c.size() - 1] = column;
  return result;
}

}  // namespace detail

template <>
struct kernel<gemm_desc, reference_backend> {
  template <class T>
  static void run(const reference_backend&, const tensor_view<const T>& a, const tensor_view<const T>& b,
                  const std::optional<tensor_view<const T>>& c, const tensor_view<T>& output, const gemm_desc& desc) {
    const bool transposes_a = desc.trans_a == matrix_transform::transpose;
    const bool transposes_b = desc.trans_b == matrix_transform::transpose;
    const std::uint32_t count = a.sizes()[a.sizes().size() - (transposes_a ? 2 : 1)];
    const double alpha = exact_double(desc.alpha);
    const double beta = exact_double(desc.beta);

    const auto sum_at = [&](const coordinate_tuple& o) {
      const std::uint32_t m = o[o.size() - 2];
      const std::uint32_t n = o[o.size() - 1];
      detail::extended_sum sum;  // of Alpha * a * b, and Beta * c, without any rounding
      for (std::uint32_t k = 0; k < count; ++k) {
        const T x = a[transposes_a ? detail::in_matrix(o, k, m) : detail::in_matrix(o, m, k)];
        const T y = b[transposes_b ? detail::in_matrix(o, n, k) : detail::in_matrix(o, k, n)];
        sum.add_product(exact_double(x) * exact_double(y), alpha);
      }
      if (c) sum.add_product(exact_double(T((*c)[o])), beta);
      return sum;
    };
    const auto axes = detail::fused_softmax_axes(desc.fused_activation, output.sizes().size());
    if (!axes) {
      for (const coordinate_tuple& o : coordinates_of(output.sizes()))
        output[o] = arithmetic::fused_rounded<T>(desc.fused_activation, sum_at(o));
      return;
    }
    const dimensions box = candidate_box(output.sizes(), *axes);
    for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(output.sizes(), *axes))) {
      std::vector<detail::extended_sum> sums;
      sums.reserve(static_cast<std::size_t>(element_count(box)));
      for (const coordinate_tuple& r : coordinates_of(box)) sums.push_back(sum_at(reduction_candidate(first, r)));
      arithmetic::exact_softmax softmax(sums);
      std::size_t i = 0;
      for (const coordinate_tuple& r : coordinates_of(box))
        output[reduction_candidate(first, r)] = softmax.rounded<T>(i++);
    }
  }
};

}  // namespace goldml
