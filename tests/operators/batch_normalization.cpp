// BATCH_NORMALIZATION and BATCH_NORMALIZATION_TRAINING: results, and what a device may answer, by hand from their pages
// and the ledger (NO-R1 to NO-R6, BN-R1). Refusals: tests/lines.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/batch_normalization.hpp>
#include <goldml/operators/batch_normalization.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/batch_normalization.hpp>
#include <goldml/reference/batch_normalization.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "../support/long_run.hpp"
#include "layouts.hpp"
#include "normalisation_devices.hpp"

namespace {

using namespace goldml;
using namespace normalising;
using layouts::bits;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T = float>
struct tensor_of {
  dimensions sizes;
  std::vector<T> x;
  tensor_desc desc() const { return {.data_type = data_type_of<T>, .sizes = sizes}; }
  const_tensor_ref ref() const {
    return x.empty() ? const_tensor_ref() : const_tensor_ref(desc(), x.data(), x.size() * sizeof(T));
  }
};
template <class T>
using tensors = std::vector<tensor_of<T>>;

template <class T>
std::vector<const_tensor_ref> refs_of(const tensors<T>& t) {
  std::vector<const_tensor_ref> refs;
  for (const auto& each : t) refs.push_back(each.ref());
  return refs;
}
// On both backends.
template <class Desc, class T>
std::vector<std::vector<T>> played(const tensors<T>& inputs, const std::vector<dimensions>& outputs, const Desc& desc) {
  const auto play = [&](const auto& backend) {
    std::vector<std::vector<T>> results;
    std::vector<tensor_ref> to;
    for (const dimensions& sizes : outputs) results.emplace_back(element_count(sizes));
    for (std::size_t i = 0; i < outputs.size(); ++i)
      to.emplace_back(tensor_desc{.data_type = data_type_of<T>, .sizes = outputs[i]}, results[i].data(),
                      results[i].size() * sizeof(T));
    const auto refs = refs_of(inputs);
    evaluate(backend, desc, std::span<const const_tensor_ref>(refs), std::span<const tensor_ref>(to));
    return results;
  };
  const auto y = play(reference), z = play(cpu);
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(bits(y[i]) == bits(z[i]));
  return y;
}
template <class Desc, class T>
oracle::golden golden_of(const tensors<T>& inputs, const std::vector<dimensions>& outputs, const Desc& desc) {
  std::vector<tensor_desc> descs;
  for (const dimensions& sizes : outputs) descs.push_back({.data_type = data_type_of<T>, .sizes = sizes});
  const auto refs = refs_of(inputs);
  return oracle::expect(desc, std::span<const const_tensor_ref>(refs), descs);
}
template <class Desc>
std::string judged(const tensors<float>& inputs, const std::vector<dimensions>& outputs,
                   const std::vector<floats>& answer, const Desc& desc) {
  std::vector<tensor_desc> descs;
  std::vector<const_tensor_ref> actual;
  for (const dimensions& sizes : outputs) descs.push_back({.data_type = data_type::float32, .sizes = sizes});
  for (std::size_t i = 0; i < answer.size(); ++i)
    actual.emplace_back(descs[i], answer[i].data(), answer[i].size() * sizeof(float));
  return goldml_test::judged(golden_of(inputs, outputs, desc), std::span<const const_tensor_ref>(actual));
}
double error_of(const oracle::golden& golden, std::size_t output, std::size_t element) {
  const interval* allowed = golden.answers[0][output].verdicts.interval_of<float>(element);
  return allowed == nullptr ? 0 : (static_cast<double>(allowed->high) - static_cast<double>(allowed->low)) / 2;
}

// One element: x, mean, variance, scale, bias.
floats one(float x, float mean, float variance, float scale, float bias, float epsilon = 0) {
  const dimensions sizes{1};
  return played<batch_normalization_desc, float>(
      {{sizes, {x}}, {sizes, {mean}}, {sizes, {variance}}, {sizes, {scale}}, {sizes, {bias}}}, {sizes},
      {.epsilon = epsilon})[0];
}
const dimensions channel{1, 2, 1, 1}, image{1, 2, 1, 4};

}  // namespace

