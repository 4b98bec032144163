// The options of `goldml generate`.
#pragma once

#include <cstdint>
#include <filesystem>

#include <goldml/oracle/generate_options.hpp>

namespace goldml::tool {

struct corpus_options {
  oracle::generate_options generate;
  std::uint64_t shard = 0;   // index of the shard to write: the cases with number % shards == shard
  std::uint64_t shards = 1;  // number of shards
  std::filesystem::path folder;
  bool append = false;  // the folder may contain other files
  // For programs that are not DxDispatch: packed tensors, .npy files in the tensors' shapes, JSON without comments, and
  // a manifest with the attributes and the file of each tensor.
  bool plain = false;
};

}  // namespace goldml::tool
