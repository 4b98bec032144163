// BATCH_NORMALIZATION_GRAD and BATCH_NORMALIZATION_TRAINING_GRAD: results, and what a device may answer, by hand from
// their pages and the ledger (BG-R1, NO-R4). Refusals: tests/lines.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <goldml/cpu/batch_normalization_grad.hpp>
#include <goldml/operators/batch_normalization_grad.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/batch_normalization_grad.hpp>
#include <goldml/reference/batch_normalization_grad.hpp>

#include "../catch.hpp"
#include "../support/judged.hpp"
#include "layouts.hpp"
#include "normalisation_devices.hpp"

namespace {

using namespace goldml;
using namespace normalising;
using layouts::bits;
using grad = batch_normalization_grad_desc;
using training = batch_normalization_training_grad_desc;

// x and dY of n elements in each of `channels` columns; mean, variance and scale of each column.
struct gradients {
  std::uint32_t n, channels;
  floats x, dy, mean, variance, scale;

  std::vector<tensor_desc> inputs() const {
    const tensor_desc all{.data_type = data_type::float32, .sizes = {n, channels}},
        one{.data_type = data_type::float32, .sizes = {1, channels}};
    return {all, all, one, one, one};
  }
  std::vector<tensor_desc> outputs() const { return {inputs()[0], inputs()[2], inputs()[2]}; }
  std::vector<const_tensor_ref> refs(const std::vector<tensor_desc>& descs) const {
    const std::array<const floats*, 5> all{&x, &dy, &mean, &variance, &scale};
    std::vector<const_tensor_ref> result;
    for (std::size_t i = 0; i < 5; ++i) result.emplace_back(descs[i], all[i]->data(), all[i]->size() * sizeof(float));
    return result;
  }
};

template <class Desc>
std::vector<floats> played(const gradients& g, const Desc& desc) {
  const auto descs = g.inputs(), outs = g.outputs();
  const auto refs = g.refs(descs);
  const auto play = [&](const auto& backend) {
    std::vector<floats> y{floats(g.x.size()), floats(g.channels), floats(g.channels)};
    std::vector<tensor_ref> to;
    for (std::size_t i = 0; i < 3; ++i) to.emplace_back(outs[i], y[i].data(), y[i].size() * sizeof(float));
    evaluate(backend, desc, std::span<const const_tensor_ref>(refs), std::span<const tensor_ref>(to));
    return y;
  };
  const auto y = play(reference), z = play(cpu);
  for (std::size_t i = 0; i < 3; ++i) CHECK(bits(y[i]) == bits(z[i]));
  return y;
}
template <class Desc>
oracle::golden golden_of(const gradients& g, const Desc& desc) {
  const auto descs = g.inputs();
  const auto refs = g.refs(descs);
  return oracle::expect(desc, std::span<const const_tensor_ref>(refs), g.outputs());
}
double error_of(const oracle::golden& golden, std::size_t output, std::size_t element) {
  const interval* allowed = golden.answers[0][output].verdicts.interval_of<float>(element);
  return allowed == nullptr ? 0 : (static_cast<double>(allowed->high) - static_cast<double>(allowed->low)) / 2;
}
template <class Desc>
std::string judged(const gradients& g, const std::vector<floats>& answer, const Desc& desc) {
  const auto outs = g.outputs();
  std::vector<const_tensor_ref> actual;
  for (std::size_t i = 0; i < 3; ++i) actual.emplace_back(outs[i], answer[i].data(), answer[i].size() * sizeof(float));
  return goldml_test::judged(golden_of(g, desc), std::span<const const_tensor_ref>(actual));
}

const gradients example{4, 1, {1, 2, 3, 4}, {1, 0, 0, 2}, {2.5F}, {1.25F}, {2}};

gradients drawn(std::mt19937& random, std::uint32_t n, bool batch_mean, float offset) {
  std::normal_distribution<float> any;
  gradients g{n, 16, {}, {}, {}, {}, {}};
  for (std::uint32_t i = 0; i < 16 * n; ++i) g.x.push_back(offset + any(random)), g.dy.push_back(any(random));
  for (std::uint32_t j = 0; j < 16; ++j) {
    floats x;
    for (std::uint32_t i = 0; i < n; ++i) x.push_back(g.x[i * 16 + j]);
    const moments m = moments_of(x, way::two_pass, order::serial, false);
    g.mean.push_back(batch_mean ? m.mean : any(random));
    g.variance.push_back(batch_mean ? m.variance : std::abs(any(random)));
    g.scale.push_back(any(random));
  }
  return g;
}

enum class fault { none, no_mean, sum_for_mean, no_scale, not_centred, no_projection, count_less_one, last_missing };

// A device: the page's order, the joint form (n dY - sum - xhat sum) / n, or dY a1 + x a2 + a3; sums direct or
// expanded.
std::vector<floats> device(const gradients& g, float epsilon, bool projects, unsigned form, order by, bool expanded,
                           fault how) {
  std::vector<floats> y{floats(g.x.size()), floats(16), floats(16)};
  for (std::size_t j = 0; j < 16; ++j) {
    floats dy, products, plain;
    const float c = how == fault::not_centred ? 0 : g.mean[j], d = g.variance[j] + epsilon, r = inverse_root(d, form);
    for (std::size_t i = 0; i < g.n; ++i) {
      if (how == fault::last_missing && i + 1 == g.n) continue;
      dy.push_back(g.dy[i * 16 + j]);
      products.push_back(g.dy[i * 16 + j] * (g.x[i * 16 + j] - c));
      plain.push_back(g.dy[i * 16 + j] * g.x[i * 16 + j]);
    }
    const auto n = static_cast<float>(how == fault::count_less_one ? g.n - 1 : g.n);
    const float total = sum(dy, by), centred = expanded ? sum(plain, by) - c * total : sum(products, by);
    y[1][j] = centred * r;
    y[2][j] = total;
    const float s = how == fault::no_scale ? 1 : g.scale[j];
    const float mean = how == fault::no_mean ? 0 : how == fault::sum_for_mean ? total : total / n;
    const float k = how == fault::no_projection ? 0 : centred / n;
    for (std::size_t i = 0; i < g.n; ++i) {
      const float e = g.dy[i * 16 + j], x = g.x[i * 16 + j];
      float& to = y[0][i * 16 + j];
      if (!projects)
        to = form == 0 ? e * s * r : form == 1 ? e * (s * r) : e * s / std::sqrt(d);
      else if (form == 0)
        to = s * r * (e - mean - (x - g.mean[j]) * k / d);
      else if (form == 1)
        to = (s * r / n) * (n * e - mean * n - (x - g.mean[j]) * r * (k * n * r));
      else {
        const float a1 = s * r, a2 = -s * r * (k / d), a3 = -a2 * g.mean[j] - s * r * mean;
        to = e * a1 + x * a2 + a3;
      }
    }
  }
  return y;
}

}  // namespace

