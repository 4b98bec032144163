// Elements that may lie in an interval: what is accepted, counted and reported.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/operators/activations.hpp>
#include <goldml/operators/element_wise.hpp>
#include <goldml/operators/gemm.hpp>
#include <goldml/operators/reduce.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/tally.hpp>
#include <goldml/oracle/tolerance.hpp>

#include "../catch.hpp"
#include "golden.hpp"

using namespace goldml;

namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

template <class T>
oracle::judgement judged_by(const oracle::golden& golden, const std::vector<T>& got,
                            const oracle::compare_options& options = {}) {
  const std::vector<const_tensor_ref> actual{tensor_view(got, golden.answers[0][0].values.desc().sizes)};
  return oracle::compare(golden, actual, options);
}
template <class T>
std::string report_on(const oracle::golden& golden, const std::vector<T>& got, const oracle::judged_names& names) {
  const std::vector<const_tensor_ref> actual{tensor_view(got, golden.answers[0][0].values.desc().sizes)};
  const oracle::compare_options options;
  return oracle::report(golden, actual, oracle::compare(golden, actual, options), options, names, "THE CASE");
}

std::vector<float16> halves(const std::vector<float>& numbers) {
  std::vector<float16> result;
  for (const float x : numbers) result.push_back(static_cast<float16>(x));
  return result;
}

}  // namespace

TEST_CASE("interval: numbers inside are accepted, and counted if they are suspicious", "[oracle]") {
  oracle::golden_output output = judged::output_of<float>({4}, {1, 1, 1, 1});
  for (std::size_t i = 0; i < 3; ++i) output.verdicts.allow_interval(i, interval{-1, 4, 0, 2, 0});
  output.verdicts.allow(2, scalar(9.0F));
  const oracle::golden golden = judged::golden_of(output);
  const auto ends = judged_by<float>(golden, {4, -1, 9, 1});
  CHECK(ends.outcome() == oracle::outcome::agrees);
  CHECK(ends.result.suspicious() == 2);
  CHECK(ends.result.compared() == 4);
  CHECK(judged_by<float>(golden, {0, 2, 1.5F, 1}).result.suspicious() == 0);
  const auto outside = judged_by<float>(golden, {4.5F, -1.5F, 9.5F, 1.5F});
  CHECK(outside.result.differing() == 4);
  CHECK(outside.result.suspicious() == 0);
  CHECK(judged_by<float>(golden, {nan_value, 1, 1, 1}).result.differing() == 1);
  CHECK(judged_by<float>(golden, {9, 1, 1, 1}).result.differing() == 1);  // the alternative is that of another element
  CHECK(judged_by<float>(golden, {2, 1, 1, 1}, oracle::compare_options::strict()).outcome() == oracle::outcome::agrees);

  oracle::tally tally;
  tally.add(ends);
  tally.add(ends);
  CHECK(tally.suspicious == 4);
  CHECK(tally.agreeing == 2);
  CHECK(tally.exit_status() == 0);
}

TEST_CASE("A3: what an approximate reciprocal gives is suspicious, and refused on request", "[oracle]") {
  oracle::golden_output output = judged::output_of<float>({2}, {1, 1});
  output.verdicts.allow_interval_beside(0, graded_interval{{-1, 4, 0, 2, 0}, {0, 2, 0, 2, 0}},
                                        interval_refusal::reciprocals, 1.0F);
  const oracle::golden golden = judged::golden_of(output);
  const oracle::compare_options refuse{.reciprocals = oracle::reciprocal_errors::refuse};
  CHECK(judged_by<float>(golden, {4, 1}).result.suspicious() == 1);
  CHECK(judged_by<float>(golden, {4, 1}, {.functions = oracle::function_errors::close}).result.suspicious() == 1);
  CHECK(judged_by<float>(golden, {4, 1}, refuse).result.differing() == 1);
  CHECK(judged_by<float>(golden, {2, 1}, refuse).result.differing() == 0);
  CHECK(judged_by<float>(golden, {2, 1}, refuse).result.suspicious() == 0);
  const std::vector<float> wrong{4, 1};
  const std::vector<const_tensor_ref> actual{tensor_view(wrong, dimensions{2})};
  const std::string text =
      oracle::report(golden, actual, oracle::compare(golden, actual, refuse), refuse, {"DIVIDE", {"OutputTensor"}}, "");
  CHECK(text.find("or from 0 to 2, got 4 ") != std::string::npos);
}

