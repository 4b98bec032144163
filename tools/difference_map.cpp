#include "difference_map.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <goldml/core/coordinates.hpp>

namespace goldml::tool {

namespace {

// How far apart two values are: as integers, or in ULP; none for NaN.
template <class T>
std::optional<std::uint64_t> distance(T expected, T got) {
  if constexpr (is_floating_type<T>) {
    return oracle::ulp_distance(expected, got);
  } else {
    const auto a = static_cast<std::uint64_t>(expected);
    const auto b = static_cast<std::uint64_t>(got);
    return got < expected ? a - b : b - a;
  }
}

// Ranges whose ends are powers of two: 0, 1, 2 to 3, 4 to 7.
std::string range_text(int width, bool floating) {
  const std::uint64_t first = width == 0 ? 0 : std::uint64_t{1} << (width - 1);
  const std::uint64_t last = width == 0 ? 0 : first - 1 + first;
  const std::string text = first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
  return floating ? text + " ULP" : "off by " + text;
}

}  // namespace

difference_map map_of_differences(std::string name, const oracle::golden_output& golden, const const_tensor_ref& actual,
                                  const oracle::compare_options& options) {
  const tensor_desc& desc = golden.values.desc();
  difference_map result;
  result.name = std::move(name);
  result.type = desc.data_type;
  result.sizes = desc.sizes;
  constexpr int not_a_number = 65;
  std::map<int, std::uint64_t> counts;  // by the number of bits of the distance
  bool floating = false;
  visit_data_type(all_types{}, desc.data_type, [&]<class T>(std::type_identity<T>) {
    floating = is_floating_type<T>;
    const auto expected = golden.values.ref().as<T>();
    const auto got = actual.as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(desc.sizes)) {
      const bool differs = oracle::place_of(golden, element, expected[c], got[c], options) == interval_place::outside;
      if (result.marks.size() < most_marks)
        result.marks += differs ? 'X'
                        : golden.verdicts[element] == verdict::undefined || golden.verdicts[element] == verdict::depends
                            ? '?'
                            : '.';
      if (differs) {
        const auto apart = distance<T>(expected[c], got[c]);
        ++counts[apart ? static_cast<int>(std::bit_width(*apart)) : not_a_number];
        ++result.differing;
      }
      ++element;
    }
  });
  for (const auto& [width, count] : counts)
    result.histogram.emplace_back(width == not_a_number ? "NaN" : range_text(width, floating), count);
  return result;
}

}  // namespace goldml::tool
