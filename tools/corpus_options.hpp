// The options of `goldml generate`.
#pragma once

#include <cstdint>
#include <filesystem>

#include <goldml/oracle/generate_options.hpp>

namespace goldml::tool {

struct corpus_options {
  oracle::generate_options generate;
  std::uint64_t shard = 0;   // this one
  std::uint64_t shards = 1;  // of this many; it has the cases with number % shards == shard
  std::filesystem::path folder;
  bool append = false;  // the folder may hold other files
};

}  // namespace goldml::tool
