// The layouts that follow from the rows of operators, against DirectML.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/directml/structures.hpp>

#include "../catch.hpp"

using namespace goldml;

namespace {

struct listed_member {
  std::uint32_t type;
  std::string_view name;
  std::size_t offset;
};

// Written by CMake from DirectML.h.
const std::vector<listed_member> listed{
#define MEMBER(op, member) {DML_OPERATOR_##op, #member, offsetof(DML_##op##_OPERATOR_DESC, member)},
#include <directml_members.inc>
#undef MEMBER
};

// Where goldml takes that member to be.
std::optional<std::size_t> offset_of(const directml::structure_description& structure, std::string_view name) {
  for (std::size_t i = 0; i < structure.operands.size(); ++i) {
    if (structure.op->operands[i].name == name) return structure.operands[i].offset;
    if (structure.op->operands[i].count == name) return structure.operands[i].companion_offset;
  }
  for (std::size_t i = 0; i < structure.attributes.size(); ++i) {
    if (structure.op->attributes[i].name == name) return structure.attributes[i].offset;
    if (structure.op->attributes[i].companion == name) return structure.attributes[i].companion_offset;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("directml: each structure has the layout of DirectML.h, member by member", "[directml]") {
  std::set<std::uint32_t> types;
  for (const listed_member& member : listed) {
    const directml::structure_description* structure = directml::find_structure(member.type);
    REQUIRE(structure != nullptr);
    INFO(structure->op->name << ", " << member.name);
    CHECK(offset_of(*structure, member.name) == member.offset);
    types.insert(member.type);
  }
  CHECK(types.size() == directml::every_structure().size());
  std::cout << "directml: " << listed.size() << " members of " << types.size() << " structures compared\n";
  // And DirectML.h lists each member that goldml has.
  for (const directml::structure_description& structure : directml::every_structure()) {
    const auto is_listed = [&](std::string_view name) {
      INFO(structure.op->name << ", " << name);
      CHECK(std::any_of(listed.begin(), listed.end(), [&](const listed_member& member) {
        return member.type == structure.op->enumerator && member.name == name;
      }));
    };
    for (const operand_info& operand : structure.op->operands) is_listed(operand.name);
    for (const attribute& row : structure.op->attributes) is_listed(row.name);
  }
}
