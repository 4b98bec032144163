// The element-wise operators from DirectML's structures: attributes, and policies beside them.
#include <cstdint>

#include <goldml/directml/from_directml.hpp>
#include <goldml/directml/structures.hpp>

#include "../catch.hpp"

using namespace goldml;

TEST_CASE("from_directml: attributes of element-wise operators", "[directml]") {
  const DML_SCALE_BIAS scale_bias{2, 3};
  DML_ELEMENT_WISE_CLIP_OPERATOR_DESC clip{};
  clip.ScaleBias = &scale_bias;
  clip.Min = -1;
  clip.Max = 4;
  const auto from_clip = directml::from_directml<element_wise_clip_desc>(
      clip, {.nan_policy = nan_policy::propagate, .inverted_range = inverted_range::refuse});
  CHECK(from_clip.scale_bias == goldml::scale_bias{2, 3});
  CHECK(from_clip.min == -1);
  CHECK(from_clip.max == 4);
  CHECK(from_clip.nan_policy == nan_policy::propagate);
  CHECK(from_clip.inverted_range == inverted_range::refuse);

  DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC clip1{};
  clip1.MinMaxDataType = DML_TENSOR_DATA_TYPE_INT16;
  clip1.Min.Int16 = -7;
  clip1.Max.Int16 = 9;
  const auto from_clip1 = directml::from_directml<element_wise_clip1_desc>(clip1);
  CHECK_FALSE(from_clip1.scale_bias);
  CHECK(from_clip1.min == scalar(std::int16_t{-7}));
  CHECK(from_clip1.max == scalar(std::int16_t{9}));
  CHECK(from_clip1.inverted_range == inverted_range::literal);

  DML_ELEMENT_WISE_ROUND_OPERATOR_DESC round{};
  round.RoundingMode = DML_ROUNDING_MODE_TOWARD_INFINITY;
  CHECK(directml::from_directml<element_wise_round_desc>(round).rounding_mode == rounding_mode::toward_infinity);
  round.RoundingMode = DML_ROUNDING_MODE_TOWARD_ZERO;
  CHECK(directml::from_directml<element_wise_round_desc>(round).rounding_mode == rounding_mode::toward_zero);
  DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC is_infinity{};
  is_infinity.InfinityMode = DML_IS_INFINITY_MODE_NEGATIVE;
  CHECK(directml::from_directml<element_wise_is_infinity_desc>(is_infinity).infinity_mode ==
        is_infinity_mode::negative);

  const auto shift = directml::from_directml<element_wise_bit_shift_left_desc>(
      DML_ELEMENT_WISE_BIT_SHIFT_LEFT_OPERATOR_DESC{}, {.shift_policy = shift_policy::mask});
  CHECK(shift.shift_policy == shift_policy::mask);
}

TEST_CASE("from_directml: enumerators of element-wise operators are those of DirectML.h", "[directml]") {
  CHECK(static_cast<std::uint32_t>(rounding_mode::halves_to_nearest_even) == DML_ROUNDING_MODE_HALVES_TO_NEAREST_EVEN);
  CHECK(static_cast<std::uint32_t>(rounding_mode::toward_zero) == DML_ROUNDING_MODE_TOWARD_ZERO);
  CHECK(static_cast<std::uint32_t>(rounding_mode::toward_infinity) == DML_ROUNDING_MODE_TOWARD_INFINITY);
  CHECK(static_cast<std::uint32_t>(is_infinity_mode::either) == DML_IS_INFINITY_MODE_EITHER);
  CHECK(static_cast<std::uint32_t>(is_infinity_mode::positive) == DML_IS_INFINITY_MODE_POSITIVE);
  CHECK(static_cast<std::uint32_t>(is_infinity_mode::negative) == DML_IS_INFINITY_MODE_NEGATIVE);
}
