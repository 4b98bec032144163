// A desc whose operator is known only at run time. Code that treats all operators alike takes it, and is compiled once
// instead of once per operator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <goldml/core/implied.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/core/validate.hpp>
#include <goldml/core/work.hpp>

namespace goldml {

// What operator_traits<Desc> says of an operator, as a value, and what can be done with a desc of its type.
struct operator_description {
  std::string_view name;
  std::string_view alias;  // another name of DirectML's; empty if there is none
  std::uint32_t enumerator;
  std::span<const operand_info> operands;
  std::span<const attribute> attributes;
  std::span<const attribute> policies;

  bool moves;  // whether elements are moved bit by bit, not computed

  void* (*copy)(const void* desc);  // of a null pointer: a default desc
  void (*destroy)(void* desc);
  goldml::feature_level& (*level)(void* desc);
  // limits_of() of an operand, by its row.
  std::span<const operand_limits> (*limits)(const void* desc, std::size_t row);
  // check() of operands, one per tensor. Throws std::invalid_argument for a number that the operator cannot have.
  void (*check)(const void* desc, std::vector<operand>& operands, violation_sink& sink);
  // implied() of an output, by its row.
  implied_output (*implied)(const void* desc, std::span<const operand> operands, std::size_t row);
  // work_of() and scratch_of() a valid call.
  work_counts (*work)(const void* desc, std::span<const operand> operands);
  scratch_memory (*scratch)(const void* desc, std::span<const operand> operands);

  // The first level that has the operator.
  goldml::feature_level first_level() const { return operands[0].limits.front().from; }

  // The number of inputs among the operator's `tensors`.
  std::size_t input_count(std::size_t tensors) const {
    std::size_t rows = 0;
    while (rows < operands.size() && operands[rows].role == operand_role::input) ++rows;
    return first_tensor(operands, rows, tensors);
  }

  // The row of a tensor.
  const operand_info& info_of(std::size_t tensor, std::size_t tensors) const {
    return operands[place_of_tensor(operands, tensor, tensors).info];
  }

  // Whether a call reads this tensor, an output, before it writes it. is_given(k): whether it has tensor k.
  template <class IsGiven>
  bool reads_output(std::size_t tensor, std::size_t tensors, const IsGiven& is_given) const {
    const operand_info& info = info_of(tensor, tensors);
    return info.read_with && is_given(*info.read_with) && is_given(tensor);
  }

  bool has_operand_array() const {
    return std::any_of(operands.begin(), operands.end(), [](const operand_info& info) { return info.is_array(); });
  }
};

namespace detail {

template <class Desc>
struct described_desc {
  static void* copy(const void* desc) {
    return desc == nullptr ? new Desc() : new Desc(*static_cast<const Desc*>(desc));
  }
  static void destroy(void* desc) { delete static_cast<Desc*>(desc); }
  static goldml::feature_level& level(void* desc) { return static_cast<Desc*>(desc)->feature_level; }
  static std::span<const operand_limits> limits(const void* desc, std::size_t row) {
    return limits_of(*static_cast<const Desc*>(desc), row);
  }

  static void check(const void* desc, std::vector<operand>& operands, violation_sink& sink) {
    if constexpr (has_operand_array<Desc>) {
      goldml::check(*static_cast<const Desc*>(desc), operands, sink);
    } else {
      operands_of<Desc> typed;
      if (operands.size() != typed.size()) {
        const std::size_t inputs = (std::min)(input_tensor_count<Desc>(typed.size()), operands.size());
        throw wrong_operand_count(operator_traits<Desc>::name, operator_traits<Desc>::operands, inputs,
                                  operands.size() - inputs);
      }
      std::copy(operands.begin(), operands.end(), typed.begin());
      goldml::check(*static_cast<const Desc*>(desc), typed, sink);
      std::copy(typed.begin(), typed.end(), operands.begin());
    }
  }

