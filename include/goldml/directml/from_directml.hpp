// Validates and evaluates DirectML's structures with goldml: gives the golden values of a DML_OPERATOR_DESC, or the
// reason for which IDMLDevice::CreateOperator returns E_INVALIDARG. Needs DirectML.h, but neither DirectML nor a GPU.
//
//   if (const auto broken = directml::validate(desc)) std::puts(to_string(*broken).c_str());
//   directml::evaluate(cpu, desc, {x}, {y});
//
// Null pointers, numbers that are not enumerators, and operators that goldml does not have are violations, like all
// other bad input. For what cannot be checked see conversions.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/evaluate.hpp>
#include <goldml/directml/buffers.hpp>
#include <goldml/directml/conversions.hpp>

namespace goldml::directml {

namespace detail {

// One DML_OPERATOR_DESC, converted.
template <class Desc>
struct operation {
  const typename structure<Desc>::type* from;  // may be null
  Desc desc;
  operands_of<Desc> operands;

  operation(const void* operator_desc, const policies& given)
      : from(static_cast<const typename structure<Desc>::type*>(operator_desc)) {
    set_policies(given, desc);
    if constexpr (has_operand_array<Desc>) operands.resize(operand_info_count<Desc>);
    if (from == nullptr) return;
    desc = from_directml<Desc>(*from, given);
    std::size_t next = 0;
    if constexpr (has_operand_array<Desc>) operands.clear();
    read_operands(from, structure<Desc>::operands, operator_traits<Desc>::operands, [&](const operand& t) {
      if constexpr (has_operand_array<Desc>)
        operands.push_back(t);
      else
        operands[next++] = t;
    });
  }

  // Reports T1 if the structure itself is null, then everything that goldml's check reports.
  void check(violation_sink& sink) {
    if (from == nullptr && desc.feature_level >= first_feature_level<Desc>())
      rule_report(operator_traits<Desc>::name, sink)("T1", "", "Desc", violation_text("null"),
                                                     violation_text("a pointer"));
    else
      goldml::check(desc, operands, sink);
  }

  // A null list of the structure was converted to an empty one: adds this to the violation.
  violation explained(violation v) const {
    if (from == nullptr || !v.operand.empty()) return v;
    for (std::size_t i = 0; i < operator_traits<Desc>::attributes.size(); ++i) {
      const attribute& a = operator_traits<Desc>::attributes[i];
      const c_member& m = structure<Desc>::attributes[i];
      if (!is_list(a.kind) || v.member != a.companion) continue;
      const std::uint32_t count = load_uint32(m.companion_in(from));
      if (count == 0 || load_pointer<void>(m.in(from)) != nullptr) continue;
      v.member = a.name;
      v.got = violation_text("null");
      v.wanted = violation_text("a pointer");
      v.why = violation_text("{} is {}", a.companion, count);
      break;
    }
    return v;
  }
};

// T11: an operator that goldml does not have.
inline violation unknown_operator(std::uint32_t type) {
  violation_text wanted;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if (!wanted.view().empty()) wanted.append(", ");
    wanted.put(operator_traits<Desc>::enumerator);
    wanted.append(" (");
    wanted.append(operator_traits<Desc>::name);
    wanted.append(")");
  });
  return {"T11", "DML_OPERATOR_DESC",        "",     "Type",
          {},    violation_text("{}", type), wanted, violation_text("the operators of goldml")};
}

// Calls f(operation<Desc>&) for the desc's operator. Returns whether goldml has it.
template <class F>
bool visit_operation(const DML_OPERATOR_DESC& op, const policies& given, F&& f) {
  const std::uint32_t type = raw(op.Type);
  bool found = false;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if (type != operator_traits<Desc>::enumerator) return;
    found = true;
    operation<Desc> converted(op.Desc, given);
    f(converted);
  });
  return found;
}

// Whether a tensor is present but its structure could not be read.
inline bool unread(const operand& t) {
  return !t.null_member.empty() || (t.desc && (t.desc->type != tensor_type::buffer || t.desc->sizes.overlong()));
}

// Whether a violation is only a consequence of a tensor that could not be read: other T rules of that tensor, and the
// operator's own rules.
template <class Desc>
bool follows_from_unread(const violation& v, const operands_of<Desc>& operands) {
  bool any = false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    any = any || unread(operands[i]);
    const bool other_type = operands[i].desc && operands[i].desc->type != tensor_type::buffer;
    const auto [info, element] = place_of_tensor(operator_traits<Desc>::operands, i, operands.size());
    if (other_type && v.operand == operator_traits<Desc>::operands[info].name && v.element.value_or(0) == element &&
        v.rule != "T1" && v.rule != "T2")
      return true;
  }
  return any && !v.rule.starts_with('T');
}

}  // namespace detail

