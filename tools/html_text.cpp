#include "html_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>
#include <goldml/core/data_type.hpp>
#include <goldml/io/quotes.hpp>

namespace goldml::tool {

namespace {

std::string counted(std::uint64_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

// The cells of one mark, as lines of the width of a cell: "M3 0h5" is five cells of row 0, from column 3 on.
std::string lines_of(const difference_map& map, char mark) {
  const auto columns = static_cast<std::size_t>(map.layout.columns.cells());
  std::string path;
  for (std::size_t begin = 0; begin < map.cells.size();) {
    std::size_t end = begin;
    while (end < map.cells.size() && map.cells[end] == mark && end / columns == begin / columns) ++end;
    if (end > begin) path += fmt::format("M{} {}h{}", begin % columns, begin / columns, end - begin);
    begin = (std::max)(end, begin + 1);
  }
  return path;
}

// The slices, as an area each that names its leading coordinates when it is pointed at.
std::string slices_of(const difference_map& map) {
  constexpr std::uint64_t most_named = 256;
  const auto& [rows, columns] = map.layout;
  const std::uint64_t slices = element_count(map.sizes) / (rows.size * columns.size);
  if (slices < 2 || slices > most_named || rows.slice_block > 1 || columns.slice_block > 1) return "";
  std::string text;
  for (std::uint64_t slice = 0; slice < slices; ++slice)
    text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>the slice from {}</title></rect>",
                        columns.cell_of(slice % columns.slices, 0), rows.cell_of(slice / columns.slices, 0),
                        columns.cells_of_slice(), rows.cells_of_slice(),
                        coordinate_at(map.sizes, slice * rows.size * columns.size));
  return text;
}

std::string picture_html(const difference_map& map) {
  const std::uint64_t width = map.layout.columns.cells();
  const std::uint64_t height = map.layout.rows.cells();
  const std::uint64_t pixels = std::clamp<std::uint64_t>((std::min)(640 / width, 420 / height), 4, 20);  // of a cell
  std::string text = fmt::format(
      "<svg class=\"map\" viewBox=\"0 0 {0} {1}\" preserveAspectRatio=\"xMinYMin\" width=\"{2}\" height=\"{3}\" "
      "role=\"img\" aria-label=\"map of the "
      "differences\"><g transform=\"translate(0 .5)\">",
      width, height, width * pixels, height * pixels);
  for (const char mark : std::string_view("-.12345N"))
    if (const std::string lines = lines_of(map, mark); !lines.empty())
      text += fmt::format("<path class=\"c{}\" d=\"{}\"/>", mark == '-' ? 'U' : mark == '.' ? '0' : mark, lines);
  text += "</g>";
  if (pixels >= 8) {  // lines between the cells
    std::string grid;
    for (std::uint64_t row = 1; row < height; ++row) grid += fmt::format("M0 {}h{}", row, width);
    for (std::uint64_t column = 1; column < width; ++column) grid += fmt::format("M{} 0v{}", column, height);
    text += fmt::format("<path class=\"grid\" d=\"{}\"/>", grid);
  }
  return text + slices_of(map) + "</svg>\n";
}

// What a cell is, and how they are laid out.
std::string layout_text(const difference_map& map) {
  const auto& [rows, columns] = map.layout;
  const std::uint64_t slices = element_count(map.sizes) / (rows.size * columns.size);
  std::string text;
  if (slices > 1)
    text = fmt::format("{} slices of {} by {} elements in row-major order, {} to a line. ", slices, rows.size,
                       columns.size, columns.slices);
  else if (map.sizes.empty() || rows.size * columns.size != element_count(map.sizes) ||
           (rows.size > 1 && map.sizes.back() != columns.size && map.sizes.back() != 1))
    text = fmt::format("{} elements to a line. ", columns.size);
  const auto cell = [&](std::uint64_t height, std::uint64_t width, std::string_view of) {
    return text + fmt::format("A cell is {} by {} {}, and shows the farthest element.", height, width, of);
  };
  if (rows.slice_block > 1 || columns.slice_block > 1) return cell(rows.slice_block, columns.slice_block, "slices");
  if (rows.block > 1 || columns.block > 1) return cell(rows.block, columns.block, "elements");
  return text + "A cell is an element.";
}

// Where the elements lie that differ.
std::string box_text(const difference_map& map) {
  std::string box;
  for (std::size_t i = 0; i < map.first.size(); ++i) {
    const bool one = map.first[i] == map.last[i];
    box += (i == 0 ? "" : ", ") +
           (one ? fmt::format("{}", map.first[i]) : fmt::format("{} to {}", map.first[i], map.last[i]));
  }
  return "{" + box + "}";
}

// What of a histogram's range is below or above the accepted interval, or of the interval.
std::string range_name(std::size_t range) {
  if (range >= shades && range < shades + accepted_ranges) {
    const auto end = [](std::size_t part) { return static_cast<double>(part) / accepted_ranges - 0.5; };
    return fmt::format("{:.1f} to {:.1f}", end(range - shades), end(range - shades + 1));
  }
  const std::size_t shade = range < shades ? shades - 1 - range : range - shades - accepted_ranges;
  if (shade == 0) return fmt::format("up to {}", shade_limits[0]);
  if (shade == shades - 1) return fmt::format("more than {}", shade_limits[shade - 1]);
  return fmt::format("{} to {}", shade_limits[shade - 1], shade_limits[shade]);
}

std::string histogram_html(const difference_map& map) {
  const auto& counts = map.histogram;
  const std::uint64_t most =
      (std::max)({*std::max_element(counts.begin(), counts.end()), map.not_numbers, std::uint64_t{1}});
  std::string text =
      "<table class=\"histogram\">\n<caption>Elements by their difference in intervals. The bars grow with the "
      "logarithm of the number.</caption>\n";
  const auto bar = [&](std::string_view kind, std::uint64_t count) {
    const double part = std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most));
    text += fmt::format("<td class=\"bar\"><i class=\"{}\" style=\"width:{:.1f}%\"></i></td><td>{}</td></tr>\n", kind,
                        count == 0 ? 0 : 100 * part, count);
  };
  const auto add = [&](std::string_view side, std::size_t first, std::size_t end) {
    const bool accepted = first == shades;
    if (first < end) text += accepted ? "<tbody class=\"band\">\n" : "<tbody>\n";
    for (std::size_t range = first; range < end; ++range) {
      text += "<tr>";
      if (range == first) text += fmt::format("<th rowspan=\"{}\" scope=\"rowgroup\">{}</th>", end - first, side);
      text += fmt::format("<th scope=\"row\">{}</th>", range_name(range));
      const std::size_t shade = range < shades ? shades - range : range - shades - accepted_ranges + 1;
      bar(accepted ? "good" : fmt::format("c{}", shade), counts[range]);
    }
    if (first < end) text += "</tbody>\n";
  };
  std::size_t first = 0;
  std::size_t end = counts.size();
  while (first < shades && counts[first] == 0) ++first;
  while (end > shades + accepted_ranges && counts[end - 1] == 0) --end;
  add("below by", first, shades);
  add("accepted", shades, shades + accepted_ranges);
  add("above by", shades + accepted_ranges, end);
  if (map.not_numbers > 0) {
    text += "<tbody>\n<tr><th colspan=\"2\" scope=\"row\">NaN or infinite</th>";
    bar("cN", map.not_numbers);
    text += "</tbody>\n";
  }
  return text + "</table>\n";
}

}  // namespace

