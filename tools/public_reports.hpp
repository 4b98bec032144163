// What public reports say of DirectML's refusals beyond its documentation. Notes for users; no rules.
#pragma once

#include <span>
#include <string>

#include <goldml/core/any_desc.hpp>

namespace goldml::tool {

// What happened to somebody with a valid call like this; "" if nothing is known.
std::string public_report(const any_desc& desc, std::span<const operand> operands);

}  // namespace goldml::tool
