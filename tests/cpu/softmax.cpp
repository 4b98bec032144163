// SOFTMAX, LOG_SOFTMAX and their 1-versions on `cpu` against `reference`: rows and columns, several axes, strides,
// special numbers, and slices whose terms are not kept, on every instruction set.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <goldml/cpu/softmax.hpp>
#include <goldml/reference/softmax.hpp>

#include "../catch.hpp"
#include "../core/flush_subnormals.hpp"
#include "../operators/layouts.hpp"

namespace {

using namespace goldml;
using layouts::bits;

template <class T>
std::vector<T> numbers(std::uint64_t count, float spread, bool special) {
  std::mt19937 random(static_cast<std::uint32_t>(count));
  std::uniform_real_distribution<float> any(-spread, spread);
  std::vector<T> x;
  for (std::uint64_t i = 0; i < count; ++i) {
    float number = any(random);
    if (special) {
      const auto kind = random() % 200;
      if (kind == 0) number = std::numeric_limits<float>::quiet_NaN();
      if (kind == 1) number = std::numeric_limits<float>::infinity();
      if (kind < 40 && kind > 1) number = -std::numeric_limits<float>::infinity();
      if (kind > 180) number = std::ldexp(number, -120);
    }
    x.push_back(static_cast<T>(number));
  }
  return x;
}

template <class T, class Desc>
void check_one(const detail::slice_call<Desc>& call, const dimensions& sizes, const dimensions& axes, float spread,
               bool special) {
  const std::vector<T> x = numbers<T>(element_count(sizes), spread, special);
  const Desc desc{.axes = axes};
  std::vector<T> wanted(x.size());
  call(reference, tensor_view{x, sizes}, tensor_view{wanted, sizes}, desc);
  for (const instruction_set set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    std::vector<T> got(x.size());
    call(cpu.with(set), tensor_view{x, sizes}, tensor_view{got, sizes}, desc);
    INFO(name_of(set) << ", " << element_count(sizes) << " elements, spread " << spread);
    CHECK(bits(got) == bits(wanted));
  }
}

template <class T>
void check(const dimensions& sizes, const dimensions& axes, float spread = 8, bool special = false) {
  check_one<T>(activation_softmax1, sizes, axes, spread, special);
  check_one<T>(activation_log_softmax1, sizes, axes, spread, special);
}

template <class T>
void check_all() {
  for (const bool special : {false, true}) {
    check<T>({7, 1000}, {1}, 8, special);        // rows
    check<T>({300, 5}, {1}, 2, special);         // short rows: 64 at a time
    check<T>({40, 300}, {0}, 8, special);        // columns, adjacent
    check<T>({100, 3}, {0}, 30, special);        // few columns
    check<T>({6, 20, 10}, {1}, 8, special);      // columns of parts
    check<T>({5, 4, 3, 6}, {0, 2}, 8, special);  // two axes that are not neighbours
    check<T>({5, 4, 3, 6}, {3, 1}, 8, special);
    check<T>({3, 7, 11}, {2, 0, 1}, 8, special);  // one slice
    check<T>({64, 64}, {1}, 60, special);
    check<T>({65, 63}, {1}, 60, special);
  }
  check<T>({1}, {0});
  check<T>({1, 1, 9}, {0});  // slices of one element: 1
  check<T>({2, 3000}, {1}, 0.01F);
}

}  // namespace

TEST_CASE("softmax on cpu: FLOAT32", "[cpu][softmax]") { check_all<float>(); }

TEST_CASE("softmax on cpu: FLOAT16", "[cpu][softmax]") { check_all<float16>(); }

// More terms than are kept; the reference adds numbers that cost little.
TEST_CASE("softmax on cpu: long slices", "[cpu][softmax]") {
  check<float>({1, 140'000}, {1}, 3);
  check<float>({2100, 9}, {0}, 3);
}

// ln(1 + e^-i), of which 1 + e^-i keeps nothing in the end; as columns, and one slice after the other.
TEST_CASE("log_softmax on cpu: next to nothing beside the greatest", "[cpu][softmax]") {
  std::vector<float> x;
  for (int i = 0; i < 120; ++i) x.insert(x.end(), {0.0F, -static_cast<float>(i), -static_cast<float>(i) - 0.3F});
  const dimensions sizes{120, 3}, one{1, 3};
  std::vector<float> wanted(x.size()), got(x.size());
  activation_log_softmax(reference, tensor_view{x, sizes}, tensor_view{wanted, sizes});
  activation_log_softmax(cpu, tensor_view{x, sizes}, tensor_view{got, sizes});
  CHECK(bits(got) == bits(wanted));
  for (std::size_t i = 0; i < x.size(); i += 3)
    activation_log_softmax(cpu, tensor_view<const float>{x.data() + i, one}, tensor_view<float>{got.data() + i, one});
  CHECK(bits(got) == bits(wanted));
}

TEST_CASE("softmax on cpu: what a double does not decide is left undecided", "[cpu][softmax]") {
  // Near the middle of two FLOAT32, between 2^-30 and the next one. In units of 2^-53 a term is within 80, and one of
  // at most 2^-23, whose difference from the greatest may be large, within 190.
  const auto decided = [](double result) {
    detail::softmax_block terms{}, totals{};
    terms.fill(result);
    totals.fill(1);
    detail::softmax_bits<float> results{}, undecided{};
    const bool all =
        detail::softmax_results::run(0, std::type_identity<float>{}, terms.data(), totals, results, undecided);
    CHECK(all == (undecided[0] == 0));
    return all;
  };
  for (const double sign : {1.0, -1.0}) {
    CHECK_FALSE(decided((1 + 0x1p-24) * (1 + sign * 180 * 0x1p-53) * 0x1p-30));
    CHECK(decided((1 + 0x1p-24) * (1 + sign * 200 * 0x1p-53) * 0x1p-30));
    CHECK_FALSE(decided((1 + 0x1p-24) * (1 + sign * 70 * 0x1p-53) * 0x1p-10));
    CHECK(decided((1 + 0x1p-24) * (1 + sign * 90 * 0x1p-53) * 0x1p-10));
  }
}

TEST_CASE("softmax on cpu: strides, the last axis, where subnormals are flushed", "[cpu][softmax]") {
  const std::vector<float> x = numbers<float>(600, 8, false);
  const dimensions sizes{20, 30};
  std::vector<float> got(600), wanted(600);
  activation_softmax(cpu, tensor_view{x, sizes}, tensor_view{got, sizes, {1, 20}});
  activation_softmax(reference, tensor_view{x, sizes}, tensor_view{wanted, sizes, {1, 20}});
  CHECK(bits(got) == bits(wanted));
  activation_softmax(cpu, tensor_view{x, sizes, {0, 3}}, tensor_view{got, sizes});
  activation_softmax(reference, tensor_view{x, sizes, {0, 3}}, tensor_view{wanted, sizes});
  CHECK(bits(got) == bits(wanted));
  const flush_subnormals mode;
  const std::vector<float> small{0x1p-140F, -90, -100, 0x1p-149F};
  std::vector<float> y(4), z(4);
  activation_softmax(cpu, small, y);
  activation_softmax(reference, small, z);
  CHECK(bits(y) == bits(z));
  CHECK(bits(y)[2] != 0);  // a subnormal
}
