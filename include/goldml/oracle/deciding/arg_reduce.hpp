// ARGMIN, ARGMAX, REDUCE with these functions: the elements that tie for the best value, with their indices, and the
// element at the actual index. REDUCE with other functions: the first elements of the slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/oracle/deciding/deciding.hpp>

namespace goldml::oracle {

namespace detail {

template <class Desc>
struct deciding_of_arg_reduce {
  static std::string text(const Desc& desc, std::span<const const_tensor_ref> inputs, std::size_t,
                          const golden_output& expected, const coordinate_tuple& where, const const_tensor_ref& got) {
    const dimensions& sizes = inputs[0].desc().sizes;
    const dimensions box = candidate_box(sizes, desc.axes);
    if (!operator_traits<Desc>::gives_index(desc)) return first_elements(inputs[0], box, where);
    const std::uint64_t wanted = index_at(expected.values.ref(), where);
    const std::uint64_t actual_index = index_at(got, where);
    const auto at = [&](std::uint64_t index) { return reduction_candidate(where, coordinate_at(box, index)); };
    std::string ties;
    std::size_t count = 0;
    std::uint64_t last = 0;
    bool is_tie = false;  // the element at the actual index
    visit_data_type(a10_types{}, inputs[0].desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto input = inputs[0].as<T>();
      const T best = input[at(wanted)];
      std::uint64_t index = 0;
      for (const coordinate_tuple& r : coordinates_of(box)) {
        const T x = input[reduction_candidate(where, r)];
        const bool tie = is_nan(best) || is_nan(x) ? is_nan(best) && is_nan(x) : order_key(x) == order_key(best);
        if (tie) last = index;
        is_tie = is_tie || (tie && index == actual_index);
        if (tie && ++count <= most_listed)
          ties += fmt::format("{}{} at index {} {}", ties.empty() ? "" : ", ", value_text(x), index,
                              reduction_candidate(where, r));
        ++index;
      }
    });
    const std::string_view which_tie = !is_tie || actual_index == wanted ? ""
                                       : actual_index == last            ? ", the last of the ties"
                                       : wanted == last                  ? ", not the last of the ties"
                                                                         : ", not the first of the ties";
    const std::string other =
        actual_index < element_count(box)
            ? fmt::format("index {} is {}{}", actual_index, element_text(inputs[0], at(actual_index)), which_tie)
            : fmt::format("there are {} indices", element_count(box));
    return fmt::format("    {:<9} {}{}; {}\n", count > 1 ? "ties:" : "input:", ties, and_more(count), other);
  }

 private:
  static std::string first_elements(const const_tensor_ref& input, const dimensions& box,
                                    const coordinate_tuple& where) {
    std::string elements;
    std::size_t count = 0;
    for (const coordinate_tuple& r : coordinates_of(box))
      if (++count <= most_listed)
        elements += (count == 1 ? "" : ", ") + element_text(input, reduction_candidate(where, r));
    return fmt::format("    {:<9} {}{}\n", "slice:", elements, and_more(count));
  }

  // For any index type. Negative indices are outside every slice.
  static std::uint64_t index_at(const const_tensor_ref& indices, const coordinate_tuple& where) {
    std::uint64_t index = 0;
    visit_data_type(ix_types{}, indices.desc().data_type, [&]<class T>(std::type_identity<T>) {
      index = static_cast<std::uint64_t>(indices.as<T>()[where]);
    });
    return index;
  }
};

}  // namespace detail

template <>
struct deciding<argmin_desc> : detail::deciding_of_arg_reduce<argmin_desc> {};

template <>
struct deciding<argmax_desc> : detail::deciding_of_arg_reduce<argmax_desc> {};

template <>
struct deciding<reduce_desc> : detail::deciding_of_arg_reduce<reduce_desc> {};

}  // namespace goldml::oracle