TEST_CASE("BATCH_NORMALIZATION: the examples of the digest", "[batch_normalization]") {
  const dimensions sizes{1, 2, 1, 3};
  const tensors<float> t{
      {sizes, {-1, 0, 1, 2, 3, 4}}, {channel, {0, 3}}, {channel, {1, 1.5F}}, {channel, {1, 1.5F}}, {channel, {0, 1}}};
  CHECK(played<batch_normalization_desc>(t, {sizes}, {})[0] ==
        floats{-0.999994993F, 0, 0.999994993F, -0.224740788F, 1, 2.22474074F});
  const oracle::golden golden = golden_of<batch_normalization_desc>(t, {sizes}, {});
  CHECK(error_of(golden, 0, 0) == Approx(1e-6).epsilon(0.1));
  CHECK(error_of(golden, 0, 3) == Approx(2.9e-6).epsilon(0.05));
  CHECK(error_of(golden, 0, 4) == Approx(2.4e-6).epsilon(0.05));
  CHECK(error_of(golden, 0, 5) == Approx(3.6e-6).epsilon(0.05));
  // Folded on ONNX Runtime, 12 ULP away, which conformance tests refuse.
  const tensors<float> wpt{
      {{1}, {-86.1164321899414F}}, {{1}, {-95.64129638671875F}}, {{1}, {26.43260383605957F}}, {{1}, {1}}, {{1}, {0}}};
  CHECK(played<batch_normalization_desc>(wpt, {{1}}, {})[0][0] == Approx(1.8526302));
  CHECK(judged(wpt, {{1}}, {{1.8526287F}}, batch_normalization_desc{}) != "rr");
}

TEST_CASE("BATCH_NORMALIZATION: variances of 0, negative and infinite; infinities", "[batch_normalization]") {
  CHECK(one(3, 1, 4, 1, 0)[0] == 1);
  CHECK(one(3, 1, 0, 1, 0)[0] == infinity);
  CHECK(one(0, 1, 0, 1, 5)[0] == -infinity);
  CHECK(is_nan(one(1, 1, 0, 1, 0)[0]));
  CHECK(is_nan(one(3, 1, 0, 0, 0)[0]));
  CHECK(is_nan(one(3, 1, -1, 1, 0)[0]));
  CHECK(is_nan(one(1, 1, -1, 0, 0)[0]));
  CHECK(one(3, 1, infinity, 2, 5)[0] == 5);
  CHECK(is_nan(one(infinity, 1, infinity, 2, 5)[0]));
  CHECK(one(infinity, 1, 1, -2, 5)[0] == -infinity);
  CHECK(is_nan(one(infinity, infinity, 1, 1, 0)[0]));
  CHECK(one(3, 1, 4, infinity, 0)[0] == infinity);
  CHECK(is_nan(one(1, 1, 4, infinity, 0)[0]));
  CHECK(is_nan(one(3, 1, 4, 0, not_a_number)[0]));
  CHECK(one(3e38F, -3e38F, 1, 0.25F, 0)[0] == 1.5e38F);
  CHECK(one(2, 1, 1, 1, 0, -0.75F)[0] == 2);
  const auto judge = [](float x, float v, float s, float answer) {
    return judged({{{1}, {x}}, {{1}, {1}}, {{1}, {v}}, {{1}, {s}}, {{1}, {0}}}, {{1}}, {{answer}},
                  batch_normalization_desc{.epsilon = 0});
  };
  CHECK(judge(3, 0, 1, not_a_number) == "aa");  // folded: inf - inf
  CHECK(judge(3, 0, 1, 1e30F) == "rr");
  CHECK(judge(3, -1, 1, 2) == "rr");
  CHECK(judge(3, 4, 0, 0) == "aa");
  CHECK(judge(3, 4, 0, 1e-9F) == "rr");
  CHECK(judge(3, 4, 1, 1.000001F) == "aa");
  CHECK(judge(3, 4, 1, 1.00001F) == "rr");
}

