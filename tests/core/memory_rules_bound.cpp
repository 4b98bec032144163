// T12 for ranges of buffer resources: DirectML's rules for bindings. Plain memory: memory_rules.cpp.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <goldml/operators/operators.hpp>
#include <goldml/reference/reference.hpp>

#include "../catch.hpp"
#include "rules.hpp"

namespace {

using namespace goldml;
using rules::codes_of;
using rules::missing_from;

// Two resources that represent buffers of a device.
struct buffers {
  alignas(256) std::array<std::byte, 1024> first{};
  alignas(256) std::array<std::byte, 1024> second{};

  const void* name(int which) const { return which == 1 ? &first : &second; }
  std::byte* data(int which) { return which == 1 ? first.data() : second.data(); }

  tensor_ref output(int which, const tensor_desc& desc, std::uint64_t offset, std::uint64_t size) {
    return tensor_ref::bound(desc, name(which), offset, size, data(which) + offset);
  }
  const_tensor_ref input(int which, const tensor_desc& desc, std::uint64_t offset, std::uint64_t size) {
    return const_tensor_ref::bound(desc, name(which), offset, size, data(which) + offset);
  }
};

const tensor_desc floats{.data_type = data_type::float32, .sizes = {3, 4}};  // 48 bytes
const tensor_desc indices{.data_type = data_type::uint32, .sizes = {3, 1}};  // 12 bytes
const argmin_desc over_axis_1{.axes = {1}};

template <class Desc, class... Tensors>
std::string codes(const Desc& desc, const Tensors&... tensors) {
  return codes_of(violations(desc, tensors...));
}

}  // namespace

TEST_CASE("T12 bound: the range has at least TotalTensorSizeInBytes bytes", "[memory_rules]") {
  buffers b;
  const auto y = b.output(2, indices, 0, 12);
  CHECK(codes(over_axis_1, b.input(1, floats, 0, 48), y) == "");
  CHECK(codes(over_axis_1, b.input(1, floats, 0, 64), y) == "");
  CHECK(codes(over_axis_1, b.input(1, floats, 0, 44), y) == "T12");
  tensor_desc stated = floats;
  stated.total_tensor_size_in_bytes = 52;
  CHECK(codes(over_axis_1, b.input(1, stated, 0, 48), y) == "T12");
  CHECK(codes(over_axis_1, b.input(1, stated, 0, 52), y) == "");
  CHECK(codes(over_axis_1, b.input(1, floats, 0, 48), b.output(2, indices, 0, 8)) == "T12");

  // The implied minimum, not the addressed bytes: three UINT8 need four bytes.
  const tensor_desc three{.data_type = data_type::uint8, .sizes = {3}};
  const tensor_desc one{.data_type = data_type::uint32, .sizes = {1}};
  CHECK(codes(argmin_desc{.axes = {0}}, b.input(1, three, 0, 4), b.output(2, one, 0, 4)) == "");
  CHECK(codes(argmin_desc{.axes = {0}}, b.input(1, three, 0, 0), b.output(2, one, 0, 4)) == "T12");
  const auto v = validate(over_axis_1, b.input(1, floats, 0, 44), y);
  REQUIRE(v);
  CHECK(missing_from(*v, {"ARGMIN T12: InputTensor.memory is 44 bytes", "at least 48"}) == "");
}

TEST_CASE("T12 bound: the range's size is a multiple of 4", "[memory_rules]") {
  buffers b;
  const auto y = b.output(2, indices, 0, 12);
  for (const std::uint64_t size : {49u, 50u, 51u}) CHECK(codes(over_axis_1, b.input(1, floats, 0, size), y) == "T12");
  CHECK(codes(over_axis_1, b.input(1, floats, 0, 48), b.output(2, indices, 0, 14)) == "T12");
  // A TotalTensorSizeInBytes that is not a multiple of 4 is valid; the size of the range is rounded up.
  tensor_desc stated = floats;
  stated.total_tensor_size_in_bytes = 49;
  CHECK(codes(over_axis_1, b.input(1, stated, 0, 52), y) == "");
  CHECK(codes(over_axis_1, b.input(1, stated, 0, 49), y) == "T12");
  const auto v = validate(over_axis_1, b.input(1, floats, 0, 50), y);
  REQUIRE(v);
  CHECK(missing_from(*v, {"InputTensor.binding size is 50 bytes", "a multiple of 4"}) == "");
}

