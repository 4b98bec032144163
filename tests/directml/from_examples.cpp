// Every documented example, given as DirectML's structures, has the documented results on both CPU backends.
#include <array>
#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "from_backends.hpp"
#include "from_plain.hpp"

using namespace directml_tests;

namespace {

using uints = std::vector<std::uint32_t>;
using floats = std::vector<float>;

tensor_desc desc_of(data_type type, const dimensions& sizes) { return {.data_type = type, .sizes = sizes}; }

constexpr auto f32 = data_type::float32;
constexpr auto u32 = data_type::uint32;
constexpr auto i32 = data_type::int32;

template <class Output>
void check_both(const plain_operator& op, const std::vector<directml::input_buffer>& inputs, Output expected) {
  const dml_operator structures(op);
  CHECK_FALSE(directml::validate(structures));
  Output output(expected.size());
  on_reference(structures, inputs, {output});
  CHECK(output == expected);
  output = Output(expected.size());
  on_cpu(structures, inputs, {output});
  CHECK(output == expected);
}

}  // namespace

TEST_CASE("directml examples: ARGMIN") {
  const floats x{1, 2, 3, 3, 0, 4, 2, 5, 2};
  const auto argmin_of = [&](const dimensions& axes, const dimensions& output, axis_direction direction) {
    return plain(argmin_desc{.axes = axes, .axis_direction = direction}, {desc_of(f32, {3, 3}), desc_of(u32, output)});
  };
  check_both(argmin_of({0}, {1, 3}, axis_direction::increasing), {x}, uints{0, 1, 2});
  check_both(argmin_of({1}, {3, 1}, axis_direction::increasing), {x}, uints{0, 1, 0});
  check_both(argmin_of({1}, {3, 1}, axis_direction::decreasing), {x}, uints{0, 1, 2});
  check_both(argmin_of({0, 1}, {1, 1}, axis_direction::increasing), {x}, uints{4});

  const floats ties{1, 2, 3, 2, 1};
  const auto ties_of = [&](axis_direction direction) {
    return plain(argmin_desc{.axes = {0}, .axis_direction = direction}, {desc_of(f32, {5}), desc_of(u32, {1})});
  };
  check_both(ties_of(axis_direction::increasing), {ties}, uints{0});
  check_both(ties_of(axis_direction::decreasing), {ties}, uints{4});

  const std::vector<std::int32_t> box{5, 4, 9, 1, 7, 3, 8, 1, 0, 6, 2, 2};
  const auto box_of = [&](axis_direction direction) {
    return plain(argmin_desc{.axes = {0, 2}, .axis_direction = direction},
                 {desc_of(i32, {2, 3, 2}), desc_of(data_type::int64, {1, 3, 1})});
  };
  check_both(box_of(axis_direction::increasing), {box}, std::vector<std::int64_t>{3, 2, 2});
  check_both(box_of(axis_direction::decreasing), {box}, std::vector<std::int64_t>{3, 2, 3});
}

TEST_CASE("directml examples: NONZERO_COORDINATES") {
  const auto check_nonzero = [](const auto& input, data_type type, const dimensions& sizes, std::uint32_t columns,
                                std::uint32_t count, const uints& rows) {
    const std::size_t elements = input.size();
    dimensions coordinates = dimensions::filled(sizes.size() - 2, 1);
    coordinates.push_back(elements);
    coordinates.push_back(columns);
    const dml_operator structures(
        plain(nonzero_coordinates_desc{},
              {desc_of(type, sizes), desc_of(u32, dimensions::filled(sizes.size(), 1)), desc_of(u32, coordinates)}));
    CHECK_FALSE(directml::validate(structures));
    for (const auto call : {on_reference, on_cpu}) {
      uints n(1, 77), got(elements * columns, 77);
      call(structures, {input}, {n, got}, {});
      CHECK(n[0] == count);
      uints expected = rows;  // rows past them are undefined, and unchanged here
      expected.resize(got.size(), 77);
      CHECK(got == expected);
    }
  };
  check_nonzero(floats{1, 0, 0, 2, -0.0f, 3.5f, 0, -5.2f}, f32, {1, 1, 2, 4}, 3, 4,
                {0, 0, 0, 0, 0, 3, 0, 1, 1, 0, 1, 3});
  check_nonzero(floats{0, 0, 0, 0, 0, 9, 1, 0, 1, 0, 0, 0}, f32, {2, 6}, 2, 3, {0, 5, 1, 0, 1, 2});
  check_nonzero(std::vector<std::int32_t>{7}, i32, {1, 1, 1, 1}, 1, 1, {0});
  check_nonzero(std::vector<std::int32_t>{0}, i32, {1, 1, 1, 1}, 1, 0, {});
}

