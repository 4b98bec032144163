// AVERAGE_POOLING_GRAD and MAX_POOLING_GRAD: results by hand, adjoints in exact arithmetic, what devices may answer,
// and kernels of devices, right and wrong.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <goldml/cpu/pooling.hpp>
#include <goldml/cpu/pooling_grad.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/verdicts/pooling_grad.hpp>
#include <goldml/reference/pooling.hpp>
#include <goldml/reference/pooling_grad.hpp>

#include "../catch.hpp"
#include "../core/rules.hpp"
#include "../support/judged.hpp"

namespace {

using namespace goldml;
using numbers = std::vector<float>;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

std::uint32_t size_of(const numbers& x) { return static_cast<std::uint32_t>(x.size()); }

numbers of_average(const dimensions& counts, const numbers& g, const dimensions& sizes,
                   const average_pooling_grad_desc& d) {
  const numbers y = average_pooling_grad(reference, tensor<float>(counts, g), sizes, d).elements();
  const numbers z = average_pooling_grad(cpu, tensor<float>(counts, g), sizes, d).elements();
  for (std::size_t i = 0; i < y.size(); ++i) CHECK((y[i] == z[i] || (is_nan(y[i]) && is_nan(z[i]))));
  return y;
}
numbers of_greatest(const dimensions& sizes, const numbers& x, const dimensions& counts, const numbers& g,
                    const max_pooling_grad_desc& d) {
  const numbers y = max_pooling_grad(reference, tensor<float>(sizes, x), tensor<float>(counts, g), d).elements();
  const numbers z = max_pooling_grad(cpu, tensor<float>(sizes, x), tensor<float>(counts, g), d).elements();
  for (std::size_t i = 0; i < y.size(); ++i) CHECK((y[i] == z[i] || (is_nan(y[i]) && is_nan(z[i]))));
  return y;
}

// How an answer is judged, by default and strictly.
template <class Desc>
std::string judged(Desc desc, const std::vector<std::pair<dimensions, numbers>>& inputs, const dimensions& sizes,
                   const numbers& got) {
  desc = detail::with_default_windows(desc, sizes.size());
  std::vector<const_tensor_ref> refs;
  for (const auto& [s, x] : inputs)
    refs.emplace_back(tensor_desc{.data_type = data_type::float32, .sizes = s}, x.data(), x.size() * sizeof(float));
  const tensor_desc out{.data_type = data_type::float32, .sizes = sizes};
  const std::array outputs{out};
  const oracle::golden golden =
      oracle::expect(desc, std::span<const const_tensor_ref>(refs), std::span<const tensor_desc>(outputs));
  const std::array actual{const_tensor_ref(out, got.data(), got.size() * sizeof(float))};
  return goldml_test::judged(golden, actual);
}
std::string judged_average(const average_pooling_grad_desc& desc, const numbers& g, const numbers& got) {
  return judged(desc, {{{1, 1, 1, size_of(g)}, g}}, {1, 1, 1, size_of(got)}, got);
}
std::string judged_greatest(const max_pooling_grad_desc& desc, const numbers& x, const numbers& g, const numbers& got) {
  return judged(desc, {{{1, 1, 1, size_of(x)}, x}, {{1, 1, 1, size_of(g)}, g}}, {1, 1, 1, size_of(got)}, got);
}

}  // namespace

TEST_CASE("Gradients of pooling: the pages' examples", "[pooling_grad]") {
  CHECK(of_average({1, 1, 2, 2}, {1, 2, 3, 4}, {1, 1, 3, 3}, {.window_size = {2, 2}}) ==
        numbers{0.25F, 0.75F, 0.5F, 1, 2.5F, 1.5F, 0.75F, 1.75F, 1});
  CHECK(of_greatest({1, 1, 3, 3}, {1, 2, 3, 2, 4, 2, 5, 6, 7}, {1, 1, 2, 2}, {1, 2, 4, 5}, {.window_size = {2, 2}}) ==
        numbers{0, 0, 0, 0, 3, 0, 0, 4, 5});
}