TEST_CASE("T12 bound: the offset is a multiple of 16", "[memory_rules]") {
  buffers b;
  const auto y = b.output(2, indices, 0, 12);
  for (const std::uint64_t offset : {0u, 16u, 48u, 256u})
    CHECK(codes(over_axis_1, b.input(1, floats, offset, 48), y) == "");
  for (const std::uint64_t offset : {1u, 4u, 8u, 12u, 20u, 250u})
    CHECK(rule_of(validate(over_axis_1, b.input(1, floats, offset, 48), y)) == "T12");
  CHECK(codes(over_axis_1, b.input(1, floats, 0, 48), b.output(2, indices, 8, 12)) == "T12");
  const auto v = validate(over_axis_1, b.input(1, floats, 8, 48), y);
  REQUIRE(v);
  CHECK(missing_from(*v, {"InputTensor.binding offset is 8 bytes", "a multiple of 16"}) == "");
}

TEST_CASE("T12 bound: the offset satisfies GuaranteedBaseOffsetAlignment", "[memory_rules]") {
  buffers b;
  const auto y = b.output(2, indices, 0, 12);
  tensor_desc promised = floats;
  promised.guaranteed_base_offset_alignment = 64;
  for (const std::uint64_t offset : {0u, 64u, 128u})
    CHECK(codes(over_axis_1, b.input(1, promised, offset, 48), y) == "");
  for (const std::uint64_t offset : {16u, 32u, 48u, 96u})
    CHECK(codes(over_axis_1, b.input(1, promised, offset, 48), y) == "T12");
  promised.guaranteed_base_offset_alignment = 4;  // a smaller value does not replace the 16
  CHECK(codes(over_axis_1, b.input(1, promised, 4, 48), y) == "T12");
  CHECK(codes(over_axis_1, b.input(1, promised, 16, 48), y) == "");
  promised.guaranteed_base_offset_alignment = 256;
  const auto v = validate(over_axis_1, b.input(1, promised, 64, 48), y);
  REQUIRE(v);
  CHECK(missing_from(*v, {"InputTensor.binding offset is 64 bytes", "GuaranteedBaseOffsetAlignment 256"}) == "");
}

TEST_CASE("T12 bound: a resource must not be both read and written, at any distance", "[memory_rules]") {
  buffers b;
  CHECK(codes(over_axis_1, b.input(1, floats, 0, 48), b.output(2, indices, 0, 12)) == "");
  CHECK(codes(over_axis_1, b.input(1, floats, 0, 48), b.output(1, indices, 512, 12)) == "T12");
  CHECK(codes(over_axis_1, b.input(2, floats, 512, 48), b.output(2, indices, 0, 12)) == "T12");
  const auto v = validate(over_axis_1, b.input(1, floats, 0, 48), b.output(1, indices, 512, 12));
  REQUIRE(v);
  CHECK(missing_from(*v, {"OutputTensor.memory is in the resource of InputTensor"}) == "");

  std::vector<std::byte> before(b.first.begin(), b.first.end());
  const auto x = b.input(1, floats, 0, 48);
  const auto y = b.output(1, indices, 512, 12);
  CHECK(refusal_of([&] { argmin(reference, x, y, over_axis_1); }) == "T12");
  CHECK(std::vector<std::byte>(b.first.begin(), b.first.end()) == before);
}

TEST_CASE(
    "T12 bound: policy same_resource disjoint, an input and an output in one resource, in ranges that do not meet",
    "[memory_rules]") {
  buffers b;
  const argmin_desc disjoint{.axes = {1}, .same_resource = same_resource::disjoint};
  CHECK(codes(disjoint, b.input(1, floats, 0, 48), b.output(1, indices, 512, 12)) == "");
  CHECK(codes(disjoint, b.input(1, floats, 0, 48), b.output(1, indices, 48, 12)) ==
        "");  // one ends where the other begins
  CHECK(codes(disjoint, b.input(1, floats, 16, 48), b.output(1, indices, 0, 12)) == "");
  CHECK(codes(disjoint, b.input(1, floats, 0, 48), b.output(1, indices, 32, 12)) == "T12");
  CHECK(codes(disjoint, b.input(1, floats, 0, 48), b.output(1, indices, 0, 12)) == "T12");
  // The writeable area is the tensor's total size.
  tensor_desc stated = floats;
  stated.total_tensor_size_in_bytes = 52;
  CHECK(codes(disjoint, b.input(1, stated, 0, 52), b.output(1, indices, 48, 12)) == "T12");
  CHECK(codes(disjoint, b.input(1, stated, 0, 52), b.output(1, indices, 64, 12)) == "");
  const auto message = [&](const argmin_desc& desc, std::uint64_t offset) {
    return to_string(*validate(desc, b.input(1, floats, 0, 48), b.output(1, indices, offset, 12)));
  };
  CHECK(message(over_axis_1, 512) ==
        "ARGMIN T12: OutputTensor.memory is in the resource of InputTensor, wanted memory apart from it (policy "
        "same_resource disjoint allows it)");
  CHECK(message(over_axis_1, 32) ==
        "ARGMIN T12: OutputTensor.memory is in the resource of InputTensor, wanted memory apart from it");
  CHECK(message(disjoint, 32) ==
        "ARGMIN T12: OutputTensor.memory is overlapping that of InputTensor, wanted memory apart from it");

  for (const std::size_t i : {0u, 1u, 2u, 3u}) {
    const float row[] = {5.0f, 4.0f, 9.0f, 4.5f};
    for (std::size_t j = 0; j < 3; ++j) std::memcpy(b.data(1) + (4 * j + i) * 4, &row[i], 4);
  }
  argmin(reference, b.input(1, floats, 0, 48), b.output(1, indices, 512, 12), disjoint);
  std::uint32_t index[3];
  std::memcpy(index, b.data(1) + 512, sizeof index);
  CHECK((index[0] == 1 && index[1] == 1 && index[2] == 1));

  // With in_place, both: exactly the same tensor, or memory apart from it.
  diagonal_matrix1_desc both{.in_place = true, .same_resource = same_resource::disjoint};
  const tensor_desc matrix{.data_type = data_type::float32, .sizes = {4, 5}};  // 80 bytes
  CHECK(codes(both, b.input(1, matrix, 16, 80), b.output(1, matrix, 16, 80)) == "");
  CHECK(codes(both, b.input(1, matrix, 16, 80), b.output(1, matrix, 256, 80)) == "");
  CHECK(codes(both, b.input(1, matrix, 16, 80), b.output(1, matrix, 80, 80)) == "T12");
  // Plain memory knows no resources: the policy changes nothing there.
  std::vector<float> memory(32);
  CHECK(codes(argmin_desc{.axes = {0}, .same_resource = same_resource::disjoint}, tensor_view{memory.data(), {4}},
              tensor_view{reinterpret_cast<std::uint32_t*>(memory.data() + 3), {1}}) == "T12");
}

