// `goldml check --report DIR`: the results as one HTML page, which loads nothing from elsewhere.
#pragma once

#include <cstddef>
#include <filesystem>

#include "check_results.hpp"

namespace goldml::tool {

// The page has the first models that do not agree, and maps of the first outputs that differ: it stays below a few
// megabytes.
inline constexpr std::size_t most_models_in_page = 200;
inline constexpr std::size_t most_maps_in_page = 20;

// Writes index.html into the folder, which is created if it is missing. Replaces an existing page. Throws error M9.
void write_page(const check_results& results, const std::filesystem::path& folder);

}  // namespace goldml::tool
