// `goldml check --report DIR`: the results as one HTML page, which loads nothing from elsewhere and runs no script.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "check_results.hpp"

namespace goldml::tool {

// The page has sections of the first models that do not agree, and maps of the first outputs that differ, as long as it
// is below most_page_bytes: with the last section, below twice as many.
inline constexpr std::size_t most_models_in_page = 200;
inline constexpr std::size_t most_maps_in_page = 20;
inline constexpr std::size_t most_missing_in_page = 1000;
inline constexpr std::size_t most_page_bytes = std::size_t{4} << 20;

// The date of a page, in UTC: that of the environment variable SOURCE_DATE_EPOCH, in seconds since 1970, if it has a
// number; otherwise now.
std::string page_date();

// The page. `command` is the call that has these results, in the words of a shell.
std::string page_text(const check_results& results, const std::string& command, const std::string& date);

// Writes it as index.html into the folder, which is created if it is missing. Replaces an existing page. Throws error
// M9.
void write_page(const check_results& results, const std::string& command, const std::filesystem::path& folder);

}  // namespace goldml::tool
