#include "actual_watch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/quotes.hpp>

namespace goldml::tool::detail {

bool is_whole_buffer(const actual_content& content, std::span<const model_write> writes, const io::model& m) {
  return content.bytes.size() == m.resources[writes.front().resource].bytes.size() &&
         std::all_of(writes.begin(), writes.end(),
                     [&](const model_write& write) { return layout_of(content, write, m) == actual_layout::buffer; });
}

memory_changes changes_in_buffer(std::span<std::byte> expected, std::span<const std::byte> actual,
                                 std::span<const model_write> writes) {
  for (const model_write& write : writes)
    for_each_element_run(*write.wanted, [&](std::uint64_t offset, std::uint64_t count) {
      const auto first = static_cast<std::size_t>(write.begin + offset);
      std::memcpy(expected.data() + first, actual.data() + first, static_cast<std::size_t>(count));
    });
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const model_write& write : writes) ranges.emplace_back(write.begin, write.end);
  std::sort(ranges.begin(), ranges.end());
  memory_changes result;
  std::size_t next = 0;
  std::uint64_t end = 0;  // of the ranges up to here
  for (std::size_t i = 0; i < actual.size(); ++i) {
    for (; next < ranges.size() && ranges[next].first <= i; ++next) end = (std::max)(end, ranges[next].second);
    if (expected[i] == actual[i]) continue;
    const changed_byte change{static_cast<std::int64_t>(i), expected[i], actual[i]};
    ++(i < end ? result.gaps : result.outside);
    auto& first = i < end ? result.first_gap : result.first_outside;
    if (!first) first = change;
  }
  return result;
}

std::string changes_in_resource_text(const memory_changes& changes, const std::string& resource,
                                     bool gaps_must_survive) {
  std::string text;
  const std::string name = "resource " + io::in_quotes(resource);
  if (changes.outside > 0)
    text +=
        fmt::format("{}: wrote outside its tensors: {}\n", name, changes_text(changes.outside, changes.first_outside));
  if (changes.gaps > 0)
    text += fmt::format("{}: {}wrote into padding or gaps: {}\n", name,
                        gaps_must_survive ? "" : "note: ", changes_text(changes.gaps, changes.first_gap));
  return text;
}

}  // namespace goldml::tool::detail
