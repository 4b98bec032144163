// ADAM_OPTIMIZER: results, what a device may answer (SPEC-functions 8; ledger FN-R12, AD-R1), devices that compute it
// legally and never may be refused, and wrong ones.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <goldml/core/host_tensor.hpp>
#include <goldml/core/tensor.hpp>
#include <goldml/cpu/adam_optimizer.hpp>
#include <goldml/operators/adam_optimizer.hpp>
#include <goldml/oracle/verdicts/adam_optimizer.hpp>
#include <goldml/reference/adam_optimizer.hpp>

#include "../catch.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T>
struct numbers {
  T x, m, v, g;
};

template <class T>
std::array<T, 3> golden(const adam_optimizer_desc& desc, std::uint32_t step, const numbers<T>& n) {
  const tensor<std::uint32_t> t({1}, {step});
  const auto one = [](T x) { return tensor<T>({1}, {x}); };
  tensor<T> x({1}), m({1}), v({1}), a({1}), b({1}), c({1});
  adam_optimizer(reference, one(n.x), one(n.m), one(n.v), one(n.g), t, x, m, v, desc);
  adam_optimizer(cpu, one(n.x), one(n.m), one(n.v), one(n.g), t, a, b, c, desc);
  const std::array<T, 3> result{x.elements()[0], m.elements()[0], v.elements()[0]};
  CHECK(std::bit_cast<std::array<std::byte, sizeof result>>(result) ==
        std::bit_cast<std::array<std::byte, sizeof result>>(
            std::array<T, 3>{a.elements()[0], b.elements()[0], c.elements()[0]}));
  return result;
}

// What a device may answer: the three intervals, or of the parameter nothing that is known.
template <class T>
struct judged_step {
  output_verdicts x{1}, m{1}, v{1};

  judged_step(const adam_optimizer_desc& desc, std::uint32_t step, const numbers<T>& n, bool flushes = false) {
    std::array<T, 4> in{n.x, n.m, n.v, n.g};
    std::array<T, 3> out = golden(desc, step, n);
    const tensor<std::uint32_t> t({1}, {step});
    std::vector<const_tensor_ref> inputs;
    for (T& each : in) inputs.emplace_back(tensor_view<const T>(&each, {1}));
    inputs.emplace_back(t.view());
    std::vector<tensor_ref> results;
    for (T& each : out) results.emplace_back(tensor_view<T>(&each, {1}));
    std::vector<output_verdicts> all(3, output_verdicts(1));
    detail::add_adam_verdicts<output_verdicts>(desc, inputs, results, flushes, all);
    x = all[0], m = all[1], v = all[2];
    golden_ = out;
  }
  // r: refused, s: suspicious, t: toward zero, u: usual; of each value of an output.
  std::string letters(const output_verdicts& of, const std::vector<T>& values) const {
    const T exact = golden_[&of == &x ? 0 : &of == &m ? 1 : 2];
    std::string result;
    for (const T value : values) {
      const interval* const allowed = of.interval_of(0);
      const bool same = value == exact || (is_nan(value) && is_nan(exact));
      result += of[0] == verdict::undefined ? 'u'
                : allowed == nullptr        ? (same ? 'u' : 'r')
                                            : "rostu"[static_cast<int>(place_in(*allowed, value))];
    }
    return result;
  }
  std::string letters(const std::array<T, 3>& answer) const {
    return letters(x, {answer[0]}) + letters(m, {answer[1]}) + letters(v, {answer[2]});
  }

 private:
  std::array<T, 3> golden_{};
};

const adam_optimizer_desc usual{}, coarse{.learning_rate = 0.5F, .beta1 = 0.5F, .beta2 = 0.75F, .epsilon = 1};

}  // namespace