// The first violation of a desc, or nullopt if it is valid. Allocates nothing. Rules and order are those of goldml, by
// the policies and the level given. T1 is a null pointer; T11 is also reported for an operator that goldml does not
// have.
inline std::optional<violation> validate(const DML_OPERATOR_DESC& desc, const policies& given) {
  std::optional<violation> first;
  const bool known = detail::visit_operation(desc, given, [&](auto& op) {
    violation_sink sink;
    op.check(sink);
    if (sink.first()) first = op.explained(*sink.first());
  });
  return known ? first : detail::unknown_operator(detail::raw(desc.Type));
}
inline std::optional<violation> validate(const DML_OPERATOR_DESC& desc, feature_level level = feature_level::latest) {
  return validate(desc, policies{.feature_level = level});
}

// All violations, in the same order. If a tensor cannot be read (a null Desc or Sizes, a Type that is not BUFFER, more
// than 8 dimensions), only T rules are reported.
inline std::vector<violation> violations(const DML_OPERATOR_DESC& desc, const policies& given) {
  std::vector<violation> all;
  const bool known = detail::visit_operation(desc, given, [&]<class Desc>(detail::operation<Desc>& op) {
    violation_sink sink(&all);
    op.check(sink);
    std::erase_if(all, [&](const violation& v) { return detail::follows_from_unread<Desc>(v, op.operands); });
    for (violation& v : all) v = op.explained(v);
  });
  if (!known) all.push_back(detail::unknown_operator(detail::raw(desc.Type)));
  return all;
}
inline std::vector<violation> violations(const DML_OPERATOR_DESC& desc, feature_level level = feature_level::latest) {
  return violations(desc, policies{.feature_level = level});
}

namespace detail {

// Assigns memory to the tensors from operand `first` on. Memory for a tensor that the desc omits is refused (T12).
template <class Desc, class Void, class Ref>
void bind_memory(operation<Desc>& op, const basic_buffers<Void>& buffers, std::size_t first, std::span<Ref> refs,
                 const rule_report& report) {
  const std::size_t count = refs.size();
  std::size_t given = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (op.operands[first + i].desc) ++given;
  if (buffers.size() != count && buffers.size() != given)
    throw std::invalid_argument(fmt::format("goldml: {} takes {} {}, {} were passed", operator_traits<Desc>::name,
                                            count, first == 0 ? "inputs" : "outputs", buffers.size()));
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    operand& t = op.operands[first + i];
    if (!t.desc && buffers.size() != count) continue;
    const basic_buffer<Void>& buffer = buffers[next++];
    if (t.desc) {
      refs[i] = Ref(*t.desc, buffer.data(), buffer.size_in_bytes());
      t.memory = refs[i].memory();
    } else if (buffer.present()) {
      report("T12",
             operator_traits<
                 Desc>::operands[place_of_tensor(operator_traits<Desc>::operands, first + i, op.operands.size()).info]
                 .name,
             "memory", violation_text("{} bytes", buffer.size_in_bytes()), violation_text("none"),
             violation_text("the tensor is null"));
    }
  }
}

template <class Desc, class Backend>
void run(const Backend& backend, operation<Desc>& op, const input_buffers& inputs, const output_buffers& outputs) {
  std::vector<const_tensor_ref> input_refs(input_tensor_count<Desc>(op.operands.size()));
  std::vector<tensor_ref> output_refs(op.operands.size() - input_refs.size());
  violation_sink first, surplus;
  if constexpr (!supports<Backend, Desc>)
    rule_report(operator_traits<Desc>::name, first)(
        "T11", "", "backend", violation_text("without this operator"), violation_text("one that has it"),
        violation_text("or its header was not included; there is no fallback on another"));
  if (op.from != nullptr) {
    const rule_report report(operator_traits<Desc>::name, surplus);
    bind_memory(op, inputs, 0, std::span(input_refs), report);
    bind_memory(op, outputs, input_refs.size(), std::span(output_refs), report);
  }
  op.check(first);
  if (first.first()) throw error(op.explained(*first.first()));
  if (surplus.first()) throw error(*surplus.first());
  if constexpr (supports<Backend, Desc>)
    goldml::detail::run_on_refs(backend, std::span<const const_tensor_ref>(input_refs),
                                std::span<const tensor_ref>(output_refs), op.desc);
}

}  // namespace detail

// Computes what DirectML must compute, with a backend of goldml. Inputs and outputs are memory in the order of the
// structure, each with the layout of its tensor's desc and at least TotalTensorSizeInBytes long (T12). Pass {}, or
// nothing at the end, for an optional tensor that is null. Inputs with OWNED_BY_DML are passed like the others.
//   directml::evaluate(cpu, desc, {x, indices, updates}, {y}, {.duplicates = duplicates::last_wins});
// Throws error with the first violation, with all outputs unchanged, and std::invalid_argument if the numbers of
// buffers and tensors differ. Include all kernels of the backend, for example <goldml/cpu/cpu.hpp>, because the
// operator is known only at run time.
template <class Backend>
void evaluate(const Backend& backend, const DML_OPERATOR_DESC& desc, const input_buffers& inputs,
              const output_buffers& outputs, const policies& given = {}) {
  const bool known = detail::visit_operation(desc, given, [&](auto& op) { detail::run(backend, op, inputs, outputs); });
  if (!known) throw error(detail::unknown_operator(detail::raw(desc.Type)));
}

}  // namespace goldml::directml
