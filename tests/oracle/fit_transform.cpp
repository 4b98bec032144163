// CONVOLUTION by transforms, in plain FLOAT32 loops: what the policy `transform` accepts, and what the fit says of
// them.
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include <goldml/cpu/convolution.hpp>
#include <goldml/oracle/judge.hpp>
#include <goldml/oracle/verdicts/convolution.hpp>

#include "../catch.hpp"
#include "fit_devices.hpp"

using namespace goldml;

namespace {

using matrix = std::vector<std::vector<float>>;

matrix multiplied(const matrix& a, const matrix& b) {
  matrix result(a.size(), std::vector<float>(b[0].size(), 0.0F));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k) result[i][j] += a[i][k] * b[k][j];
  return result;
}
matrix transposed(const matrix& a) {
  matrix result(a[0].size(), std::vector<float>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[0].size(); ++j) result[j][i] = a[i][j];
  return result;
}
// m x m^T on both sides.
matrix on_both_sides(const matrix& m, const matrix& x) { return multiplied(multiplied(m, x), transposed(m)); }

// Winograd's minimal filtering of m x m outputs and a filter of 3 x 3, as Lavin and Gray print it.
struct winograd {
  matrix input, filter, output;
};
winograd winograd_2() {
  return {{{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
          {{1, 0, 0}, {0.5F, 0.5F, 0.5F}, {0.5F, -0.5F, 0.5F}, {0, 0, 1}},
          {{1, 1, 1, 0}, {0, 1, -1, -1}}};
}
winograd winograd_4() {
  const float s = 1.0F / 6, t = 1.0F / 12, u = 1.0F / 24;
  return {{{4, 0, -5, 0, 1, 0},
           {0, -4, -4, 1, 1, 0},
           {0, 4, -4, -1, 1, 0},
           {0, -2, -1, 2, 1, 0},
           {0, 2, -1, -2, 1, 0},
           {0, 4, 0, -5, 0, 1}},
          {{0.25F, 0, 0}, {-s, -s, -s}, {-s, s, -s}, {u, t, s}, {u, -t, s}, {0, 0, 1}},
          {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}}};
}

// Of {N, C, H, W}.
matrix part(const tensor<float>& t, std::uint32_t n, std::uint32_t c, std::size_t y, std::size_t x, std::size_t size) {
  matrix result(size, std::vector<float>(size, 0.0F));
  for (std::size_t i = 0; i < size && y + i < t.sizes()[2]; ++i)
    for (std::size_t j = 0; j < size && x + j < t.sizes()[3]; ++j)
      result[i][j] = t[{n, c, static_cast<std::uint32_t>(y + i), static_cast<std::uint32_t>(x + j)}];
  return result;
}

tensor<float> by_winograd(const winograd& w, const tensor<float>& x, const tensor<float>& f) {
  const std::uint32_t channels = x.sizes()[1], height = x.sizes()[2] - 2, width = x.sizes()[3] - 2;
  tensor<float> y({1, f.sizes()[0], height, width});
  const std::size_t m = w.output.size(), t = w.input.size();
  std::vector<std::vector<matrix>> filters(f.sizes()[0]);
  for (std::uint32_t o = 0; o < f.sizes()[0]; ++o)
    for (std::uint32_t c = 0; c < channels; ++c) filters[o].push_back(on_both_sides(w.filter, part(f, o, c, 0, 0, 3)));
  for (std::size_t p = 0; p < height; p += m)
    for (std::size_t q = 0; q < width; q += m) {
      std::vector<matrix> tiles;
      for (std::uint32_t c = 0; c < channels; ++c) tiles.push_back(on_both_sides(w.input, part(x, 0, c, p, q, t)));
      for (std::uint32_t o = 0; o < f.sizes()[0]; ++o) {
        matrix sum(t, std::vector<float>(t, 0.0F));
        for (std::uint32_t c = 0; c < channels; ++c)
          for (std::size_t i = 0; i < t; ++i)
            for (std::size_t j = 0; j < t; ++j) sum[i][j] += filters[o][c][i][j] * tiles[c][i][j];
        const matrix out = on_both_sides(w.output, sum);
        for (std::size_t i = 0; i < m && p + i < height; ++i)
          for (std::size_t j = 0; j < m && q + j < width; ++j)
            y[{0, o, static_cast<std::uint32_t>(p + i), static_cast<std::uint32_t>(q + j)}] = out[i][j];
      }
    }
  return y;
}

using complex = std::complex<float>;
constexpr std::size_t fft_size = 16;
using plane = std::vector<complex>;  // fft_size x fft_size

std::vector<complex> fourier(const std::vector<complex>& x, float sign) {
  if (x.size() == 1) return x;
  std::vector<complex> even, odd, result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) (i % 2 == 0 ? even : odd).push_back(x[i]);
  even = fourier(even, sign);
  odd = fourier(odd, sign);
  for (std::size_t i = 0; i < even.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(x.size());
    const complex t = complex(static_cast<float>(std::cos(angle)), sign * static_cast<float>(std::sin(angle))) * odd[i];
    result[i] = even[i] + t;
    result[i + even.size()] = even[i] - t;
  }
  return result;
}
plane fourier_of_plane(plane p, float sign) {
  for (const bool columns : {false, true})
    for (std::size_t i = 0; i < fft_size; ++i) {
      const auto at = [&](std::size_t j) -> complex& { return p[columns ? j * fft_size + i : i * fft_size + j]; };
      std::vector<complex> line;
      for (std::size_t j = 0; j < fft_size; ++j) line.push_back(at(j));
      line = fourier(line, sign);
      for (std::size_t j = 0; j < fft_size; ++j) at(j) = line[j];
    }
  return p;
}
plane fourier_of(const tensor<float>& t, std::uint32_t n, std::uint32_t c) {
  plane p;
  for (const std::vector<float>& row : part(t, n, c, 0, 0, fft_size)) p.insert(p.end(), row.begin(), row.end());
  return fourier_of_plane(p, -1);
}
tensor<float> by_fft(const tensor<float>& x, const tensor<float>& f) {
  const std::uint32_t channels = x.sizes()[1], size = x.sizes()[2] - f.sizes()[2] + 1;
  tensor<float> y({1, f.sizes()[0], size, size});
  std::vector<plane> planes;
  for (std::uint32_t c = 0; c < channels; ++c) planes.push_back(fourier_of(x, 0, c));
  for (std::uint32_t o = 0; o < f.sizes()[0]; ++o) {
    plane sum(fft_size * fft_size);
    for (std::uint32_t c = 0; c < channels; ++c) {
      const plane of_filter = fourier_of(f, o, c);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += std::conj(of_filter[i]) * planes[c][i];
    }
    sum = fourier_of_plane(sum, 1);
    for (std::uint32_t i = 0; i < size; ++i)
      for (std::uint32_t j = 0; j < size; ++j) y[{0, o, i, j}] = sum[i * fft_size + j].real() / (fft_size * fft_size);
  }
  return y;
}

