// judge(): what it takes, what it says, and when it counts as true.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <goldml/goldml.hpp>
#include <goldml/oracle/fit/inputs.hpp>
#include <goldml/oracle/fit_memory.hpp>
#include <goldml/oracle/judge.hpp>
#include <goldml/oracle/verdicts/fused_sums.hpp>

#include "../catch.hpp"
#include "golden.hpp"

using namespace goldml;

TEST_CASE("judge: the answer converts to bool and prints its report", "[oracle]") {
  const oracle::golden golden = judged::golden_of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  tensor<std::int32_t> actual({2, 2}, {1, 2, 3, 4});
  const auto right = oracle::judge(golden, actual);
  CHECK(right);
  CHECK(right.outcome() == oracle::outcome::agrees);
  actual[{1, 0}] = -3;
  const auto wrong = oracle::judge(golden, actual);
  CHECK_FALSE(wrong);
  CHECK(wrong.outcome() == oracle::outcome::differs);
  CHECK(wrong.report.find("{1,0}: expected 3") != std::string::npos);
  std::ostringstream stream;
  stream << wrong;
  CHECK(stream.str() == wrong.report);
  CHECK(oracle::judge<slice1_desc>(golden, actual).report.find("SLICE1: differs") == 0);
}

TEST_CASE("judge: an answer of which nothing is defined is not wrong", "[oracle]") {
  oracle::golden golden = judged::golden_of<std::int32_t>({2}, {1, 2});
  golden.answers[0][0].verdicts.make_all_undefined();
  const tensor<std::int32_t> anything({2}, {7, 7});
  const auto judged = oracle::judge(golden, anything);
  CHECK(judged);
  CHECK(judged.outcome() == oracle::outcome::nothing_defined);
}

