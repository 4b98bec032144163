// The narrowing to FLOAT16 toward zero: accepted and counted, or refused by the option narrow_toward_zero (AR-R7).
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include <goldml/operators/cast.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/operators/padding.hpp>
#include <goldml/oracle/samplers/cast.hpp>
#include <goldml/oracle/samplers/element_wise.hpp>
#include <goldml/oracle/samplers/padding.hpp>
#include <goldml/oracle/verdicts/cast.hpp>
#include <goldml/oracle/verdicts/element_wise.hpp>
#include <goldml/oracle/verdicts/padding.hpp>

#include "../catch.hpp"
#include "../support/judge_line.hpp"

namespace {

using namespace goldml;

float16 of_bits(std::uint16_t bits) { return std::bit_cast<float16>(bits); }

// By default, and with narrowing to nearest even only.
template <class Desc>
std::string judged(std::string_view line, std::vector<float16> answer) {
  oracle::compare_options nearest;
  nearest.narrow_toward_zero = false;
  return {goldml_test::judged_line<Desc>(line, answer), goldml_test::judged_line<Desc>(line, answer, nearest)};
}

}  // namespace

TEST_CASE("A4 A10: CAST to FLOAT16 toward zero is counted, and refused where only nearest even is accepted", "[cast]") {
  // 0.3 lies between 0x34CC and 0x34CD, nearer to the second.
  const std::string_view line = "CAST InputTensor=FLOAT32{1}:{0.3} OutputTensor=FLOAT16{1}";
  CHECK(judged<cast_desc>(line, {of_bits(0x34CD)}) == "aa");
  CHECK(judged<cast_desc>(line, {of_bits(0x34CC)}) == "zr");
  CHECK(judged<cast_desc>(line, {of_bits(0x34CE)}) == "rr");
  CHECK(judged<cast_desc>(line, {of_bits(0x34CB)}) == "rr");
  // What is below the nearest is not rounded toward zero.
  CHECK(judged<cast_desc>("CAST InputTensor=FLOAT32{1}:{0.25} OutputTensor=FLOAT16{1}", {of_bits(0x33FF)}) == "rr");
  // 65504 for an infinity by overflow.
  CHECK(judged<cast_desc>("CAST InputTensor=FLOAT32{1}:{70000} OutputTensor=FLOAT16{1}", {of_bits(0x7BFF)}) == "zr");
  CHECK(judged<cast_desc>("CAST InputTensor=FLOAT32{1}:{70000} OutputTensor=FLOAT16{1}", {of_bits(0x7C00)}) == "aa");
  CHECK(judged<cast_desc>("CAST InputTensor=INT32{1}:{2051} OutputTensor=FLOAT16{1}", {float16(2050.0F)}) == "zr");
  // A typed store of Direct3D cuts 2051 and 2053 so.
  CHECK(judged<cast_desc>("CAST InputTensor=FLOAT32{3}:{2049,2051,2053} OutputTensor=FLOAT16{3}",
                          {float16(2048.0F), float16(2050.0F), float16(2052.0F)}) == "zr");
}

TEST_CASE("A10: PADDING's constant toward zero is counted, and refused where only nearest even is accepted",
          "[padding]") {
  const std::string_view line =
      "PADDING InputTensor=FLOAT16{1,1,1,1}:{1} OutputTensor=FLOAT16{1,1,1,2} PaddingMode=CONSTANT PaddingValue=0.3 "
      "StartPadding={0,0,0,0} EndPadding={0,0,0,1}";
  CHECK(judged<padding_desc>(line, {float16(1.0F), of_bits(0x34CD)}) == "aa");
  CHECK(judged<padding_desc>(line, {float16(1.0F), of_bits(0x34CC)}) == "zr");
  CHECK(judged<padding_desc>(line, {float16(1.0F), of_bits(0x34CB)}) == "rr");
}

TEST_CASE("A10: CLIP's bounds toward zero are counted, and refused where only nearest even is accepted",
          "[element_wise]") {
  const std::string_view line =
      "ELEMENT_WISE_CLIP InputTensor=FLOAT16{2}:{1,-1} OutputTensor=FLOAT16{2} Min=-0.3 Max=0.3";
  const float16 minus_nearest = of_bits(0xB4CD), minus_cut = of_bits(0xB4CC);
  CHECK(judged<element_wise_clip_desc>(line, {of_bits(0x34CD), minus_nearest}) == "aa");
  CHECK(judged<element_wise_clip_desc>(line, {of_bits(0x34CC), minus_nearest}) == "zr");
  CHECK(judged<element_wise_clip_desc>(line, {of_bits(0x34CD), minus_cut}) == "zr");
  CHECK(judged<element_wise_clip_desc>(line, {of_bits(0x34CB), minus_nearest}) == "rr");
  // With a ScaleBias.
  const std::string scaled = std::string(line) + " ScaleBias={1,0}";
  CHECK(judged<element_wise_clip_desc>(scaled, {of_bits(0x34CD), minus_nearest}) == "aa");
  CHECK(judged<element_wise_clip_desc>(scaled, {of_bits(0x34CC), minus_nearest}) == "zr");
  CHECK(judged<element_wise_clip_desc>(scaled, {of_bits(0x34CB), minus_nearest}) == "rr");
}
