// The smallest case that fails in the same way, as a part of a report.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/oracle/actuals.hpp>
#include <goldml/oracle/explanation.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/shrink.hpp>

namespace goldml::oracle {

namespace detail {

// Whether failing cases fail in the way of the first one: a number for a number, not a zero; elements that are shifted,
// that lack a slice of an input, or at the border. So that the smallest case is not one that another fault has, too.
class kept_difference {
 public:
  failure of(const golden& expected, std::span<const const_tensor_ref> actual, const judgement& judged,
             const compare_options& options, const judged_names& names) {
    const tried_slices tried{.any = first_ || kept_.without, .like = kept_.without};
    explanation found;
    for (std::size_t i = 0; i < judged.result.outputs.size(); ++i) {
      if (judged.result.outputs[i].differing == 0) continue;
      const explanation one = explain(judged_outputs(expected, judged)[i], actual[i], options, names, tried);
      found.computed = found.computed || one.computed;
      found.numbers = found.numbers || one.numbers;
      found.shifted = found.shifted || one.shifted;
      found.border = found.border || one.border;
      if (one.without) found.without = one.without;
    }
    if (!std::exchange(first_, false)) {
      if ((kept_.numbers && !found.numbers) || (kept_.without   ? !found.without
                                                : kept_.shifted ? !found.shifted
                                                                : kept_.border && !found.border))
        return failure::none;
      found.border = found.border && kept_.border;  // not by chance, in a case that has become small
    }
    kept_ = found;
    return found.without || found.shifted || found.border || !found.computed ? failure::plain : failure::unexplained;
  }

 private:
  explanation kept_;
  bool first_ = true;
};

}  // namespace detail

// The part of a report about the smallest case that fails in the same way: how it was found, and the report on it.
// run(const generated_case<Desc>&) returns the outputs of a case, in any form that to_actuals() accepts. A case for
// which it throws is skipped.
template <class Desc, class Run>
std::string smallest_failure(const test_case<Desc>& failing, Run&& run, const compare_options& options,
                             const shrink_options& limits = {}) {
  std::string smallest;
  detail::kept_difference kept;
  const auto fails = [&](const generated_case<Desc>& c) {
    using detail::failure;
    try {
      const auto outputs = run(c);
      const std::vector<const_tensor_ref> actual = detail::to_actuals(outputs);
      judgement judged = compare(c.expected, actual, options);
      judge_memory(judged, detail::changes_of(outputs), options);
      const judged_names names = names_of(c);
      if (options.fit) judge_fits(judged, c.expected, actual, options, names);
      if (detail::failure_of(judged) == failure::none) return failure::none;
      const failure found = kept.of(c.expected, actual, judged, options, names);
      if (found != failure::none) smallest = report(c.expected, actual, judged, options, names, c.line());
      return found;
    } catch (const std::exception&) {
      return failure::none;
    }
  };
  const shrunk_case<Desc> shrunk = shrink(failing, fails, limits);
  if (!shrunk.fails) return "run again, the case does not fail\n";
  return fmt::format("the smallest case that still fails, of {} that were run:\n{}", shrunk.runs, smallest);
}

}  // namespace goldml::oracle