TEST_CASE("judge: a NaN for another NaN is right by default, and wrong if judged strictly", "[oracle]") {
  const auto test = oracle::make_case(oracle::parse_case<slice1_desc>(
      "SLICE1 InputTensor=FLOAT32{1}:{nan} OutputTensor=FLOAT32{1} "
      "InputWindowOffsets={0} InputWindowSizes={1} InputWindowStrides={1} data=ramp seed=1"));
  const tensor<float> other({1}, {std::bit_cast<float>(0xFFC0'0001)});
  CHECK(oracle::judge(test, other));
  CHECK_FALSE(oracle::judge(test, other, oracle::compare_options::strict()));
}

TEST_CASE("judge: an output that was written outside is wrong", "[oracle]") {
  const oracle::golden golden = judged::golden_of<std::uint8_t>({4}, {1, 2, 3, 4});
  oracle::watched_output output({.data_type = data_type::uint8, .sizes = {4}});
  for (std::uint32_t i = 0; i < 4; ++i) output.ref().as<std::uint8_t>()[{i}] = static_cast<std::uint8_t>(i + 1);
  CHECK(oracle::judge(golden, output));
  output.bytes()[output.offset_in_bytes() - 1] ^= std::byte{1};
  const auto judged = oracle::judge(golden, output);
  CHECK_FALSE(judged);
  CHECK(judged.report.find("wrote outside its tensor") != std::string::npos);
}

TEST_CASE("judge: what is run is run again for the smallest case", "[oracle]") {
  const auto test = oracle::make_case(oracle::parse_case<argmin_desc>(
      "ARGMIN InputTensor=FLOAT32{4,6} OutputTensor=UINT32{4,1} Axes={1} data=ramp seed=1"));
  int runs = 0;
  const auto right = [&runs](const oracle::generated_case<argmin_desc>& c) {
    ++runs;
    return c.expected.answers[0][0].values;
  };
  CHECK(oracle::judge_run(test, right));
  CHECK(runs == 1);
  const auto wrong = [](const oracle::generated_case<argmin_desc>& c) {
    host_tensor output = c.expected.answers[0][0].values;
    for (std::byte& byte : output.bytes()) byte ^= std::byte{1};
    return output;
  };
  const auto judged = oracle::judge_run(test, wrong);
  CHECK_FALSE(judged);
  CHECK(judged.report.find("the smallest case that still fails") != std::string::npos);
}

TEST_CASE("A5: a wrong value that fits half precision is said to, where tensors are FLOAT16", "[oracle]") {
  const reduce_desc sum{.function = reduce_function::sum, .axes = {0}};
  const auto report = [&](const auto& x, const auto& y) {
    const std::vector<const_tensor_ref> inputs{x.view()};
    const std::vector<tensor_desc> outputs{const_tensor_ref(y.view()).desc()};
    const auto judged = oracle::judge(sum, inputs, oracle::expect(sum, inputs, outputs), y);
    CHECK_FALSE(judged);
    return judged.report;
  };
  // A serial FLOAT16 accumulator sticks at 2048.
  const tensor<float16> ones({4096}, std::vector<float16>(4096, static_cast<float16>(1.0F)));
  const std::string text = report(ones, tensor<float16>({1}, {static_cast<float16>(2048.0F)}));
  INFO(text);
  CHECK(text.find(", fits half precision (ledger AR-R1)\n") != std::string::npos);
  CHECK(text.find("accumulation") == std::string::npos);
  CHECK(text.find("REDUCE: differs\nOutputTensor FLOAT16 {1}: ") == 0);
  // As far off, but nothing is FLOAT16.
  const std::string single =
      report(tensor<float>({4096}, std::vector<float>(4096, 1.0F)), tensor<float>({1}, {2048.0F}));
  CHECK(single.find("half") == std::string::npos);
  // The same of a generated case.
  const auto test = oracle::make_case(oracle::parse_case<reduce_desc>(
      "REDUCE InputTensor=FLOAT16{3}:{2048,1,1} OutputTensor=FLOAT16{1} Function=SUM Axes={0}"));
  const auto judged = oracle::judge(test, tensor<float16>({1}, {static_cast<float16>(2048.0F)}));
  CHECK(judged.report.find(", fits half precision (ledger AR-R1)\n") != std::string::npos);
}

namespace {

// Whether the terms that an operator gives the fit add up to the golden answer, in generated cases. Returns the number
// of elements that were compared.
template <class Desc>
std::uint64_t terms_that_add_up(std::uint64_t cases) {
  std::uint64_t compared = 0;
  oracle::generate_options options;
  options.most_elements = 300;
  options.data = {oracle::data_class::uniform, oracle::data_class::ramp};
  for (std::uint64_t number = 0; number < cases; ++number) {
    const auto test = oracle::make_case(oracle::sample_case<Desc>(options, number));
    std::vector<const_tensor_ref> inputs;
    for (const host_tensor& input : test.inputs) inputs.push_back(input.ref());
    const host_tensor& golden = test.expected.answers[0][0].values;
    oracle::fit_sums sums;
    if (!oracle::detail::golden_calls_of<Desc>().sums(&test.text.desc, inputs, golden.desc(), sums)) continue;
    oracle::fit_lines lines(sums);
    visit_data_type(type_list<float, float16>{}, golden.desc().data_type, [&]<class T>(std::type_identity<T>) {
      const auto y = golden.ref().template as<T>();
      REQUIRE(sums.elements() == element_count(y.sizes()));
      for (std::uint64_t e = 0; e < sums.elements(); ++e) {
        const std::uint64_t at = sums.output_of ? sums.output_of(e) : e;
        if (test.expected.answers[0][0].verdicts[static_cast<std::size_t>(at)] == verdict::undefined) continue;
        const oracle::fit_place place = sums.place_of(e);
        const auto facts =
            oracle::fit_facts_of(lines.left_terms(place), lines.right_terms(place), sums.alpha, place.addend);
        const double wanted = static_cast<double>(static_cast<float>(y[coordinate_at(y.sizes(), at)]));
        const double got = sums.model.result_of(facts);
        if (!std::isfinite(wanted) || !std::isfinite(got) || got <= sums.low || got >= sums.high) continue;
        const double unit = std::is_same_v<T, float> ? 0x1p-23 : 0x1p-10;
        INFO(test.line() << " element " << at);
        REQUIRE(std::abs(got - wanted) <= unit * std::abs(wanted) + 0x1p-24);
        ++compared;
      }
    });
  }
  return compared;
}

tensor<float> random_matrix(std::uint32_t rows, std::uint32_t columns, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<float> numbers(std::size_t{rows} * columns);
  for (float& x : numbers) x = static_cast<float>(static_cast<double>(engine() >> 11) * 0x1p-52 - 1);
  return tensor<float>({1, 1, rows, columns}, numbers);
}

// GEMM of two matrices as a device adds whose factors are rounded.
template <class Round>
tensor<float> device_product(const tensor<float>& a, const tensor<float>& b, const Round& round) {
  const std::uint32_t rows = a.sizes()[2], terms = a.sizes()[3], columns = b.sizes()[3];
  tensor<float> y({1, 1, rows, columns});
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      float sum = 0;
      for (std::uint32_t k = 0; k < terms; ++k) sum += round(a[{0, 0, i, k}]) * round(b[{0, 0, k, j}]);
      y[{0, 0, i, j}] = sum;
    }
  return y;
}

}  // namespace

TEST_CASE("F2.1: the terms of an element add up to the golden answer", "[oracle]") {
  CHECK(terms_that_add_up<gemm_desc>(60) > 500);
  CHECK(terms_that_add_up<convolution_desc>(120) > 500);
  CHECK(terms_that_add_up<reduce_desc>(120) > 200);
  CHECK(terms_that_add_up<cumulative_summation_desc>(60) > 500);
}

TEST_CASE("F5: judge() says how large the errors of a sum are, and which arithmetic explains them", "[oracle]") {
  constexpr std::uint32_t size = 16, terms = 256;
  const tensor<float> a = random_matrix(size, terms, 1), b = random_matrix(terms, size, 2);
  const std::vector<const_tensor_ref> inputs{a.view(), b.view(), {}};
  const gemm_desc desc;
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {1, 1, size, size}}};
  const oracle::golden golden = oracle::expect(desc, inputs, outputs);
  const auto judged = [&](const tensor<float>& y, bool fit) {
    return oracle::judge(desc, inputs, golden, y, {.fit = fit});
  };
  const tensor<float> right = device_product(a, b, [](float x) { return x; });
  for (const bool fit : {false, true}) {
    const auto answer = judged(right, fit);
    INFO(answer.report);
    CHECK(answer.outcome() == oracle::outcome::agrees);
    CHECK(answer.fit().outcome == oracle::fit_outcome::fits);
    CHECK(answer.fit().measured == 256);
    CHECK(answer.report.find("  fit: 0.") != std::string::npos);
    CHECK(answer.report.find(" of FLOAT32 (RMS over 256 of 256 elements, largest ") != std::string::npos);
  }
  // TF32 inputs: the interval finds some elements wrong, the fit says why.
  const auto tf32 =
      judged(device_product(a, b, [](float x) { return oracle::fit_rounded(oracle::fit_input::tf32, x); }), false);
  INFO(tf32.report);
  CHECK(tf32.fit().outcome == oracle::fit_outcome::coarser);
  CHECK(tf32.fit().rms > 100);
  CHECK(tf32.report.find(" of FLOAT32; TF32 or FLOAT16 inputs explain it (0.") != std::string::npos);
  // Inside the bounds: an error as large as some 30 roundings, in all elements or in one.
  tensor<float> coarse = right, one = right;
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t j = 0; j < size; ++j) coarse[{0, 0, i, j}] *= (i + j) % 2 == 0 ? 1 + 0x1p-15F : 1 - 0x1p-15F;
  one[{0, 0, 3, 5}] += 1e-4F;
  CHECK(judged(coarse, false).outcome() == oracle::outcome::agrees);
  const auto coarser = judged(coarse, true), outlier = judged(one, true);
  INFO(coarser.report << outlier.report);
  CHECK(coarser.outcome() == oracle::outcome::differs);
  CHECK(coarser.report.find(
            "GEMM: differs: inside the bounds, but its errors do not fit its precision (option fit)\n") == 0);
  CHECK(coarser.report.find("; coarser, and no known arithmetic explains it\n") != std::string::npos);
  CHECK(outlier.outcome() == oracle::outcome::differs);
  CHECK(judged(one, false).outcome() == oracle::outcome::agrees);
  CHECK(outlier.report.find("  note: these elements, not the precision: {0,0,3,5}\n  fit: the others 0.") !=
        std::string::npos);
  // Where RELU returns the sum; others are not measured.
  gemm_desc fused;
  fused.fused_activation = activations::relu();
  tensor<float> relu = right;
  std::uint64_t positive = 0;
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t j = 0; j < size; ++j) {
      float& x = relu[{0, 0, i, j}];
      x = (std::max)(x, 0.0F);
      positive += x > 0 ? 1 : 0;
    }
  const auto with_relu = oracle::judge(fused, inputs, oracle::expect(fused, inputs, outputs), relu);
  INFO(with_relu.report);
  CHECK(with_relu.fit().outcome == oracle::fit_outcome::fits);
  CHECK(with_relu.fit().measured > positive / 2);
  CHECK(with_relu.fit().measured <= positive);
  // It holds 32 lines of 256 terms, and two copies of each where it looks for names.
  const auto memory_of = [](const auto& d, std::span<const const_tensor_ref> of, const tensor_desc& output) {
    using type = std::decay_t<decltype(d)>;
    return oracle::detail::memory_of_fit(oracle::detail::golden_calls_of<type>(), &d, of, output);
  };
  CHECK(memory_of(desc, inputs, outputs[0]) > 3 * 4 * 32 * 256);
  CHECK(memory_of(desc, inputs, outputs[0]) < 1 << 20);
  CHECK(memory_of(activation_relu_desc{}, std::span(inputs).first(1), outputs[0]) == 0);
  // Without the inputs there is nothing to say.
  CHECK(oracle::judge<gemm_desc>(golden, right).report.find("fit:") == std::string::npos);
  CHECK(oracle::judge<gemm_desc>(golden, right).fit().outcome == oracle::fit_outcome::none);
}

