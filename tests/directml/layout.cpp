// The operators that move and convert elements, from DirectML's structures.
#include <array>
#include <cstdint>

#include <goldml/directml/from_directml.hpp>
#include <goldml/directml/structures.hpp>

#include "../catch.hpp"

using namespace goldml;

namespace {

constexpr std::array<UINT, 3> some{3, 0, 7};
constexpr std::array<UINT, 3> others{4, 1, 8};
constexpr std::array<UINT, 3> more{5, 2, 9};

template <class Desc>
constexpr bool has_its_number = operator_traits<Desc>::enumerator ==
                                static_cast<std::uint32_t>(directml::structure<Desc>::enumerator);

}  // namespace

TEST_CASE("from_directml: attributes of operators that move elements", "[directml]") {
  DML_JOIN_OPERATOR_DESC join{};
  join.Axis = 2;
  CHECK(directml::from_directml<join_desc>(join).axis == 2);
  DML_SPLIT_OPERATOR_DESC split{};
  split.Axis = 3;
  CHECK(directml::from_directml<split_desc>(split).axis == 3);
  DML_TILE_OPERATOR_DESC tile{};
  tile.RepeatsCount = 3;
  tile.Repeats = some.data();
  CHECK(directml::from_directml<tile_desc>(tile).repeats == dimensions{3, 0, 7});

  DML_PADDING_OPERATOR_DESC padding{};
  padding.PaddingMode = DML_PADDING_MODE_SYMMETRIC;
  padding.PaddingValue = -1.5F;
  padding.DimensionCount = 3;
  padding.StartPadding = some.data();
  padding.EndPadding = others.data();
  const auto from_padding = directml::from_directml<padding_desc>(padding);
  CHECK(from_padding.padding_mode == padding_mode::symmetric);
  CHECK(from_padding.padding_value == -1.5F);
  CHECK(from_padding.start_padding == dimensions{3, 0, 7});
  CHECK(from_padding.end_padding == dimensions{4, 1, 8});
  DML_PADDING1_OPERATOR_DESC padding1{};
  padding1.PaddingMode = DML_PADDING_MODE_WRAP;
  padding1.PaddingValueDataType = DML_TENSOR_DATA_TYPE_INT16;
  padding1.PaddingValue.Int16 = -7;
  const auto from_padding1 = directml::from_directml<padding1_desc>(padding1);
  CHECK(from_padding1.padding_mode == padding_mode::wrap);
  CHECK(from_padding1.padding_value == scalar(std::int16_t{-7}));

  DML_SLICE_OPERATOR_DESC slice{};
  slice.DimensionCount = 3;
  slice.Offsets = some.data();
  slice.Sizes = others.data();
  slice.Strides = more.data();
  const auto from_slice = directml::from_directml<slice_desc>(slice);
  CHECK(from_slice.offsets == dimensions{3, 0, 7});
  CHECK(from_slice.sizes == dimensions{4, 1, 8});
  CHECK(from_slice.strides == dimensions{5, 2, 9});
  constexpr std::array<INT, 3> strides{-1, 2, -3};
  DML_SLICE_GRAD_OPERATOR_DESC slice_grad{};
  slice_grad.DimensionCount = 3;
  slice_grad.InputWindowOffsets = some.data();
  slice_grad.InputWindowSizes = others.data();
  slice_grad.InputWindowStrides = strides.data();
  const auto from_grad = directml::from_directml<slice_grad_desc>(slice_grad);
  CHECK(from_grad.input_window_offsets == dimensions{3, 0, 7});
  CHECK(from_grad.input_window_sizes == dimensions{4, 1, 8});
  CHECK(from_grad.input_window_strides == int32_list{-1, 2, -3});

  DML_DEPTH_TO_SPACE_OPERATOR_DESC to_space{};
  to_space.BlockSize = 4;
  CHECK(directml::from_directml<depth_to_space_desc>(to_space).block_size == 4);
  DML_SPACE_TO_DEPTH1_OPERATOR_DESC to_depth{};
  to_depth.BlockSize = 5;
  to_depth.Order = DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH;
  const auto from_depth = directml::from_directml<space_to_depth1_desc>(to_depth);
  CHECK(from_depth.block_size == 5);
  CHECK(from_depth.order == depth_space_order::column_row_depth);
}

TEST_CASE("from_directml: policies of CAST", "[directml]") {
  const auto cast = directml::from_directml<cast_desc>(
      DML_CAST_OPERATOR_DESC{}, {.cast_overflow = cast_overflow::wrap, .integer_narrowing = integer_narrowing::clamp});
  CHECK(cast.cast_overflow == cast_overflow::wrap);
  CHECK(cast.integer_narrowing == integer_narrowing::clamp);
  const auto plain = directml::from_directml<cast_desc>(DML_CAST_OPERATOR_DESC{});
  CHECK(plain.cast_overflow == cast_overflow::saturate);
  CHECK(plain.integer_narrowing == integer_narrowing::wrap);
}

TEST_CASE("Operators that move and convert elements: their numbers are those of DirectML.h", "[directml]") {
  CHECK(has_its_number<cast_desc>);
  CHECK(has_its_number<depth_to_space_desc>);
  CHECK(has_its_number<depth_to_space1_desc>);
  CHECK(has_its_number<join_desc>);
  CHECK(has_its_number<padding_desc>);
  CHECK(has_its_number<padding1_desc>);
  CHECK(has_its_number<slice_desc>);
  CHECK(has_its_number<slice_grad_desc>);
  CHECK(has_its_number<space_to_depth_desc>);
  CHECK(has_its_number<space_to_depth1_desc>);
  CHECK(has_its_number<split_desc>);
  CHECK(has_its_number<tile_desc>);
  CHECK(static_cast<std::uint32_t>(padding_mode::constant) == DML_PADDING_MODE_CONSTANT);
  CHECK(static_cast<std::uint32_t>(padding_mode::edge) == DML_PADDING_MODE_EDGE);
  CHECK(static_cast<std::uint32_t>(padding_mode::reflection) == DML_PADDING_MODE_REFLECTION);
  CHECK(static_cast<std::uint32_t>(padding_mode::symmetric) == DML_PADDING_MODE_SYMMETRIC);
  CHECK(static_cast<std::uint32_t>(padding_mode::wrap) == DML_PADDING_MODE_WRAP);
  CHECK(static_cast<std::uint32_t>(depth_space_order::depth_column_row) == DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW);
  CHECK(static_cast<std::uint32_t>(depth_space_order::column_row_depth) == DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH);
}
