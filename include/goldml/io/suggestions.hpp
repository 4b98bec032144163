// "did you mean 'ARGMIN'?": finds the known name that is nearest to a misspelt one, and lists names in messages.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/core/data_type.hpp>
#include <goldml/io/quotes.hpp>

namespace goldml::io {

namespace detail {

// Limits of the work for names from files: longer names are not compared, nor further candidates.
inline constexpr std::size_t longest_compared_name = 64;
inline constexpr std::size_t most_compared_names = 10'000;

constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool starts_with_ignoring_case(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), text.begin(),
                                                       [](char a, char b) { return lower_case(a) == lower_case(b); });
}

// Compares two ASCII words ignoring case, as DxDispatch compares the types of commands.
constexpr bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && starts_with_ignoring_case(a, b);
}

// How many bytes must be inserted, removed, replaced, or swapped with the next to make `b` of `a`, ignoring the case of
// ASCII letters. Both have at most longest_compared_name bytes.
constexpr std::size_t edit_distance(std::string_view a, std::string_view b) {
  using row = std::array<std::size_t, longest_compared_name + 1>;
  row before_last{};
  row last{};
  row current{};
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto same = [&](std::size_t x, std::size_t y) { return lower_case(a[x - 1]) == lower_case(b[y - 1]); };
      current[j] = (std::min)({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same(i, j) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j))
        current[j] = (std::min)(current[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = current;
  }
  return last[b.size()];
}

}  // namespace detail

// The known name that `name` differs from in case only, or by at most an edit for every three characters and three in
// all: the nearest one. "" if there is none.
constexpr std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() > detail::longest_compared_name) return {};
  std::string_view nearest;
  std::size_t limit = (std::min<std::size_t>)((name.size() + 1) / 3, 3) + 1;
  for (const std::string_view candidate : known.first((std::min)(known.size(), detail::most_compared_names))) {
    const std::size_t longer = (std::max)(name.size(), candidate.size());
    const std::size_t shorter = (std::min)(name.size(), candidate.size());
    if (longer > detail::longest_compared_name || longer - shorter >= limit) continue;
    const std::size_t distance = detail::edit_distance(name, candidate);
    if (distance >= limit) continue;
    limit = distance;
    nearest = candidate;
  }
  return nearest;
}

// The known name that `name` was probably meant to be: the nearest, or else the one that begins with it and that all
// others of these begin with. "" if there is none.
constexpr std::string_view meant_name(std::string_view name, std::span<const std::string_view> known) {
  if (const std::string_view nearest = nearest_name(name, known); !nearest.empty() || name.size() < 3) return nearest;
  std::string_view shortest;
  for (const std::string_view candidate : known)
    if (detail::starts_with_ignoring_case(candidate, name) && (shortest.empty() || candidate.size() < shortest.size()))
      shortest = candidate;
  for (const std::string_view candidate : known)
    if (detail::starts_with_ignoring_case(candidate, name) && !candidate.starts_with(shortest)) return {};
  return shortest;
}

// "did you mean 'X'?", or "" if no known name is near.
inline std::string did_you_mean(std::string_view name, std::span<const std::string_view> known) {
  const std::string_view meant = meant_name(name, known);
  return meant.empty() ? "" : "did you mean " + in_quotes(meant) + "?";
}
inline std::string did_you_mean(std::string_view name, std::initializer_list<std::string_view> known) {
  return did_you_mean(name, std::span(known.begin(), known.size()));
}

// Two reasons as one: "first; second", or the one that is not empty.
inline std::string joined_reasons(std::string_view first, std::string_view second) {
  std::string text(first);
  if (!first.empty() && !second.empty()) text += "; ";
  return text.append(second);
}

// The names of a table of goldml: of enumerators, operands or data types.
template <class Rows>
std::vector<std::string_view> names_in(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

// The data types whose elements goldml computes, and UNKNOWN.
inline std::vector<std::string_view> names_of_data_types() {
  std::vector<std::string_view> names = names_in(goldml::detail::data_type_table);
  std::erase_if(names, [](std::string_view name) { return name.ends_with("INT4"); });
  return names;
}

// "A, B, C"
inline std::string list_of_names(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

}  // namespace goldml::io