TEST_CASE("directml examples: SCATTER_ND") {
  const auto scatter_of = [](std::uint32_t r, std::uint32_t q, const dimensions& data, const dimensions& indices,
                             const dimensions& updates, data_type index_type) {
    return plain(scatter_nd_desc{.input_dimension_count = r, .indices_dimension_count = q},
                 {desc_of(f32, data), desc_of(index_type, indices), desc_of(f32, updates), desc_of(f32, data)});
  };
  // 1: elements.
  const floats data{1, 2, 3, 4, 5, 6, 7, 8}, four{9, 10, 11, 12};
  const uints places{4, 3, 1, 7};
  check_both(scatter_of(1, 2, {1, 8}, {4, 1}, {1, 4}, u32), {data, places, four}, floats{1, 11, 3, 10, 9, 6, 7, 12});

  // 2: slices, by positive and by negative indices.
  floats cube(64, 1), blocks(32), expected(64, 1);
  for (std::size_t i = 0; i < 16; ++i) {
    expected[i] = blocks[i] = static_cast<float>(100 + i);
    expected[32 + i] = blocks[16 + i] = static_cast<float>(200 + i);
  }
  const auto slices = scatter_of(3, 2, {4, 4, 4}, {1, 2, 1}, {2, 4, 4}, data_type::int64);
  check_both(slices, {cube, std::vector<std::int64_t>{0, 2}, blocks}, expected);
  check_both(slices, {cube, std::vector<std::int64_t>{-4, -2}, blocks}, expected);

  // 3: tuples shorter than the data's dimensions.
  floats sixteen(16);
  for (std::size_t i = 0; i < 16; ++i) sixteen[i] = static_cast<float>(i + 1);
  const floats eight{50, 60, 70, 80, 130, 140, 150, 160};
  const floats scattered{50, 60, 70, 80, 5, 6, 7, 8, 9, 10, 11, 12, 130, 140, 150, 160};
  check_both(scatter_of(4, 2, {2, 2, 2, 2}, {1, 1, 2, 2}, {1, 2, 2, 2}, u32), {sixteen, uints{0, 0, 1, 1}, eight},
             scattered);

  // Indices out of range, and two tuples for one place: refused, unless a policy allows them.
  const dml_operator elements(scatter_of(1, 2, {1, 8}, {4, 1}, {1, 4}, u32));
  const uints beyond{4, 3, 1, 8}, twice{4, 3, 4, 7};
  floats output(8, -1);
  for (const auto call : {on_reference, on_cpu}) {
    CHECK(refusal_of([&] { call(elements, {data, beyond, four}, {output}, {}); }) == "S10");
    CHECK(refusal_of([&] { call(elements, {data, twice, four}, {output}, {}); }) == "S11");
    CHECK(output == floats(8, -1));
    call(elements, {data, beyond, four}, {output}, {.range_policy = range_policy::clamp});
    CHECK(output == floats{1, 11, 3, 10, 9, 6, 7, 12});
    call(elements, {data, twice, four}, {output}, {.duplicates = duplicates::last_wins});
    CHECK(output == floats{1, 2, 3, 10, 11, 6, 7, 12});
    floats both = data;
    CHECK(refusal_of([&] { call(elements, {both, places, four}, {both}, {}); }) == "T12");
    CHECK(both == data);
    call(elements, {both, places, four}, {both}, {.in_place = true});
    CHECK(both == floats{1, 11, 3, 10, 9, 6, 7, 12});
    output.assign(8, -1);
  }
}

TEST_CASE("directml examples: DIAGONAL_MATRIX1") {
  const floats m{4, 7, 3, 7, 9, 1, 2, 8, 6, 9, 9, 4, 1, 8, 7, 4, 3, 4, 2, 4};
  const auto diagonal_of = [](float value, std::int32_t begin, std::int32_t end, bool with_input) {
    const tensor_desc matrix = desc_of(f32, {4, 5});
    return plain(diagonal_matrix1_desc{.value = value, .diagonal_fill_begin = begin, .diagonal_fill_end = end},
                 {with_input ? std::optional(matrix) : std::nullopt, matrix});
  };
  const floats sevens{7, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 7, 0};
  check_both(diagonal_of(7, 0, 1, false), {}, sevens);    // an optional tensor that is null needs no buffer,
  check_both(diagonal_of(7, 0, 1, false), {{}}, sevens);  // or an empty one
  check_both(diagonal_of(7, 0, 3, false), {}, floats{7, 7, 7, 0, 0, 0, 7, 7, 7, 0, 0, 0, 7, 7, 7, 0, 0, 0, 7, 7});
  check_both(diagonal_of(0, INT32_MIN, 1, true), {m},
             floats{0, 7, 3, 7, 9, 0, 0, 8, 6, 9, 0, 0, 0, 8, 7, 0, 0, 0, 0, 4});
  check_both(diagonal_of(0, 1, 0, true), {m}, floats{4, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0});

  // FLOAT16 has no member in DML_SCALAR_UNION: its bits are used, and the bytes after them are ignored.
  plain_operator half = plain(diagonal_matrix1_desc{.value = float16(1.5f), .diagonal_fill_end = 1},
                              {std::nullopt, desc_of(data_type::float16, {2, 2})});
  half.value[2] = half.value[7] = std::byte{0xFF};
  check_both(half, {}, std::vector<std::uint16_t>{0x3E00, 0, 0, 0x3E00});
}

TEST_CASE("directml examples: strides and padding of the desc are used") {
  // A matrix stored in column-major order with gaps; the output in a row of 4.
  plain_operator op = plain(argmin_desc{.axes = {0}}, {desc_of(f32, {3, 2}), desc_of(u32, {1, 2})});
  op.tensors[0].strides = {1, 4};
  op.tensors[0].total_size = 32;
  op.tensors[1].strides = {9, 3};
  op.tensors[1].total_size = 20;
  const floats x{3, 1, 2, -9, 0, 5, 6, -9};
  for (const auto call : {on_reference, on_cpu}) {
    uints y(5, 77);
    call(dml_operator(op), {x}, {y}, {});
    CHECK(y == uints{1, 77, 77, 0, 77});
  }
}
