// The descs of CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT, and what a device may answer: for each element, any sum or
// product of its own prefix (ledger CU-R1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/reductions.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/arithmetic_verdicts.hpp>

namespace goldml {

struct cumulative_summation_desc {
  std::uint32_t axis = 0;
  goldml::axis_direction axis_direction = goldml::axis_direction::increasing;  // from the first element or the last
  bool has_exclusive_sum = false;  // whether an element is left out of its own sum
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct cumulative_product_desc {
  std::uint32_t axis = 0;
  goldml::axis_direction axis_direction = goldml::axis_direction::increasing;
  bool has_exclusive_product = false;
  goldml::accumulation accumulation = goldml::accumulation::single;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <class Desc>
inline constexpr bool multiplies = std::is_same_v<Desc, cumulative_product_desc>;
template <class Desc>
concept cumulative_operator = multiplies<Desc> || std::is_same_v<Desc, cumulative_summation_desc>;

constexpr bool is_exclusive(const cumulative_summation_desc& desc) { return desc.has_exclusive_sum; }
constexpr bool is_exclusive(const cumulative_product_desc& desc) { return desc.has_exclusive_product; }

// The position on an axis of `size` elements of the element that is number `k` in the order of the sums.
template <class Desc>
constexpr std::uint32_t position_of(const Desc& desc, std::uint32_t k, std::uint32_t size) {
  return desc.axis_direction == axis_direction::increasing ? k : size - 1 - k;
}

// What is known of the elements up to one.
template <class Desc>
struct prefix_terms {
  sum_terms terms;
  void add(double x) { terms.add(x); }
  bound result(double count, const arithmetic_mode& mode) const { return terms.bound_with(count - 1, mode); }
};
template <>
struct prefix_terms<cumulative_product_desc> {
  product_terms terms;
  void add(double x) { terms.multiply(x); }
  bound result(double, const arithmetic_mode& mode) const { return terms.bound_with(mode); }
};

// As many elements of a line, at most, are one number or the sum or product of two: one rounding, as in ELEMENT_WISE_ADD
// and ELEMENT_WISE_MULTIPLY.
inline constexpr std::uint32_t values_per_line = 3;

template <class Desc>
void add_cumulative_verdicts(const Desc& desc, const const_tensor_ref& input, const tensor_ref& golden, bool flushes,
                             output_verdicts& result) {
  constexpr element_wise_op op = multiplies<Desc> ? element_wise_op::multiply : element_wise_op::add;
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
    const auto x = input.as<T>();
    const auto y = golden.as<T>();
    const dimensions logical = packed_strides(y.sizes());
    const std::uint32_t size = y.sizes()[desc.axis];
    dimensions lines = y.sizes();
    lines[desc.axis] = 1;
    for (coordinate_tuple c : coordinates_of(lines)) {
      prefix_terms<Desc> prefix;
      std::uint32_t count = 0;                            // of the elements in `prefix`
      T before = static_cast<T>(multiplies<Desc> ? 1.0F : 0.0F);  // the first of them
      T last = before;
      const auto include = [&](T element) {
        if (count < 2) before = count == 0 ? before : last;
        last = element;
        prefix.add(exact_double(element));
        ++count;
      };
      for (std::uint32_t k = 0; k < size; ++k) {
        c[desc.axis] = position_of(desc, k, size);
        const auto element = static_cast<std::size_t>(offset_of(c, logical));
        const T own = x[c];
        if (!is_exclusive(desc)) include(own);
        if (count == 0) {
          result.allow_interval_beside(element, interval_of<T>(multiplies<Desc> ? 1 : 0, 0, 0), T(y[c]));
        } else if (count <= 2) {
          result.allow_interval_beside(element, arithmetic_interval<op, T>(desc.accumulation, before, last), T(y[c]));
          if constexpr (std::is_same_v<T, float>)
            if (flushes && may_be_flushed<op>(before, last))
              offer_flushed_results<op>(before, last, [&](float value) { result.allow(element, scalar(value)); });
        } else {
          const bound b = prefix.result(count, mode);
          result.allow_interval_beside(element, interval_of<T>(b), T(y[c]));
        }
        if (is_exclusive(desc)) include(own);
      }
    }
  });
}

}  // namespace detail

}  // namespace goldml