TEST_CASE("BATCH_NORMALIZATION: infinities beside what may be infinite on the way", "[batch_normalization]") {
  const auto judge = [](const floats& operands, float answer, float epsilon = 0) {
    tensors<float> t;
    for (const float each : operands) t.push_back({{1}, {each}});
    return judged(t, {{1}}, {{answer}}, batch_normalization_desc{.epsilon = epsilon});
  };
  // x, Mean, Variance, Scale, Bias. 3e38 * 4 is infinite, and Bias is.
  CHECK(judge({3e38F, 0, 1, 4, -infinity}, not_a_number) == "aa");
  CHECK(judge({3e38F, 0, 1, 4, -infinity}, infinity) == "rr");
  CHECK(judge({1, 0, 1, 4, -infinity}, not_a_number) == "rr");
  // Folded: Scale / sqrt(Variance) is infinite, and so are x and Mean times it.
  CHECK(judge({1, infinity, 1e-37F, 3e38F, 0}, not_a_number) == "aa");
  CHECK(judge({1, infinity, 1, 1, 0}, not_a_number) == "rr");
  CHECK(judge({infinity, 1, 1e-37F, 3e38F, 0}, not_a_number) == "aa");
  CHECK(judge({infinity, 1, 1, 1, 0}, not_a_number) == "rr");
  // x is Mean exactly.
  CHECK(judge({1, 1, 4, infinity, 0}, infinity) == "rr");
  // D is infinite: Bias, or NaN of an infinity on the way.
  for (const bool of_epsilon : {false, true}) {
    const float variance = of_epsilon ? 1 : infinity, epsilon = of_epsilon ? infinity : 0;
    CHECK(judge({3, 1, variance, 2, 5}, 5, epsilon) == "aa");
    for (const float wrong : {777.0F, not_a_number, infinity, 5.0000005F, 0.0F})
      CHECK(judge({3, 1, variance, 2, 5}, wrong, epsilon) == "rr");
    CHECK(judge({3e38F, -3e38F, variance, 2, 5}, not_a_number, epsilon) == "aa");
    CHECK(judge({3e38F, -3e38F, variance, 2, 5}, 777, epsilon) == "rr");
    CHECK(judge({infinity, 1, variance, 2, 5}, 5, epsilon) == "rr");
    CHECK(judge({3, 1, variance, infinity, 5}, infinity, epsilon) == "rr");
  }
}

TEST_CASE("BATCH_NORMALIZATION: right devices are accepted beside infinities and great numbers",
          "[batch_normalization]") {
  std::mt19937 random(41);
  std::normal_distribution<float> any;
  const floats special{infinity, -infinity, not_a_number, 3e38F, -2e38F, 1e20F, 1e-20F, 0, 1e-30F, 1e-37F};
  const auto draw = [&](unsigned one_of) {
    return random() % one_of == 0 ? special[random() % special.size()] : any(random);
  };
  const dimensions sizes{64};
  refusals right;
  for (int k = 0; k < 60; ++k) {
    tensors<float> t(5, {sizes, floats(64)});
    for (std::size_t i = 0; i < 64; ++i) {
      for (std::size_t of = 0; of < 5; ++of) t[of].x[i] = draw(3);
      t[2].x[i] = std::abs(t[2].x[i]);
    }
    const float epsilon = k % 3 == 0 ? infinity : 0.25F;
    const oracle::golden golden = golden_of<batch_normalization_desc>(t, {sizes}, {.epsilon = epsilon});
    for (unsigned root = 0; root < 3; ++root)
      for (unsigned form = 0; form < 5; ++form) {
        std::vector<floats> y{floats(64)};
        for (std::size_t i = 0; i < 64; ++i)
          y[0][i] = affine(t[0].x[i], t[1].x[i], inverse_root(t[2].x[i] + epsilon, root), t[3].x[i], t[4].x[i], form);
        const std::uint64_t before = right.refused;
        count<float>(golden, y, {t[0].desc()}, right);
        INFO("case " << k << ", root " << root << ", form " << form);
        CHECK(right.refused == before);
      }
  }
}

