// Finds the smallest case that still fails: fewer dimensions, smaller sizes, packed, FLOAT32, default attributes and
// policies, simple values.
//
//   const auto shrunk = oracle::shrink(test.text, [](const oracle::generated_case<argmin_desc>& c) {
//     return !agrees(c, my_device(c));  // whether it still fails
//   });
//   std::puts(to_string(shrunk.text).c_str());
//
// Independent of the operator: it changes one property at a time, repairs dependent properties according to the rules,
// and keeps a case if it is simpler and still fails. The result is deterministic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/function_reference.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/kept_selection.hpp>
#include <goldml/oracle/shrink_cost.hpp>
#include <goldml/oracle/shrink_edits.hpp>
#include <goldml/oracle/shrink_repair.hpp>
#include <goldml/oracle/shrink_values.hpp>

namespace goldml::oracle {

struct shrink_options {
  std::uint64_t most_runs = 2000;  // of the callable, including the first one
};

template <class Desc>
struct shrunk_case {
  test_case<Desc> text;    // the simplest case found; the given case if it did not fail
  bool fails = false;      // whether the given case failed
  std::uint64_t runs = 0;  // number of calls of the callable
};

namespace detail {

// Whether a case fails, and whether it is plain how: see explanation.hpp.
enum class failure { none, unexplained, plain };

// The result of a callable: whether the case fails, or the judgement of its outputs.
inline failure failure_of(failure result) { return result; }
inline failure failure_of(bool fails) { return fails ? failure::plain : failure::none; }
inline failure failure_of(const comparison& result) {
  return failure_of(result.mismatched() || result.wrote_outside() || result.misfits() || result.differing() > 0);
}
inline failure failure_of(const judgement& judged) { return failure_of(!judged.tolerated()); }

// The function may change the case.
using fails_function = function_reference<failure(generated_case<any_desc>&)>;

class shrinker {
 public:
  shrinker(const any_operator& op, const test_case<any_desc>& given, fails_function fails,
           const shrink_options& options)
      : op_(op), given_(given), fails_(fails), options_(options), result_{given, false, 0}, kept_(op, given) {}

  shrunk_case<any_desc> run() {
    if (options_.most_runs == 0) return result_;
    const failure first = fails(given_);
    result_.fails = first != failure::none;
    if (!result_.fails) return result_;
    cost_ = cost_of(result_.text);
    adopt(result_.text);
    if (first == failure::unexplained) explain();
    using pass = std::vector<edit> (*)(const test_case<any_desc>&);
    constexpr std::array<pass, 9> passes{merge_edits,     layout_edits,    operand_edits, size_edits,   dimension_edits,
                                         data_type_edits, attribute_edits, policy_edits,  element_edits};
    for (bool simpler = true; simpler;) {
      simpler = false;
      for (const pass& edits : passes)
        while (try_all(edits(result_.text))) simpler = true;
    }
    return result_;
  }

 private:
  bool try_all(const std::vector<edit>& edits) {
    bool simpler = false;
    const std::size_t tensors = result_.text.tensors.size();
    for (const edit& change : edits) {
      if (result_.runs >= options_.most_runs) return false;
      test_case<any_desc> candidate = result_.text;
      if (change(candidate) && attempt(std::move(candidate))) simpler = true;
      if (result_.text.tensors.size() != tensors) return true;  // the other edits were made for more tensors
    }
    return simpler;
  }

  // Accepts the candidate if it is legal, simpler and still fails: with its elements or, if their values depend on the
  // sizes, with those of its class of data.
  bool attempt(test_case<any_desc> candidate) {
    if (!repair(candidate) || !kept_.fit(candidate)) return false;
    if (attempt_legal(candidate)) return true;
    if (op_.fill == nullptr || candidate.tensors == result_.text.tensors) return false;
    candidate.elements.clear();
    candidate.data = given_.data;
    candidate.seed = given_.seed;
    return attempt_legal(std::move(candidate));
  }

  bool attempt_legal(test_case<any_desc> candidate) {
    give_elements(candidate);
    if (!kept_.has_values(candidate)) return false;
    auto cost = cost_of(candidate);
    if (cost >= cost_ || !tried_.insert(hash_of(to_string(candidate))).second || result_.runs >= options_.most_runs ||
        fails(candidate) == failure::none)
      return false;
    result_.text = std::move(candidate);
    cost_ = cost;
    return true;
  }

  // The given case, with explicit elements.
  void adopt(test_case<any_desc> candidate) {
    give_elements(candidate);
    cost_ = cost_of(candidate);
    result_.text = std::move(candidate);
  }

