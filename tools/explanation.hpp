// What `goldml run --explain` prints about an operator in addition to its description. explain/x.hpp defines it for
// each operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/implied.hpp>
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

// For example "implied sizes of OutputTensor: {2,3}", of an output that has implied sizes: the last operand.
template <class Desc>
std::string implied_sizes(const Desc& desc, const operands_of<Desc>& operands) {
  constexpr std::size_t output = operand_info_count<Desc> - 1;
  return fmt::format("implied sizes of {}: {}", operator_traits<Desc>::operands[output].name,
                     implied(desc, operands, output).sizes.value());
}

}  // namespace goldml::tool::detail