TEST_CASE("interval: what flushing adds is accepted only if flushing is", "[oracle]") {
  oracle::golden_output output = judged::output_of<float>({1}, {1});
  output.verdicts.allow_interval(0, interval{1, 1, 1, 1, 0});
  output_verdicts flushed(1);
  flushed.allow_interval(0, interval{0, 2, 0.5F, 1.5F, interval_also::nan});
  flushed.allow(0, scalar(7.0F));
  output.flushed_verdicts = std::make_shared<const output_verdicts>(flushed);
  const oracle::golden golden = judged::golden_of(output);
  for (const float accepted : {1.0F, 1.5F, 7.0F, nan_value}) {
    CHECK(judged_by<float>(golden, {accepted}).result.differing() == 0);
    CHECK(judged_by<float>(golden, {accepted}).result.suspicious() == 0);
    CHECK(judged_by<float>(golden, {accepted}, {.fp32_flush = false}).result.differing() == (accepted == 1 ? 0 : 1));
  }
  CHECK(judged_by<float>(golden, {2}).result.suspicious() == 1);
  CHECK(judged_by<float>(golden, {3}).result.differing() == 1);
}

TEST_CASE("interval: FLOAT16 rounded toward zero is counted, and refused on request", "[oracle]") {
  oracle::golden_output output = judged::output_of<float16>({2}, halves({2050, -2050}));
  output.verdicts.allow_interval(0, interval_of<float16>(2049.5, 0, 0));
  output.verdicts.allow_interval(1, interval_of<float16>(-2049.5, 0, 0));
  const oracle::golden golden = judged::golden_of(output);
  CHECK(judged_by(golden, halves({2050, -2050})).result.toward_zero() == 0);
  const auto cut = judged_by(golden, halves({2048, -2048}));
  CHECK(cut.result.toward_zero() == 2);
  CHECK(cut.result.differing() == 0);
  oracle::tally tally;
  tally.add(cut);
  CHECK(tally.toward_zero == 2);
  CHECK(judged_by(golden, halves({2048, -2048}), oracle::compare_options::strict()).result.toward_zero() == 2);
  CHECK(judged_by(golden, halves({2048, -2048}), {.narrow_toward_zero = false}).result.differing() == 2);
  CHECK(judged_by(golden, halves({2050, -2048}), {.narrow_toward_zero = false}).result.differing() == 1);
  CHECK(judged_by(golden, halves({2052, -2052})).result.differing() == 2);
  CHECK(report_on(golden, halves({2048, -2050}), {"SUM", {"OutputTensor"}}) == R"(SUM: agrees
OutputTensor FLOAT16 {2}: 2 compared, 0 ignored, 0 differ
  note: 1 rounded to FLOAT16 toward zero (ledger AR-R7)
case: THE CASE
)");
}

TEST_CASE("interval: a FLOAT16 that is not rounded toward zero is accepted in any case", "[oracle]") {
  oracle::golden_output output = judged::output_of<float16>({1}, halves({2050}));
  output.verdicts.allow_interval(0, interval_of<float16>(2050, 4, 4));
  const oracle::golden golden = judged::golden_of(output);
  for (const bool narrows : {true, false}) {
    CHECK(judged_by(golden, halves({2052}), {.narrow_toward_zero = narrows}).result.differing() == 0);
    CHECK(judged_by(golden, halves({2060}), {.narrow_toward_zero = narrows}).result.differing() == 1);
  }
}

namespace {

// A call with one input of FLOAT32 and an output of these sizes.
template <class Desc>
oracle::golden golden_of_call(const Desc& desc, const std::vector<std::vector<float>>& inputs,
                              const dimensions& output) {
  std::vector<const_tensor_ref> refs;
  for (const std::vector<float>& input : inputs)
    refs.emplace_back(tensor_view(input.data(), {static_cast<std::uint32_t>(input.size())}));
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = output}};
  return oracle::expect(desc, std::span<const const_tensor_ref>(refs), std::span<const tensor_desc>(outputs));
}

}  // namespace

