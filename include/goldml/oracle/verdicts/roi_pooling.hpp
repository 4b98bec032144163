// What a device may answer to ROI_POOLING (ledger RP-R1).
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/host_tensor.hpp>
#include <goldml/core/scalar.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/roi_pooling.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

// What a device may round a scaled corner to: the exact product, that in FLOAT32, or on the other side of a half where
// a product in FLOAT32 may be there.
inline std::vector<double> rounded_corners(double scaled) {
  if (!is_corner(scaled)) return {scaled};
  std::vector<double> result{std::round(scaled)};
  const double off = std::abs(scaled) * 0x1p-24, single = exact_double(static_cast<float>(scaled));
  for (const double other : {std::ceil(scaled - off - 0.5), std::floor(scaled + off + 0.5), std::round(single)})
    if (std::find(result.begin(), result.end(), other) == result.end()) result.push_back(other);
  return result;
}

// Calls f with each value that the greatest of a bin may be: NaN beside a number, any tap of NaN alone. Returns false
// if the bin is empty.
template <class T, class F>
bool for_each_greatest(const tensor_view<const T>& input, coordinate_tuple at,
                       const std::pair<std::uint32_t, std::uint32_t>& rows,
                       const std::pair<std::uint32_t, std::uint32_t>& columns, bool flushes, const F& f) {
  const T best = greatest_in(input, at, rows, columns);
  const auto is_subnormal = [](T x) {
    return std::is_same_v<T, float> && !is_zero(x) && !is_nan(x) && std::abs(exact_double(x)) < 0x1p-126;
  };
  const bool to_zero = flushes && (is_zero(best) || is_subnormal(best));
  bool any = false, nan = false;
  for (at[2] = rows.first; at[2] < rows.second; ++at[2])
    for (at[3] = columns.first; at[3] < columns.second; ++at[3]) {
      const T x = input[at];
      any = true;
      nan = nan || is_nan(x);
      if ((is_nan(x) && is_nan(best)) || (to_zero && is_subnormal(x)) || (is_zero(x) && (to_zero || is_zero(best))))
        f(x);
    }
  if (any) f(best);
  if (nan) f(std::numeric_limits<T>::quiet_NaN());  // of numbers beside it no other one
  if (to_zero || (any && is_zero(best)))
    for (const float zero : {0.0F, -0.0F}) f(T(zero));
  return any;
}

// The values that the elements of an output may have.
template <class T>
struct pooled_alternatives {
  roi_pooling_desc desc;
  const_tensor_ref input_tensor, region_tensor;
  dimensions sizes;  // of the output
  bool flushes;

  // Calls f with each value; false where the element is undefined.
  template <class F>
  bool for_each(std::size_t number, const F& f) const {
    const auto input = input_tensor.as<T>(), regions = region_tensor.as<T>();
    const coordinate_tuple c = coordinate_at(sizes, number);
    const auto region = pooled_region_at(regions, c[0], desc.spatial_scale);
    if (!region.has_corners()) return false;
    const auto& [x1, y1, x2, y2] = region.corners;
    for (const double left : rounded_corners(x1))
      for (const double right : rounded_corners(x2))
        for (const double top : rounded_corners(y1))
          for (const double bottom : rounded_corners(y2)) {
            const auto rows = region_side_of(top, bottom), columns = region_side_of(left, right);
            if (!rows.defined || !columns.defined ||
                !for_each_greatest(input, {region.batch, c[1], 0, 0},
                                   rows.bin_range(c[2], desc.pooled_size.height, input.sizes()[2]),
                                   columns.bin_range(c[3], desc.pooled_size.width, input.sizes()[3]), flushes, f))
              return false;
          }
    return true;
  }
};

}  // namespace goldml::detail

namespace goldml::oracle {

template <std::same_as<roi_pooling_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      goldml::detail::pooled_alternatives<T> all{desc, inputs[0], inputs[1], golden[0].desc().sizes,
                                                 flushes && std::is_same_v<T, float>};
      const auto output = golden[0].as<T>();
      bool reads = false;
      for (std::size_t number = 0; number < result[0].size(); ++number) {
        const T expected = output[coordinate_at(all.sizes, number)];
        bool several = false;
        const bool defined = all.for_each(number, [&](T x) { several = several || scalar(x) != scalar(expected); });
        if (!defined) result[0].make_undefined(number);
        if (defined && several) result[0].allow_what_is_read(number);
        reads = reads || (defined && several);
      }
      if (!reads) return;
      struct copies {
        host_tensor input, regions;
        goldml::detail::pooled_alternatives<T> all;
      };
      auto kept = std::make_shared<copies>(copies{host_tensor(inputs[0]), host_tensor(inputs[1]), all});
      kept->all.input_tensor = std::as_const(kept->input).ref();
      kept->all.region_tensor = std::as_const(kept->regions).ref();
      result[0].read_alternatives_with([kept](std::size_t number, const std::function<bool(const scalar&)>& f) {
        bool found = false;
        kept->all.for_each(number, [&](T x) { found = found || f(scalar(x)); });
      });
    });
  }
  // A byte for each element, and copies of the input and the regions.
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 3>& t) {
    return saturating_add(element_count(t[2].desc->sizes), saturating_add(total_tensor_size_in_bytes(*t[0].desc),
                                                                          total_tensor_size_in_bytes(*t[1].desc)));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
