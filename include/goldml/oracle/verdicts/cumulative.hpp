// What a device may answer to CUMULATIVE_SUMMATION and CUMULATIVE_PRODUCT: for each element, any sum or product of its
// own prefix (ledger CU-R1).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/arithmetic/bounds.hpp>
#include <goldml/arithmetic/reductions.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/core/verdict.hpp>
#include <goldml/operators/cumulative.hpp>
#include <goldml/oracle/fit/sums.hpp>
#include <goldml/oracle/verdict_traits.hpp>
#include <goldml/oracle/verdicts/arithmetic.hpp>

namespace goldml::detail {

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

// As many elements of a line, at most, are one number or the sum or product of two: one rounding, as in
// ELEMENT_WISE_ADD and ELEMENT_WISE_MULTIPLY.
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
      std::uint32_t count = 0;                                    // of the elements in `prefix`
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
          add_step_verdict<op>(mode, before, last, T(y[c]), element, result);
        } else {
          const bound b = prefix.result(count, mode);
          result.allow_interval_beside(element, interval_of<T>(b), T(y[c]));
        }
        if (is_exclusive(desc)) include(own);
      }
    }
  });
}

}  // namespace goldml::detail

namespace goldml::oracle {

template <goldml::detail::cumulative_operator Desc>
struct verdict_traits<Desc> : flushing_verdict_traits<Desc> {
  static void add_verdicts(const Desc& desc, std::span<const const_tensor_ref> inputs,
                           std::span<const tensor_ref> golden, bool flushes, std::span<output_verdicts> result) {
    goldml::detail::add_cumulative_verdicts(desc, inputs[0], golden[0], flushes, result[0]);
  }
  // Of each element a byte and an interval; of the first elements of a line, the values with subnormals flushed.
  static std::uint64_t verdict_memory(const Desc& desc, const std::array<operand, 2>& t) {
    constexpr std::uint64_t memory_of_values = 192;  // of up to four
    if (!is_float_tensor(t[1])) return 0;
    const std::uint64_t elements = element_count(t[1].desc->sizes);
    const std::uint64_t at_ends = elements / t[1].desc->sizes[desc.axis] * goldml::detail::values_per_line;
    const bool flushes = t[1].desc->data_type == data_type::float32;
    return saturating_add(saturating_multiply(elements, 1 + sizeof(interval)),
                          flushes ? saturating_multiply((std::min)(at_ends, elements), memory_of_values) : 0);
  }

  // Of CUMULATIVE_SUMMATION of floats. A row has the elements of a line.
  static bool sums(const Desc& desc, std::span<const const_tensor_ref> inputs, const tensor_desc& output,
                   fit_sums& result) {
    if (goldml::detail::multiplies<Desc> ||
        (output.data_type != data_type::float32 && output.data_type != data_type::float16))
      return false;
    dimensions lines = output.sizes;
    const std::uint32_t size = std::exchange(lines[desc.axis], 1);
    visit_data_type(type_list<float, float16>{}, output.data_type, [&]<class T>(std::type_identity<T>) {
      result.left = [=, x = inputs[0].as<T>()](std::uint64_t line, std::vector<float>& numbers) {
        coordinate_tuple c = coordinate_at(lines, line);
        for (std::uint32_t k = 0; k < size; ++k) {
          c[desc.axis] = goldml::detail::position_of(desc, k, size);
          numbers.push_back(static_cast<float>(x[c]));
        }
      };
    });
    result.rows = element_count(lines);
    result.columns = size;
    result.is_prefixes = true;
    result.place_of = [size, more = goldml::detail::is_exclusive(desc) ? 0U : 1U](std::uint64_t e) {
      return fit_place{e / size, 0, e % size + more};
    };
    result.output_of = [=, strides = packed_strides(output.sizes)](std::uint64_t e) {
      coordinate_tuple c = coordinate_at(lines, e / size);
      c[desc.axis] = goldml::detail::position_of(desc, static_cast<std::uint32_t>(e % size), size);
      return offset_of(c, strides);
    };
    result.model.set(output.data_type, desc.accumulation);
    return true;
  }

  static constexpr verdict_options<Desc> options = flushing_verdict_traits<Desc>::flushing_options(&sums);

 private:
  static bool is_float_tensor(const operand& t) {
    return t.desc->data_type == data_type::float32 || t.desc->data_type == data_type::float16;
  }
};

}  // namespace goldml::oracle