  // Replaces the class of data and seed by explicit elements, if the inputs are not too large. Elements that share an
  // address have the same value.
  void give_elements(test_case<any_desc>& c) const {
    constexpr std::uint64_t most_elements = 4096;
    std::uint64_t count = 0;
    const std::size_t inputs = op_.description->input_count(c.tensors.size());
    for (std::size_t i = 0; i < inputs; ++i)
      if (c.tensors[i]) count = saturating_add(count, element_count(c.tensors[i]->sizes));
    if (count > most_elements) return;
    c.elements.resize(c.tensors.size());
    const std::vector<host_tensor> values = inputs_of<any_desc>(op_, c);
    for (std::size_t i = 0; i < c.elements.size(); ++i) {
      const bool has_values = i < values.size() && !values[i].omitted();
      c.elements[i] = has_values ? elements_of(values[i].ref()) : std::vector<scalar>{};
    }
    c.data = data_class::uniform;
    c.seed = 0;
  }

  // FNV-1a. If two cases have the same hash (probability 2^-64), the second is not tried.
  static std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x0000'0100'0000'01B3;
    return hash;
  }

  // Looks for a case with simpler attributes or other data that fails and is plain, also if its outputs are larger:
  // with a stride of 1, for example, elements are shifted that are others with a stride of 2.
  void explain() {
    const std::uint64_t most_runs = (std::min)(options_.most_runs, result_.runs + 200);
    const std::uint64_t most_elements = saturating_multiply(4, (std::max)(cost_[1], std::uint64_t{16}));
    const auto is_plain = [&](test_case<any_desc> candidate) {
      if (!repair(candidate) || !kept_.fit(candidate)) return false;
      give_elements(candidate);
      const case_cost cost = cost_of(candidate);
      if (cost[1] > most_elements || result_.runs >= most_runs || !kept_.has_values(candidate)) return false;
      const failure found = fails(candidate);
      if (found != failure::none) adopt(std::move(candidate));
      return found == failure::plain;
    };
    for (const edit& change : attribute_edits(result_.text)) {
      test_case<any_desc> candidate = result_.text;
      if (change(candidate) && cost_of(candidate)[4] < cost_[4] && is_plain(std::move(candidate))) return;
    }
    for (const data_class data : usual_data_classes) {
      test_case<any_desc> candidate = result_.text;
      candidate.elements.clear();
      candidate.data = data;
      candidate.seed = given_.seed;
      if ((!given_.selection || is_wanted(given_.selection->data, data)) && is_plain(std::move(candidate))) return;
    }
  }

  // Calls the callable. A case that cannot be made is treated as not failing.
  failure fails(const test_case<any_desc>& c) {
    std::optional<generated_case<any_desc>> made;
    try {
      made = make_case<any_desc>(op_, c);
    } catch (const error&) {
      return failure::none;
    }
    if (result_.runs == 0) kept_.remember(made->inputs, made->expected);
    if (!kept_.has_answers(made->expected)) return failure::none;
    ++result_.runs;
    return fails_(*made);
  }

  const any_operator& op_;
  const test_case<any_desc>& given_;
  fails_function fails_;
  shrink_options options_;
  shrunk_case<any_desc> result_;
  kept_selection kept_;
  case_cost cost_;
  std::set<std::uint64_t> tried_;
};

template <class Any>
shrunk_case<Any> shrink_any(const any_operator& op, const test_case<Any>& failing, fails_function fails,
                            const shrink_options& options) {
  auto operands = to_operands(failing.tensors);
  violation_sink sink;
  check(failing.desc, operands, sink);
  if (sink.first()) throw error(*sink.first());
  return shrinker(op, failing, fails, options).run();
}

}  // namespace detail

// Returns the simplest failing case that it finds. fails(const generated_case<Desc>&) runs a case and returns whether
// it fails, or the judgement of compare(), which fails if something differs. It gets only legal cases and is called at
// most options.most_runs times. Its exceptions are propagated. Throws error if the given case is illegal.
template <class Desc, class Fails>
shrunk_case<Desc> shrink(const test_case<Desc>& failing, Fails&& fails, const shrink_options& options = {}) {
  const auto run = [&](generated_case<any_desc>& c) {
    const generated_case<Desc> typed{detail::from_any<Desc>(std::move(c.text)), std::move(c.inputs),
                                     std::move(c.outputs), std::move(c.expected), std::move(c.initial)};
    return detail::failure_of(fails(typed));
  };
  auto shrunk = detail::shrink_any<any_desc>(any_operator_of<Desc>(), detail::to_any(failing), run, options);
  return {detail::from_any<Desc>(std::move(shrunk.text)), shrunk.fails, shrunk.runs};
}
template <class Fails>
shrunk_case<any_desc> shrink(const any_operator& op, const test_case<any_desc>& failing, Fails&& fails,
                             const shrink_options& options = {}) {
  const auto run = [&](generated_case<any_desc>& c) { return detail::failure_of(fails(std::as_const(c))); };
  return detail::shrink_any<any_desc>(op, failing, run, options);
}

}  // namespace goldml::oracle

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template oracle::shrunk_case<any_desc> oracle::detail::shrink_any<any_desc>(const oracle::any_operator&, const oracle::test_case<any_desc>&, oracle::detail::fails_function, const oracle::shrink_options&);
// clang-format on
}  // namespace goldml
#endif
