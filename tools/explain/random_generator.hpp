// What --explain prints about RANDOM_GENERATOR.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/random_generator.hpp>

#include "../explanation.hpp"

namespace goldml::tool::detail {

template <>
struct explanation<random_generator_desc> {
  static std::vector<std::string> facts(const random_generator_desc&, const operands_of<random_generator_desc>& t) {
    if (!t[1].sound) return {};
    const std::uint64_t words = element_count(t[1].desc->sizes);
    const std::uint64_t blocks = philox_blocks(words);
    return {fmt::format("{} of {} of four, in row-major order{}", counted(words, "word", "words"),
                        counted(blocks, "block", "blocks"), words % 4 != 0 ? "; the last block is cut" : ""),
            fmt::format("the next state's counter is {} higher", blocks)};
  }
};

}  // namespace goldml::tool::detail