TEST_CASE("F2.1: behind a fused activation the sum is measured through its slope", "[oracle]") {
  constexpr std::uint32_t size = 16, terms = 32;
  const tensor<float> a = random_matrix(size, terms, 5), b = random_matrix(terms, size, 6);
  const std::vector<const_tensor_ref> inputs{a.view(), b.view(), {}};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {1, 1, size, size}}};
  const tensor<float> right = device_product(a, b, [](float x) { return x; });
  const tensor<float> coarse =
      device_product(a, b, [](float x) { return oracle::fit_rounded(oracle::fit_input::tf32, x); });
  const auto fit_of = [&](const activation& f, const tensor<float>& sums, const auto& device) {
    gemm_desc desc;
    desc.fused_activation = f;
    tensor<float> y = sums;
    for (std::uint32_t i = 0; i < size; ++i)
      for (std::uint32_t j = 0; j < size; ++j) y[{0, 0, i, j}] = device(y[{0, 0, i, j}]);
    const auto answer = oracle::judge(desc, inputs, oracle::expect(desc, inputs, outputs), y);
    UNSCOPED_INFO(answer.report);
    return answer.fit();
  };
  const auto check = [&](const activation& f, const auto& device, std::uint64_t least, std::uint64_t most) {
    const oracle::fit_result of_right = fit_of(f, right, device), of_tf32 = fit_of(f, coarse, device);
    CHECK(of_right.outcome == oracle::fit_outcome::fits);
    CHECK(of_right.measured >= least);
    CHECK(of_right.measured <= most);
    CHECK(of_tf32.outcome == oracle::fit_outcome::coarser);
    CHECK(of_tf32.explained_by == "TF32 or FLOAT16 inputs");
    CHECK(of_tf32.rest < 1);
  };
  // SIGMOID is flatter than 2^-4 beyond 2.63, TANH beyond 2.063, SOFTSIGN beyond 3.
  const auto within = [&](float most) {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < size; ++i)
      for (std::uint32_t j = 0; j < size; ++j) count += std::abs(right[{0, 0, i, j}]) < most ? 1U : 0U;
    return count;
  };
  const auto exp = [](float x) { return std::exp(x); };
  check(
      activations::sigmoid(), [&](float x) { return 1 / (1 + exp(-x)); }, within(2.63F) - 3, within(2.63F) + 3);
  check(
      activations::tanh(), [&](float x) { return std::tanh(x); }, within(2.063F) - 3, within(2.063F) + 3);
  check(
      activations::leaky_relu(0.25F), [](float x) { return x < 0 ? 0.25F * x : x; }, 250, 256);
  check(
      activations::elu(1), [&](float x) { return x < 0 ? exp(x) - 1 : x; }, 128, 256);
  check(
      activations::hard_sigmoid(0.1F, 0.5F), [](float x) { return std::clamp(0.1F * x + 0.5F, 0.0F, 1.0F); }, 128, 256);
  check(
      activations::softsign(), [](float x) { return x / (1 + std::abs(x)); }, within(3) - 3, within(3) + 3);
  // GELU's slope is Phi(x) + x phi(x): about 0 at its minimum, -0.75, and below -2.2.
  const auto slope_of_gelu = [](double x) {
    return std::erfc(-x * std::sqrt(0.5)) / 2 + x * std::exp(-x * x / 2) * 0.3989422804014327;
  };
  std::uint64_t steep = 0;
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t j = 0; j < size; ++j)
      steep += std::abs(slope_of_gelu(static_cast<double>(right[{0, 0, i, j}]))) >= 0x1p-4 ? 1U : 0U;
  CHECK((steep > 100 && steep < 250));
  check(
      activations::gelu(), [](float x) { return x / 2 * (1 + std::erf(x * 0.70710678F)); }, steep - 3, steep + 3);
  // SWISH, which no operator of sums fuses yet: sigmoid(kx) (1 + kx (1 - sigmoid(kx))).
  oracle::fit_sums sums;
  CHECK(oracle::set_fused_sums(activations::swish(2), true, sums));
  for (const double x : {-3.0, -1.0, 0.0, 0.5, 4.0}) {
    const double s = 1 / (1 + std::exp(-2 * x)), slope = s * (1 + 2 * x * (1 - s));
    const auto found = sums.fused(x, 0x1p-20);
    REQUIRE(found.has_value() == (std::abs(slope) >= 0x1p-4));
    if (found) CHECK(std::abs(found->slope - slope) < 1e-6);
  }
  CHECK_FALSE(sums.fused(-0.63923227, 0x1p-20));  // its minimum
  CHECK_FALSE(oracle::set_fused_sums(activations::swish(2), false, sums));
  // The slope is that of f, and not of an f that is half as steep.
  CHECK(fit_of(activations::linear(2, 0), right, [](float x) { return x; }).outcome == oracle::fit_outcome::coarser);
}