TEST_CASE("ADAM_OPTIMIZER: results", "[adam]") {
  CHECK(golden<float>(usual, 1, {1, 0, 0, 0.5F}) == std::array{0.999F, 0.050000012F, 0.00024999678F});
  CHECK(golden<float>(coarse, 2, {1, 2, 4, 4}) == std::array{0.63714594F, 3.0F, 7.0F});
  CHECK(golden<float>(coarse, 1, {1, 2, 4, 4})[0] == 0.5885622F);  // 1 - 0.5 * 3 / (sqrt(7) + 1)
  const auto half = [](float x) { return static_cast<float16>(x); };
  CHECK(golden<float16>(coarse, 2, {half(1), half(2), half(4), half(4)}) == std::array{half(0.637F), half(3), half(7)});
  // Exact where sums cancel, and beyond what doubles hold.
  CHECK(golden<float>({.beta1 = 0x1p-30F}, 1, {0, -0x1p50F, 0, 0x1p20F})[1] == -0x1p-10F);
  CHECK(golden<float>({.beta2 = -1}, 1, {0, 0, 0x1p101F, 0x1p50F})[2] == 0);
  CHECK(golden<float>({.beta2 = 0.5F}, 3, {0, 0, 0, 1e30F})[2] == infinity);
  // Ties, which are rounded to even.
  CHECK(golden<float>({.beta1 = 0.5F}, 1, {0, 1, 0, 0x1.000002p0F})[1] == 1);
  CHECK(golden<float>({.beta1 = 0.5F}, 1, {0, 0x1.000002p0F, 0, 0x1.000004p0F})[1] == 0x1.000004p0F);
  CHECK(golden<float>({.learning_rate = 0x1p-24F, .beta1 = 0, .beta2 = 0, .epsilon = 0}, 1, {1.5F, 0, 0, 1})[0] ==
        1.5F);
  // A step that is 0, and signs of zeros.
  CHECK(golden<float>({.learning_rate = 0}, 1, {5, 1, 1, 1})[0] == 5);
  CHECK(std::signbit(golden<float>(usual, 1, {-0.0F, -0.0F, -0.0F, -0.0F})[1]) == false);
  CHECK(golden<float>(usual, 1, {5, 0, 0, 0}) == std::array{5.0F, 0.0F, 0.0F});
}