TEST_CASE("T12 bound: inputs may share a resource or a range", "[memory_rules]") {
  buffers b;
  const tensor_desc data{.data_type = data_type::uint32, .sizes = {1, 4}};
  const tensor_desc tuple{.data_type = data_type::uint32, .sizes = {4, 1}};
  const scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2};
  CHECK(codes(desc, b.input(1, data, 0, 16), b.input(1, tuple, 0, 16), b.input(1, data, 0, 16),
              b.output(2, data, 0, 16)) == "");
  CHECK(codes(desc, b.input(1, data, 0, 16), b.input(2, tuple, 256, 16), b.input(1, data, 0, 16),
              b.output(2, data, 0, 16)) == "T12");
}

TEST_CASE("T12 bound (N8): two outputs in one resource must be separated by TotalTensorSizeInBytes", "[memory_rules]") {
  buffers b;
  const tensor_desc input{.data_type = data_type::float32, .sizes = {6}};
  const tensor_desc count{.data_type = data_type::uint32, .sizes = {1}};
  tensor_desc rows{.data_type = data_type::uint32, .sizes = {6, 1}};  // 24 bytes
  const auto x = b.input(1, input, 0, 24);
  const nonzero_coordinates_desc desc;
  CHECK(codes(desc, x, b.output(2, count, 0, 4), b.output(2, rows, 16, 24)) == "");
  CHECK(codes(desc, x, b.output(2, count, 32, 4), b.output(2, rows, 0, 24)) == "");
  CHECK(codes(desc, x, b.output(2, count, 16, 4), b.output(2, rows, 0, 24)) == "T12");
  CHECK(codes(desc, x, b.output(2, count, 0, 4), b.output(2, rows, 0, 24)) == "T12");
  // The writable area is the tensor's total size, not the bound or addressed bytes.
  CHECK(codes(desc, x, b.output(2, count, 32, 4), b.output(2, rows, 0, 64)) == "");
  rows.total_tensor_size_in_bytes = 33;
  CHECK(codes(desc, x, b.output(2, count, 32, 4), b.output(2, rows, 0, 36)) == "T12");
  CHECK(codes(desc, x, b.output(2, count, 48, 4), b.output(2, rows, 0, 36)) == "");
  const auto v = validate(desc, x, b.output(2, count, 16, 4), b.output(2, rows, 0, 36));
  REQUIRE(v);
  CHECK(missing_from(*v, {"OutputCoordinatesTensor.memory", "OutputCountTensor"}) == "");
}

