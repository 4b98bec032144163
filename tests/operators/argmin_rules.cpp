// Violations of ARGMIN: A1..A8 and A10, and the T codes that restate A9 and A11. Their order:
// core/rule_order.cpp.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <goldml/operators/argmin.hpp>
#include <goldml/reference/argmin.hpp>

#include "../catch.hpp"
#include "../support/refusals.hpp"

namespace {

using namespace goldml;
using rules::codes_of;
using rules::missing_from;

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

std::string with_axes(const dimensions& axes, const dimensions& output_sizes) {
  reduction r;
  r.desc.axes = axes;
  r.output.sizes = output_sizes;
  return refused(r);
}

violation only(const reduction& r) { return goldml_test::only_violation(r.desc, r.input, r.output); }

}  // namespace

TEST_CASE("ARGMIN: a valid desc violates no rule", "[argmin]") {
  CHECK(refused({}) == "");
  CHECK(with_axes({0}, {1, 3, 4}) == "");
  CHECK(with_axes({0, 1, 2}, {1, 1, 1}) == "");
  CHECK(with_axes({2, 0}, {1, 3, 1}) == "");
}

TEST_CASE("ARGMIN A1: the output's DimensionCount differs from the input's", "[argmin]") {
  CHECK(with_axes({1}, {2, 4}) == "A1");
  CHECK(with_axes({1}, {2, 1, 4, 1}) == "A1");
  CHECK(with_axes({1}, {1, 2, 1, 4}) == "A1");
  reduction r;
  r.output.sizes = {2, 4};
  CHECK(missing_from(only(r), {"ARGMIN A1: OutputTensor.DimensionCount is 2", "wanted 3"}) == "");
}

TEST_CASE("ARGMIN A2: an output size on an axis that is not reduced differs", "[argmin]") {
  CHECK(with_axes({1}, {3, 1, 4}) == "A2");
  CHECK(with_axes({1}, {2, 1, 1}) == "A2");
  CHECK(with_axes({1}, {4, 1, 2}) == "A2 A2");
  CHECK(with_axes({0, 2}, {1, 1, 1}) == "A2");
  reduction r;
  r.output.sizes = {2, 1, 5};
  CHECK(missing_from(only(r), {"ARGMIN A2: OutputTensor.Sizes[2] is 5", "wanted 4", "{2,1,5}", "{2,1,4}"}) == "");
}

TEST_CASE("ARGMIN A3: an output size on a reduced axis is not 1", "[argmin]") {
  CHECK(with_axes({1}, {2, 3, 4}) == "A3");
  CHECK(with_axes({0, 2}, {2, 3, 4}) == "A3 A3");
  CHECK(with_axes({1}, {5, 3, 4}) == "A2 A3");
  CHECK(with_axes({0}, {3, 4, 4}) == "A2 A3");  // by number, not by place
  reduction r;
  r.output.sizes = {2, 3, 4};
  CHECK(missing_from(only(r), {"ARGMIN A3: OutputTensor.Sizes[1] is 3", "wanted 1", "reduced"}) == "");
}