TEST_CASE("F4: of sums that no order rounds, what is wrong is named", "[oracle]") {
  constexpr std::uint32_t size = 16, terms = 64;
  tensor<float> a = random_matrix(size, terms, 3), b = random_matrix(terms, size, 4);
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t k = 0; k < terms; ++k) {
      a[{0, 0, i, k}] = std::round(8 * a[{0, 0, i, k}]);
      b[{0, 0, k, i}] = std::round(8 * b[{0, 0, k, i}]);
    }
  const std::vector<const_tensor_ref> inputs{a.view(), b.view(), {}};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {1, 1, size, size}}};
  const oracle::golden golden = oracle::expect(gemm_desc{}, inputs, outputs);
  tensor<float> y = device_product(a, b, [](float x) { return x; });
  const auto right = oracle::judge(gemm_desc{}, inputs, golden, y);
  CHECK(right.outcome() == oracle::outcome::agrees);
  CHECK(right.report.find("fit:") == std::string::npos);
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t j = 0; j < size; ++j) y[{0, 0, i, j}] -= a[{0, 0, i, 41}] * b[{0, 0, 41, j}];
  const auto missing = oracle::judge(gemm_desc{}, inputs, golden, y);
  INFO(missing.report);
  CHECK(missing.report.find(" of FLOAT32; in all elements term 41 is missing (0)\n") != std::string::npos);
}
