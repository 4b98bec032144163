// What the precisions of the policy `accumulation` permit, and what they do not, from single to half.
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/operators/convolution.hpp>
#include <goldml/operators/cumulative.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/operators/gemm.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/operators/softmax.hpp>
#include <goldml/operators/upsample_2d.hpp>
#include <goldml/oracle/samplers/arg_reduce.hpp>
#include <goldml/oracle/samplers/convolution.hpp>
#include <goldml/oracle/samplers/cumulative.hpp>
#include <goldml/oracle/samplers/element_wise.hpp>
#include <goldml/oracle/samplers/gemm.hpp>
#include <goldml/oracle/samplers/softmax.hpp>
#include <goldml/oracle/samplers/upsample_2d.hpp>
#include <goldml/oracle/verdicts/convolution.hpp>
#include <goldml/oracle/verdicts/cumulative.hpp>
#include <goldml/oracle/verdicts/element_wise.hpp>
#include <goldml/oracle/verdicts/gemm.hpp>
#include <goldml/oracle/verdicts/reduce.hpp>
#include <goldml/oracle/verdicts/softmax.hpp>
#include <goldml/oracle/verdicts/upsample_2d.hpp>

#include "../catch.hpp"
#include "../support/judge_line.hpp"

namespace {

using namespace goldml;
using goldml_test::judged_line;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("A10: half precision beyond 65504 has the interval, the infinities and NaN, no more", "[precisions]") {
  const std::string tensors =
      " ATensor=FLOAT32{1}:{70000} BTensor=FLOAT32{1}:{1} OutputTensor=FLOAT32{1} accumulation=half";
  const auto each = [](const auto& judge, float right, float wrong) {
    for (const float value : {infinity, -infinity, not_a_number, right}) CHECK(judge(value) == 'a');
    for (const float value : {wrong, -5e20F, 0.0F}) CHECK(judge(value) == 'r');
  };
  each([&](float y) { return judged_line<element_wise_add_desc, float>("ELEMENT_WISE_ADD" + tensors, {y}); }, 70050,
       71000);
  each([&](float y) { return judged_line<element_wise_subtract_desc, float>("ELEMENT_WISE_SUBTRACT" + tensors, {y}); },
       70050, 71000);
  each([&](float y) { return judged_line<element_wise_multiply_desc, float>("ELEMENT_WISE_MULTIPLY" + tensors, {y}); },
       70050, 71000);
  each([&](float y) { return judged_line<element_wise_divide_desc, float>("ELEMENT_WISE_DIVIDE" + tensors, {y}); },
       70050, 71000);
  each(
      [](float y) {
        return judged_line<cumulative_summation_desc, float>(
            "CUMULATIVE_SUMMATION InputTensor=FLOAT32{1,2}:{1,70000} OutputTensor=FLOAT32{1,2} Axis=1 "
            "accumulation=half",
            {1, y});
      },
      70050, 71000);
  // A divisor that is read as an infinity makes 0.
  const auto small = [](float y) {
    return judged_line<element_wise_divide_desc, float>(
        "ELEMENT_WISE_DIVIDE ATensor=FLOAT32{1}:{6} BTensor=FLOAT32{1}:{80000} OutputTensor=FLOAT32{1} "
        "accumulation=half",
        {y});
  };
  CHECK(small(7.5e-5F) == 'a');
  CHECK(small(0) == 'a');
  CHECK(small(3e-5F) == 'r');
  // Beside an infinity no number appears.
  const auto beside = [](float y) {
    return judged_line<element_wise_add_desc, float>(
        "ELEMENT_WISE_ADD ATensor=FLOAT32{1}:{inf} BTensor=FLOAT32{1}:{-70000} OutputTensor=FLOAT32{1} "
        "accumulation=half",
        {y});
  };
  CHECK(beside(infinity) == 'a');
  CHECK(beside(not_a_number) == 'a');
  CHECK(beside(-infinity) == 'r');
  CHECK(beside(0) == 'r');
}

namespace {

const oracle::compare_options without_reciprocals{.reciprocals = oracle::reciprocal_errors::refuse};

// By default, and without approximate reciprocals.
template <class Desc>
std::string graded(std::string_view line, const std::vector<float>& answer) {
  return {judged_line<Desc>(line, answer), judged_line<Desc>(line, answer, without_reciprocals)};
}

constexpr float u = 0x1p-24F;

std::string repeated(std::string_view element, int count) {
  std::string result(element);
  for (int i = 1; i < count; ++i) result += "," + std::string(element);
  return result;
}

}  // namespace

TEST_CASE("A3: a division of REDUCE counts as nine roundings, a root as three of half a unit", "[precisions]") {
  const std::string three = "REDUCE InputTensor=FLOAT32{3}:{1,1,1} OutputTensor=FLOAT32{1} Function=AVERAGE Axes={0}";
  CHECK(graded<reduce_desc>(three, {1 - 6 * u}) == "aa");  // g(n + 3)
  CHECK(graded<reduce_desc>(three, {1 - 7 * u}) == "sr");
  CHECK(graded<reduce_desc>(three, {1 - 12 * u}) == "sr");  // g(n + 9)
  CHECK(graded<reduce_desc>(three, {1 - 13 * u}) == "rr");
  // Axis after axis: 2 * (3 + 8) = 22 roundings, more than 9 + 9.
  const std::string both =
      "REDUCE InputTensor=FLOAT32{3,3}:{1,1,1,1,1,1,1,1,1} OutputTensor=FLOAT32{1,1} Function=AVERAGE Axes={0,1}";
  CHECK(graded<reduce_desc>(both, {1 - 12 * u}) == "aa");
  CHECK(graded<reduce_desc>(both, {1 - 22 * u}) == "sr");
  CHECK(graded<reduce_desc>(both, {1 - 23 * u}) == "rr");
  // An axis of one element is not divided.
  const std::string one =
      "REDUCE InputTensor=FLOAT32{1,3}:{1,1,1} OutputTensor=FLOAT32{1,1} Function=AVERAGE Axes={0,1}";
  CHECK(graded<reduce_desc>(one, {1 - 12 * u}) == "sr");
  CHECK(graded<reduce_desc>(one, {1 - 13 * u}) == "rr");
  // A count of 2^k divides exactly.
  const std::string four = "REDUCE InputTensor=FLOAT32{4}:{1,1,1,1} OutputTensor=FLOAT32{1} Function=AVERAGE Axes={0}";
  CHECK(graded<reduce_desc>(four, {1 - u}) == "rr");
  // 7 has a unit in the last place of 8u; 7 * 3u is 2.6 of them, and 7 * 2u is 1.8, before the rounding.
  const std::string root = "REDUCE InputTensor=FLOAT32{1}:{7} OutputTensor=FLOAT32{1} Function=L2 Axes={0}";
  CHECK(graded<reduce_desc>(root, {7 + 16 * u}) == "aa");
  CHECK(graded<reduce_desc>(root, {7 + 24 * u}) == "sr");
  CHECK(graded<reduce_desc>(root, {7 + 32 * u}) == "rr");
}

TEST_CASE("A3: divisions of SOFTMAX and UPSAMPLE_2D count as nine roundings", "[precisions]") {
  const std::string x = "ACTIVATION_SOFTMAX1 InputTensor=FLOAT32{3}:{1,2,3} OutputTensor=FLOAT32{3} Axes={0}";
  const auto off = [](float by) { return std::vector<float>{0.0900305733F, 0.244728476F, 0.665240943F + by}; };
  CHECK(graded<activation_softmax1_desc>(x, off(9e-7F)) == "aa");
  CHECK(graded<activation_softmax1_desc>(x, off(1.1e-6F)) == "sr");
  CHECK(graded<activation_softmax1_desc>(x, off(1.3e-6F)) == "rr");
  // The row {0, 3} by 3: at column 2, M + 1 is 7 / 3, and E is 6u + 13 * 7 / 3 * 3u = 97u; with 8 for 13, 62u.
  const std::string thirds =
      "UPSAMPLE_2D InputTensor=FLOAT32{1,1,1,2}:{0,3} OutputTensor=FLOAT32{1,1,1,6} ScaleSize={3,1} "
      "InterpolationMode=LINEAR";
  const auto row = [](float y) { return std::vector<float>{0, 0, y, 2, 3, 3}; };
  CHECK(graded<upsample_2d_desc>(thirds, row(1 - 60 * u)) == "aa");
  CHECK(graded<upsample_2d_desc>(thirds, row(1 - 64 * u)) == "sr");
  CHECK(graded<upsample_2d_desc>(thirds, row(1 - 96 * u)) == "sr");
  CHECK(graded<upsample_2d_desc>(thirds, row(1 - 99 * u)) == "rr");
  // The same in GEMM.
  const std::string fused =
      "GEMM ATensor=FLOAT32{1,1,1,1}:{1} BTensor=FLOAT32{1,1,1,3}:{1,2,3} OutputTensor=FLOAT32{1,1,1,3} "
      "FusedActivation=ACTIVATION_SOFTMAX{}";
  CHECK(graded<gemm_desc>(fused, off(9e-7F)) == "aa");
  CHECK(graded<gemm_desc>(fused, off(1.1e-6F)) == "sr");
  CHECK(graded<gemm_desc>(fused, off(1.3e-6F)) == "rr");
}

TEST_CASE("A3: a sum of two elements is one addition", "[precisions]") {
  const auto judged = [](std::string_view f, float y) {
    return judged_line<reduce_desc, float>(
        "REDUCE InputTensor=FLOAT32{2}:{1,0.1} OutputTensor=FLOAT32{1} Axes={0} Function=" + std::string(f), {y});
  };
  CHECK(judged("SUM", 1.1F) == 'a');
  CHECK(judged("SUM", 1.1F + 2 * u) == 'r');
  CHECK(judged("MULTIPLY", 0.1F) == 'a');
  CHECK(judged("MULTIPLY", 0.1F + 0x1p-27F) == 'r');
  const std::string tiny = "REDUCE InputTensor=FLOAT32{2}:{1e-39,1e-38} OutputTensor=FLOAT32{1} Axes={0} Function=SUM";
  CHECK(judged_line<reduce_desc, float>(tiny, {1.1e-38F}) == 'a');
  CHECK(judged_line<reduce_desc, float>(tiny, {0}) == 'a');  // flushed
  CHECK(judged_line<reduce_desc, float>(tiny, {5e-39F}) == 'r');
}

TEST_CASE("A3: half_products rounds products to FLOAT16, and no sum", "[precisions]") {
  const auto sum = [](std::string_view precision, float y) {
    return judged_line<reduce_desc, float16>(
        "REDUCE InputTensor=FLOAT16{4096}:{" + repeated("1", 4096) +
            "} OutputTensor=FLOAT16{1} Function=SUM Axes={0} accumulation=" + std::string(precision),
        {float16(y)});
  };
  CHECK(sum("single", 4096) == 'a');
  CHECK(sum("half_products", 4096) == 'a');
  CHECK(sum("half_products", 2048) == 'r');  // where a sum in FLOAT16 sticks
  CHECK(sum("half", 4096) == 'a');
  CHECK(sum("half", 2048) == 's');
  // 1.001 * 1.001 = 1.00201 lies between two FLOAT16, 1.001953 and 1.00293.
  const auto product = [](std::string_view precision, float y) {
    return judged_line<gemm_desc, float>(
        "GEMM ATensor=FLOAT32{1,1,1,4}:{1.0009765625,1.0009765625,1.0009765625,1.0009765625} "
        "BTensor=FLOAT32{1,1,4,1}:{1.0009765625,1.0009765625,1.0009765625,1.0009765625} "
        "OutputTensor=FLOAT32{1,1,1,1} accumulation=" +
            std::string(precision),
        {y});
  };
  const float exact = 4 * 1.0009765625F * 1.0009765625F;
  CHECK(product("single", exact) == 'a');
  CHECK(product("single", 4 * 1.001953125F) == 'r');  // the products rounded
  CHECK(product("half_products", 4 * 1.001953125F) == 'a');
  CHECK(product("half_products", exact * (1 - 0x1.7p-9F)) == 'a');  // three roundings of 2^-10
  CHECK(product("half_products", exact * (1 - 0x1.ap-9F)) == 'r');
  CHECK(product("half", exact * (1 - 0x1.ap-9F)) == 'a');  // ten of 2^-11
  // 300 * 300 and its negative are infinities in FLOAT16, or 65504.
  const auto great = [](float y) {
    return judged_line<gemm_desc, float16>(
        "GEMM ATensor=FLOAT16{1,1,1,2}:{300,1} BTensor=FLOAT16{1,1,2,1}:{300,1} OutputTensor=FLOAT16{1,1,1,1} "
        "Beta=0 accumulation=half_products",
        {float16(y)});
  };
  CHECK(great(infinity) == 'a');
  CHECK(great(65504) != 'r');
  CHECK(great(-infinity) == 'r');
  CHECK(great(30000) == 'r');
  CHECK_THROWS_WITH(judged_line<reduce_desc>("REDUCE InputTensor=FLOAT32{2} OutputTensor=FLOAT32{1} Function=SUM "
                                             "Axes={0} accumulation=quarter",
                                             std::vector<float>{0}),
                    Catch::Contains("M10") && Catch::Contains("quarter"));
}

TEST_CASE("A7: an infinite Alpha of GEMM makes the infinities that it can", "[precisions]") {
  const auto judged = [](std::string_view factors, std::string_view others, float y) {
    return judged_line<gemm_desc, float>("GEMM ATensor=FLOAT32{1,1,1,2}:{" + std::string(factors) +
                                             "} BTensor=FLOAT32{1,1,2,1}:{" + std::string(others) +
                                             "} OutputTensor=FLOAT32{1,1,1,1} Alpha=inf",
                                         {y});
  };
  CHECK(judged("2,1", "1,3", infinity) == 'a');
  for (const float wrong : {-infinity, not_a_number, 5.0F}) CHECK(judged("2,1", "1,3", wrong) == 'r');
  CHECK(judged("2,1", "-1,-3", -infinity) == 'a');
  for (const float wrong : {infinity, not_a_number, 5.0F}) CHECK(judged("2,1", "-1,-3", wrong) == 'r');
  // inf * 2 - inf, or inf * (2 - 1).
  CHECK(judged("2,1", "1,-1", infinity) == 'a');
  CHECK(judged("2,1", "1,-1", not_a_number) == 'a');
  CHECK(judged("2,1", "1,-1", -infinity) == 'r');
  // inf * 0, or inf * (2 + 0).
  CHECK(judged("2,0", "1,3", infinity) == 'a');
  CHECK(judged("2,0", "1,3", not_a_number) == 'a');
  // A sum that cancels to 1 of 2e8 may be 0, or have the other sign.
  for (const float y : {infinity, -infinity, not_a_number}) CHECK(judged("100000001,1", "1,-100000000", y) == 'a');
}

TEST_CASE("A7: SOFTMAX of an infinite sum of GEMM is a share of the whole, or NaN", "[precisions]") {
  const auto judged = [](std::string_view text, float first, float second) {
    return judged_line<gemm_desc, float>(
        "GEMM ATensor=FLOAT32{1,1,1,2}:{3e38,3e38} BTensor=FLOAT32{1,1,2,2}:{1,0,1,0} "
        "OutputTensor=FLOAT32{1,1,1,2} FusedActivation=ACTIVATION_SOFTMAX{}" +
            std::string(text),
        {first, second});
  };
  CHECK(judged("", 1, 0) == 'a');
  CHECK(judged("", not_a_number, not_a_number) == 'a');
  CHECK(judged("", 1 + 0x1p-23F, 0) == 'r');
  CHECK(judged("", -0x1p-20F, 0) == 'r');
  // Of a sum that is surely infinite, NaN alone.
  CHECK(judged(" Alpha=inf", not_a_number, not_a_number) == 'a');
  CHECK(judged(" Alpha=inf", 1, 0) == 'r');
}

TEST_CASE("A8: LOG_SUM_EXP of FLOAT32 in half precision below -65504 may be NaN", "[precisions]") {
  const auto judged = [](std::string_view precision, float y) {
    return judged_line<reduce_desc, float>(
        "REDUCE InputTensor=FLOAT32{2}:{-1e6,-1e6} OutputTensor=FLOAT32{1} Function=LOG_SUM_EXP Axes={0} "
        "accumulation=" +
            std::string(precision),
        {y});
  };
  for (const std::string_view precision : {"half", "half_products"}) {
    CHECK(judged(precision, not_a_number) == 'a');
    CHECK(judged(precision, -infinity) == 'a');
    CHECK(judged(precision, infinity) == 'r');
  }
  CHECK(judged("single", not_a_number) == 'r');
}

TEST_CASE("A8: where nothing is known of SOFTMAX in half precision, x * (1 / x) may be above 1", "[precisions]") {
  const auto judged = [](std::string_view precision, float first) {
    std::vector<float16> answer(1000, float16(0.0F));
    answer[0] = float16(first);
    return judged_line<activation_softmax1_desc>(
        "ACTIVATION_SOFTMAX1 InputTensor=FLOAT16{1000}:{65504," + repeated("-65504", 999) +
            "} OutputTensor=FLOAT16{1000} Axes={0} accumulation=" + std::string(precision),
        answer);
  };
  CHECK(judged("half", 1.0009766F) == 'a');
  CHECK(judged("half", 1) == 'a');
  CHECK(judged("half", 1.01F) == 'r');
  CHECK(judged("single", 1.0009766F) == 'r');
}

// Elements within 2^-10 of the extreme may win, and the winner may be stored as its FLOAT16 rounding (ledger RE-R2).
TEST_CASE("A10: MIN and MAX of REDUCE in half precision give an element near the extreme, or its FLOAT16",
          "[precisions]") {
  const auto judged = [](const char* function, const char* elements, float y, std::string_view precision = "half",
                         const oracle::compare_options& options = {}) {
    return judged_line<reduce_desc, float>(
        "REDUCE Function=" + std::string(function) + " InputTensor=FLOAT32{2}:{" + elements +
            "} OutputTensor=FLOAT32{1} Axes={0} accumulation=" + std::string(precision),
        {y}, options);
  };
  for (const std::string_view precision : {"half", "half_products"}) {
    CHECK(judged("MAX", "1,1.0009", 1, precision) == 'a');             // 2^-10 is 0.000977
    CHECK(judged("MAX", "1,1.0009", 1 + 0x1p-10F, precision) == 'a');  // rounded
    CHECK(judged("MAX", "1,1.0009", 1.0005F, precision) == 'r');       // no element
    CHECK(judged("MIN", "-1,-1.0009", -1, precision) == 'a');
    CHECK(judged("MIN", "-1,-1.0009", 1, precision) == 'r');
  }
  CHECK(judged("MAX", "1,1.0009", 1, "single") == 'r');
  CHECK(judged("MAX", "1,1.0009", 1 + 0x1p-10F, "single") == 'r');
  CHECK(judged("MAX", "1,1.002", 1) == 'r');
  CHECK(judged("MIN", "1,1.002", 1.002F) == 'r');
  CHECK(judged("MIN", "5,5.004", 5.004F) == 'a');  // 5 * 2^-10 is 0.0049
  CHECK(judged("MIN", "5,5.005", 5.005F) == 'r');
  // 1.0029 is 1 + 2.97 * 2^-10.
  CHECK(judged("MAX", "1,1.0029", 1 + 0x3p-10F) == 'a');
  CHECK(judged("MAX", "1,1.0029", 1 + 0x2p-10F) == 'z');
  CHECK(judged("MAX", "1,1.0029", 1 + 0x2p-10F, "half", {.narrow_toward_zero = false}) == 'r');
  // Beyond 65504: that or an infinity, in which all tie.
  for (const float right : {70000.0F, infinity}) CHECK(judged("MAX", "70000,1", right) == 'a');
  CHECK(judged("MAX", "70000,1", 65504) == 'z');
  for (const float wrong : {1.0F, -infinity, not_a_number, 69000.0F}) CHECK(judged("MAX", "70000,1", wrong) == 'r');
  CHECK(judged("MAX", "70000,66000", 66000) == 'a');
  CHECK(judged("MIN", "-70000,-66000", -66000) == 'a');
  CHECK(judged("MIN", "70000,66000", 70000) == 'a');
  CHECK(judged("MAX", "70000,-70000", -70000) == 'r');
  CHECK(judged("MAX", "inf,70000", 65504) == 'r');
  // Subnormal FLOAT16: 2^-24.
  CHECK(judged("MAX", "1e-8,0", 0) == 'a');
  CHECK(judged("MAX", "0x35800000,0x35880000", 0x1p-20F) == 'a');
  CHECK(judged("MAX", "0x35800000,0x35A00000", 0x1p-20F) == 'r');
  CHECK(judged("MAX", "nan,1", not_a_number) == 'a');
  CHECK(judged("MAX", "nan,1", 1.0005F) == 'r');
  // FLOAT16 tensors are not rounded.
  CHECK(judged_line<reduce_desc, float16>(
            "REDUCE Function=MAX InputTensor=FLOAT16{2}:{1,0x3C01} OutputTensor=FLOAT16{1} Axes={0} accumulation=half",
            {float16(1.0F)}) == 'r');
}

TEST_CASE("A6: the policy padded_rows judges the rows of CONVOLUTION's OutputPadding by the formula", "[convolution]") {
  const std::string line =
      "CONVOLUTION InputTensor=FLOAT32{1,1,3}:{1,2,3} FilterTensor=FLOAT32{1,1,3}:{1,10,100} "
      "OutputTensor=FLOAT32{1,1,6} Direction=BACKWARD Strides={2} Dilations={1} StartPadding={1} EndPadding={1} "
      "OutputPadding={1} GroupCount=1";
  const auto judged = [&](std::string_view policy, float last) {
    return judged_line<convolution_desc, float>(line + std::string(policy), {10, 102, 20, 203, 30, last});
  };
  CHECK(judged("", 300) == 'u');
  CHECK(judged("", 5) == 'u');
  CHECK(judged(" padded_rows=undefined", 5) == 'u');
  CHECK(judged(" padded_rows=formula", 300) == 'a');
  CHECK(judged(" padded_rows=formula", 0) == 'r');
  CHECK_THROWS_WITH(judged(" padded_rows=zero", 0), Catch::Contains("M10"));
}

TEST_CASE("A6: the policy transform widens the bound of CONVOLUTION by what the tile and the plane have",
          "[convolution]") {
  // The first element reads zeros; its tile has the 3 besides. |tile| |filter| = 3 * 3, of F(4,3) 64 times as much:
  // 64 * 9 * 2^-24 / sqrt(3) = 1.982e-5.
  const auto judged = [](const std::string& input, const std::string& filter, const std::string& policy, float first,
                         float last = 6) {
    const bool one = filter == "2";
    return judged_line<convolution_desc, float>(
        "CONVOLUTION InputTensor=FLOAT32{1,1,4}:{" + input + "} FilterTensor=FLOAT32{1,1," + (one ? "1" : "3") + "}:{" +
            filter + "} OutputTensor=FLOAT32{1,1," + (one ? "4" : "2") +
            "} Strides={1} Dilations={1} StartPadding={0} EndPadding={0} OutputPadding={0} GroupCount=1" + policy,
        one ? std::vector<float>{first, 0, 0, last} : std::vector<float>{first, last});
  };
  const std::string zeros = "0,0,0,3", filter = "1,2,2", accept = " transform=accept";
  CHECK(judged(zeros, filter, "", 1e-6F) == 'r');
  CHECK(judged(zeros, filter, " transform=refuse", 1e-6F) == 'r');
  CHECK(judged(zeros, filter, accept, 1.97e-5F) == 'a');
  CHECK(judged(zeros, filter, accept, -1.97e-5F) == 'a');
  CHECK(judged(zeros, filter, accept, 2.0e-5F) == 'r');
  CHECK(judged(zeros, "2", accept, 1e-6F) == 'r');  // one tap
  CHECK(judged(zeros, filter, accept, not_a_number) == 'r');
  // A transform mixes an infinity into the whole tile.
  CHECK(judged("0,0,0,inf", filter, "", not_a_number, infinity) == 'r');
  CHECK(judged("0,0,0,inf", filter, accept, not_a_number, infinity) == 'a');
  CHECK(judged("0,0,0,inf", filter, accept, 1e-3F, infinity) == 'r');
  CHECK_THROWS_WITH(judged(zeros, filter, " transform=maybe", 0), Catch::Contains("M10"));
}
