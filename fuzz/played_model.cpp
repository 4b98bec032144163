// libFuzzer: models of cases from bytes, some with a few bytes of their text changed, are read and played on `cpu` and
// on `reference`. Both print the same, or refuse the model by the same rule.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>

#include <goldml/goldml.hpp>
#include <goldml/io/attributes_json.hpp>
#include <goldml/io/dxdispatch.hpp>

#include "structured.hpp"

using namespace goldml;

namespace {

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }

// A resource for a tensor, with values from a sequence.
std::string resource_text(oracle::random_source& random, const std::string& name, const tensor_desc& tensor) {
  const std::uint64_t size = (std::max)(std::uint64_t{1}, std::uint64_t{element_size_in_bytes(tensor.data_type)});
  const std::uint64_t unit = (std::max)(std::uint64_t{4}, size);  // the size of a buffer is a multiple of it
  const std::uint64_t bytes =
      (saturating_add(total_tensor_size_in_bytes(tensor), unit - 1) / unit + random.below(3)) * unit;
  const std::uint64_t start = random.below(3);
  const std::uint64_t delta = bytes / size < 100 ? random.below(2) : 0;  // all values are in the range of the type
  return fmt::format(
      R"("{}": {{ "initialValuesDataType": "{}", "initialValues": {{ "valueCount": {}, "valueStart": {}, "valueDelta": {} }} }})",
      name, name_of(stored_type(tensor.data_type)), bytes / size, start, delta);
}

std::string model_of(oracle::random_source& random, const oracle::test_case<any_desc>& c) {
  const operator_description& op = c.desc.description();
  std::string resources, members, bindings, commands;
  for (std::size_t row = 0; row < op.operands.size(); ++row) {
    const operand_info& info = op.operands[row];
    const std::size_t first = first_tensor(op.operands, row, c.tensors.size());
    const std::size_t count = tensor_count(op.operands, row, c.tensors.size());
    std::string tensors, names;
    for (std::size_t i = first; i < first + count; ++i) {
      if (!c.tensors[i]) continue;
      const std::string name = fmt::format("r{}", i);
      append(resources, resource_text(random, name, *c.tensors[i]));
      append(tensors, io::tensor_json(*c.tensors[i]));
      append(names, fmt::format("\"{}\"", name));
      if (info.role == operand_role::output)
        commands += fmt::format(R"(, {{ "type": "print", "resource": "{}" }})", name);
    }
    if (tensors.empty()) continue;
    if (info.is_array()) append(members, fmt::format(R"("{}": {})", info.count, count));
    append(members, fmt::format("\"{}\": {}", info.name, info.is_array() ? "[" + tensors + "]" : tensors));
    append(bindings, fmt::format("\"{}\": {}", info.name, info.is_array() ? "[" + names + "]" : names));
  }
  const data_type type = c.tensors.back() ? c.tensors.back()->data_type : data_type::float32;
  for (const std::string& member : io::attributes_json(op.attributes, c.desc.get(), type)) append(members, member);
  return fmt::format(R"({{ "resources": {{ {} }}, "dispatchables": {{ "op": {{ "type": "{}", "desc": {{ {} }} }} }}, )"
                     R"("commands": [ {{ "type": "dispatch", "dispatchable": "op", "bindings": {{ {} }} }}{} ] }})",
                     resources, op.name, members, bindings, commands);
}

// The output of a model, or the code of the rule that it breaks.
template <class Backend>
std::string played(const Backend& backend, std::string_view text, bool& ran) {
  io::model_options options;
  options.output_folder = std::filesystem::temp_directory_path();
  options.max_memory = std::uint64_t{1} << 20;
  std::ostringstream out;
  try {
    io::model model = io::parse_model(text, ".", options);
    for (const io::model_command& command : model.commands)
      if (std::holds_alternative<io::write_file_command>(command)) return "writes";
    io::play(backend, model, out, 1U << 20);
    for (const io::model_command& command : model.commands)
      ran = ran || std::holds_alternative<io::dispatch_command>(command);
    return out.str();
  } catch (const error& refusal) {
    require_one_line(refusal);
    return out.str() + std::string(refusal.violation().rule);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::tally::executed();
  fuzz::visit_input(data, size, [](const oracle::any_operator& op, oracle::random_source& random) {
    const auto c = fuzz::choose_case(op, random);
    if (!fuzz::is_cheap(c)) return;
    std::string text = model_of(random, c);
    constexpr std::string_view bytes = "{}[],:\"0123456789-.e ";
    for (std::uint64_t edits = random.chance(60) ? 0 : random.below(4); edits > 0; --edits) {
      const std::size_t place = random.below(text.size());
      if (random.chance(70))
        text[place] = bytes[random.below(bytes.size())];
      else
        text.erase(place, 1 + random.below(4));
    }
    bool ran = false;
    const std::string wanted = played(reference, text, ran);
    if (ran) fuzz::tally::reached_kernel();
    require(played(cpu, text, ran) == wanted);
  });
  return 0;
}