tensor<float> numbers_of(const dimensions& sizes, const std::string& data, fit_test::generator& random) {
  std::vector<float> numbers(static_cast<std::size_t>(element_count(sizes)));
  for (float& x : numbers) {
    const double number = random.normal();
    x = static_cast<float>(data == "positive"   ? std::abs(number)
                           : data == "integers" ? static_cast<double>(random.below(17)) - 8
                                                : number);
  }
  return tensor<float>(sizes, numbers);
}

// A convolution of a plane of 10 x 10 by 3 x 3, or of 12 x 12 by 5 x 5, to 8 x 8.
struct convolution_problem {
  tensor<float> input, filter;
  convolution_desc desc = with_default_lists({}, 4);

  convolution_problem(std::uint32_t channels, std::uint32_t outputs, std::uint32_t taps, const std::string& data,
                      fit_test::generator& random)
      : input(numbers_of({1, channels, taps + 7, taps + 7}, data, random)),
        filter(numbers_of({outputs, channels, taps, taps}, data, random)) {}

  auto judged(const tensor<float>& y, transform policy) const {
    convolution_desc accepted = desc;
    accepted.transform = policy;
    const std::vector<const_tensor_ref> inputs{input.view(), filter.view(), {}};
    const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = y.sizes()}};
    return oracle::judge(accepted, inputs, oracle::expect(accepted, inputs, outputs), y);
  }
};

tensor<float> by(const std::string& kernel, const tensor<float>& input, const tensor<float>& filter) {
  return kernel == "FFT" ? by_fft(input, filter)
                         : by_winograd(kernel == "F(2,3)" ? winograd_2() : winograd_4(), input, filter);
}

