// core/feature_level.hpp: DirectML's numbers and names of the levels, and their order.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/core/feature_level.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

struct known_level {
  feature_level level;
  std::uint32_t value;
  std::string_view name;
};

// DML_FEATURE_LEVEL of DirectML.h, written down by hand, lowest first.
constexpr std::array<known_level, 15> known_levels{{
    {feature_level::level_1_0, 0x1000, "1_0"},
    {feature_level::level_2_0, 0x2000, "2_0"},
    {feature_level::level_2_1, 0x2100, "2_1"},
    {feature_level::level_3_0, 0x3000, "3_0"},
    {feature_level::level_3_1, 0x3100, "3_1"},
    {feature_level::level_4_0, 0x4000, "4_0"},
    {feature_level::level_4_1, 0x4100, "4_1"},
    {feature_level::level_5_0, 0x5000, "5_0"},
    {feature_level::level_5_1, 0x5100, "5_1"},
    {feature_level::level_5_2, 0x5200, "5_2"},
    {feature_level::level_6_0, 0x6000, "6_0"},
    {feature_level::level_6_1, 0x6100, "6_1"},
    {feature_level::level_6_2, 0x6200, "6_2"},
    {feature_level::level_6_3, 0x6300, "6_3"},
    {feature_level::level_6_4, 0x6400, "6_4"},
}};

}  // namespace

TEST_CASE("feature levels have DirectML's numbers and names", "[feature_level]") {
  REQUIRE(feature_levels.size() == known_levels.size());
  for (std::size_t i = 0; i < known_levels.size(); ++i) {
    const known_level& known = known_levels[i];
    INFO(known.name);
    CHECK(static_cast<std::uint32_t>(known.level) == known.value);
    CHECK(feature_levels[i].value == known.level);
    CHECK(feature_levels[i].name == known.name);
    CHECK(name_of(known.level) == known.name);
    CHECK(feature_level_from_name(known.name) == known.level);
    if (i > 0) CHECK(known_levels[i - 1].level < known.level);
  }
  CHECK(feature_level::latest == feature_level::level_6_4);
}

TEST_CASE("feature levels: numbers and names that are not levels", "[feature_level]") {
  CHECK(name_of(static_cast<feature_level>(0x2800)) == "not a feature level");
  CHECK(name_of(static_cast<feature_level>(0)) == "not a feature level");
  for (const std::string_view name : {"", "3.0", "3_2", "DML_FEATURE_LEVEL_3_0", "3_0 ", "latest"})
    CHECK(feature_level_from_name(name) == std::nullopt);
}