TEST_CASE("A4: infinities of what overflows on the way are counted, and refused by stable and strict", "[oracle]") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const auto judged_as = [](const oracle::golden& golden, float got, bool counted, bool stable, bool strict) {
    INFO(got);
    const oracle::judgement normal = judged_by<float>(golden, {got});
    CHECK(normal.outcome() == oracle::outcome::agrees);
    CHECK(normal.result.overflowed() == (counted ? 1 : 0));
    CHECK((judged_by<float>(golden, {got}, {.stable = true}).outcome() == oracle::outcome::agrees) == stable);
    const auto by_bits = judged_by<float>(golden, {got}, oracle::compare_options::strict());
    CHECK((by_bits.outcome() == oracle::outcome::agrees) == strict);
    CHECK(by_bits.result.overflowed() == 0);
  };
  const auto reduced = [](reduce_function f, const std::vector<float>& x) {
    return golden_of_call(reduce_desc{.function = f, .axes = {0}}, {x}, {1});
  };
  // ln(e^100), as the formula says. ln(e^-100) is ln(0) where e^-100 is flushed: nothing overflows.
  const oracle::golden sum_of_powers = reduced(reduce_function::log_sum_exp, {100});
  judged_as(sum_of_powers, inf, true, false, false);
  judged_as(sum_of_powers, 100, false, true, true);
  judged_as(reduced(reduce_function::log_sum_exp, {-100}), -inf, false, true, true);
  // ln(1 + e^100).
  judged_as(golden_of_call(activation_softplus_desc{}, {{100}}, {1}), inf, true, false, false);
  judged_as(reduced(reduce_function::l2, {1e30F}), inf, true, false, false);
  // inf - inf, in some order.
  const oracle::golden cancelling = reduced(reduce_function::sum, {3e38F, 3e38F, -3e38F, -3e38F});
  judged_as(cancelling, nan_value, true, false, false);
  judged_as(cancelling, inf, true, false, false);
  judged_as(cancelling, 0, false, true, true);
  // The end of the interval is rounded to infinity: 3.4028235e38 and 2 * 2^-24 of that.
  judged_as(reduced(reduce_function::sum, {std::numeric_limits<float>::max(), 1, 1}), inf, false, true, true);
  // 0.1 / 1e-39, which is 1e38, where 1e-39 is flushed.
  const oracle::golden quotient = golden_of_call(element_wise_divide_desc{}, {{0.1F}, {1e-39F}}, {1});
  judged_as(quotient, inf, false, true, false);
  // Where it is kept, 1 / 1e-39 overflows.
  const oracle::judgement kept = judged_by<float>(quotient, {inf}, {.fp32_flush = false});
  CHECK((kept.outcome() == oracle::outcome::agrees && kept.result.overflowed() == 1));
  CHECK(!judged_by<float>(quotient, {inf}, {.fp32_flush = false, .stable = true}).tolerated());
  // NaN of the input is skipped, or not (AR-R4).
  judged_as(reduced(reduce_function::max, {nan_value, 1}), nan_value, false, true, true);
  // The golden value is infinite.
  judged_as(reduced(reduce_function::sum, {3e38F, 3e38F}), inf, false, true, true);

  const std::string text = report_on<float>(sum_of_powers, {inf}, {"REDUCE", {"OutputTensor"}});
  CHECK(text.find("  note: 1 overflowed on the way to a finite result (ledger RE-R2)\n") != std::string::npos);
  oracle::tally tally;
  tally.add(judged_by<float>(sum_of_powers, {inf}));
  tally.add(tally);
  CHECK(tally.overflowed == 2);
}

