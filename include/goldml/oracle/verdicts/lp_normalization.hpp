// What a device may answer to LP_NORMALIZATION (ledger LP-R1, LP-R2, NO-R8).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/arithmetic/norm_bounds.hpp>
#include <goldml/operators/lp_normalization.hpp>
#include <goldml/oracle/verdict_traits.hpp>

namespace goldml::oracle {

template <std::same_as<lp_normalization_desc> Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    visit_data_type(type_list<float, float16>{}, golden[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const arithmetic_mode mode{std::is_same_v<T, float>, flushes && std::is_same_v<T, float>, desc.accumulation};
      const tensor_view<const T> input = inputs[0].as<T>(), output = golden[0].as<T>();
      const dimensions &sizes = output.sizes(), axes{desc.axis}, box = candidate_box(sizes, axes),
                       strides = packed_strides(sizes);
      std::vector<double> slice;
      for (const coordinate_tuple& first : coordinates_of(sizes_after_reduction(sizes, axes))) {
        slice.clear();
        for (const coordinate_tuple& r : coordinates_of(box))
          slice.push_back(exact_double(T(input[reduction_candidate(first, r)])));
        const arithmetic::slice_moments moments(
            slice.size(), [&](std::uint64_t i) { return slice[static_cast<std::size_t>(i)]; }, false, mode);
        std::vector<arithmetic::norm_bounds> ways;  // the golden one first
        ways.emplace_back(moments, goldml::detail::lp_form(desc, desc.lp_epsilon), mode);
        if (desc.lp_epsilon == lp_epsilon::any)
          for (const lp_epsilon each : {lp_epsilon::add, lp_epsilon::add_inside, lp_epsilon::max_inside})
            if (desc.p == 2 || each == lp_epsilon::add)
              ways.emplace_back(moments, goldml::detail::lp_form(desc, each), mode);
        std::size_t i = 0;
        for (const coordinate_tuple& r : coordinates_of(box)) {
          const coordinate_tuple c = reduction_candidate(first, r);
          const auto element = static_cast<std::size_t>(offset_of(c, strides));
          const double x = slice[i++];
          graded_interval all = ways[0].of<T>(x, T(output[c]));
          bool is_judged = ways[0].is_judged();
          for (std::size_t w = 1; w < ways.size(); ++w) {
            is_judged = is_judged && ways[w].is_judged();
            join(all.allowed, ways[w].of<T>(x, T(output[c])).allowed);
            join(all.close, ways[w].of<T>(x, T(output[c])).close);
          }
          if (is_judged)
            result[0].allow_interval_beside(element, all, interval_refusal::reciprocals, T(output[c]));
          else
            result[0].make_undefined(element);
        }
      }
    });
  }
  // Of each element a byte and two intervals, and of a slice its elements.
  static std::uint64_t verdict_memory(const Desc&, const std::array<operand, 2>& t) {
    return saturating_multiply(element_count(t[0].desc->sizes),
                               1 + sizeof(interval) + more_interval_memory + sizeof(double));
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options();

 private:
  // What only another placement of Epsilon explains is suspicious.
  static void join(interval& all, const interval& other) {
    const float low = all.usual_low, high = all.usual_high;
    goldml::detail::extend(all, other);
    all.usual_low = low;
    all.usual_high = high;
  }
};

}  // namespace goldml::oracle
