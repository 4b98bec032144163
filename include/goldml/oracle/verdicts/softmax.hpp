// What a device may answer to ACTIVATION_SOFTMAX, ACTIVATION_LOG_SOFTMAX and their 1-versions (ledger SO-R1 to SO-R3,
// AR-R4 to AR-R7).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/log_softmax_bounds.hpp>
#include <goldml/arithmetic/softmax_bounds.hpp>
#include <goldml/core/evaluate.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/arg_reduce.hpp>
#include <goldml/operators/softmax_values.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::detail {

inline bool is_undefined(const arithmetic::softmax_of& x) { return x.undefined(); }
inline bool is_undefined(const arithmetic::log_softmax_of& x) { return x.shares().undefined(); }
inline arithmetic::softmax_bounds bounds_of(const arithmetic::softmax_of& x, const arithmetic_mode& mode) {
  return {x, mode};
}
inline arithmetic::log_softmax_bounds bounds_of(const arithmetic::log_softmax_of& x, const arithmetic_mode& mode) {
  return {x, mode};
}

// What a device may answer. With `flushes`, what flushing FLOAT32 subnormals adds: elements that are 0, which change
// e^x by less than is allowed already, and results.
template <class Desc>
void add_softmax_verdicts(const Desc& desc, const const_tensor_ref& input, const tensor_ref& golden, bool flushes,
                          output_verdicts& result) {
  if (Desc::kind == softmax_function::softmax) result.range.width = 1;
  const dimensions& sizes = input.desc().sizes;
  const dimensions axes = softmax_axes(desc, sizes.size());
  const dimensions box = candidate_box(sizes, axes);
  visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
    const auto x = input.as<T>();
    std::vector<double> slice;
    slice.reserve(static_cast<std::size_t>(element_count(box)));
    const dimensions all = packed_strides(sizes);
    for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(sizes, axes))) {
      slice.clear();
      for (const coordinate_tuple& r : coordinates_of(box))
        slice.push_back(exact_double(x[reduction_candidate(first, r)]));
      const softmax_values<Desc::kind> softmax(slice);
      if (is_undefined(softmax)) continue;  // any NaN matches
      const auto bounds = bounds_of(softmax, mode);
      std::size_t i = 0;
      for (const coordinate_tuple& r : coordinates_of(box)) {
        const std::uint64_t element = offset_of(reduction_candidate(first, r), all);
        const graded_interval both = bounds.template of<T>(i++);
        result.allow_interval(static_cast<std::size_t>(element), both.allowed);
        if (both.close != both.allowed)
          result.narrow_interval(static_cast<std::size_t>(element), both.close, interval_refusal::reciprocals);
      }
    }
  });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <goldml::detail::softmax_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    goldml::detail::add_softmax_verdicts(desc, inputs[0], golden[0], flushes, result[0]);
  }
  // For each element a byte and an interval; a slice as doubles.
  static std::uint64_t verdict_memory(const Desc& desc, const std::array<operand, 2>& t) {
    const dimensions& sizes = t[0].desc->sizes;
    const std::uint64_t slice = element_count(candidate_box(sizes, goldml::detail::softmax_axes(desc, sizes.size())));
    return saturating_add(saturating_multiply(element_count(sizes), 1 + sizeof(interval) + more_interval_memory),
                          saturating_multiply(slice, sizeof(double)));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();
};

}  // namespace goldml::oracle