TEST_CASE("BATCH_NORMALIZATION_GRAD: the examples of the digest", "[batch_normalization_grad]") {
  const auto y = played(example, grad{.epsilon = 0.75F});
  CHECK(y[0] == floats{1.41421354F, 0, 0, 2.82842708F});
  CHECK(y[1] == floats{1.06066012F});
  CHECK(y[2] == floats{3});
  const oracle::golden golden = golden_of(example, grad{.epsilon = 0.75F});
  CHECK(error_of(golden, 0, 0) == Approx(1.3e-6).epsilon(0.05));
  CHECK(error_of(golden, 0, 1) == 0);
  CHECK(error_of(golden, 0, 3) == Approx(2.6e-6).epsilon(0.05));
  CHECK(error_of(golden, 1, 0) == Approx(6.4e-6).epsilon(0.05));
  CHECK(error_of(golden, 2, 0) == 0);
  auto wrong = y;
  wrong[2][0] = 3.0000002F;
  CHECK(judged(example, wrong, grad{.epsilon = 0.75F}) == "rr");
  wrong = y;
  wrong[1][0] *= 2;  // with Scale
  CHECK(judged(example, wrong, grad{.epsilon = 0.75F}) == "rr");
}

TEST_CASE("BATCH_NORMALIZATION_TRAINING_GRAD: the example of the digest", "[batch_normalization_grad]") {
  const auto y = played(example, training{.epsilon = 0.75F});
  CHECK(y[0] == floats{0.751300931F, -0.928077638F, -1.19324267F, 1.37001944F});
  CHECK(y[1] == floats{1.06066012F});
  CHECK(y[2] == floats{3});
  const oracle::golden golden = golden_of(example, training{.epsilon = 0.75F});
  CHECK(error_of(golden, 0, 0) == Approx(1.3e-5).epsilon(0.05));
  CHECK(error_of(golden, 0, 3) == Approx(2.2e-5).epsilon(0.05));
  // A MeanTensor that is not the mean of the input.
  gradients other = example;
  other.mean = {2};
  const auto tensor = played(other, training{.epsilon = 0.75F}),
             input = played(other, training{.epsilon = 0.75F, .training_mean = training_mean::input});
  CHECK(input[0] == y[0]);
  CHECK(tensor[0] != y[0]);
  CHECK(tensor[1] == input[1]);
  // The gradient of a constant vanishes.
  gradients constant = example;
  constant.dy = {1, 1, 1, 1};
  CHECK(played(constant, training{.epsilon = 0.75F})[0] == floats{0, 0, 0, 0});
}