TEST_CASE("Gradients of pooling: by hand", "[pooling_grad]") {
  const numbers x{1, 5, 3, 5, 2, 4};
  const max_pooling_grad_desc greatest{
      .strides = {1, 2}, .window_size = {1, 3}, .start_padding = {0, 1}, .end_padding = {0, 1}};
  CHECK(of_greatest({1, 1, 1, 6}, x, {1, 1, 1, 3}, {1, 10, 100}, greatest) == numbers{0, 11, 0, 100, 0, 0});
  average_pooling_grad_desc average{
      .strides = {1, 2}, .window_size = {1, 3}, .start_padding = {0, 1}, .end_padding = {0, 1}};
  CHECK(of_average({1, 1, 1, 3}, {6, 6, 6}, {1, 1, 1, 6}, average) == numbers{3, 5, 2, 4, 2, 2});
  average.include_padding = true;
  CHECK(of_average({1, 1, 1, 3}, {6, 6, 6}, {1, 1, 1, 6}, average) == numbers{2, 4, 2, 4, 2, 2});
  // Exact, rounded once: a third and a half of 1, then of numbers that cancel.
  average.include_padding = false;
  CHECK(of_average({1, 1, 1, 3}, {1, 1, 1}, {1, 1, 1, 6}, average)[1] == 5.0F / 6);
  CHECK(of_average({1, 1, 1, 3}, {3e30F, 1, 0}, {1, 1, 1, 6}, average)[1] == 1.5e30F);
  CHECK(of_average({1, 1, 1, 3}, {2, -3, 0}, {1, 1, 1, 6}, average)[1] == 0);
  CHECK(is_nan(of_average({1, 1, 1, 3}, {infinity, -infinity, 0}, {1, 1, 1, 6}, average)[1]));
  // Ties of two FLOAT32, 2^24 + 1 and 2^24 + 3 from thirds that no double has: to even.
  const average_pooling_grad_desc thirds{
      .window_size = {1, 3}, .start_padding = {0, 2}, .end_padding = {0, 2}, .include_padding = true};
  CHECK(of_average({1, 1, 1, 5}, {0x1p24F, 0x1p25F, 3, 0, 0}, {1, 1, 1, 3}, thirds)[0] == 0x1p24F);
  CHECK(of_average({1, 1, 1, 5}, {0x1p24F, 0x1p25F, 9, 0, 0}, {1, 1, 1, 3}, thirds)[0] == 0x1p24F + 4);
  CHECK(of_average({1, 1, 1, 5}, {-0x1p24F, -0x1p25F, -9, 0, 0}, {1, 1, 1, 3}, thirds)[0] == -0x1p24F - 4);
  // A window in the padding alone gives nothing; NaN goes where the first NaN is.
  const max_pooling_grad_desc edge{.window_size = {1, 1}, .start_padding = {0, 1}};
  CHECK(of_greatest({1, 1, 1, 1}, {3}, {1, 1, 1, 2}, {7, 8}, edge) == numbers{8});
  const max_pooling_grad_desc two{.window_size = {1, 2}};
  CHECK(of_greatest({1, 1, 1, 2}, {not_a_number, not_a_number}, {1, 1, 1, 1}, {2}, two) == numbers{2, 0});
  CHECK(of_greatest({1, 1, 1, 2}, {not_a_number, 1}, {1, 1, 1, 1}, {2}, two) == numbers{0, 2});
  CHECK(is_nan(of_greatest({1, 1, 1, 2}, {3, 1}, {1, 1, 1, 1}, {not_a_number}, two)[0]));
}

