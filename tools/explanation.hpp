// What `goldml run --explain` says of one operator beside what its description says. Each operator has it in
// explain/x.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/validate.hpp>

namespace goldml::tool::detail {

// Specialised for each operator, with
//   facts(desc, operands)   what the operator makes of its tensors, one line for each fact: the parts of their shapes, and
//                           the sizes that its rules want. Operands have been checked at the latest level; of those that
//                           are not sound nothing can be said.
template <class Desc>
struct explanation;

// 1 matrix, 2 matrices.
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace goldml::tool::detail