TEST_CASE("BATCH_NORMALIZATION: a device may flush the variance", "[batch_normalization]") {
  const dimensions sizes{1};
  for (const float variance : {1e-40F, 1e-30F}) {
    const tensors<float> inputs{{sizes, {2}}, {sizes, {1}}, {sizes, {variance}}, {sizes, {1}}, {sizes, {0}}};
    CHECK(judged(inputs, {sizes}, {{infinity}}, batch_normalization_desc{.epsilon = 0}) ==
          (variance < 1e-38F ? "ar" : "rr"));
  }
}

TEST_CASE("BATCH_NORMALIZATION: each operand with its own sizes, strides and types", "[batch_normalization]") {
  std::mt19937 random(5);
  std::normal_distribution<float> any(0, 2);
  const auto check = [&]<class T>(std::type_identity<T>) {
    const dimensions sizes{2, 3, 1, 70};
    const auto filled = [&](const dimensions& s, bool positive) {
      tensor_of<T> t{s, {}};
      for (std::uint64_t i = 0; i < element_count(s); ++i)
        t.x.push_back(static_cast<T>(positive ? std::abs(any(random)) + 0.125F : any(random)));
      return t;
    };
    for (const dimensions& mean : {dimensions{1, 3, 1, 1}, dimensions{1, 1, 1, 70}, sizes})
      for (const dimensions& scale : {dimensions{1, 1, 1, 1}, dimensions{2, 1, 1, 70}}) {
        const tensors<T> t{filled(sizes, false), filled(mean, false), filled({1, 3, 1, 1}, true), filled(scale, false),
                           filled(sizes, false)};
        const auto y = played<batch_normalization_desc>(t, {sizes}, {.epsilon = 0.25F});
        // By hand, in double.
        const auto at = [](const tensor_of<T>& each, coordinate_tuple c) {
          for (std::size_t i = 0; i < 4; ++i)
            if (each.sizes[i] == 1) c[i] = 0;
          return static_cast<double>(each.x[static_cast<std::size_t>(offset_of(c, packed_strides(each.sizes)))]);
        };
        std::size_t i = 0;
        for (const coordinate_tuple& c : coordinates_of(sizes))
          CHECK(static_cast<double>(y[0][i++]) ==
                Approx(at(t[3], c) * (at(t[0], c) - at(t[1], c)) / std::sqrt(at(t[2], c) + 0.25) + at(t[4], c))
                    .margin(1e-3)
                    .epsilon(1e-3));
        played<batch_normalization_desc>(t, {sizes}, {.fused_activation = activations::tanh()});
      }
  };
  check(std::type_identity<float>{});
  check(std::type_identity<float16>{});
}

