// MATRIX_MULTIPLY_INTEGER: the example of SPEC-quantised 4.2, every type, layout and shape of the zero points, sums
// that wrap, and wrong kernels.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string_view>
#include <vector>

#include <goldml/core/tensor.hpp>
#include <goldml/cpu/matrix_multiply_integer.hpp>
#include <goldml/operators/matrix_multiply_integer.hpp>
#include <goldml/reference/matrix_multiply_integer.hpp>

#include "../catch.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using words = std::vector<std::int32_t>;

template <class T>
tensor<T> tensor_of(const dimensions& sizes, const std::vector<int>& elements) {
  tensor<T> result(sizes);
  for (std::size_t i = 0; i < elements.size(); ++i) result.data()[i] = static_cast<T>(elements[i]);
  return result;
}
words words_of(const tensor<std::int32_t>& t) { return {t.data(), t.data() + element_count(t.sizes())}; }

// Both backends. Tensors without sizes are absent.
template <class A, class B>
words product(const tensor<A>& a, const tensor<A>* a_zero, const tensor<B>& b, const tensor<B>* b_zero,
              const dimensions& sizes) {
  tensor<std::int32_t> y(sizes), fast(sizes);
  const const_tensor_ref left = a_zero == nullptr ? const_tensor_ref() : const_tensor_ref(a_zero->view());
  const const_tensor_ref right = b_zero == nullptr ? const_tensor_ref() : const_tensor_ref(b_zero->view());
  matrix_multiply_integer(reference, const_tensor_ref(a.view()), left, const_tensor_ref(b.view()), right,
                          tensor_ref(y.view()));
  matrix_multiply_integer(cpu, const_tensor_ref(a.view()), left, const_tensor_ref(b.view()), right,
                          tensor_ref(fast.view()));
  CHECK(words_of(y) == words_of(fast));
  return words_of(y);
}

}  // namespace

TEST_CASE("MATRIX_MULTIPLY_INTEGER: the page's formula by hand", "[matrix_multiply_integer]") {
  const auto a = tensor_of<std::uint8_t>({2, 3}, {255, 0, 130, 1, 2, 3});
  const auto b = tensor_of<std::int8_t>({3, 2}, {127, -128, 3, 0, -5, 7});
  const auto rows = tensor_of<std::uint8_t>({2, 1}, {128, 2});
  const auto columns = tensor_of<std::int8_t>({1, 2}, {-1, 5});
  CHECK(product(a, &rows, b, &columns, {2, 2}) == words{15736, -16247, -132, 135});
  const auto row = tensor_of<std::uint8_t>({1, 1}, {128});
  const auto column = tensor_of<std::int8_t>({1, 1}, {-1});
  CHECK(product(a, &row, b, &column, {2, 2}) == words{15736, -16241, -16260, 15003});
  // Vectors are the lines themselves.
  const auto rows_1 = tensor_of<std::uint8_t>({2}, {128, 2});
  const auto columns_1 = tensor_of<std::int8_t>({2}, {-1, 5});
  CHECK(product(a, &rows_1, b, &columns_1, {2, 2}) == words{15736, -16247, -132, 135});
  // 255*127 - 128*... without zero points.
  CHECK(product<std::uint8_t, std::int8_t>(a, nullptr, b, nullptr, {2, 2}) ==
        words{255 * 127 - 5 * 130, -255 * 128 + 7 * 130, 127 + 6 - 15, -128 + 21});
  CHECK(product<std::uint8_t, std::int8_t>(a, &rows, b, nullptr, {2, 2})[3] == (1 - 2) * -128 + 7);
  tensor<std::int32_t> y({2, 2});
  matrix_multiply_integer(cpu, a, rows, b, columns, y);
  CHECK(words_of(y) == words{15736, -16247, -132, 135});
  matrix_multiply_integer(reference, a, b, y);
  CHECK(words_of(y)[2] == 118);
}

TEST_CASE("MATRIX_MULTIPLY_INTEGER: sums wrap modulo 2^32", "[matrix_multiply_integer]") {
  constexpr std::uint32_t count = 33026;  // the least number of products of 255 * 255 that does
  tensor<std::uint8_t> a({1, count}), b({count, 1});
  std::fill_n(a.data(), count, std::uint8_t{255});
  std::fill_n(b.data(), count, std::uint8_t{255});
  CHECK(product<std::uint8_t, std::uint8_t>(a, nullptr, b, nullptr, {1, 1}) == words{-2147451646});
  a.data()[0] = 0;
  CHECK(product<std::uint8_t, std::uint8_t>(a, nullptr, b, nullptr, {1, 1}) == words{2147450625});
}