TEST_CASE("Gradients of pooling: what a device may answer", "[pooling_grad]") {
  const max_pooling_grad_desc two{.window_size = {1, 2}};
  const max_pooling_grad_desc three{.window_size = {1, 3}, .start_padding = {0, 2}, .end_padding = {0, 2}};
  CHECK(judged_greatest(two, {5, 5}, {2}, {2, 0}) == "aa");
  CHECK(judged_greatest(two, {5, 5}, {2}, {0, 2}) == "rr");  // the last of equals
  CHECK(judged_greatest(two, {5, 5}, {2}, {2, 2}) == "rr");  // all of them
  CHECK(judged_greatest(two, {1, 5, 2}, {2, 3}, {0, 5, 0}) == "aa");
  CHECK(judged_greatest(two, {1, 5, 2}, {2, 3}, {0, 3, 0}) == "rr");  // overwritten
  CHECK(judged_greatest(two, {1, 5, 2}, {2, 3}, {0, 5, 1e-30F}) == "rr");
  // A NaN may be the greatest, or not.
  CHECK(judged_greatest(two, {not_a_number, 5}, {2}, {0, 2}) == "aa");
  CHECK(judged_greatest(two, {not_a_number, 5}, {2}, {2, 0}) == "aa");
  CHECK(judged_greatest(two, {not_a_number, 5}, {2}, {3, 0}) == "rr");
  CHECK(judged_greatest(two, {not_a_number, 5, 9}, {2, 3}, {0, 2, 3}) == "aa");
  CHECK(judged_greatest(two, {-infinity, -infinity}, {2}, {0, 0}) == "aa");
  CHECK(judged_greatest(two, {-infinity, -infinity}, {2}, {0, 2}) == "aa");
  CHECK(judged_greatest(two, {-infinity, -infinity}, {2}, {0, 1}) == "rr");
  CHECK(judged_greatest(two, {not_a_number, 5}, {infinity}, {0, infinity}) == "aa");
  CHECK(judged_greatest(two, {not_a_number, 5}, {infinity}, {infinity, 0}) == "aa");
  CHECK(judged_greatest(two, {not_a_number, 5}, {infinity}, {-infinity, 0}) == "rr");
  CHECK(judged_greatest(two, {not_a_number, 5, 4}, {infinity, 3}, {0, 3, 0}) == "aa");
  CHECK(judged_greatest(two, {not_a_number, 5}, {infinity}, {0, not_a_number}) == "rr");
  CHECK(judged_greatest(three, {5, 0, not_a_number}, {0, 0, 0, not_a_number, 1e-40F}, {0, 0, 0}) == "ar");
  CHECK(judged_greatest(three, {5, 0, not_a_number}, {0, 0, 0, not_a_number, infinity}, {0, 0, not_a_number}) == "aa");
  // Flushed subnormals tie, and gradients are flushed.
  CHECK(judged_greatest(two, {1e-40F, 2e-40F}, {2}, {0, 2}) == "aa");
  CHECK(judged_greatest(two, {1e-40F, 2e-40F}, {2}, {2, 0})[0] == 'a');
  CHECK(judged_greatest(two, {1, 2}, {1e-40F}, {0, 0})[0] == 'a');
  CHECK(judged_greatest(two, {1, 2}, {1e-30F}, {0, 0}) == "rr");
  // One gradient is not rounded.
  CHECK(judged_greatest(two, {1, 2}, {1e-36F}, {0, 1.00001e-36F}) == "rr");
  CHECK(judged_greatest(two, {1, 2}, {1e-40F}, {0, 2e-40F}) == "rr");
  CHECK(judged_greatest(two, {not_a_number, 2}, {1e-36F}, {1e-36F, 0}) == "aa");
  CHECK(judged_greatest(two, {not_a_number, 2}, {1e-36F}, {0.5e-36F, 0}) == "rr");
  // Sums in any order: 1e8 + 1 - 1e8.
  CHECK(judged_greatest(three, {9, 0, 0}, {1e8F, 1, -1e8F, 0, 0}, {1, 0, 0}) == "aa");
  CHECK(judged_greatest(three, {9, 0, 0}, {1e8F, 1, -1e8F, 0, 0}, {8, 0, 0}) == "aa");
  CHECK(judged_greatest(three, {9, 0, 0}, {1e8F, 1, -1e8F, 0, 0}, {-30, 0, 0}) == "rr");
  // With an infinity that may be elsewhere, the others are rounded as without: 1e8 + 1. Of a zero either sign.
  CHECK(judged_greatest(three, {9, 0, not_a_number}, {1e8F, 1, infinity, 0, 0}, {1e8F + 8, 0, infinity}) == "aa");
  CHECK(judged_greatest(three, {9, 0, not_a_number}, {1e8F, 1, infinity, 0, 0}, {1e8F + 8, 0, 0}) == "aa");
  CHECK(judged_greatest(three, {9, 0, not_a_number}, {1e8F, 1, infinity, 0, 0}, {1e8F + 16, 0, 0}) == "rr");
  CHECK(judged_greatest(two, {not_a_number, 5}, {-0.0F}, {-0.0F, 0}) == "aa");
  // Nothing makes a number of a NaN that is certain, nor another NaN.
  CHECK(judged_greatest(three, {9, 0, not_a_number}, {not_a_number, 1, infinity, 0, 0}, {not_a_number, 0, 0}) == "aa");
  CHECK(judged_greatest(three, {9, 0, not_a_number}, {not_a_number, 1, infinity, 0, 0}, {infinity, 0, 0}) == "rr");
  CHECK(judged_greatest(three, {9, 0, not_a_number}, {not_a_number, 1, infinity, 0, 0}, {-not_a_number, 0, 0}) == "ar");
  // AVERAGE: E = g(n + 9 r) of the magnitudes, usual 8 sqrt(n + 3 r) u.
  const average_pooling_grad_desc thirds{.window_size = {1, 3}};
  const float u = 0x1p-24F, third = 1.0F / 3;
  CHECK(judged_average(thirds, {1}, {third, third, third}) == "aa");
  CHECK(judged_average(thirds, {1}, {third * (1 + 2 * u), third, third}) == "aa");
  CHECK(judged_average(thirds, {1}, {third * (1 + 8 * u), third, third})[0] == 's');
  CHECK(judged_average(thirds, {1}, {third * (1 + 12 * u), third, third}) == "rr");
  const average_pooling_grad_desc halves{.window_size = {1, 2}};
  CHECK(judged_average(halves, {2, 4}, {1, 3, 2}) == "aa");
  CHECK(judged_average(halves, {2, 4}, {1, 3 + 0x1p-22F, 2}) == "rr");
  // PO-R2: the last window ends after the padded image.
  const average_pooling_grad_desc over{.strides = {1, 2}, .window_size = {1, 2}, .include_padding = true};
  CHECK(judged_average(over, {2, 2}, {1, 1, 1}) == "aa");
  CHECK(judged_average(over, {2, 2}, {1, 1, 2}) == "aa");
  CHECK(judged_average(over, {2, 2}, {1, 1, 1.5F}) == "rr");
}