TEST_CASE("BATCH_NORMALIZATION_GRAD: what is not finite", "[batch_normalization_grad]") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  gradients g = example;
  g.dy = {nan, 0, 0, 2};
  CHECK((is_nan(played(g, grad{})[0][0]) && !is_nan(played(g, grad{})[0][3]) && is_nan(played(g, grad{})[2][0])));
  CHECK(is_nan(played(g, training{})[0][3]));
  g.dy = {infinity, 0, 0, 2};
  CHECK(played(g, grad{})[2][0] == infinity);
  CHECK(played(g, grad{})[1][0] == -infinity);
  g = example;
  g.variance = {-2};
  CHECK((is_nan(played(g, grad{})[0][0]) && is_nan(played(g, grad{})[1][0]) && played(g, grad{})[2][0] == 3));
  g.variance = {0};
  CHECK((played(g, grad{.epsilon = 0})[0][0] == infinity && is_nan(played(g, grad{.epsilon = 0})[0][1])));
}

TEST_CASE("BATCH_NORMALIZATION_GRAD: a gradient has what it depends on", "[batch_normalization_grad]") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const grad d{.epsilon = 0.25F};
  const training t{.epsilon = 0.25F};
  // The judgement of an answer that has `value` for one element and is golden elsewhere.
  const auto with = [](const gradients& g, const auto& desc, std::size_t output, std::size_t element, float value) {
    auto answer = played(g, desc);
    answer[output][element] = value;
    return judged(g, answer, desc);
  };
  // The sum of dY is exact beside an infinite x, and that of dY (x - c) beside an infinite Scale.
  gradients g{3, 1, {infinity, 1, 2}, {1e30F, 1, -1e30F}, {0}, {0.75F}, {1}};
  CHECK(played(g, d)[2][0] == 1);
  CHECK(played(g, t)[2][0] == 1);
  g.x = {1, 1, 1};
  g.scale = {infinity};
  CHECK(played(g, d)[1][0] == 1);
  CHECK(played(g, t)[1][0] == 1);
  // dY - mean(dY) - (x - c) K / (n D) of dY = x = {0, 1, 2}, c = 1, D = 1, K = 2: -1/3, 0, 1/3.
  g = {3, 1, {0, 1, 2}, {0, 1, 2}, {1}, {0.75F}, {infinity}};
  CHECK((played(g, t)[0][0] == -infinity && is_nan(played(g, t)[0][1]) && played(g, t)[0][2] == infinity));
  CHECK(with(g, t, 0, 1, infinity) == "aa");
  CHECK(with(g, t, 0, 1, 1) == "rr");

  const gradients other{5, 1, {1, 2, infinity, 4, 5}, {0.1F, 0.2F, 0.3F, 0.4F, 0.7F}, {2.5F}, {1.3F}, {1.7F}};
  CHECK(with(other, d, 0, 0, 0.13654728F) == "aa");
  CHECK(with(other, d, 0, 0, 0.136548F) == "rr");
  CHECK(with(other, d, 0, 0, nan) == "rr");
  CHECK(with(other, d, 1, 0, nan) == "aa");
  CHECK(with(other, d, 1, 0, 1) == "rr");
  CHECK((with(other, d, 2, 0, 1.7000002F) == "aa" && with(other, t, 2, 0, 1.7000002F) == "aa"));
  CHECK((with(other, d, 2, 0, 1.70001F) == "rr" && with(other, d, 2, 0, nan) == "rr"));
  gradients scaled = other;
  scaled.x[2] = 3;
  scaled.scale = {infinity};
  const float of_scale = played(scaled, d)[1][0];
  for (const bool both : {false, true}) {
    const auto judge = [&](float value) { return both ? with(scaled, t, 1, 0, value) : with(scaled, d, 1, 0, value); };
    CHECK(judge(of_scale * (1 + 0x1p-22F)) == "aa");
    CHECK(judge(of_scale * (1 + 0x1p-17F)) == "rr");
    CHECK(judge(nan) == "rr");
  }
  // An infinite variance leaves 0, or NaN of what is infinite on the way.
  gradients wide = other;
  wide.x[2] = 3;
  wide.variance = {infinity};
  for (const std::size_t output : {0U, 1U})
    for (const float wrong : {777.0F, nan, infinity, 1e-30F}) {
      CHECK(with(wide, d, output, 0, wrong) == "rr");
      CHECK(with(wide, t, output, 0, wrong) == "rr");
    }
  CHECK(with(wide, d, 2, 0, 1.7000002F) == "aa");
  wide.x[2] = 3e38F;
  wide.mean = {-3e38F};
  CHECK((with(wide, d, 1, 0, nan) == "aa" && with(wide, t, 0, 1, nan) == "aa"));
  CHECK((with(wide, d, 1, 0, 1) == "rr" && with(wide, d, 0, 1, nan) == "rr"));
}

