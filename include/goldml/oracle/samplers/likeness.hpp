// Breaks the rules on operands that have the data type, number of dimensions or sizes of another one, which an
// operator's description has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <goldml/core/any_desc.hpp>
#include <goldml/oracle/any_operator.hpp>
#include <goldml/oracle/random.hpp>

namespace goldml::oracle::detail {

// Gives tensor `i` another data type, number of dimensions or size, all allowed at the level, and returns the code of
// the rule that it breaks. Returns "", with the tensor unchanged, if the chosen property is not that of another
// operand.
template <class Desc>
std::string_view break_likeness(random_source& random, sampled_case<Desc>& c, std::size_t i) {
  const operand_info& info = description_of<Desc>().info_of(i, c.tensors.size());
  const operand_limits& limits = *limits_at(info, c.desc.feature_level);
  tensor_desc& tensor = *c.tensors[i];
  switch (random.below(3)) {
    case 0: {
      if (!info.same_data_type_as) return "";
      const data_type before = tensor.data_type;
      while (tensor.data_type == before) tensor.data_type = random.pick(limits.data_types);
      return info.same_data_type_as.rule;
    }
    case 1:
      if (!info.same_rank_as || limits.fewest_dimensions == limits.most_dimensions) return "";
      tensor.sizes = tensor.sizes.size() < limits.most_dimensions ? concatenate({1}, tensor.sizes)
                                                                  : tensor.sizes.slice(1, tensor.sizes.size());
      return info.same_rank_as.rule;
    default:
      if (!info.same_sizes_as) return "";
      ++tensor.sizes[random.below(tensor.sizes.size())];
      return info.same_sizes_as.rule;
  }
}

// How much larger than a tensor of these sizes another one of the case may be, so that cases stay small. At least 4.
inline std::uint64_t room_to_grow(const random_source& random, const dimensions& sizes) {
  return (std::max<std::uint64_t>)(4, 4 * random.most_elements() / element_count(sizes));
}

}  // namespace goldml::oracle::detail