// Two spatial axes, written without the library.
namespace {

struct plane_case {
  std::array<std::int64_t, 2> size, window, stride, dilation, start, end, count;
  bool include = false;
};
plane_case random_plane(std::mt19937& random, bool dilated) {
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  plane_case c{};
  for (std::size_t i = 0; i < 2; ++i) {
    c.size[i] = 5 + below(3);
    c.dilation[i] = dilated ? 1 + below(2) : 1;
    c.window[i] = 1 + below(3);
    c.stride[i] = 1 + below(2);
    c.start[i] = below(3);
    c.end[i] = below(3);
    const std::int64_t rest = c.size[i] + c.start[i] + c.end[i] - 1 - (c.window[i] - 1) * c.dilation[i];
    c.count[i] = rest / c.stride[i] + 1;
    if (below(2) == 0) c.count[i] = (rest + c.stride[i] - 1) / c.stride[i] + 1;
  }
  c.include = below(2) == 0;
  return c;
}
dimensions list(const std::array<std::int64_t, 2>& x) { return {x[0], x[1]}; }
dimensions sizes_of(const plane_case& c) { return {1, 1, c.size[0], c.size[1]}; }
dimensions counts_of(const plane_case& c) { return {1, 1, c.count[0], c.count[1]}; }
template <class Desc>
Desc desc_of(const plane_case& c) {
  Desc desc{.strides = list(c.stride),
            .window_size = list(c.window),
            .start_padding = list(c.start),
            .end_padding = list(c.end)};
  if constexpr (detail::has_dilations<Desc>) desc.dilations = list(c.dilation);
  if constexpr (requires { desc.include_padding; }) desc.include_padding = c.include;
  return desc;
}
// Calls f(window, place) for each tap that is inside.
template <class F>
void for_taps(const plane_case& c, const F& f) {
  for (std::int64_t q = 0; q < c.count[0] * c.count[1]; ++q)
    for (std::int64_t i = 0; i < c.window[0]; ++i)
      for (std::int64_t j = 0; j < c.window[1]; ++j) {
        const std::int64_t row = q / c.count[1] * c.stride[0] + i * c.dilation[0] - c.start[0];
        const std::int64_t column = q % c.count[1] * c.stride[1] + j * c.dilation[1] - c.start[1];
        if (row >= 0 && row < c.size[0] && column >= 0 && column < c.size[1])
          f(static_cast<std::size_t>(q), static_cast<std::size_t>(row * c.size[1] + column));
      }
}
std::size_t elements(const std::array<std::int64_t, 2>& x) { return static_cast<std::size_t>(x[0] * x[1]); }
numbers integers(std::mt19937& random, std::size_t count, int most) {
  numbers x(count);
  for (float& each : x)
    each = static_cast<float>(static_cast<int>(random() % static_cast<unsigned>(2 * most + 1)) - most);
  return x;
}

}  // namespace