TEST_CASE("T12 bound: in_place, exactly the same range", "[memory_rules]") {
  buffers b;
  const tensor_desc desc{.data_type = data_type::float32, .sizes = {4, 5}};  // 80 bytes
  diagonal_matrix1_desc in_place;
  CHECK(codes(in_place, b.input(1, desc, 16, 80), b.output(1, desc, 16, 80)) == "T12");
  in_place.in_place = true;
  CHECK(codes(in_place, b.input(1, desc, 16, 80), b.output(1, desc, 16, 80)) == "");
  CHECK(codes(in_place, b.input(1, desc, 0, 80), b.output(1, desc, 16, 80)) == "T12");
  CHECK(codes(in_place, b.input(1, desc, 0, 80), b.output(1, desc, 256, 80)) == "T12");
  tensor_desc other = desc;
  other.total_tensor_size_in_bytes = 96;
  CHECK(codes(in_place, b.input(1, other, 16, 96), b.output(1, desc, 16, 96)) == "T12");
  other = desc;
  other.strides = {1, 4};
  CHECK(codes(in_place, b.input(1, other, 16, 80), b.output(1, desc, 16, 80)) == "T12");
  other = desc;
  other.sizes = {5, 4};
  CHECK(codes(in_place, b.input(1, other, 16, 80), b.output(1, desc, 16, 80)) == "D3 T12");
  other = desc;
  other.data_type = data_type::int32;
  CHECK(codes(in_place, b.input(1, other, 16, 80), b.output(1, desc, 16, 80)) == "D1 T12");

  const tensor_desc index{.data_type = data_type::uint32, .sizes = {1, 1}};
  const tensor_desc update{.data_type = data_type::float32, .sizes = {1, 5}};
  scatter_nd_desc scatter{.input_dimension_count = 2, .indices_dimension_count = 2};
  const auto call = [&] {
    return codes(scatter, b.input(1, desc, 0, 80), b.input(2, index, 0, 4), b.input(2, update, 16, 20),
                 b.output(1, desc, 0, 80));
  };
  CHECK(call() == "T12");
  scatter.in_place = true;
  CHECK(call() == "");
}

TEST_CASE("T12 bound: ranges are compared by offset, not by host address", "[memory_rules]") {
  buffers b;
  const auto bound = [&](const tensor_desc& desc, int which, std::uint64_t offset, std::uint64_t size) {
    return tensor_ref::bound(desc, b.name(which), offset, size, nullptr);  // memory of a device
  };
  const tensor_desc input{.data_type = data_type::float32, .sizes = {6}};
  const tensor_desc count{.data_type = data_type::uint32, .sizes = {1}};
  const tensor_desc rows{.data_type = data_type::uint32, .sizes = {6, 1}};
  const nonzero_coordinates_desc desc;
  const auto x = bound(input, 1, 0, 24);
  CHECK(codes(desc, x, bound(count, 2, 32, 4), bound(rows, 2, 0, 24)) == "");
  CHECK(codes(desc, x, bound(count, 2, 16, 4), bound(rows, 2, 0, 24)) == "T12");
  CHECK(codes(desc, x, bound(count, 2, 0, 4), bound(rows, 1, 256, 24)) == "T12");
  CHECK(codes(desc, x, bound(count, 2, 0, 0), bound(rows, 2, 32, 24)) == "T12");

  const diagonal_matrix1_desc in_place{.in_place = true};
  const tensor_desc matrix{.data_type = data_type::float32, .sizes = {4, 5}};
  CHECK(codes(in_place, bound(matrix, 1, 0, 80), bound(matrix, 1, 0, 80)) == "");
  CHECK(codes(in_place, bound(matrix, 1, 0, 80), bound(matrix, 1, 256, 80)) == "T12");
  CHECK(codes(in_place, bound(matrix, 1, 0, 80), bound(matrix, 2, 0, 80)) == "");  // two resources never overlap
}

TEST_CASE("T12 bound: a host address must be aligned for the type", "[memory_rules]") {
  buffers b;
  const auto y = b.output(2, indices, 0, 12);
  CHECK(codes(over_axis_1, const_tensor_ref::bound(floats, b.name(1), 0, 48, b.data(1) + 4), y) == "");
  CHECK(codes(over_axis_1, const_tensor_ref::bound(floats, b.name(1), 0, 48, b.data(1) + 2), y) == "T12");
}

TEST_CASE("bound: a backend that reads host memory refuses a resource without a host address", "[memory_rules]") {
  buffers b;
  const auto nowhere = const_tensor_ref::bound(floats, b.name(1), 0, 48, nullptr);
  const auto y = b.output(2, indices, 0, 12);
  CHECK(rule_of(validate(over_axis_1, nowhere, y)) == "none");  // another backend may read it
  CHECK_THROWS_AS(argmin(reference, nowhere, y, over_axis_1), std::invalid_argument);
  const auto y_nowhere = tensor_ref::bound(indices, b.name(2), 0, 12, nullptr);
  CHECK_THROWS_AS(argmin(reference, b.input(1, floats, 0, 48), y_nowhere, over_axis_1), std::invalid_argument);
  CHECK(const_tensor_ref(floats, nullptr).as<float>().sizes() == floats.sizes);  // it is no resource
}