TEST_CASE("BATCH_NORMALIZATION_GRAD: what is infinite on the way", "[batch_normalization_grad]") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto of_scale = [&](float x, float mean, floats dy, float value) {
    const gradients g{static_cast<std::uint32_t>(dy.size()), 1, floats(dy.size(), x), dy, {mean}, {0.75F}, {1}};
    auto answer = played(g, grad{.epsilon = 0.25F});
    answer[1][0] = value;
    return judged(g, answer, grad{.epsilon = 0.25F});
  };
  // x - c, although dY (x - c) is not; a strict judge wants devices that avoid that.
  CHECK(of_scale(3e38F, -3e38F, {0}, nan) == "or");
  CHECK(of_scale(3e38F, -3e38F, {1e-30F}, infinity) == "or");
  CHECK(of_scale(1e38F, -1e38F, {0}, nan) == "rr");
  CHECK(of_scale(1e38F, -1e38F, {1e-30F}, infinity) == "rr");
  // The sum of dY, that a device may multiply by c.
  CHECK(of_scale(0.25F, 0.25F, {3e38F, 3e38F, -3e38F, -3e38F}, nan) == "or");
  // Of an infinite mean: terms of both signs, or c times the sum of dY.
  CHECK(of_scale(1, infinity, {1, -2}, nan) == "aa");
  CHECK(of_scale(1, infinity, {1, -2}, infinity) == "aa");
  CHECK(of_scale(1, infinity, {1, -2}, 5) == "rr");
  // In training a sum of another element's.
  gradients g{4, 1, {1e38F, 0.5F, -0.86F, 4}, {3.3F, 3.3F, 3.3F, -2.38F}, {-0.9F}, {1.1F}, {0.78F}};
  for (const float x : {1e38F, 1e3F}) {
    g.x[0] = x;
    auto answer = played(g, training{});
    answer[0][3] = -infinity;
    CHECK(judged(g, answer, training{}) == (x > 1e30F ? "or" : "rr"));
  }
}