TEST_CASE("Gradients of pooling are the exact adjoints", "[pooling_grad]") {
  // The sum of y v is that of x B(v), where both are exact: windows of a power of two, small integers.
  std::mt19937 random(43);
  for (int i = 0; i < 200; ++i) {
    plane_case c = random_plane(random, false);
    for (std::int64_t& each : c.window) each = each == 3 ? 2 : each;
    for (std::size_t axis = 0; axis < 2; ++axis)
      c.count[axis] = (c.size[axis] + c.start[axis] + c.end[axis] - c.window[axis]) / c.stride[axis] + 1;
    const numbers x = integers(random, elements(c.size), 8), v = integers(random, elements(c.count), 8);
    const auto product = [](const numbers& a, const numbers& b) {
      double sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
      return sum;
    };
    const numbers y =
        average_pooling(reference, tensor<float>(sizes_of(c), x), desc_of<average_pooling_desc>(c)).elements();
    CHECK(product(y, v) == product(x, of_average(counts_of(c), v, sizes_of(c), desc_of<average_pooling_grad_desc>(c))));
    // MAX is linear where no greatest element changes: its value is that of the elements it selects.
    const auto greatest = max_pooling2(reference, tensor<float>(sizes_of(c), x), desc_of<max_pooling2_desc>(c));
    numbers w = v;
    for (std::size_t q = 0; q < w.size(); ++q)
      if (greatest.indices.elements()[q] == 0xFFFF'FFFF) w[q] = 0;
    numbers selected = greatest.values.elements();
    for (std::size_t q = 0; q < w.size(); ++q)
      if (greatest.indices.elements()[q] == 0xFFFF'FFFF) selected[q] = 0;
    CHECK(product(selected, w) ==
          product(x, of_greatest(sizes_of(c), x, counts_of(c), v, desc_of<max_pooling_grad_desc>(c))));
  }
}

TEST_CASE("Gradients of pooling: right devices are right, wrong ones are noticed", "[pooling_grad]") {
  std::mt19937 random(44);
  std::normal_distribution<float> normal;
  std::array<int, 5> changed{}, noticed{};
  for (int i = 0; i < 300; ++i) {
    const plane_case c = random_plane(random, true), flat = [&] {
      plane_case without = random_plane(random, false);
      return without;
    }();
    const auto judged_max = [&](const numbers& x, const numbers& g, const numbers& got) {
      return judged(desc_of<max_pooling_grad_desc>(c), {{sizes_of(c), x}, {counts_of(c), g}}, sizes_of(c), got)[0];
    };
    const auto judged_mean = [&](const numbers& g, const numbers& got) {
      return judged(desc_of<average_pooling_grad_desc>(flat), {{counts_of(flat), g}}, sizes_of(flat), got)[0];
    };
    // how: 0 the first of the greatest, 1 the last, 2 all, 3 without addition
    const auto scattered = [&](const numbers& x, const numbers& g, int how) {
      numbers best(g.size(), -infinity), y(x.size());
      std::vector<std::size_t> first(g.size(), x.size()), last = first;
      for_taps(c, [&](std::size_t q, std::size_t place) {
        if (x[place] > best[q]) first[q] = place;
        if (x[place] >= best[q]) last[q] = place;
        best[q] = std::max(best[q], x[place]);
      });
      if (how == 2) for_taps(c, [&](std::size_t q, std::size_t place) { y[place] += x[place] == best[q] ? g[q] : 0; });
      for (std::size_t k = 0; k < g.size() && how != 2; ++k) {
        const std::size_t q = i % 2 == 0 ? k : g.size() - 1 - k;  // in either order
        const std::size_t place = how == 1 ? last[q] : first[q];
        if (place == x.size()) continue;
        y[place] = how == 3 ? g[q] : y[place] + g[q];
      }
      return y;
    };
    const auto averaged = [&](const numbers& g, bool include) {
      numbers y(elements(flat.size)), taps(g.size());
      for_taps(flat, [&](std::size_t q, std::size_t) { taps[q] += 1; });
      const float all = static_cast<float>(flat.window[0] * flat.window[1]);
      for_taps(flat, [&](std::size_t q, std::size_t place) {
        const float v = include ? all : taps[q];
        y[place] += i % 2 == 0 ? g[q] / v : g[q] * (1 / v);
      });
      return y;
    };
    numbers x(elements(c.size)), g(elements(c.count)), h(elements(flat.count));
    for (numbers* each : {&x, &g, &h})
      for (float& number : *each) number = normal(random);
    CHECK(judged_max(x, g, scattered(x, g, 0)) != 'r');
    CHECK(judged_mean(h, averaged(h, flat.include)) != 'r');
    x = integers(random, x.size(), 3);
    g = integers(random, g.size(), 8);
    const numbers right = scattered(x, g, 0);
    CHECK(judged_max(x, g, right) != 'r');
    for (const int how : {1, 2, 3}) {
      const numbers wrong = scattered(x, g, how);
      if (wrong == right) continue;
      ++changed[static_cast<std::size_t>(how)];
      if (judged_max(x, g, wrong) == 'r') ++noticed[static_cast<std::size_t>(how)];
    }
    for (float& each : h) each = static_cast<float>(1 + random() % 8);
    const numbers mean = averaged(h, flat.include), other = averaged(h, !flat.include);
    bool overhangs = false, differs = false;
    for (std::size_t axis = 0; axis < 2; ++axis)
      overhangs = overhangs || (flat.count[axis] - 1) * flat.stride[axis] + flat.window[axis] >
                                   flat.size[axis] + flat.start[axis] + flat.end[axis];
    for (std::size_t k = 0; k < mean.size(); ++k) differs = differs || std::abs(mean[k] - other[k]) > 1e-3F;
    if (!differs || overhangs) continue;
    ++changed[4];
    if (judged_mean(h, other) == 'r') ++noticed[4];
  }
  for (std::size_t how = 1; how < changed.size(); ++how) {
    INFO("kernel " << how << ": " << noticed[how] << " of " << changed[how]);
    CHECK(changed[how] > 50);
    CHECK(noticed[how] == changed[how]);
  }
}

TEST_CASE("Gradients of pooling: lists that are null", "[pooling_grad]") {
  const tensor_desc x{.data_type = data_type::float32, .sizes = {1, 1, 4, 4}},
      g{.data_type = data_type::float32, .sizes = {1, 1, 3, 3}};
  max_pooling_grad_desc desc{
      .strides = {1, 1}, .window_size = {2, 2}, .start_padding = {0, 0}, .end_padding = {0, 0}, .dilations = {1, 1}};
  CHECK(rules::codes_of(violations(desc, x, g, x)) == "");
  desc.dilations = dimensions::null();
  CHECK(rules::codes_of(violations(desc, x, g, x)) == "PG4");
}