TEST_CASE("BATCH_NORMALIZATION: right devices are accepted, wrong ones noticed", "[batch_normalization]") {
  std::mt19937 random(7);
  std::normal_distribution<float> any;
  const dimensions sizes{64, 32}, statistics{1, 32};
  enum fault { none, swapped_statistics, swapped_affine, unfolded_centre, other_bias, outside, no_epsilon };
  const auto count_of = [&]<class T>(std::type_identity<T>, fault how, unsigned step, bool relu) {
    tensors<T> t{{sizes, {}}, {statistics, {}}, {statistics, {}}, {statistics, {}}, {statistics, {}}};
    for (int i = 0; i < 64 * 32; ++i) t[0].x.push_back(static_cast<T>(any(random)));
    for (std::size_t k = 1; k < 5; ++k)
      for (int i = 0; i < 32; ++i)
        t[k].x.push_back(static_cast<T>(k == 2 ? 0.25F + std::abs(any(random)) : any(random)));
    std::vector<T> y;
    for (std::size_t i = 0; i < t[0].x.size(); ++i) {
      const std::size_t j = i % 32;
      const auto f = [&](std::size_t k, std::size_t at) { return static_cast<float>(t[k].x[at]); };
      float c = f(1, j), v = f(2, j), s = f(3, j), b = f(4, how == other_bias ? (j + 1) % 32 : j);
      if (how == swapped_statistics) std::swap(c, v), v = std::abs(v);
      if (how == swapped_affine) std::swap(s, b);
      float d = how == no_epsilon ? v : v + 0.25F, r = inverse_root(d, step % 3);
      if (how == outside) r = 1 / (std::sqrt(v) + 0.25F);
      float z = how == unfolded_centre ? static_cast<float>(t[0].x[i]) * s * r + b
                                       : affine(static_cast<float>(t[0].x[i]), c, r, s, b, step);
      if (relu) z = std::max(z, 0.0F);
      y.push_back(static_cast<T>(z));
    }
    batch_normalization_desc desc{.epsilon = 0.25F};
    if (relu) desc.fused_activation = activations::relu();
    refusals all;
    count<T>(golden_of<batch_normalization_desc>(t, {sizes}, desc), {y},
             {{.data_type = data_type_of<T>, .sizes = sizes}}, all);
    return all;
  };
  std::uint64_t right = 0;
  for (unsigned step = 0; step < 5; ++step)
    for (const bool relu : {false, true})
      for (int round = 0; round < (goldml_test::is_slow ? 4 : 25); ++round) {
        right += count_of(std::type_identity<float>{}, none, step, relu).refused;
        right += count_of(std::type_identity<float16>{}, none, step, relu).refused;
      }
  CHECK(right == 0);
  for (const fault how : {swapped_statistics, swapped_affine, unfolded_centre, other_bias, outside, no_epsilon}) {
    INFO("fault " << how);
    CHECK(count_of(std::type_identity<float>{}, how, 0, false).percent() > 99);
    CHECK(count_of(std::type_identity<float16>{}, how, 0, false).percent() > 97);
  }
}

TEST_CASE("BATCH_NORMALIZATION_TRAINING: the example of the digest", "[batch_normalization]") {
  using desc = batch_normalization_training_desc;
  const tensors<float> t{{image, {1, 2, 3, 4, 0, 0, 4, 4}},
                         {channel, {2, 1}},
                         {channel, {10, -1}},
                         {image, {0, 0, 0, 100, 0.5F, 0, 0, 0}}};
  const std::vector<dimensions> outputs{image, channel, channel};
  const auto y = played<desc>(t, outputs, {.epsilon = 0.75F});
  CHECK(y[0] == floats{7.87867975F, 9.29289341F, 10.7071066F, 112.121323F, -1.41766298F, -1.91766298F, -0.0823370665F,
                       -0.0823370665F});
  CHECK(y[1] == floats{2.5F, 2});
  CHECK(y[2] == floats{1.25F, 4});
  const oracle::golden golden = golden_of<desc>(t, outputs, {.epsilon = 0.75F});
  CHECK(error_of(golden, 2, 0) == Approx(3.5e-5).epsilon(0.05));
  CHECK(error_of(golden, 2, 1) == Approx(3.6e-5).epsilon(0.05));
  // Judged independently; Welford's mean is accepted, and suspicious.
  const auto judge = [&](std::size_t output, std::size_t element, float value) {
    auto answer = y;
    answer[output][element] = value;
    return judged(t, outputs, answer, desc{.epsilon = 0.75F});
  };
  CHECK(judge(1, 0, 2.5000002F) == "ss");
  CHECK(judge(1, 0, 2.6F) == "rr");
  CHECK(judge(2, 0, 1.2500001F) == "ss");
  CHECK(judge(2, 0, 1.6666666F) == "rr");  // the sample variance
  CHECK(judge(2, 0, 2) == "rr");           // with Epsilon
  CHECK(judge(0, 3, 12.121323F) == "rr");  // without the addend
  // The mean of one element is not rounded, but a subnormal may be flushed.
  const auto of_one = [&](float mean) {
    return judged({{{1}, {1e-40F}}, {{1}, {1}}, {{1}, {0}}, {}}, {{1}, {1}, {1}}, {{0}, {mean}, {0}}, desc{});
  };
  CHECK(of_one(1e-40F) == "aa");
  CHECK(of_one(0) == "ar");
  CHECK(of_one(2e-40F) == "rr");
  // The addend comes before the activation.
  CHECK(played<desc>(t, outputs, {.epsilon = 0.75F, .fused_activation = activations::relu()})[0][4] == 0);
  // Which sizes of Scale are 1 decides what is summed.
  const auto each =
      played<desc>(tensors<float>{{{2, 2}, {1, 2, 3, 6}}, {{2, 2}, {1, 1, 1, 1}}, {{2, 2}, {5, 6, 7, 8}}, {}},
                   {{2, 2}, {2, 2}, {2, 2}}, {});
  CHECK(each[0] == floats{5, 6, 7, 8});
  CHECK(each[1] == floats{1, 2, 3, 6});
  CHECK(each[2] == floats{0, 0, 0, 0});
}