  static operands_of<Desc> typed(std::span<const operand> operands) {
    operands_of<Desc> result;
    if constexpr (has_operand_array<Desc>) result.resize(operands.size());
    std::copy(operands.begin(), operands.end(), result.begin());
    return result;
  }
  static implied_output implied(const void* desc, std::span<const operand> operands, std::size_t row) {
    return goldml::implied(*static_cast<const Desc*>(desc), typed(operands), row);
  }
  static work_counts work(const void* desc, std::span<const operand> operands) {
    return work_of(*static_cast<const Desc*>(desc), typed(operands));
  }
  static scratch_memory scratch(const void* desc, std::span<const operand> operands) {
    return scratch_of(*static_cast<const Desc*>(desc), typed(operands));
  }
};

}  // namespace detail

// The same object for every call, so that its address says which operator it is.
template <class Desc>
const operator_description& description_of() {
  using traits = operator_traits<Desc>;
  using calls = detail::described_desc<Desc>;
  static constexpr operator_description description{.name = traits::name,
                                                    .alias = traits::options.alias,
                                                    .enumerator = traits::enumerator,
                                                    .operands = traits::operands,
                                                    .attributes = traits::attributes,
                                                    .policies = traits::policies,
                                                    .moves = traits::options.moves,
                                                    .copy = calls::copy,
                                                    .destroy = calls::destroy,
                                                    .level = calls::level,
                                                    .limits = calls::limits,
                                                    .check = calls::check,
                                                    .implied = calls::implied,
                                                    .work = calls::work,
                                                    .scratch = calls::scratch};
  return description;
}

// Owns a desc of any operator.
class any_desc {
 public:
  // A default desc.
  explicit any_desc(const operator_description& description)
      : description_(&description), desc_(description.copy(nullptr)) {}
  any_desc(const operator_description& description, const void* desc)
      : description_(&description), desc_(description.copy(desc)) {}
  template <described Desc>
  any_desc(const Desc& desc)  // NOLINT(google-explicit-constructor): any desc is one
      : description_(&description_of<Desc>()), desc_(description_->copy(&desc)) {}
  any_desc(const any_desc& other) : description_(other.description_), desc_(description_->copy(other.desc_)) {}
  any_desc(any_desc&& other) noexcept : description_(other.description_), desc_(std::exchange(other.desc_, nullptr)) {}
  any_desc& operator=(any_desc other) noexcept {
    std::swap(description_, other.description_);
    std::swap(desc_, other.desc_);
    return *this;
  }
  ~any_desc() {
    if (desc_ != nullptr) description_->destroy(desc_);
  }

  const operator_description& description() const { return *description_; }
  void* get() { return desc_; }
  const void* get() const { return desc_; }

  goldml::feature_level& level() { return description_->level(desc_); }
  goldml::feature_level level() const { return description_->level(desc_); }

  // Desc is the type of the operator's desc.
  template <class Desc>
  const Desc& as() const {
    return *static_cast<const Desc*>(desc_);
  }

 private:
  const operator_description* description_;
  void* desc_;
};

inline std::span<const operand_limits> limits_of(const any_desc& desc, std::size_t operand) {
  return desc.description().limits(desc.get(), operand);
}

inline void check(const any_desc& desc, std::vector<operand>& operands, violation_sink& sink) {
  desc.description().check(desc.get(), operands, sink);
}

// The operands of a run-time call.
inline std::vector<operand> to_operands(std::span<const const_tensor_ref> inputs, std::span<const tensor_ref> outputs) {
  std::vector<operand> operands;
  for (const const_tensor_ref& input : inputs) operands.push_back(to_operand(input));
  for (const tensor_ref& output : outputs) operands.push_back(to_operand(output));
  return operands;
}

// The operands of descs alone, one per tensor; nullopt for an omitted optional one.
inline std::vector<operand> to_operands(std::span<const std::optional<tensor_desc>> tensors) {
  std::vector<operand> operands(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) operands[i].desc = tensors[i];
  return operands;
}

// The outputs, packed, that the desc and its inputs imply. The inputs are one per tensor, as above. An output whose
// data type is left open gets `open_type`. Throws error with the first violation, and std::invalid_argument for another
// number of inputs, and where the sizes or the data type of an output are open.
inline std::vector<tensor_desc> implied_outputs(const any_desc& desc,
                                                std::span<const std::optional<tensor_desc>> inputs,
                                                std::optional<data_type> open_type = std::nullopt) {
  const operator_description& op = desc.description();
  std::vector<operand> operands = to_operands(inputs);
  std::size_t row = 0;
  while (op.operands[row].role == operand_role::input) ++row;
  operands.resize(inputs.size() + op.operands.size() - row, open_output());
  if (op.input_count(operands.size()) != inputs.size())
    throw wrong_operand_count(op.name, op.operands, inputs.size(), op.operands.size() - row);
  const auto check_all = [&] {
    violation_sink sink;
    check(desc, operands, sink);
    if (sink.first()) throw error(*sink.first());
  };
  check_all();
  const auto refuse = [&](std::string_view what) {
    throw std::invalid_argument(std::string("goldml: ")
                                    .append(op.name)
                                    .append(": ")
                                    .append(op.operands[row].name)
                                    .append(": the desc and the inputs leave open its ")
                                    .append(what));
  };
  std::vector<tensor_desc> outputs;
  for (std::size_t i = inputs.size(); i < operands.size(); ++i, ++row) {
    const implied_output output = op.implied(desc.get(), operands, row);
    const std::optional<data_type> type = output.data_type ? output.data_type : open_type;
    if (!output.sizes) refuse("sizes");
    if (!type)
      refuse(detail::inline_text("data type: {}", limits_at(limits_of(desc, row), desc.level())->data_types).view());
    outputs.push_back({.data_type = *type, .sizes = output.sizes->clamped()});
    operands[i] = to_operand(outputs.back());
  }
  check_all();  // refuses what no tensor can have
  return outputs;
}

}  // namespace goldml
