// A violation of a rule: the rule, the place, the value and the wanted value; and the exception that holds it.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/inline_text.hpp>

namespace goldml {

// The texts that depend on the input.
using violation_text = detail::inline_text;

struct violation {
  std::string_view rule;           // the code: "T3", "S7"; always a literal
  std::string_view operator_name;  // who refuses: "SCATTER_ND"; always a literal
  std::string_view operand;  // DirectML's name of the tensor, "UpdatesTensor"; empty when an attribute broke the rule
  std::string_view member;   // DirectML's name of the member, "Sizes"
  std::optional<std::size_t> index;  // of the dimension or list entry; none when the rule is about the whole member
  violation_text got;
  violation_text wanted;
  violation_text why;                       // may be empty
  std::optional<std::size_t> element = {};  // of an operand that is an array of tensors: which one
};

// Whether a code is one of the rules T1 to T12, which hold for the tensors of every operator. TILE's rules are TI1 to
// TI5, TOP_K's are TK1 and so on.
constexpr bool is_tensor_rule(std::string_view rule) {
  return rule.size() > 1 && rule[0] == 'T' && rule[1] >= '0' && rule[1] <= '9';
}

// One line: SCATTER_ND S7: UpdatesTensor.Sizes is {4,3}, wanted {4,4} (tuples {4} ++ input slice {4})
GOLDML_COLD inline std::string to_string(const violation& v) {
  std::string text;
  const auto add = [&](std::string_view a, std::string_view b = "", std::string_view c = "") {
    text.append(a).append(b).append(c);
  };
  add(v.operator_name, " ", v.rule);
  add(": ", v.operand);
  if (v.element) add(violation_text("[{}]", *v.element).view());
  if (!v.operand.empty() && !v.member.empty()) add(".");
  add(v.member);
  if (v.index) add(violation_text("[{}]", *v.index).view());
  add(" is ", v.got.view());
  add(", wanted ", v.wanted.view());
  if (!v.why.view().empty()) add(" (", v.why.view(), ")");
  return text;
}

// What every goldml call throws for bad input, before any byte of output is written.
class error : public std::invalid_argument {
 public:
  GOLDML_COLD explicit error(const goldml::violation& v) : std::invalid_argument(to_string(v)), violation_(v) {}

  const goldml::violation& violation() const { return violation_; }

 private:
  goldml::violation violation_;
};

// Collects the violations that checks find: keeps the first, and all if requested. Does not allocate without a
// violation.
class violation_sink {
 public:
  violation_sink() = default;
  explicit violation_sink(std::vector<violation>* all)
      : all_(all), append_([](std::vector<violation>& list, const violation& v) { list.push_back(v); }) {}

  GOLDML_COLD void add(const violation& v) {
    ++count_;
    if (!first_) first_ = v;
    if (all_ != nullptr) append_(*all_, v);
  }

  const std::optional<violation>& first() const { return first_; }

  // How many were found so far.
  std::size_t count() const { return count_; }

  // Whether nothing more is needed, so that a check may stop.
  bool done() const { return first_.has_value() && all_ == nullptr; }

 private:
  std::vector<violation>* all_ = nullptr;
  // A pointer, so that only a unit that collects all violations compiles the growth of a vector.
  void (*append_)(std::vector<violation>&, const violation&) = nullptr;
  std::optional<violation> first_;
  std::size_t count_ = 0;
};

}  // namespace goldml