TEST_CASE("BATCH_NORMALIZATION_GRAD: right devices are accepted beside infinities and great numbers",
          "[batch_normalization_grad]") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  std::mt19937 random(37);
  const floats special{infinity, -infinity, nan, 3e38F, -2e38F, 1e20F, 1e-20F, 0, 1e-30F};
  refusals right;
  for (int k = 0; k < 400; ++k) {
    const bool projects = k % 2 == 0;
    gradients g = drawn(random, static_cast<std::uint32_t>(1 + random() % 6), false, 0);
    const auto spoil = [&](floats& x, std::size_t some) {
      for (std::size_t i = 0; i < some; ++i) {
        const std::size_t place = random() % x.size();
        x[place] = special[random() % special.size()];
      }
    };
    spoil(g.x, 8), spoil(g.dy, 4), spoil(g.mean, 1), spoil(g.scale, 2);
    const std::size_t place = random() % 16;
    g.variance[place] = std::abs(special[random() % special.size()]);
    const oracle::golden golden =
        projects ? golden_of(g, training{.epsilon = 0.25F}) : golden_of(g, grad{.epsilon = 0.25F});
    for (unsigned form = 0; form < 3; ++form)
      for (const order by : {order::serial, order::pairwise, order::reversed})
        for (const bool expanded : {false, true}) {
          const std::uint64_t before = right.refused;
          count<float>(golden, device(g, 0.25F, projects, form, by, expanded, fault::none), g.outputs(), right);
          INFO("case " << k << ", form " << form << (expanded ? ", expanded" : ""));
          CHECK(right.refused == before);
        }
  }
}

TEST_CASE("BATCH_NORMALIZATION_GRAD: right devices are accepted, wrong ones noticed", "[batch_normalization_grad]") {
  std::mt19937 random(31);
  refusals right;
  for (const std::uint32_t n : {1U, 2U, 7U, 64U, 300U})
    for (const bool projects : {false, true})
      for (const float offset : {0.0F, 3.0F, 100.0F}) {
        const gradients g = drawn(random, n, projects, offset);
        const oracle::golden golden =
            projects ? golden_of(g, training{.epsilon = 0.25F}) : golden_of(g, grad{.epsilon = 0.25F});
        for (unsigned form = 0; form < 3; ++form)
          for (const order by : {order::serial, order::pairwise, order::lanes, order::reversed})
            for (const bool expanded : {false, true})
              count<float>(golden, device(g, 0.25F, projects, form, by, expanded, fault::none), g.outputs(), right);
        played(g, training{.epsilon = 0.25F, .training_mean = training_mean::input});
        played(g, grad{});
      }
  CHECK(right.refused == 0);
  WARN(fmt::format("right devices: {} of {} refused, {} suspicious", right.refused, right.elements, right.suspicious));
  for (const fault how : {fault::no_mean, fault::sum_for_mean, fault::no_scale, fault::not_centred,
                          fault::no_projection, fault::count_less_one, fault::last_missing})
    for (const std::uint32_t n : {8U, 64U}) {
      // Only the gradient of the input is looked at.
      const gradients g = drawn(random, n, true, 0.5F);
      auto y = device(g, 0.25F, true, 0, order::serial, false, how);
      const auto exact = played(g, training{.epsilon = 0.25F});
      refusals all;
      y[1] = exact[1], y[2] = exact[2];
      count<float>(golden_of(g, training{.epsilon = 0.25F}), y, g.outputs(), all);
      all.elements -= 32;
      INFO("fault " << static_cast<int>(how) << ", n = " << n << ": " << all.percent());
      CHECK(all.percent() > (how == fault::last_missing ? 85 : 97));  // or small, by chance
    }
}