TEST_CASE("A4: a sum that no order of additions rounds does not overflow, nor one of a single term", "[oracle]") {
  constexpr float inf = std::numeric_limits<float>::infinity(), greatest = std::numeric_limits<float>::max();
  const auto is_refused = [](const oracle::golden& golden, float got) {
    INFO(got);
    return judged_by<float>(golden, {got}).outcome() == oracle::outcome::differs;
  };
  const auto reduced = [](reduce_function f, const std::vector<float>& x) {
    return golden_of_call(reduce_desc{.function = f, .axes = {0}}, {x}, {1});
  };
  // The precision holds every partial sum: multiples of 2^104 up to 2^24 - 1 of them.
  for (const reduce_function f : {reduce_function::sum, reduce_function::l1, reduce_function::average}) {
    CHECK(is_refused(reduced(f, {greatest, 0, 0}), inf));
    CHECK(is_refused(reduced(f, {greatest}), inf));
  }
  // At the limit, 2^24 units, no order rounds; with one more some do.
  CHECK(is_refused(reduced(reduce_function::sum, {16'777'215, 1, 0}), 16'777'214));
  CHECK_FALSE(is_refused(reduced(reduce_function::sum, {16'777'215, 1, 1}), 16'777'218));
  const std::vector<float> with_infinity{inf, -greatest, 0};
  CHECK(is_refused(reduced(reduce_function::sum, with_infinity), nan_value));
  CHECK_FALSE(is_refused(reduced(reduce_function::sum, with_infinity), inf));
  // 1 more makes it inexact: a step may be rounded up. A division by 3 is rounded, but not the sum before it.
  CHECK_FALSE(is_refused(reduced(reduce_function::sum, {greatest, 1, 1}), inf));
  CHECK(is_refused(reduced(reduce_function::average, {0x1p127F, 0x1p126F, 0}), inf));

  const auto gemm = [](const std::vector<float>& a, const std::vector<float>& b, float alpha) {
    const auto k = static_cast<std::uint32_t>(a.size());
    const std::vector<const_tensor_ref> inputs{tensor_view(a.data(), {1, k}), tensor_view(b.data(), {k, 1}), {}};
    const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {1, 1}}};
    return oracle::expect(gemm_desc{.alpha = alpha}, std::span<const const_tensor_ref>(inputs),
                          std::span<const tensor_desc>(outputs));
  };
  CHECK(is_refused(gemm({greatest}, {1}, 1), inf));
  CHECK(is_refused(gemm({greatest, 0x1p104F}, {1, 0}, 1), inf));
  CHECK_FALSE(is_refused(gemm({greatest, 1}, {1, 1}, 1), inf));
  CHECK_FALSE(is_refused(gemm({0x1p127F}, {2}, 0.5F), inf));  // Alpha is applied to the product, or to a factor
}

TEST_CASE("A9: elements of which nearly anything would be accepted are counted", "[oracle]") {
  const auto counted = [](const interval& allowed, float golden, const answer_range& range) {
    oracle::golden_output output = judged::output_of<float>({4}, {golden, 8, -1, 1});
    output.verdicts.allow_interval(0, allowed);
    output.verdicts.range = range;
    return judged_by<float>(judged::golden_of(output), {golden, 8, -1, 1}).result.hardly_tested();
  };
  // Its own magnitude.
  CHECK(counted({-1, 3, 0, 0, 0}, 3, {}) == 1);
  CHECK(counted({0, 3, 0, 0, 0}, 3, {}) == 0);
  CHECK(counted({-3, 0, 0, 0, 0}, -3, {}) == 0);
  CHECK(counted({0, 0x1p-149F, 0, 0, 0}, 0, {}) == 1);
  CHECK(counted(any_answer, 3, {}) == 1);
  interval specials;
  specials.also = interval_also::specials;
  CHECK(counted(specials, 3, {}) == 0);
  CHECK(counted(any_answer, nan_value, {}) == 0);
  // A quarter of the range of TANH.
  CHECK(counted({0.25F, 0.75F, 0, 0, 0}, 0.5F, {.width = 2}) == 0);
  CHECK(counted({0.24F, 0.75F, 0, 0, 0}, 0.5F, {.width = 2}) == 1);
  // A quarter of the greatest in the row: of 8 or, in rows of 1, of 3.
  CHECK(counted({2, 4, 0, 0, 0}, 3, {.row = 4}) == 0);
  CHECK(counted({2, 4.1F, 0, 0, 0}, 3, {.row = 4}) == 1);
  CHECK(counted({2, 2.8F, 0, 0, 0}, 3, {.row = 1}) == 1);
  CHECK(counted({2.5F, 3, 0, 0, 0}, 3, {.row = 1}) == 0);
}

TEST_CASE("A9: the ranges of operators", "[oracle]") {
  // TANH(0.1) is within 0.001 or so: narrow against 2. A sum that cancels is not known at all.
  const auto tested = [](const auto& desc, const std::vector<std::vector<float>>& inputs, float golden) {
    return judged_by<float>(golden_of_call(desc, inputs, {1}), {golden}).result.hardly_tested() == 0;
  };
  CHECK(tested(activation_tanh_desc{}, {{1e-9F}}, 1e-9F));
  CHECK(tested(activation_sigmoid_desc{}, {{-40}}, 4.248354e-18F));
  CHECK_FALSE(tested(reduce_desc{.function = reduce_function::sum, .axes = {0}}, {{1e8F, 1, -1e8F}}, 1));
  CHECK(tested(reduce_desc{.function = reduce_function::sum, .axes = {0}}, {{1e8F, 1, 1e8F}}, 2e8F));
  CHECK(arithmetic::range_width(activations::scaled_tanh(-3, 1)) == 6);
  CHECK(arithmetic::range_width(activations::clip(-1, 6)) == 7);
  CHECK(arithmetic::range_width(activations::clip(-1, std::numeric_limits<float>::infinity())) == 0);
  CHECK(arithmetic::range_width(activations::relu()) == 0);
}