TEST_CASE("BATCH_NORMALIZATION_TRAINING: right devices are accepted in all three outputs", "[batch_normalization]") {
  using desc = batch_normalization_training_desc;
  std::mt19937 random(9);
  std::normal_distribution<float> any;
  refusals right, wrong;
  for (const std::uint32_t n : {1U, 2U, 5U, 33U, 200U})
    for (const float mean : {0.0F, 3.0F, 100.0F})
      for (const way how : {way::two_pass, way::corrected, way::welford, way::merged, way::sample_variance}) {
        if (how == way::sample_variance && (n == 1 || n > 33 || mean > 0)) continue;
        const dimensions sizes{n, 20}, one_row{1, 20};
        tensors<float> t{{sizes, {}}, {one_row, {}}, {one_row, {}}, {sizes, {}}};
        for (std::uint32_t i = 0; i < 20 * n; ++i) t[0].x.push_back(mean + any(random)), t[3].x.push_back(any(random));
        for (int i = 0; i < 20; ++i) t[1].x.push_back(any(random)), t[2].x.push_back(any(random));
        std::vector<floats> y{floats(20 * n), floats(20), floats(20)};
        for (std::size_t j = 0; j < 20; ++j) {
          floats x;
          for (std::size_t i = 0; i < n; ++i) x.push_back(t[0].x[i * 20 + j]);
          const moments m = moments_of(x, how, order::lanes, false);
          const float r = inverse_root(m.variance + 0.25F, static_cast<unsigned>(j % 3));
          for (std::size_t i = 0; i < n; ++i)
            y[0][i * 20 + j] = affine(x[i], m.mean, r, t[1].x[j], t[2].x[j], static_cast<unsigned>(j % 5)) + t[3].x[i * 20 + j];
          y[1][j] = m.mean;
          y[2][j] = m.variance;
        }
        const std::vector<dimensions> outputs{sizes, one_row, one_row};
        std::vector<tensor_desc> descs;
        for (const dimensions& each : outputs) descs.push_back({.data_type = data_type::float32, .sizes = each});
        count<float>(golden_of<desc>(t, outputs, {.epsilon = 0.25F}), y, descs,
                     how == way::sample_variance ? wrong : right);
      }
  WARN(fmt::format("right: {} of {} refused; sample variance: {:.1f} %", right.refused, right.elements,
                   wrong.percent()));
  CHECK(right.refused == 0);
  CHECK(wrong.percent() > 80);
}
