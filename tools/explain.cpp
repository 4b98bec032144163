#include "explain.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/model_place.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/io/quotes.hpp>

#include "directml_source.hpp"
#include "explanations.hpp"

namespace goldml::tool {

namespace detail {

namespace {

// Text from a file for a // comment: without control characters, bidirectional controls and backslashes, so that it
// cannot leave the comment.
std::string in_comment(std::string_view text) {
  std::string result;
  for (const char c : io::in_quotes(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) result += byte < 0x80 && c != '\\' ? c : '?';  // one mark per UTF-8 character
  }
  return result;
}

// For a valid tensor whose elements have a size: "the last element is at 1*3 + 2*1 = 5; (5 + 1) * 4 = 24 bytes".
std::string size_text(const operand& t) {
  const tensor_desc& desc = *t.desc;
  const dimensions strides = effective_strides(desc);
  std::string terms;
  for (std::size_t i = 0; i < desc.sizes.size(); ++i)
    if (desc.sizes[i] > 1) terms += fmt::format("{}{}*{}", terms.empty() ? "" : " + ", desc.sizes[i] - 1, strides[i]);
  const std::string element_bytes =
      is_4_bit(desc.data_type) ? "0.5" : fmt::format("{}", element_size_in_bytes(desc.data_type));
  const std::uint64_t bytes = size_in_bytes_of(desc.data_type, t.span);
  const std::uint64_t implied = round_up_to_4(bytes);
  return fmt::format("the last element is at {}{}; ({} + 1) * {} = {} bytes{}{}", terms.empty() ? terms : terms + " = ",
                     t.span - 1, t.span - 1, element_bytes, bytes,
                     implied == bytes ? "" : fmt::format(", rounded up to {}", implied),
                     total_tensor_size_in_bytes(desc) == implied ? "" : "; the model gives another size");
}

// The first level at which the operand accepts this data type and number of dimensions.
std::string operand_level_text(std::span<const operand_limits> all, const tensor_desc& desc) {
  for (const operand_limits& limits : all)
    if (limits.data_types.contains(desc.data_type) && desc.sizes.size() >= limits.fewest_dimensions &&
        !desc.sizes.overlong() && desc.sizes.size() <= limits.most_dimensions)
      return fmt::format("from feature level {} on", name_of(limits.from));
  return "at no feature level";
}

std::string policy_text(const attribute& policy, const void* desc) {
  const void* value = policy.address(desc);
  if (policy.kind == attribute_kind::boolean)
    return fmt::format(" {}={}", policy.name, *static_cast<const bool*>(value));
  return fmt::format(" {}={}", policy.name, policy.names.name_of(load_enumerator(value)).value_or("not an enumerator"));
}

void explain_tensor(std::ostream& out, const operand_info& info, std::span<const operand_limits> limits,
                    const std::string& name, const operand& t) {
  if (!t.desc) {
    out << fmt::format("  // {}: null{}\n\n", name, info.optional ? ", it is optional" : "");
    return;
  }
  const tensor_desc& desc = *t.desc;
  const dimensions packed = packed_strides(desc.sizes);
  const bool is_packed = effective_strides(desc) == packed;
  out << fmt::format("  // {}: {} {}, strides {} ({}), effective rank {}, {}\n", name, name_of(desc.data_type),
                     desc.sizes, effective_strides(desc),
                     is_packed ? "packed" : fmt::format("packed would be {}", packed), effective_rank(desc.sizes),
                     operand_level_text(limits, desc));
  if (t.sound && element_size_in_bits(desc.data_type) != 0)
    out << "  // TotalTensorSizeInBytes: " << size_text(t) << "\n";
  out << tensor_source(name, desc) << "\n";
}

// The first level at which the desc is valid, ignoring memory.
std::optional<feature_level> first_legal_level(any_desc desc, std::vector<operand> operands) {
  for (operand& t : operands) t.memory.reset();
  for (const auto& level : feature_levels) {
    desc.level() = level.value;
    violation_sink sink;
    check(desc, operands, sink);
    if (!sink.first()) return level.value;
  }
  return std::nullopt;
}

std::vector<std::string> facts_of(const any_desc& desc, const std::vector<operand>& operands) {
  std::vector<std::string> facts;
  for_each_operator(all_operators{}, [&]<class Desc>(std::type_identity<Desc>) {
    if (&description_of<Desc>() != &desc.description()) return;
    operands_of<Desc> typed;
    if constexpr (has_operand_array<Desc>) typed.resize(operands.size());
    std::copy(operands.begin(), operands.end(), typed.begin());
    facts = explanation<Desc>::facts(desc.as<Desc>(), typed);
  });
  return facts;
}

void explain_desc(std::ostream& out, const any_desc& desc, const std::vector<violation>& broken,
                  std::vector<operand> operands) {
  const operator_description& op = desc.description();
  if (const auto level = first_legal_level(desc, operands))
    out << fmt::format("// the desc is legal from feature level {} on (DML_TARGET_VERSION 0x{:x})\n", name_of(*level),
                       static_cast<std::uint32_t>(*level));
  else
    out << "// the desc is legal at no feature level\n";
  for (const violation& v : broken) out << fmt::format("// refused at {}: {}\n", name_of(desc.level()), to_string(v));
  any_desc latest = desc;
  latest.level() = feature_level::latest;
  std::vector<violation> unused;
  violation_sink sink(&unused);  // with a list, the check does not stop at the first violation
  check(latest, operands, sink);
  for (const std::string& fact : facts_of(desc, operands)) out << "// " << fact << "\n";
  std::string policies;
  for (const attribute& policy : op.policies) policies += policy_text(policy, desc.get());
  if (!policies.empty()) out << "// policies, which are goldml's and not DirectML's:" << policies << "\n";

  out << "{\n";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto [row, element] = place_of_tensor(op.operands, i, operands.size());
    const operand_info& info = op.operands[row];
    explain_tensor(out, info, limits_of(desc, row),
                   std::string(info.name) + (info.is_array() ? fmt::format("{}", element) : ""), operands[i]);
  }
  out << operator_source(op.name, op.attributes, op.operands, desc.get(), operands)
      << "  // device->CreateOperator(&operatorDesc, ...)\n}\n";
}

}  // namespace

}  // namespace detail

std::optional<io::model_error> explain_model(io::model& m, std::ostream& out) {
  std::optional<io::model_error> first;
  const auto dispatches = std::count_if(m.commands.begin(), m.commands.end(), [](const io::model_command& command) {
    return std::holds_alternative<io::dispatch_command>(command);
  });
  std::ptrdiff_t number = 0;
  io::detail::for_each_dispatch(m, [&](const io::model_dispatchable& dispatchable, std::vector<operand> operands) {
    std::vector<violation> broken;
    violation_sink sink(&broken);
    check(dispatchable.desc, operands, sink);
    if (!first && sink.first()) {
      const violation& v = *sink.first();
      first.emplace(v, io::model_places(m).of(dispatchable.name, v));
    }
    out << (number == 0 ? "" : "\n") << "// "
        << (number < dispatches ? fmt::format("dispatch {}", number) : "not dispatched")
        << fmt::format(": {}, {}\n", detail::in_comment(dispatchable.name), dispatchable.desc.description().name);
    ++number;
    detail::explain_desc(out, dispatchable.desc, broken, operands);
  });
  return first;
}

}  // namespace goldml::tool