TEST_CASE("interval: the report has the interval, and by how many widths the value is outside", "[oracle]") {
  oracle::golden_output output = judged::output_of<float>({4}, {1, 1, 1, 1});
  output.verdicts.allow_interval(0, interval{-1, 3, 0, 2, interval_also::positive_infinity | interval_also::nan});
  output.verdicts.allow_interval(1, interval{-1, 3, 0, 2, 0});
  output.verdicts.allow_interval(2, interval{1, 1, 1, 1, 0});
  const oracle::golden golden = judged::golden_of(output);
  oracle::judged_names names{"SUM", {"OutputTensor"}};
  CHECK(report_on<float>(golden, {13, 3, 2, 1}, names) == R"(SUM: differs
OutputTensor FLOAT32 {4}: 4 compared, 0 ignored, 2 differ
  note: 1 suspicious: inside the bound, but farther off than independent roundings get
  note: 2 hardly tested: the accepted interval is too wide to find most faults
  {0}: expected 1 (0x3F800000) or from -1 to 3 or inf or nan, got 13 (0x41500000), relative error 12, outside by 2.5 times the interval
    expected: [1] 1 1 1
    got:      [13] 3 2 1
  {2}: expected 1 (0x3F800000), got 2 (0x40000000), relative error 1
    expected: 1 1 [1] 1
    got:      13 3 [2] 1
case: THE CASE
)");
}

TEST_CASE("interval: the report of an interval without numbers, and of a single other one", "[oracle]") {
  oracle::golden_output output = judged::output_of<float>({2}, {1, 1});
  interval nan_only;
  nan_only.also = interval_also::nan;
  output.verdicts.allow_interval(0, nan_only);
  output.verdicts.allow_interval(1, interval{3, 3, 3, 3, 0});
  const std::string text = report_on<float>(judged::golden_of(output), {5, 5}, {"SUM", {"OutputTensor"}});
  CHECK(text.find("{0}: expected 1 (0x3F800000) or nan, got 5 ") != std::string::npos);
  CHECK(text.find("{1}: expected 1 (0x3F800000) or from 3 to 3, got 5 ") != std::string::npos);
}

TEST_CASE("A5: the report says if a wrong value fits half precision", "[oracle]") {
  const oracle::golden golden = judged::golden_of<float16>({2}, halves({4096, 4096}));
  oracle::golden_output permitted = judged::output_of<float16>({2}, halves({4096, 4096}));
  permitted.verdicts.allow_interval(0, interval{2000, 4100, 2000, 4100, 0});
  permitted.verdicts.allow_interval(1, interval{2000, 4100, 2000, 4100, 0});
  oracle::judged_names names{"SUM", {"OutputTensor"}};
  names.half = [&](const oracle::golden_output& output) {
    CHECK(output.whole().sizes == dimensions{2});
    return judged::golden_of(permitted);
  };
  const std::string text = report_on(golden, halves({2048, 1000}), names);
  CHECK(text.find("got 2048 (0x6800), relative error 0.5, fits half precision (ledger AR-R1)\n") != std::string::npos);
  CHECK(text.find("got 1000 (0x63D0), relative error 0.756\n") != std::string::npos);
}

