// The table that goldml_verify_directml prints, for a correct mock and for some with deviations.
#include "../../tools/verify_directml/verify.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "d3d12/gpu.hpp"
#include "mock_directml.hpp"

using namespace goldml;
using directml_mock::over_mock;
using directml_mock::settings;
using directml_mock::world;
using verify_directml::counts;

namespace {

counts row_of(const verify_directml::result& found, const std::string& what) {
  for (const verify_directml::row& r : found.rows)
    if (r.what == what) return r.found;
  FAIL("no row " << what);
  return {};
}

template <class Desc>
verify_directml::result table_of(world& w) {
  const directml::device dml = over_mock(w);
  auto found = verify_directml::compare(dml, oracle::any_operator_of<Desc>(), {.count = 40, .seed = 3});
  w.settle();
  CHECK(w.found.complaints == std::vector<std::string>{});
  return found;
}

}  // namespace

TEMPLATE_TEST_CASE("directml: a correct DirectML agrees in every row", "", argmin_desc, nonzero_coordinates_desc,
                   scatter_nd_desc, diagonal_matrix1_desc) {
  const d3d12::device gpu = gpus::open();
  world w(gpu, {});
  const auto found = table_of<TestType>(w);
  CHECK(found.rows.front().what == "legal");
  CHECK(found.rows.front().found.agree == 40);
  CHECK(found.rows.back().what == "illegal");
  CHECK(found.rows.back().found.agree > 10);
  for (const verify_directml::row& r : found.rows) CHECK(r.found.agree == r.found.all());
  CHECK_FALSE(found.at_odds());
  CHECK(found.examples.empty());
  CHECK(found.gone.empty());
}

TEST_CASE("directml: deviations appear in their columns, with an example") {
  const d3d12::device gpu = gpus::open();
  settings set;
  SECTION("wrong results") {
    set.errs = [](std::string_view) { return true; };
    world w(gpu, set);
    const auto found = table_of<diagonal_matrix1_desc>(w);
    CHECK(found.rows.front().found.differ == 40);
    CHECK(found.at_odds());
    CHECK(found.examples.front().find("DIAGONAL_MATRIX1: differs") == 0);
  }
  SECTION("valid descs that are refused") {
    set.refuses = [](std::string_view) { return true; };
    world w(gpu, set);
    const auto found = table_of<argmin_desc>(w);
    CHECK(found.rows.front().found.refused == 40);
    CHECK(row_of(found, "  Axes in no order (7.3)").refused > 0);
    CHECK(found.examples.front().find("CreateOperator(ARGMIN) failed: 0x80070057 E_INVALIDARG\n  case: ARGMIN ") !=
          std::string::npos);
  }
  SECTION("illegal descs that are accepted") {
    set.accepts = [](std::string_view rule) { return rule[0] == 'S'; };
    world w(gpu, set);
    const auto found = table_of<scatter_nd_desc>(w);
    CHECK(found.rows.front().found.agree == 40);
    for (const verify_directml::row& r : found.rows)
      if (r.what.starts_with("  rule S"))
        CHECK(r.found.accepted == r.found.all());
      else if (r.what != "illegal")
        CHECK(r.found.accepted == 0);
    CHECK(row_of(found, "illegal").accepted > 0);
    CHECK(row_of(found, "illegal").agree > 0);
    CHECK(found.at_odds());
    CHECK(found.examples.front().find("accepted: SCATTER_ND ") == 0);
  }
  SECTION("a data type that the adapter lacks") {
    set.unsupported_type = data_type::int64;
    world w(gpu, set);
    const auto found = table_of<argmin_desc>(w);
    CHECK(found.rows.front().found.unsupported > 0);
    CHECK(found.rows.front().found.agree + found.rows.front().found.unsupported == 40);
    CHECK_FALSE(found.at_odds());
  }
  SECTION("another error, and removal of the device") {
    set.removed_at = 20;
    world w(gpu, set);
    const auto found = table_of<argmin_desc>(w);
    CHECK(found.rows.front().found.failed == 1);
    CHECK(found.gone.find("the device was removed") != std::string::npos);
    CHECK(verify_directml::table_text("ARGMIN", found).find("ended early: d3d12: ") != std::string::npos);
  }
  SECTION("an operator that the level lacks") {
    set.level = feature_level::level_5_0;
    world w(gpu, set);
    const auto found = table_of<diagonal_matrix1_desc>(w);
    CHECK(found.rows.empty());
    CHECK(verify_directml::table_text("DIAGONAL_MATRIX1", found).find("not in this DirectML's") != std::string::npos);
  }
}
