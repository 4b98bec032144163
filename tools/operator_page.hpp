// What `goldml list OPERATOR` prints of an operator.
#pragma once

#include <ostream>

#include <goldml/core/any_desc.hpp>

#include "json_result.hpp"

namespace goldml::tool {

// The operands with their data types by level, the attributes and the policies.
void print_operator(const operator_description& op, std::ostream& out);

// The same as the members "operands", "attributes" and "policies".
void write_operator(json_writer& writer, const operator_description& op);

}  // namespace goldml::tool
