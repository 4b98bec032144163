// DirectML.h with this platform's Direct3D 12: the identifiers in goldml are those that DirectML.h
// declares, and an interface can be implemented and called.
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/directml/headers.hpp>
#include <goldml/io/known_operators.hpp>

#include "catch.hpp"

namespace {

std::string text_of(const GUID& id) {
  std::string text = fmt::format("{:08x}-{:04x}-{:04x}-", static_cast<std::uint32_t>(id.Data1), id.Data2, id.Data3);
  for (int i = 0; i < 8; ++i) text += fmt::format("{}{:02x}", i == 2 ? "-" : "", id.Data4[i]);
  return text;
}

// Interfaces and their identifiers, copied from DirectML.h.
std::map<std::string, std::string> identifiers_in_header() {
  std::ifstream file(GOLDML_DIRECTML_H);
  std::map<std::string, std::string> found;
  const std::string before = "interface DML_DECLARE_INTERFACE(\"";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(before)) continue;
    const std::size_t name = before.size() + 36 + 3;  // after the identifier, ") and a space
    found[line.substr(name, line.find(' ', name) - name)] = line.substr(before.size(), 36);
  }
  return found;
}

// The enumerators of DML_OPERATOR_TYPE, without prefix, INVALID and aliases, in their order.
std::vector<std::string> operators_in_header() {
  std::ifstream file(GOLDML_DIRECTML_H);
  std::vector<std::string> found;
  const std::string prefix = "    DML_OPERATOR_";
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.starts_with(prefix) || !line.ends_with(',')) continue;
    const std::string name = line.substr(prefix.size(), line.size() - prefix.size() - 1);
    if (name != "INVALID" && name.find(' ') == std::string::npos) found.push_back(name);
  }
  return found;
}

}  // namespace

TEST_CASE("directml: goldml knows the names of all operators of DirectML.h") {
  using goldml::io::known_operators;
  CHECK(operators_in_header() == std::vector<std::string>(known_operators.begin(), known_operators.end()));
  for (const goldml::operator_description* op : goldml::operator_descriptions())
    CHECK(known_operators.at(op->enumerator - 1) == op->name);
}

TEST_CASE("directml: identifiers of interfaces are those of DirectML.h") {
  using goldml::d3d12::iid_of;
  const std::map<std::string, std::string> ours{
      {"IDMLObject", text_of(iid_of<IDMLObject>())},
      {"IDMLDevice", text_of(iid_of<IDMLDevice>())},
      {"IDMLDeviceChild", text_of(iid_of<IDMLDeviceChild>())},
      {"IDMLPageable", text_of(iid_of<IDMLPageable>())},
      {"IDMLOperator", text_of(iid_of<IDMLOperator>())},
      {"IDMLDispatchable", text_of(iid_of<IDMLDispatchable>())},
      {"IDMLCompiledOperator", text_of(iid_of<IDMLCompiledOperator>())},
      {"IDMLOperatorInitializer", text_of(iid_of<IDMLOperatorInitializer>())},
      {"IDMLBindingTable", text_of(iid_of<IDMLBindingTable>())},
      {"IDMLCommandRecorder", text_of(iid_of<IDMLCommandRecorder>())},
      {"IDMLDebugDevice", text_of(iid_of<IDMLDebugDevice>())},
      {"IDMLDevice1", text_of(iid_of<IDMLDevice1>())},
  };
  CHECK(ours == identifiers_in_header());
}
