// What `goldml run --explain` prints about an operator in addition to its description. explain/x.hpp defines it for
// each operator.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/validate.hpp>

namespace goldml::tool::detail {

// A specialisation for each operator has
//   facts(desc, operands)   facts derived from the tensors, one line per fact: the parts of their shapes, and
//                           the sizes that the rules require. Operands have been checked at the latest level; there are
//                           no facts about operands that are not sound.
template <class Desc>
struct explanation;

// For example "1 matrix", "2 matrices".
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// For example "{2,8589934592}": sizes computed in 64 bits, which a tensor may not have.
inline std::string wide_sizes(std::span<const std::uint64_t> sizes) {
  std::string text = "{";
  for (const std::uint64_t size : sizes) text += fmt::format("{}{}", text == "{" ? "" : ",", size);
  return text + "}";
}

}  // namespace goldml::tool::detail
