// validate() does not allocate, whether or not it finds a violation.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <goldml/operators/operators.hpp>

#include "../allocations.hpp"
#include "../catch.hpp"

namespace {

using namespace goldml;

constexpr std::uint32_t top = std::numeric_limits<std::uint32_t>::max();

template <class Desc, class... Tensors>
std::string rule_without_allocation(const Desc& desc, const Tensors&... tensors) {
  const std::size_t before = allocations;
  const std::optional<violation> v = validate(desc, tensors...);
  const std::size_t after = allocations;
  CHECK(after == before);
  return rule_of(v);
}

}  // namespace

TEST_CASE("validate: the allocation counter detects allocations", "[allocation]") {
  const std::size_t before = allocations;
  const auto all = violations(argmin_desc{}, tensor_desc{}, tensor_desc{});
  CHECK(all.size() > 1);
  CHECK(allocations > before);
}

TEST_CASE("validate: does not allocate for valid or invalid descs", "[allocation]") {
  const argmin_desc desc{.axes = {1}};
  const tensor_desc input{.data_type = data_type::float32, .sizes = {3, 4}};
  const tensor_desc output{.data_type = data_type::uint32, .sizes = {3, 1}};
  CHECK(rule_without_allocation(desc, input, output) == "none");
  CHECK(rule_without_allocation(desc, const_tensor_ref(), output) == "T1");

  tensor_desc bad = input;
  bad.type = tensor_type::invalid;
  CHECK(rule_without_allocation(desc, bad, output) == "T2");
  bad = input;
  bad.data_type = data_type::float64;
  CHECK(rule_without_allocation(desc, bad, output) == "T3");
  bad = input;
  bad.strides = {1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(rule_without_allocation(desc, bad, output) == "T4");
  bad = input;
  bad.sizes = {0, 4};
  CHECK(rule_without_allocation(desc, bad, output) == "T5");
  bad.sizes = dimensions::filled(8, top);
  CHECK(rule_without_allocation(desc, bad, output) == "T6");
  bad = input;
  bad.total_tensor_size_in_bytes = 1;
  CHECK(rule_without_allocation(desc, bad, output) == "T7");
  bad = input;
  bad.guaranteed_base_offset_alignment = 3;
  CHECK(rule_without_allocation(desc, bad, output) == "T8");
  bad = output;
  bad.strides = {0, 1};
  CHECK(rule_without_allocation(desc, input, bad) == "T9");
  bad = input;
  bad.flags = static_cast<tensor_flags>(top);
  CHECK(rule_without_allocation(desc, bad, output) == "T10");
  CHECK(rule_without_allocation(argmin_desc{.axes = {1}, .feature_level = feature_level::level_1_0}, input, output) ==
        "T11");
  const std::vector<float> few(2);
  CHECK(rule_without_allocation(desc, tensor_view{few, {3, 4}}, output) == "T12");

  CHECK(rule_without_allocation(desc, input, input) == "T3");
  CHECK(rule_without_allocation(argmin_desc{.axes = {7, 7}}, input, output) == "A4");
  CHECK(rule_without_allocation(argmin_desc{.axes = {1, 1}}, input, output) == "A5");
  CHECK(rule_without_allocation(nonzero_coordinates_desc{}, input, output, output) == "N1");
}

TEST_CASE("validate: the search for shared addresses does not allocate", "[allocation]") {
  const tensor_desc searched{.data_type = data_type::uint8,
                             .sizes = {5, 3, 5, 5, 5, 5},
                             .strides = {104395301, 104395303, 104729047, 105000017, 105943003, 106000081}};
  const tensor_desc packed{.data_type = data_type::uint8, .sizes = searched.sizes};
  const tensor_desc index{.data_type = data_type::uint32, .sizes = dimensions::filled(6, 1)};
  const scatter_nd_desc desc{.input_dimension_count = 6};
  tensor_desc updates = packed;
  updates.sizes[0] = 1;
  CHECK(rule_without_allocation(desc, packed, index, updates, searched) == "none");
}