std::string html(std::string_view text, std::size_t most) {
  std::string result;
  const std::string_view shown = text.substr(0, most);
  for (std::size_t begin = 0; begin <= shown.size();) {
    const std::size_t end = (std::min)(shown.find('\n', begin), shown.size());
    for (const char c : io::terminal_text(shown.substr(begin, end - begin))) {
      if (c == '&')
        result += "&amp;";
      else if (c == '<')
        result += "&lt;";
      else if (c == '>')
        result += "&gt;";
      else if (c == '"')
        result += "&quot;";
      else
        result += c;
    }
    if (end < shown.size()) result += '\n';
    begin = end + 1;
  }
  return shown.size() < text.size() ? result + " ..." : result;
}

std::string intervals_text(double intervals) { return fmt::format("{:.3g}", intervals); }

std::string legend_html() {
  std::string text =
      "<p>Differences are counted in intervals: in widths of the interval that is accepted for the element, or in "
      "steps "
      "of the data type if that is less than a step (the distance from the golden value to the next number; 1 for "
      "integers). The middle of the interval is 0, and its ends are -0.5 and 0.5; outside by 1 is a width beyond an "
      "end. If several intervals or values are accepted, the nearest counts.</p>\n<ul class=\"legend\">\n<li><i "
      "class=\"c0\"></i>agrees</li>\n";
  for (std::size_t shade = 0; shade < shades; ++shade)
    text += fmt::format("<li><i class=\"c{}\"></i>{}</li>\n", shade + 1,
                        shade == 0            ? fmt::format("outside by up to {}", shade_limits[0])
                        : shade == shades - 1 ? fmt::format("more than {}", shade_limits[shade - 1])
                                              : fmt::format("up to {}", shade_limits[shade]));
  return text +
         "<li><i class=\"cN\"></i>NaN or infinite, or should be</li>\n<li><i class=\"cU\"></i>undefined or not "
         "known</li>\n</ul>\n";
}

std::string map_html(const difference_map& map) {
  std::string text = fmt::format("<h4>{} {} {}: {} of {} {}</h4>\n", html(map.name), name_of(map.type), map.sizes,
                                 map.differing, element_count(map.sizes), map.differing == 1 ? "differs" : "differ");
  if (!map.explanation.empty()) text += fmt::format("<p class=\"plain\">{}</p>\n", html(map.explanation));
  text += "<p>";
  if (map.differing > 1) text += fmt::format("They are in {}. ", box_text(map));
  if (!map.farthest_at.empty())
    text +=
        fmt::format("The farthest, at {}, is outside by {} intervals. ", map.farthest_at, intervals_text(map.farthest));
  if (map.not_numbers > 0)
    text += fmt::format("{} NaN or infinite, or should be.", counted(map.not_numbers, "is", "are"));
  text += "</p>\n<div class=\"drawings\">\n<figure>\n" + picture_html(map);
  return text + fmt::format("<figcaption>{}</figcaption>\n</figure>\n", layout_text(map)) + histogram_html(map) +
         "</div>\n";
}

}  // namespace goldml::tool
