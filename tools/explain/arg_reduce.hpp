// What --explain prints about ARGMIN, ARGMAX and REDUCE.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/argmax.hpp>
#include <goldml/operators/argmin.hpp>
#include <goldml/operators/reduce.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <class Desc>
std::vector<std::string> arg_reduce_facts(const Desc& desc, const operands_of<Desc>& t, std::string_view wanted) {
  if (!t[0].sound) return {};
  const dimensions& input = t[0].desc->sizes;
  const dimensions box = candidate_box(input, desc.axes);
  const dimensions output = sizes_after_reduction(input, desc.axes);
  return {fmt::format("{}: each the index, 0 to {}, of the {} of {} in the box {}",
                      counted(element_count(output), "output element", "output elements"), element_count(box) - 1,
                      wanted, counted(element_count(box), "candidate", "candidates"), box),
          fmt::format("{}, InputTensor's with 1 on each axis of {}", implied_sizes(desc, t), desc.axes)};
}

template <>
struct explanation<argmin_desc> {
  static std::vector<std::string> facts(const argmin_desc& desc, const operands_of<argmin_desc>& t) {
    return arg_reduce_facts(desc, t, "least");
  }
};

template <>
struct explanation<argmax_desc> {
  static std::vector<std::string> facts(const argmax_desc& desc, const operands_of<argmax_desc>& t) {
    return arg_reduce_facts(desc, t, "greatest");
  }
};

template <>
struct explanation<reduce_desc> {
  static std::vector<std::string> facts(const reduce_desc& desc, const operands_of<reduce_desc>& t) {
    if (!t[0].sound) return {};
    if (!operator_traits<reduce_desc>::gives_index(desc)) {
      const dimensions& input = t[0].desc->sizes;
      const dimensions box = candidate_box(input, desc.axes);
      const dimensions output = sizes_after_reduction(input, desc.axes);
      return {fmt::format("{}: each the {} of {} in the box {}",
                          counted(element_count(output), "output element", "output elements"),
                          enumerator_name(desc.function), counted(element_count(box), "element", "elements"), box),
              fmt::format("{}, InputTensor's with 1 on each axis of {}", implied_sizes(desc, t), desc.axes)};
    }
    return arg_reduce_facts(desc, t, desc.function == reduce_function::argmin ? "least" : "greatest");
  }
};

}  // namespace goldml::tool::detail