TEST_CASE("T2: the tolerance of a few intervals, by hand", "[oracle]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  oracle::golden golden;
  golden.answers.emplace_back();
  const tensor<float> values({9}, {1, 100, 10000, 5, nan_value, infinity, 7, 8, 1});
  golden.answers[0].push_back({host_tensor(values.view()), output_verdicts(9)});
  output_verdicts& verdicts = golden.answers[0][0].verdicts;
  verdicts.allow_interval(0, interval{0, 2, 0, 2, 0});
  verdicts.allow_interval(1, interval{99.5F, 101, 99.5F, 101, 0});
  verdicts.allow_interval(2, interval{9998, 10000, 9998, 10000, 0});
  verdicts.allow_interval(6, interval{6, 8, 6, 8, interval_also::nan});
  verdicts.make_undefined(7);
  verdicts.allow_interval(8, interval{0, infinity, 0, 2, 0});
  oracle::tolerance_search search;
  search.add(golden);
  const std::vector<oracle::tolerance> found = search.found();
  REQUIRE(found.size() == 1);
  const oracle::tolerance& t = found[0];
  CHECK(t.type == data_type::float32);
  CHECK((t.rounded == 3 && t.exact == 2 && t.nans == 1 && t.open == 2 && t.undefined == 1));
  // The errors 1, 1 and 2 at 1, 100 and 10000. The lines above them: 0 + 1 x; 0.9999 + 0.0001 x through the first and
  // the last; 2. Of these the three use 1 + 0.01 + 0.0002; 1 + 0.99 + 1; 0.5 + 0.5 + 1. Three digits, rounded up.
  CHECK(t.absolute == Approx(1.0).epsilon(1e-12));
  CHECK(t.relative == Approx(0.000101).epsilon(1e-12));
  CHECK(t.relative_alone == Approx(1.01).epsilon(1e-12));
  CHECK(t.absolute_alone == Approx(2.01).epsilon(1e-12));
  CHECK(t.ulp == 0x3F80'0000);                       // from 1 to 0
  CHECK(t.width == Approx(3 / 2.99).epsilon(0.05));  // from exponents of the golden values
  // The exact value of another output needs no tolerance, and a zero that may be 0.5 refuses a relative one.
  const tensor<float> two({2}, {0, 3});
  golden.answers[0][0] = {host_tensor(two.view()), output_verdicts(2)};
  golden.answers[0][0].verdicts.allow_interval(0, interval{-0.5F, 0, -0.5F, 0, 0});
  oracle::tolerance_search other;
  other.add(golden);
  const oracle::tolerance zero = other.found().at(0);
  CHECK((zero.rounded == 1 && zero.exact == 1 && zero.relative == 0));
  CHECK(zero.absolute == Approx(0.501).epsilon(1e-12));
  CHECK(zero.relative_alone == infinity);
}

TEST_CASE("T3: what a tolerance lets through of wrong devices", "[oracle]") {
  oracle::tolerance_search search;
  const auto add = [&](const std::string& left, const std::string& right) {
    const auto n = std::count(left.begin(), left.end(), ',') + 1;
    const std::string line = fmt::format(
        "GEMM ATensor=FLOAT32{{1,1,1,{0}}}:{{{1}}} BTensor=FLOAT32{{1,1,{0},1}}:{{{2}}} "
        "OutputTensor=FLOAT32{{1,1,1,1}} Alpha=1 Beta=0",
        n, left, right);
    search.add(oracle::make_case<gemm_desc>(oracle::parse_case<gemm_desc>(line)));
  };
  add("100000000,1,-100000000", "1,1,1");  // 1, or up to 71.5 off: six roundings of 2e8
  add("5,3", "1,1");                       // 8; without its last term 5, which the tolerance lets through
  add("4097,1", "1,4096");                 // 8193; on TF32 inputs 4096 + 4096, of FLOAT16 8192
  add("4097,500", "1,1");                  // 4597: without the last term 500 off
  const oracle::tolerance t = search.found().at(0);
  INFO(t.absolute << " " << t.relative);
  CHECK((t.rounded == 1 && t.exact == 3));
  CHECK((t.absolute == Approx(71.6) && t.relative == 0));
  REQUIRE(t.wrong.size() == 3);
  const oracle::let_through& term = t.wrong[0];
  CHECK(term.device == oracle::wrong_device::missing_term);
  // 100000001, 5, 4097 and 4097: the second is let through, and none by the verdicts.
  CHECK((term.outputs.wrong == 4 && term.outputs.pair == 1 && term.outputs.interval == 0));
  CHECK((term.elements.wrong == 4 && term.elements.pair == 1));
  const oracle::let_through& inputs = t.wrong[1];
  CHECK(inputs.device == oracle::wrong_device::tf32_inputs);
  CHECK((inputs.outputs.wrong == 2 && inputs.outputs.pair == 2 && inputs.outputs.interval == 0));
  const oracle::let_through& halves = t.wrong[2];
  CHECK(halves.device == oracle::wrong_device::half_sums);
  CHECK(name_of(halves.device) == "FLOAT16 sums");
  // 1e8 is infinite, so that the first is NaN; 8192 and 4596.
  CHECK((halves.outputs.wrong == 3 && halves.outputs.pair == 2 && halves.outputs.interval == 0));
}
