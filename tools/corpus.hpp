// A corpus: generated cases as DxDispatch models with .npy inputs, golden .npy outputs and a manifest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <goldml/oracle/any_operator.hpp>

#include "corpus_options.hpp"

namespace goldml::tool {

using progress_function = std::function<void(std::uint64_t done, std::uint64_t all)>;

// Writes the corpus of one operator, or a shard of it; calls progress after each case. Before the first case it writes
// a manifest that marks the corpus as unfinished. After the last case it replaces that manifest with the complete one.
// Returns the name of the manifest.
std::string generate_corpus(const oracle::any_operator& op, const corpus_options& options,
                            const progress_function& progress);

}  // namespace goldml::tool