TEST_CASE("ARGMIN A4: an axis beyond the dimensions", "[argmin]") {
  CHECK(with_axes({1, 3}, {2, 1, 4}) == "A4");
  CHECK(with_axes({8, 1}, {2, 1, 4}) == "A4");
  CHECK(with_axes({1, 0xFFFF'FFFFu}, {2, 1, 4}) == "A4");  // -1 in C
  CHECK(with_axes({3}, {2, 3, 4}) == "A4");
  CHECK(with_axes({3, 4, 1}, {2, 1, 4}) == "A4 A4");
  reduction r;
  r.desc.axes = {1, 3};
  CHECK(missing_from(only(r), {"ARGMIN A4: Axes[1] is 3", "below DimensionCount 3"}) == "");
}

TEST_CASE("ARGMIN A5: a duplicate axis", "[argmin]") {
  CHECK(with_axes({1, 1}, {2, 1, 4}) == "A5");
  CHECK(with_axes({0, 1, 0}, {1, 1, 4}) == "A5");
  CHECK(with_axes({1, 1, 1}, {2, 1, 4}) == "A5 A5");
  // More axes than a tensor can have dimensions.
  CHECK(with_axes(dimensions(std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2}), {1, 1, 1}).starts_with("A5"));
  reduction nine{.input = {.data_type = data_type::int8, .sizes = dimensions::filled(8, 1)},
                 .output = {.data_type = data_type::uint32, .sizes = dimensions::filled(8, 1)}};
  nine.desc.axes = dimensions(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 7});
  CHECK(refused(nine) == "A5");
  nine.desc.axes = {0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(refused(nine) == "");
  reduction r;
  r.desc.axes = {1, 1};
  CHECK(missing_from(only(r), {"ARGMIN A5: Axes[1] is 1 again", "once", "{1,1}"}) == "");
}

TEST_CASE("ARGMIN A6: an empty list of axes is valid unless the policy empty_axes refuses it", "[argmin]") {
  CHECK(with_axes({}, {2, 3, 4}) == "");
  CHECK(with_axes({}, {1, 1, 1}) == "A2 A2 A2");  // an empty list is not all axes
  reduction r;
  r.desc.axes = {};
  r.desc.empty_axes = empty_axes::refuse;
  CHECK(refused(r) == "A6");  // sizes are not compared if the list of axes is invalid
  r.output.sizes = r.input.sizes;
  CHECK(refused(r) == "A6");
  CHECK(missing_from(only(r), {"ARGMIN A6: AxisCount is 0", "at least 1"}) == "");
  r.desc.axes = {1};
  r.output.sizes = {2, 1, 4};
  CHECK(refused(r) == "");
}

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

TEST_CASE("ARGMIN: if an axis is invalid, sizes and the greatest index are not compared", "[argmin]") {
  CHECK(with_axes({3}, {5, 5, 5}) == "A4");
  CHECK(with_axes({1, 1}, {5, 5, 5}) == "A5");
  CHECK(with_axes({3, 3}, {2, 3}) == "A4 A4 A5 A1");  // ranks do not depend on axes
  reduction r{.input = {.data_type = data_type::int8, .sizes = {4294967295u}},
              .output = {.data_type = data_type::int32, .sizes = {1}}};
  r.desc.axes = {0, 0};
  CHECK(codes_of(violations(r.desc, r.input, r.output)) == "A5");
  r.desc.axes = {0};
  CHECK(codes_of(violations(r.desc, r.input, r.output)) == "A10");
}

TEST_CASE("ARGMIN: an invalid axis is reported before shapes that depend on it", "[argmin]") {
  CHECK(with_axes({3}, {1, 1, 1}) == "A4");
  CHECK(with_axes({1, 1}, {9, 9, 9}) == "A5");
  CHECK(with_axes({1, 3}, {2, 4}) == "A4 A1");  // the ranks do not depend on the axes
  reduction r;
  r.desc.axis_direction = static_cast<axis_direction>(2);
  r.output.sizes = {3, 3, 4};
  CHECK(refused(r) == "A8 A2 A3");
}

TEST_CASE("ARGMIN A8: AxisDirection neither 0 nor 1", "[argmin]") {
  for (const std::uint32_t direction : {2u, 3u, 0x8000'0000u, 0xFFFF'FFFFu}) {
    reduction r;
    r.desc.axis_direction = static_cast<axis_direction>(direction);
    CHECK(refused(r) == "A8");
    CHECK(missing_from(only(r),
                       {"ARGMIN A8: AxisDirection is " + std::to_string(direction), "INCREASING", "DECREASING"}) == "");
  }
}

TEST_CASE("ARGMIN A9 as T3: an output type that is not an index type", "[argmin]") {
  for (const auto type : {data_type::float32, data_type::float16, data_type::float64, data_type::int16,
                          data_type::uint16, data_type::int8, data_type::uint8, data_type::unknown}) {
    reduction r;
    r.output.data_type = type;
    CHECK(refused(r) == "T3");
  }
  for (const auto type : {data_type::int32, data_type::uint32, data_type::int64, data_type::uint64}) {
    reduction r;
    r.output.data_type = type;
    CHECK(refused(r) == "");
  }
}

TEST_CASE("ARGMIN A10: an index that INT32 cannot hold", "[argmin]") {
  // Descs only, because 2^31 elements would take too much memory.
  const auto codes = [](const dimensions& sizes, const dimensions& axes, data_type type) {
    return codes_of(violations(argmin_desc{.axes = axes}, tensor_desc{.data_type = data_type::int8, .sizes = sizes},
                               tensor_desc{.data_type = type, .sizes = sizes_after_reduction(sizes, axes)}));
  };
  const auto int32 = data_type::int32;
  CHECK(codes({1, 2147483649u}, {1}, int32) == "A10");
  CHECK(codes({1, 2147483648u}, {1}, int32) == "");  // the greatest index is 2^31-1
  CHECK(codes({1, 2147483648u}, {0}, int32) == "");
  CHECK(codes({2147483649u, 1}, {1}, int32) == "");  // axes that are not reduced do not count
  CHECK(codes({4294967295u}, {0}, int32) == "A10");
  CHECK(codes({65536, 32768}, {0, 1}, int32) == "");     // 2^31 elements
  CHECK(codes({65536, 32769}, {0, 1}, int32) == "A10");  // all of them together
  CHECK(codes({65536, 3, 20000}, {0, 2}, int32) == "");  // 3 * 2^16 * 20000 elements, 1.3e9 to a slice
  for (const auto type : {data_type::uint32, data_type::int64, data_type::uint64})
    CHECK(codes({4294967295u}, {0}, type) == "");

  reduction r;
  r.desc.axes = {0};
  r.input.sizes = {2147483649u};
  r.output = {.data_type = int32, .sizes = {1}};
  CHECK(missing_from(only(r), {"ARGMIN A10: OutputTensor.DataType is INT32", "2147483648"}) == "");
}

TEST_CASE("ARGMIN A11 as T3: FLOAT64, and 64-bit integers below 4_1", "[argmin]") {
  reduction r;
  r.input.data_type = data_type::float64;
  CHECK(refused(r) == "T3");
  for (const auto type : {data_type::int64, data_type::uint64}) {
    r.input.data_type = type;
    r.desc.feature_level = feature_level::level_4_0;
    CHECK(refused(r) == "T3");
    r.desc.feature_level = feature_level::level_4_1;
    CHECK(refused(r) == "");
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