TEST_CASE("MATRIX_MULTIPLY_INTEGER: strides, batches and lines that are broadcast", "[matrix_multiply_integer]") {
  // Two matrices of A, the same B; the zero points of the rows by a stride of 3, of the columns by a stride of 0.
  std::vector<std::int8_t> a(24), b(6), zeros{1, 99, 99, -2, 99, 99}, one{3};
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int8_t>(7 * i - 60);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<std::int8_t>(90 - 31 * static_cast<int>(i));
  const tensor_view<const std::int8_t> left(a.data(), {2, 1, 2, 3}, {12, 12, 1, 2});
  const tensor_view<const std::int8_t> right(b.data(), {2, 1, 3, 2}, {0, 0, 1, 3});
  const tensor_view<const std::int8_t> rows(zeros.data(), {1, 1, 2, 1}, {0, 0, 3, 0});
  const tensor_view<const std::int8_t> columns(one.data(), {1, 1, 1, 2}, {0, 0, 0, 0});
  std::vector<std::int32_t> y(20, 7), fast(20, 7);
  const dimensions strides{10, 10, 1, 4};
  matrix_multiply_integer(reference, left, rows, right, columns,
                          tensor_view<std::int32_t>(y.data(), {2, 1, 2, 2}, strides));
  matrix_multiply_integer(cpu, left, rows, right, columns,
                          tensor_view<std::int32_t>(fast.data(), {2, 1, 2, 2}, strides));
  CHECK(y == fast);
  for (std::size_t batch = 0; batch < 2; ++batch)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        int sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += (a[12 * batch + i + 2 * k] - zeros[3 * i]) * (b[k + 3 * j] - one[0]);
        CHECK(y[10 * batch + i + 4 * j] == sum);
      }
  CHECK(std::count(y.begin(), y.end(), 7) == 12);  // gaps
}

TEST_CASE("MATRIX_MULTIPLY_INTEGER: cpu gives the bytes of reference across tiles", "[matrix_multiply_integer]") {
  std::mt19937 random(117);
  for (const dimensions& sizes : {dimensions{1, 1, 1}, dimensions{513, 3, 2}, dimensions{3, 1025, 5},
                                  dimensions{2, 40, 515}, dimensions{65, 64, 63}}) {
    const std::uint32_t m = sizes[0], k = sizes[1], n = sizes[2];
    tensor<std::uint8_t> a({m, k}), a_zero({m, 1});
    tensor<std::int8_t> b({k, n}), b_zero({1, n});
    const auto fill = [&](auto& t) {
      for (std::uint64_t i = 0; i < element_count(t.sizes()); ++i)
        t.data()[i] = static_cast<std::remove_reference_t<decltype(t.data()[0])>>(random());
    };
    fill(a), fill(b), fill(a_zero), fill(b_zero);
    CHECK(product(a, &a_zero, b, &b_zero, {m, n}).size() == std::size_t{m} * n);
  }
}

// The verdict is exact, so that a kernel is noticed in each element that it computes otherwise (SPEC-quantised 7).
TEST_CASE("MATRIX_MULTIPLY_INTEGER: wrong kernels show", "[matrix_multiply_integer]") {
  std::mt19937 random(5);
  constexpr std::uint32_t m = 8, k = 16, n = 8;
  std::map<std::string_view, int> wrong;
  int elements = 0;
  for (int repetition = 0; repetition < 20; ++repetition) {
    std::vector<int> a(m * k), b(k * n), a_zero(m), b_zero(n);
    for (int& x : a) x = static_cast<int>(random() % 4) < 3 ? 255 - static_cast<int>(random() % 8) : 0;
    for (int& x : b) x = random() % 2 == 0 ? 127 : -128;
    for (int& x : a_zero) x = static_cast<int>(random() % 256);
    for (int& x : b_zero) x = static_cast<int>(random() % 256) - 128;
    const auto az = tensor_of<std::uint8_t>({m, 1}, a_zero);
    const auto bz = tensor_of<std::int8_t>({1, n}, b_zero);
    const words y = product(tensor_of<std::uint8_t>({m, k}, a), &az, tensor_of<std::int8_t>({k, n}, b), &bz, {m, n});
    const words plain = product<std::uint8_t, std::int8_t>(tensor_of<std::uint8_t>({m, k}, a), nullptr,
                                                           tensor_of<std::int8_t>({k, n}, b), nullptr, {m, n});
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        int first = 0, swapped = 0, missing = 0, forgotten = 0, as_signed = 0, saturating = 0;
        for (std::size_t l = 0; l < k; ++l) {
          const int x = a[i * k + l], w = b[l * n + j];
          first += (x - a_zero[0]) * (w - b_zero[0]);
          swapped += (x - b_zero[j]) * (w - a_zero[i]);
          if (l + 1 < k) missing += (x - a_zero[i]) * (w - b_zero[j]);
          forgotten += x * (w - b_zero[j]);
          as_signed += static_cast<std::int8_t>(x) * w;
          if (l % 2 == 0) saturating += std::clamp(x * w + a[i * k + l + 1] * b[(l + 1) * n + j], -32768, 32767);
        }
        ++elements;
        const std::int32_t right = y[i * n + j], without = plain[i * n + j];
        wrong["a zero point for all lines"] += first != right;
        wrong["swapped"] += swapped != right;
        wrong["last product missing"] += missing != right;
        wrong["zero point of A forgotten"] += forgotten != right;
        wrong["UINT8 taken for INT8"] += as_signed != without;
        wrong["pairs saturate"] += saturating != without;
      }
  }
  for (const auto& [name, count] : wrong) {
    INFO(name << ": " << count << " of " << elements);
    CHECK(count > elements * 4 / 5);
  }
}
