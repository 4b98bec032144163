// Violations of ARGMIN: A1..A8 and A10, and the T codes that restate A9 and A11. Their order:
// core/rule_order.cpp.
#include <cstdint>
#include <string>
#include <vector>

#include <goldml/operators/argmin.hpp>
#include <goldml/reference/argmin.hpp>

#include "../catch.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;

// FLOAT32 {2,3,4} over axis 1. Valid; each test changes it.
struct reduction {
  argmin_desc desc{.axes = {1}};
  tensor_desc input{.data_type = data_type::float32, .sizes = {2, 3, 4}};
  tensor_desc output{.data_type = data_type::uint32, .sizes = {2, 1, 4}};
};

// All codes, "A2 A3"; the call refuses with the first.
std::string refused(const reduction& r) {
  return goldml_test::refused(
      64, r.desc, [&](const auto&... t) { argmin(reference, t..., r.desc); }, r.input, r.output);
}

violation only(const reduction& r) { return goldml_test::only_violation(r.desc, r.input, r.output); }

}  // namespace

TEST_CASE("ARGMIN A6: a null list with a count, for all policies; sizes are not compared then", "[argmin]") {
  for (const auto policy : {empty_axes::allow, empty_axes::refuse})
    for (const dimensions& sizes : {dimensions{2, 3, 4}, dimensions{2, 1, 4}, dimensions{1, 1, 1}}) {
      reduction r;
      r.desc.axes = dimensions::null();
      r.desc.empty_axes = policy;
      r.output.sizes = sizes;
      CHECK(refused(r) == "A6");
      CHECK(to_string(only(r)) == "ARGMIN A6: Axes is null, wanted a pointer");
    }
}

TEST_CASE("ARGMIN: each kind of call refuses, with the output unchanged", "[argmin]") {
  const tensor<float> x({2, 3}, {1, 2, 3, 3, 2, 1});
  std::vector<std::uint32_t> y(2, 77);
  const argmin_desc twice{.axes = {1, 1}};
  CHECK(refusal_of([&] { argmin(reference, x, tensor_view{y, {2, 1}}, twice); }) == "A5");
  CHECK(refusal_of([&] { argmin(reference, x.view(), tensor_ref(tensor_view{y, {2, 1}}), twice); }) == "A5");
  CHECK(refusal_of([&] { argmin(reference, x, y, argmin_desc{.axes = {1}}); }) == "A1");
  CHECK(refusal_of([&] { static_cast<void>(argmin(reference, x, twice)); }) == "A5");
  CHECK(y == std::vector<std::uint32_t>{77, 77});
}
