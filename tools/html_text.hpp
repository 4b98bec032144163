// Text of an HTML page, and its drawings of differences.
#pragma once

#include <string>
#include <string_view>

#include "difference_map.hpp"

namespace goldml::tool {

// Text as the content of an element or an attribute in double quotes: nothing of it is markup. Control characters but
// newlines become '?', and what is longer than `most` bytes is cut.
std::string html(std::string_view text, std::size_t most = std::string_view::npos);

// A number of intervals, as in "0.25" or "1.2e+05".
std::string intervals_text(double intervals);

// What the shades of all maps mean.
std::string legend_html();

// The map of an output with its histogram, which load nothing and run no script.
std::string map_html(const difference_map& map);

}  // namespace goldml::tool