// What is said of a right kernel and of two wrong ones.
void check_transform(const std::string& kernel, const std::string& data, std::uint32_t channels, bool with_faults,
                     fit_test::generator& random) {
  INFO(kernel << ", " << data << ", " << channels << " channels");
  const convolution_problem p(channels, with_faults ? 2 : 1, kernel == "FFT" ? 5 : 3, data, random);
  const tensor<float> y = by(kernel, p.input, p.filter);
  const auto accepted = p.judged(y, transform::accept);
  INFO(accepted.report);
  CHECK(accepted.outcome() == oracle::outcome::agrees);
  CHECK(!accepted.fit().misfits());
  if (data == "integers") {  // F(2,3) rounds none
    const auto refused = p.judged(y, transform::refuse);
    INFO(refused.report);
    CHECK((refused.outcome() == oracle::outcome::agrees) == (kernel == "F(2,3)"));
    const bool is_said = refused.report.find(
                             "errors of the size of a FLOAT32 sum: a transform "
                             "(policy transform=accept)") != std::string::npos;
    CHECK(is_said == (kernel != "F(2,3)"));
  }
  if (!with_faults) return;
  // A channel is missing; the window is one element off.
  tensor<float> without = p.input, shifted = p.input;
  for (std::uint32_t i = 0; i < p.input.sizes()[2]; ++i)
    for (std::uint32_t j = 0; j < p.input.sizes()[3]; ++j) {
      without[{0, channels / 2, i, j}] = 0;
      for (std::uint32_t c = 0; c < channels && j > 0; ++c) shifted[{0, c, i, j}] = p.input[{0, c, i, j - 1}];
    }
  for (const tensor<float>& wrong : {without, shifted}) {
    const auto found = p.judged(by(kernel, wrong, p.filter), transform::accept);
    CHECK(found.outcome() == oracle::outcome::differs);
    CHECK(found.judged.result.differing() > 100);  // of 128
  }
}

}  // namespace

TEST_CASE("F4: the policy transform accepts Winograd and FFT, and finds their faults", "[convolution]") {
  fit_test::generator random(41);
  for (const std::string kernel : {"F(2,3)", "F(4,3)", "FFT"}) {
    check_transform(kernel, "normal", 4, true, random);
    check_transform(kernel, "positive", 16, false, random);
    check_transform(kernel, "integers", 8, false, random);
  }
}
TEST_CASE("F4: Winograd F(4,3) is named where it is coarser", "[convolution]") {
  fit_test::generator random(47);
  const convolution_problem p(16, 8, 3, "normal", random);
  const std::vector<const_tensor_ref> inputs{p.input.view(), p.filter.view(), {}};
  const std::vector<tensor_desc> outputs{{.data_type = data_type::float32, .sizes = {1, 8, 8, 8}}};
  const oracle::golden golden = oracle::expect(p.desc, inputs, outputs);
  const auto named = [&](const tensor<float>& y) {
    const auto answer = oracle::judge(p.desc, inputs, golden, y);
    UNSCOPED_INFO(answer.report);
    return answer.fit().explained_by;
  };
  CHECK(named(by_winograd(winograd_4(), p.input, p.filter)) == "Winograd F(4,3)");
  CHECK(named(by_winograd(winograd_2(), p.input, p.filter)).empty());
  CHECK(named(convolution(cpu, p.input, p.filter, p.desc)).empty());
}
TEST_CASE("F6: the policy transform, at length", "[.simulation]") {
  for (std::uint64_t seed = 42; seed < 47; ++seed) {
    fit_test::generator random(seed);
    for (const std::string kernel : {"F(2,3)", "F(4,3)", "FFT"})
      for (const std::string data : {"normal", "positive", "integers"})
        for (const std::uint32_t channels : {4U, 32U, 128U}) check_transform(kernel, data, channels, true, random);
    for (const std::uint32_t channels : {4U, 32U, 128U}) {
      const convolution_problem p(channels, 8, 3, "normal", random);
      const auto answer = p.judged(by("F(4,3)", p.input, p.filter), transform::refuse);
      INFO(channels << " channels: " << answer.report);
      CHECK(answer.fit().explained_by == "Winograd F(4,3)");
    }
  }
}
