// What a device may answer to ROI_POOLING (ledger RP-R1).
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/roi_pooling.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// The numbers that a device may round a scaled corner from: it, and on the other side of a half where the product, in
// FLOAT32, may be there.
inline std::vector<double> rounded_corners(double scaled) {
  if (!is_corner(scaled)) return {scaled};
  std::vector<double> result{std::round(scaled)};
  const double off = std::abs(scaled) * 0x1p-24;
  for (const double other : {std::ceil(scaled - off - 0.5), std::floor(scaled + off + 0.5)})
    if (other < result[0] || other > result[0]) result.push_back(other);
  return result;
}

// Allows what the greatest of a bin may be; beside numbers also the quiet NaN if a tap is NaN, and without numbers each
// tap. Returns false if the bin is empty.
template <class T>
bool allow_greatest(const tensor_view<const T>& input, coordinate_tuple at,
                    const std::pair<std::uint32_t, std::uint32_t>& rows,
                    const std::pair<std::uint32_t, std::uint32_t>& columns, bool flushes, std::size_t number,
                    output_verdicts& result) {
  const T best = greatest_in(input, at, rows, columns);
  const auto is_subnormal = [](T x) {
    return std::is_same_v<T, float> && !is_zero(x) && !is_nan(x) && std::abs(exact_double(x)) < 0x1p-126;
  };
  const bool to_zero = flushes && (is_zero(best) || is_subnormal(best));
  bool any = false;
  for (at[2] = rows.first; at[2] < rows.second; ++at[2])
    for (at[3] = columns.first; at[3] < columns.second; ++at[3]) {
      const T x = input[at];
      any = true;
      if (is_nan(x)) result.allow(number, scalar(std::numeric_limits<T>::quiet_NaN()));
      if ((is_nan(x) && is_nan(best)) || (to_zero && is_subnormal(x)) || (is_zero(x) && (to_zero || is_zero(best))))
        result.allow(number, scalar(x));
    }
  if (any) result.allow(number, scalar(best));
  if (to_zero || (any && is_zero(best)))
    for (const float zero : {0.0F, -0.0F}) result.allow(number, scalar(T(zero)));
  return any;
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<roi_pooling_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto input = inputs[0].as<T>(), regions = inputs[1].as<T>();
      std::size_t number = 0;
      for (const coordinate_tuple& c : coordinates_of(golden[0].desc().sizes))
        add_element<T>(desc, input, regions, c, flushes && std::is_same_v<T, float>, number++, result[0]);
    });
  }
  // A byte for each element, and a few numbers where corners may be rounded in several ways, or the greatest is 0.
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 3>& t) {
    return saturating_multiply(element_count(t[2].desc->sizes), 160);
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();

 private:
  template <class T>
  static void add_element(const Desc& desc, const tensor_view<const T>& input, const tensor_view<const T>& regions,
                          const coordinate_tuple& c, bool flushes, std::size_t number, output_verdicts& result) {
    using goldml::detail::rounded_corners;
    const auto region = goldml::detail::pooled_region_at(regions, c[0], desc.spatial_scale);
    if (!region.has_corners()) return result.make_undefined(number);
    const auto& [x1, y1, x2, y2] = region.corners;
    for (const double left : rounded_corners(x1))
      for (const double right : rounded_corners(x2))
        for (const double top : rounded_corners(y1))
          for (const double bottom : rounded_corners(y2)) {
            const auto rows = goldml::detail::region_side_of(top, bottom);
            const auto columns = goldml::detail::region_side_of(left, right);
            if (!rows.defined || !columns.defined ||
                !goldml::detail::allow_greatest(
                    input, {region.batch, c[1], 0, 0}, rows.bin_range(c[2], desc.pooled_size.height, input.sizes()[2]),
                    columns.bin_range(c[3], desc.pooled_size.width, input.sizes()[3]), flushes, number, result))
              return result.make_undefined(number);
          }
  }
};

}  // namespace goldml::oracle