TEST_CASE("ADAM_OPTIMIZER: steps, and numbers that are not finite", "[adam]") {
  const auto x_of = [](const adam_optimizer_desc& desc, std::uint32_t step, const numbers<float>& n) {
    return golden<float>(desc, step, n)[0];
  };
  CHECK(std::isnan(x_of(usual, 0, {1, 0, 0, 1})));  // 0 / 0
  CHECK(golden<float>(usual, 0, {1, 0, 0, 1})[1] == 1 - 0.9F);
  adam_optimizer_desc plain = coarse;
  plain.adam_step_zero = adam_step_zero::plain;
  CHECK(x_of(plain, 0, {1, 2, 4, 4}) == x_of(coarse, 0xFFFF'FFFF, {1, 2, 4, 4}));  // sqrt(1) / 1
  CHECK(x_of(plain, 2, {1, 2, 4, 4}) == 0.63714594F);
  CHECK(x_of(coarse, 1, {infinity, 2, 4, 4}) == infinity);
  CHECK(std::isnan(x_of(coarse, 1, {1, 2, 4, infinity})));  // inf / inf
  CHECK(x_of(coarse, 1, {1, 2, infinity, 4}) == 1);
  CHECK(x_of(coarse, 1, {1, infinity, 4, 4}) == -infinity);
  CHECK(std::isnan(x_of(coarse, 1, {1, 2, -400, 4})));  // the root of a number below 0
  CHECK(golden<float>(coarse, 1, {1, 2, -400, 4})[2] == -296);
  CHECK(x_of({.beta1 = 0.5F, .beta2 = 0.5F, .epsilon = 0}, 1, {1, -2, 0, 0}) == infinity);  // a divisor of 0
  CHECK(std::isnan(x_of({.beta1 = not_a_number}, 1, {1, 2, 4, 4})));
  CHECK(x_of({.learning_rate = infinity}, 1, {1, 2, 4, 4}) == -infinity);
  CHECK(x_of({.beta1 = 2}, 0xFFFF'FFFF, {1, 2, 4, 4}) == 1);  // the correction is next to 0
  CHECK(std::isnan(x_of({.beta2 = 2}, 0xFFFF'FFFF, {1, 2, 4, 4})));
}

TEST_CASE("ADAM_OPTIMIZER: what a device may answer", "[adam]") {
  const judged_step<float> first(usual, 1, {1, 0, 0, 0.5F}), second(coarse, 2, {1, 2, 4, 4});
  CHECK(std::abs(first.x.interval_of(0)->high - (0.999 + 4.1e-7)) < 6e-8);
  CHECK(std::abs(second.x.interval_of(0)->high - (0.63714594 + 1.04e-6)) < 6e-8);
  CHECK(second.letters(second.m, {3, 3.0000002F, 2.9999998F}) == "urr");
  CHECK(second.letters(second.v, {7, 7.0000005F}) == "ur");
  CHECK(second.letters(second.x, {0.63714594F, 0.637146F, 0.6371469F, 0.637148F, 0.63714F}) == "uusrr");
  CHECK(first.letters(first.m, {0.050000012F, 0.050000016F, 0.05F}) == "urr");  // exact: 1 - Beta1 is
  const judged_step<float> rounded(usual, 1, {1, 1, 1, 0.5F});  // E of M' is 4.6 * 2^-24, of V' 5 * 2^-24
  const auto from = [](float x, int ulps) { return std::bit_cast<float>(std::bit_cast<std::int32_t>(x) + ulps); };
  const std::array exact = golden<float>(usual, 1, {1, 1, 1, 0.5F});
  CHECK(rounded.letters(rounded.m, {exact[1], from(exact[1], 4), from(exact[1], -4), from(exact[1], 6),
                                    from(exact[1], -6)}) == "uuurr");
  CHECK(rounded.letters(rounded.v, {exact[2], from(exact[2], 4), from(exact[2], -4), from(exact[2], 7),
                                    from(exact[2], -7)}) == "uuurr");
  // Undefined, of the parameters alone.
  for (const auto& [desc, step] :
       {std::pair(usual, 0U), std::pair(adam_optimizer_desc{.beta1 = 1}, 3U),
        std::pair(adam_optimizer_desc{.beta2 = 1.5F}, 3U), std::pair(adam_optimizer_desc{.beta2 = 0x1.fffffep-1F}, 1U),
        std::pair(adam_optimizer_desc{.accumulation = accumulation::half}, 3U)}) {
    const judged_step<float> one(desc, step, {1, 2, 4, 4});
    CHECK(one.x[0] == verdict::undefined);
    CHECK(one.m[0] != verdict::undefined);
    CHECK(one.v[0] != verdict::undefined);
  }
  adam_optimizer_desc plain = coarse;
  plain.adam_step_zero = adam_step_zero::plain;
  CHECK(judged_step<float>(plain, 0, {1, 2, 4, 4}).letters({0.5885622F, 3, 7}) == "uuu");
  CHECK(judged_step<float>(coarse, 1, {1, 2, 0, 0}).x[0] == verdict::within);
  const adam_optimizer_desc no_epsilon{.beta1 = 0.5F, .beta2 = 0.5F, .epsilon = 0};
  CHECK(judged_step<float>(no_epsilon, 1, {1, 2, 0, 0}).x[0] == verdict::undefined);
  CHECK(judged_step<float>(no_epsilon, 1, {1, 2, 1, 0}).x[0] == verdict::within);
  // Numbers that are not finite; M + c (G - M) may be NaN.
  const judged_step<float> infinite(coarse, 1, {1, infinity, 4, 4});
  CHECK(infinite.letters(infinite.m, {infinity, not_a_number, -infinity, 5}) == "uurr");
  const judged_step<float> great(coarse, 1, {1, 0, 0, 3e19F});  // G^2 may be infinite before it is multiplied
  CHECK(great.letters(great.v, {2.25e38F, infinity, -infinity, not_a_number}) == "uurr");
  const judged_step<float> negative(coarse, 1, {1, 2, -400, 4});
  CHECK(negative.letters(negative.x, {not_a_number, 1}) == "ur");
  const judged_step<float> nothing(usual, 1, {not_a_number, 2, 4, 4});
  CHECK(nothing.letters(nothing.x, {not_a_number, 1}) == "ur");
  // Flushed: elements, and what is made of them.
  const judged_step<float> kept(coarse, 1, {0, 0x1p-128F, 0, 0}), flushed(coarse, 1, {0, 0x1p-128F, 0, 0}, true);
  CHECK(kept.letters(kept.m, {0x1p-129F, 0}) == "ur");
  CHECK(flushed.letters(flushed.m, {0x1p-129F, 0, 0x1p-120F}) == "uur");
  // In half precision the moments are within a hundredth.
  adam_optimizer_desc coarser = usual;
  coarser.accumulation = accumulation::half;
  const judged_step<float> halves(coarser, 1, {1, 1, 1, 0.5F});
  CHECK(halves.letters(halves.m, {0.95F, 0.9521484F, 0.96F, 0.93F}) == "uurr");
}

namespace {

// How a device computes a step; not `right` are faults.
enum class way {
  literal,
  fused,
  root,
  folded,
  interpolated,
  old_moments,
  uncorrected,
  late,
  inside,
  both_corrected,
  added,
  first_step,
  swapped,
  absolute
};

template <class T>
std::array<T, 3> device(way how, const adam_optimizer_desc& d, std::uint32_t step, const numbers<T>& n, double off) {
  const auto number = [](T x) { return static_cast<float>(x); };
  const float x = number(n.x), m = number(n.m), v = number(n.v), g = number(n.g);
  float b1 = d.beta1, b2 = d.beta2;
  if (how == way::swapped) std::swap(b1, b2);
  const float c1 = 1 - b1, c2 = 1 - b2;
  float first = b1 * m + c1 * g, second = b2 * v + c2 * (g * g);
  if (how == way::fused) first = std::fma(b1, m, c1 * g), second = std::fma(c2 * g, g, b2 * v);
  if (how == way::interpolated) first = m + c1 * (g - m), second = v + c2 * (g * g - v);
  const std::array<T, 3> stored{T(0), static_cast<T>(first), static_cast<T>(second)};
  if (how == way::folded) first = number(stored[1]), second = number(stored[2]);  // reads them again
  if (how == way::late) step -= 1;
  if (how == way::first_step) step = 1;
  // beta^T by exp2(T * log2(beta)), off by what Direct3D permits.
  const auto power = [&](float beta) {
    const float log =
        static_cast<float>(std::log2(static_cast<double>(beta)) +
                           off * 0x1p-21 * std::max(1.0, std::abs(std::log2(static_cast<double>(beta)))) * 0.99);
    const float w = static_cast<float>(step) * log;
    return static_cast<float>(std::exp2(static_cast<double>(w)) * (1 + off * 0x1p-21 * 0.9));
  };
  const float above = 1 - power(b2), below = 1 - power(b1);
  const auto divided = [&](float a, float b) {
    const auto rcp = static_cast<float>(1 / static_cast<double>(b) * (1 + off * 0x1p-21 * 0.99));
    return how == way::literal ? a / b : a * rcp;
  };
  const auto root_of = [&](float a) {
    if (how != way::root || a == 0) return std::sqrt(a);
    const auto inverse = static_cast<float>(1 / std::sqrt(static_cast<double>(a)) * (1 + off * 0x1p-24));
    return a * inverse;
  };
  float correction = divided(root_of(above), below), epsilon = d.epsilon;
  if (how == way::uncorrected) correction = 1;
  float divisor = root_of(second) + epsilon;
  if (how == way::old_moments) divisor = root_of(v) + epsilon;
  if (how == way::inside) divisor = root_of(second + epsilon);
  if (how == way::absolute) divisor = std::abs(second) + epsilon;
  float change = divided(d.learning_rate * correction * (how == way::old_moments ? m : first), divisor);
  if (how == way::folded) {
    const float rate = d.learning_rate * root_of(above) / below;
    change = rate * divided(first, divisor);
  }
  if (how == way::both_corrected) change = d.learning_rate * divided(first / below, root_of(second / above) + epsilon);
  float result = how == way::added ? x + change : x - change;
  if (how == way::fused) result = std::fma(-d.learning_rate * correction * first, 1 / divisor, x);
  return {static_cast<T>(result), stored[1], stored[2]};
}

template <class T>
void try_devices() {
  std::mt19937 random(5);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  std::array<int, 14> refused{}, refused_moments{};
  int count = 0;
  for (int i = 0; i < 300; ++i) {
    const auto any = [&] { return static_cast<T>(static_cast<float>(between(-2, 2))); };
    const numbers<T> n{any(), any(), static_cast<T>(static_cast<float>(between(0.05, 4))), any()};
    const auto step = static_cast<std::uint32_t>(2 + random() % 30);
    const adam_optimizer_desc desc{.learning_rate = 0.5F, .beta1 = 0.8F, .beta2 = 0.99F, .epsilon = 0.25F};
    const judged_step<T> judged(desc, step, n);
    ++count;
    for (std::size_t k = 0; k < refused.size(); ++k)
      for (const double off : {-1.0, 0.4, 1.0}) {
        const std::string letters = judged.letters(device<T>(static_cast<way>(k), desc, step, n, off));
        refused[k] += letters[0] == 'r';
        refused_moments[k] += letters[1] == 'r' || letters[2] == 'r';
      }
  }
  for (std::size_t k = 0; k < refused.size(); ++k) {
    INFO("way " << k << ": " << refused[k] << " parameters and " << refused_moments[k] << " moments of " << 3 * count);
    if (k <= static_cast<std::size_t>(way::interpolated)) {
      CHECK(refused[k] == 0);
      CHECK(refused_moments[k] == 0);
    } else {
      CHECK(refused[k] > count * 2);
      CHECK((refused_moments[k] > count * 2) == (k == static_cast<std::size_t>(way::swapped)));
    }
  }
}

}  // namespace

TEST_CASE("ADAM_OPTIMIZER: legal devices are never refused, wrong ones are", "[adam]") {
  try_devices<float>();
  try_devices<float16>();
}

TEST_CASE("ADAM_OPTIMIZER: the step is an integer, not the bits of a float", "[adam]") {
  const judged_step<float> judged(coarse, 3, {1, 2, 4, 4});
  const std::uint32_t as_float = std::bit_cast<std::uint32_t>(3.0F);
  CHECK(judged.letters(judged.x, {golden<float>(coarse, 3, {1, 2, 4, 4})[0]}) == "u");
  CHECK(judged.letters(judged.x, {golden<float>(coarse, as_float, {1, 2, 4, 4})[0]}) == "r");
}

TEST_CASE("ADAM_OPTIMIZER T12: outputs on inputs, exactly and once", "[adam]") {
  std::vector<float> x(5, 1), m(5, 2), v(5, 4), g(5, 4), y(5), z(5), w(5);
  const std::vector<std::uint32_t> t{3, 3, 3, 3};
  const auto at = [](std::vector<float>& data, std::size_t from = 0) {
    return tensor_view<float>(data.data() + from, {4});
  };
  const auto refused = [&](const auto& a, const auto& b, const auto& c) {
    return refusal_of([&] {
      adam_optimizer(cpu, at(x), at(m), at(v), at(g), tensor_view<const std::uint32_t>(t.data(), {1}), a, b, c, coarse);
    });
  };
  CHECK(refused(at(x, 1), at(y), at(z)) == "T12");
  CHECK(refused(at(y), at(y), at(z)) == "T12");
  CHECK(refused(at(g), at(y), at(g)) == "T12");  // one input, twice
  const tensor_view<float> on_step(reinterpret_cast<float*>(const_cast<std::uint32_t*>(t.data())), {4});
  CHECK(refused(on_step, at(y), at(z)) == "T12");
  CHECK(x == std::vector<float>(5, 1));
  CHECK(y == std::vector<float>(5, 0));
  CHECK(refused(at(x), at(m), at(v)) == "none");
  CHECK(x[0] == golden<float>(coarse, 3, {1, 2, 4, 4})[0]);
  CHECK((m[0] == 3 && v[0] == 7 && x[4] == 1));
}

TEST_CASE("ADAM_OPTIMIZER: levels and the call of tensors with types at run time", "[adam]") {
  const auto refused = [](const dimensions& sizes, const dimensions& step, data_type type, feature_level level) {
    host_tensor in(tensor_desc{.data_type = type, .sizes = sizes}),
        t(tensor_desc{.data_type = data_type::uint32, .sizes = step});
    host_tensor a = in, b = in, c = in;
    adam_optimizer_desc desc;
    desc.feature_level = level;
    return refusal_of([&] {
      adam_optimizer(cpu, std::as_const(in).ref(), std::as_const(in).ref(), std::as_const(in).ref(),
                     std::as_const(in).ref(), std::as_const(t).ref(), a.ref(), b.ref(), c.ref(), desc);
    });
  };
  using enum feature_level;
  const dimensions four{1, 1, 2, 3}, one{1, 1, 1, 1};
  CHECK(refused(four, one, data_type::float32, level_3_0) == "none");
  CHECK(refused(four, one, data_type::float16, level_3_1) == "none");
  CHECK(refused({2, 3}, one, data_type::float32, level_3_1) == "T4");
  CHECK(refused(four, {1}, data_type::float32, level_3_1) == "T4");
  CHECK(refused({2, 3}, {1}, data_type::float32, level_4_0) == "none");
  CHECK(refused(four, one, data_type::float32, level_2_1) == "T11");
  CHECK(refused(four, one, data_type::int32, latest) == "T3");
  CHECK(refused(four, {1, 2}, data_type::float32, latest) == "AD4");
}

TEST_CASE("ADAM_OPTIMIZER: its work is counted by elements and outputs", "[adam]") {
  operands_of<adam_optimizer_desc> t;
  for (operand& each : t) each = to_operand(tensor_desc{.data_type = data_type::float32, .sizes = {2, 5}});
  t[4] = to_operand(tensor_desc{.data_type = data_type::uint32, .sizes = {1}});
  CHECK(work_of(usual, t) == work_counts{.elements = 71, .results = 30, .functions = 10, .judged = 30});
}
