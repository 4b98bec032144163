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
#include <vector>

#include <fmt/format.h>

#include <goldml/core/evaluate.hpp>
#include <goldml/core/function_reference.hpp>
#include <goldml/directml/buffers.hpp>
#include <goldml/directml/conversions.hpp>
#include <goldml/operators/any_call.hpp>

namespace goldml::directml {

namespace detail {

// One DML_OPERATOR_DESC, converted. The desc and the operands belong to with_operation().
struct operation {
  const structure_description& structure;
  const void* from;  // may be null
  const void* desc;  // of the operator's type
  feature_level level;
  std::span<operand> operands;
  function_reference<void(violation_sink&)> check_operands;  // goldml's check of the desc and the operands

  const operator_description& op() const { return *structure.op; }

  // Reports T1 if the structure itself is null, then everything that goldml's check reports.
  void check(violation_sink& sink) const {
    if (from == nullptr && level >= op().first_level())
      rule_report(op().name, sink)("T1", "", "Desc", violation_text("null"), violation_text("a pointer"));
    else
      check_operands(sink);
  }

  // A violation by a list that is null in the structure: adds the count that it has there.
  violation explained(violation v) const {
    if (from == nullptr || !v.operand.empty()) return v;
    for (std::size_t i = 0; i < structure.attributes.size(); ++i) {
      const attribute& a = op().attributes[i];
      const c_member& m = structure.attributes[i];
      if (!is_list(a.kind) || (v.member != a.companion && v.member != a.name)) continue;
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

// The desc and the operands of a structure. Of one that is null, the policies.
inline void read_operation(const structure_description& structure, const void* from, const policies& given, void* desc,
                           std::span<operand> operands) {
  if (from == nullptr) return set_policies(given, *structure.op, desc);
  read_desc(structure, from, given, desc);
  read_operands(structure, from, operands);
}

// Calls f with the operation of a structure, which may be null. Allocates nothing, except for an array of tensors.
template <class Desc>
void with_operation(const void* from, const policies& given, function_reference<void(operation&)> f) {
  const structure_description structure = structure_of<Desc>();
  Desc desc;
  operands_of<Desc> operands;
  if constexpr (has_operand_array<Desc>)
    operands.resize(from == nullptr ? operand_info_count<Desc> : tensor_count(structure, from));
  read_operation(structure, from, given, &desc, operands);
  const auto check_operands = [&](violation_sink& sink) { goldml::check(desc, operands, sink); };
  operation converted{structure, from, &desc, given.feature_level, operands, check_operands};
  f(converted);
}

// T11: an operator that goldml does not have.
inline violation unknown_operator(std::uint32_t type) {
  return {"T11",
          "DML_OPERATOR_DESC",
          "",
          "Type",
          {},
          violation_text("{}", type),
          violation_text("the DML_OPERATOR_TYPE of an operator that goldml has"),
          violation_text("137 is ARGMIN; 'goldml list' names all")};
}

// Calls f with the operation of a desc. Returns whether goldml has the operator.
inline bool visit_operation(const DML_OPERATOR_DESC& op, const policies& given,
                            function_reference<void(operation&)> f) {
  struct entry {
    std::uint32_t enumerator;
    void (*call)(const void* from, const policies& given, function_reference<void(operation&)> f);
  };
  static constexpr auto all = []<class... Desc>(type_list<Desc...>) {
    return std::array{entry{operator_traits<Desc>::enumerator, &with_operation<Desc>}...};
  }(all_operators{});
  for (const entry& e : all)
    if (e.enumerator == raw(op.Type)) {
      e.call(op.Desc, given, f);
      return true;
    }
  return false;
}

// Whether a tensor is present but its structure could not be read.
inline bool unread(const operand& t) {
  return !t.null_member.empty() || (t.desc && (t.desc->type != tensor_type::buffer || t.desc->sizes.overlong()));
}

// Whether a violation is only a consequence of a tensor that could not be read: other T rules of that tensor, and the
// operator's own rules.
inline bool follows_from_unread(const violation& v, const operation& op) {
  bool any = false;
  const std::span<const operand> operands = op.operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    any = any || unread(operands[i]);
    const bool other_type = operands[i].desc && operands[i].desc->type != tensor_type::buffer;
    const auto [info, element] = place_of_tensor(op.op().operands, i, operands.size());
    if (other_type && v.operand == op.op().operands[info].name && v.element.value_or(0) == element && v.rule != "T1" &&
        v.rule != "T2")
      return true;
  }
  return any && !is_tensor_rule(v.rule);
}

}  // namespace detail

// The first violation of a desc, or nullopt if it is valid. Allocates nothing. Rules and order are those of goldml, by
// the policies and the level given. T1 is a null pointer; T11 is also reported for an operator that goldml does not
// have.
inline std::optional<violation> validate(const DML_OPERATOR_DESC& desc, const policies& given) {
  std::optional<violation> first;
  const bool known = detail::visit_operation(desc, given, [&](const detail::operation& op) {
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
  const bool known = detail::visit_operation(desc, given, [&](const detail::operation& op) {
    violation_sink sink(&all);
    op.check(sink);
    std::erase_if(all, [&](const violation& v) { return detail::follows_from_unread(v, op); });
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
template <class Void, class Ref>
void bind_memory(const operation& op, const basic_buffers<Void>& buffers, std::size_t first, std::span<Ref> refs,
                 const rule_report& report) {
  const std::size_t count = refs.size();
  std::size_t given = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (op.operands[first + i].desc) ++given;
  if (buffers.size() != count && buffers.size() != given)
    throw std::invalid_argument(fmt::format("goldml: {} takes {} {}, {} were passed", op.op().name, count,
                                            first == 0 ? "inputs" : "outputs", buffers.size()));
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    operand& t = op.operands[first + i];
    if (!t.desc && buffers.size() != count) continue;
    const basic_buffer<Void>& buffer = buffers[next++];
    if (t.desc) {
      refs[i] = Ref(*t.desc, buffer.data(), buffer.size_in_bytes());
      t.memory = refs[i].memory();
    } else if (buffer.present()) {
      report("T12", op.op().info_of(first + i, op.operands.size()).name, "memory",
             violation_text("{} bytes", buffer.size_in_bytes()), violation_text("none"),
             violation_text("the tensor is null"));
    }
  }
}

using call_on_refs = function_reference<void(const void* desc, std::span<const const_tensor_ref> inputs,
                                             std::span<const tensor_ref> outputs)>;

// Checks the operation, then calls a backend; `supported` is whether it has the operator.
inline void run(const operation& op, const input_buffers& inputs, const output_buffers& outputs, bool supported,
                call_on_refs call) {
  std::vector<const_tensor_ref> input_refs(op.op().input_count(op.operands.size()));
  std::vector<tensor_ref> output_refs(op.operands.size() - input_refs.size());
  violation_sink first, surplus;
  if (!supported)
    rule_report(op.op().name, first)("T11", "", "backend", violation_text("without this operator"),
                                     violation_text("one that has it"),
                                     violation_text("or its header was not included; there is no fallback on another"));
  if (op.from != nullptr) {
    const rule_report report(op.op().name, surplus);
    bind_memory(op, inputs, 0, std::span(input_refs), report);
    bind_memory(op, outputs, input_refs.size(), std::span(output_refs), report);
  }
  op.check(first);
  if (first.first()) throw error(op.explained(*first.first()));
  if (surplus.first()) throw error(*surplus.first());
  call(op.desc, input_refs, output_refs);
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
  const bool known = detail::visit_operation(desc, given, [&](const detail::operation& op) {
    const backend_call<Backend> call = call_of<Backend>(op.op());
    detail::run(op, inputs, outputs, call != nullptr,
                [&](const void* checked, std::span<const const_tensor_ref> input_refs,
                    std::span<const tensor_ref> output_refs) { call(backend, checked, input_refs, output_refs); });
  });
  if (!known) throw error(detail::unknown_operator(detail::raw(desc.Type)));
}

}  // namespace goldml::directml
