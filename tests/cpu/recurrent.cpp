// Recurrent layers on cpu: exact sums by products of slices against sums of one product after the other, and layers
// whose elements a double does not decide against `reference`.
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include <goldml/cpu/engine/recurrent/steps.hpp>
#include <goldml/cpu/gru.hpp>
#include <goldml/cpu/lstm.hpp>
#include <goldml/reference/gru.hpp>
#include <goldml/reference/lstm.hpp>

#include "../core/flush_subnormals.hpp"
#include "../operators/recurrent_layers.hpp"

namespace {

using namespace recurrent_layers;
using goldml::arithmetic::wide;
using goldml::detail::extended_sum;
using goldml::detail::hidden_number;

constexpr float infinity = std::numeric_limits<float>::infinity();

std::vector<instruction_set> supported_sets() {
  std::vector<instruction_set> result;
  for (const instruction_set set : all_instruction_sets)
    if (is_supported(set)) result.push_back(set);
  return result;
}

wide wide_of_bits(bool negative, std::int32_t exponent, std::uint64_t high, std::uint64_t low) {
  wide result;
  result.negative = negative;
  result.exponent = exponent;
  result.high = high;
  result.low = low;
  return result;
}

bool same_number(const hidden_number& a, const hidden_number& b) {
  if (!a.is_finite() || !b.is_finite())
    return a.is_finite() == b.is_finite() && ((is_nan(a.special) && is_nan(b.special)) || a.special == b.special);
  const wide &x = a.finite, &y = b.finite;
  return x.negative == y.negative && x.exponent == y.exponent && x.high == y.high && x.low == y.low;
}
// With the sign of a zero.
bool same_sum(const extended_sum& a, const extended_sum& b) {
  return same_number(detail::number_of(a), detail::number_of(b)) &&
         (!a.is_finite() || std::signbit(a.finite.value()) == std::signbit(b.finite.value()));
}

// Kinds of numbers: near 1, of any exponent, few bits, with zeros, with infinities.
float element_of(int kind, std::mt19937& random) {
  const auto sign = random() % 2 == 0 ? 1.0F : -1.0F;
  const float fraction = static_cast<float>(random() % (1 << 24)) * 0x1p-24F;
  switch (kind) {
    case 0:
      return sign * fraction;
    case 1:
      return std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0xBFFF'FFFFU);  // below 2
    case 2:
      return sign * static_cast<float>(random() % 4);
    case 3:
      return random() % 3 == 0 ? sign * fraction * 0x1p-140F : sign * 0.0F;
    default:
      return random() % 64 == 0 ? (random() % 2 == 0 ? sign * infinity : std::nanf("")) : sign * fraction;
  }
}
hidden_number state_of(int kind, std::mt19937& random) {
  const std::uint64_t high = std::uint64_t{random()} << 32 | random(), low = std::uint64_t{random()} << 32 | random();
  const bool negative = random() % 2 == 0;
  switch (kind) {
    case 0:
      return hidden_number(wide_of_bits(negative, -1 - std::countl_zero(high | 1), high | std::uint64_t{1} << 63, low));
    case 1:  // down to what the sums lose, and up to infinity
      return hidden_number(wide_of_bits(negative, static_cast<int>(random() % 700) - 430, high | std::uint64_t{1} << 63,
                                        random() % 2 == 0 ? low : 0));
    case 2:
      return hidden_number(static_cast<double>(element_of(2, random)));
    case 3:
      return random() % 2 == 0 ? hidden_number() : state_of(0, random);
    default:
      return random() % 32 == 0 ? hidden_number(static_cast<double>(element_of(4, random))) : state_of(0, random);
  }
}

// Of a layer and drawn states, on each instruction set.
template <class T>
void check_sums(int kind, std::uint32_t inputs, std::uint32_t hidden, std::mt19937& random) {
  layer_of<gru_desc, T> l{.steps = 11, .batch = 2, .inputs = inputs, .hidden = hidden};
  l.desc.direction = random() % 2 == 0 ? backward : recurrent_network_direction::forward;
  l.lengths = {11, 9};
  l.fill([&] { return element_of(kind, random); }, {0, 1, 2});
  if (random() % 2 == 0) l.fill([&] { return element_of(kind, random); }, {3});
  answer<T> unused(l);
  const auto inputs_of = l.refs();
  const auto outputs_of = unused.refs(l);
  const detail::recurrent_values<gru_desc, T> t(inputs_of, outputs_of, l.desc);
  using golden = typename detail::recurrent_values<gru_desc, T>::golden;
  const detail::recurrent_weights weights(t, 0);
  for (const instruction_set set : supported_sets())
    for (const std::uint32_t b : {0U, 1U}) {
      detail::sliced_steps<T, golden> fast(t, 0, b, weights.slices(), set);
      for (std::uint32_t n = 0; n < l.lengths[b]; ++n) {
        std::vector<golden> before;
        for (std::uint32_t j = 0; j < hidden; ++j) before.push_back({state_of(kind, random), state_of(kind, random)});
        fast.of_step(n, before);
        const detail::golden_sums<T, golden> plain{t, 0, b, t.time(0, t.length(b), n), before};
        bool same = true;
        for (std::uint32_t row = 0; row < 3 * hidden; ++row)
          same = same && same_sum(fast.exactly(row), plain.exactly(row)) &&
                 same_number(fast.number(row), plain.number(row)) &&
                 same_number(fast.number_of_reset(row), plain.number_of_reset(row)) &&
                 same_number(fast.number_of_input(row), plain.number_of_input(row)) &&
                 same_number(fast.number_of_state(row), plain.number_of_state(row));
        CAPTURE(kind, inputs, hidden, name_of(set), b, n);
        CHECK(same);
      }
    }
}

// A layer of numbers that a step magnifies: from a few steps on the bounds in double decide nothing.
template <class Desc, class T, class Change>
void check_layer(std::uint32_t seed, const Change& change) {
  std::mt19937 random(seed);
  constexpr bool has_cells = layer_of<Desc, T>::has_cells;
  layer_of<Desc, T> l{.steps = 24, .batch = 3, .inputs = 3, .hidden = 9};
  l.desc.direction = seed % 2 == 0 ? bidirectional : backward;
  if (seed % 2 == 0) {
    const activation_list once = l.desc.activation_descs;
    for (const activation& f : once) l.desc.activation_descs.push_back(f);
  }
  const auto draw = [&] { return 4 * element_of(0, random); };
  l.lengths = {24, 17, 0};
  l.fill(draw, {0, 1, 2, 3, 4});
  if constexpr (has_cells) l.fill(draw, {5, 7});
  change(l, random);
  CAPTURE(seed);
  run(l);
}
template <class Change>
void check_layers(std::uint32_t seed, const Change& change) {
  check_layer<lstm_desc, float>(seed, change);
  check_layer<lstm_desc, float16>(seed, change);
  check_layer<gru_desc, float>(seed, change);
  check_layer<gru_desc, float16>(seed, change);
}

}  // namespace

TEST_CASE("cpu: exact sums of recurrent layers by slices", "[cpu][recurrent]") {
  std::mt19937 random(43);
  for (const int kind : {0, 1, 2, 3, 4})
    for (const std::uint32_t hidden : {1U, 3U, 13U}) {
      const std::uint32_t inputs = hidden / 2 + 2;
      check_sums<float>(kind, inputs, hidden, random);
      check_sums<float16>(kind, inputs, hidden, random);
    }
}

TEST_CASE("cpu: exact sums by slices in other modes of the processor", "[cpu][recurrent]") {
  std::mt19937 random(44);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    check_sums<float>(0, 5, 7, random);
    check_sums<float>(1, 5, 7, random);
    std::fesetround(FE_TONEAREST);
  }
  const flush_subnormals flush;
  check_sums<float>(1, 5, 7, random);
}

TEST_CASE("cpu: the greatest slices, and as many as are summed at a time", "[cpu][recurrent]") {
  // 24 bits of a weight and 128 of a state that are all set, and weights with one bit more, so that slices are full.
  for (const std::size_t columns : {1U, 2U, 255U, 256U, 257U, 1024U, 1025U, 1500U})
    for (const double weight : {0x1.fffffep0, 0x1.fffffep-20, -0x1.fffffep127}) {
      std::vector<double> row(columns, weight);
      if (columns > 2) row[1] = weight * 0x1p-41;
      const detail::sliced_matrix matrix(1, columns, [&](std::size_t, std::size_t j) { return row[j]; });
      const auto state = [](std::size_t j) {
        return hidden_number(wide_of_bits(false, j == 2 ? -17 : 0, ~std::uint64_t{0}, ~std::uint64_t{0}));
      };
      extended_sum wanted;
      for (std::size_t j = 0; j < columns; ++j) detail::add_product(wanted, row[j], state(j));
      for (const instruction_set set : supported_sets()) {
        detail::sliced_product product(matrix, set);
        product.start(2, [&](std::size_t) { return state; });
        CAPTURE(columns, weight, name_of(set));
        for (const std::size_t v : {0U, 1U}) {
          REQUIRE(product.knows(0, v));
          detail::bit_range range;
          product.add_range(range, 0, v);
          detail::slice_sum sum(range.lowest, range.highest + 1);
          product.add_row(sum, 0, v);
          extended_sum got;
          CHECK(sum.add_to(got.finite));
          CHECK(same_sum(got, wanted));
          CHECK(same_number(hidden_number(sum.number()), detail::number_of(wanted)));
        }
      }
    }
}

TEST_CASE("cpu: numbers that slices do not reach", "[cpu][recurrent]") {
  const detail::sliced_matrix matrix(3, 2, [](std::size_t i, std::size_t j) {
    return i == 0 ? 1.0 : i == 1 ? (j == 0 ? 0x1p-149 : 1.0) : j == 0 ? static_cast<double>(infinity) : 0.0;
  });
  const auto knows = [&](std::size_t row, double first, double second = 1) {
    detail::sliced_product product(matrix, instruction_set::baseline);
    product.start(1,
                  [&](std::size_t) { return [&](std::size_t j) { return hidden_number(j == 0 ? first : second); }; });
    return product.knows(row, 0);
  };
  CHECK(knows(0, 1));
  CHECK_FALSE(knows(2, 1));  // an infinite weight
  CHECK_FALSE(knows(0, static_cast<double>(infinity)));
  CHECK_FALSE(knows(0, std::nan("")));
  // 2^-449 is below what sums have.
  CHECK(knows(1, 0x1p-299));
  CHECK_FALSE(knows(1, 0x1p-300));
  CHECK(knows(0, 0x1p-300));
  // Slices of 31 bits: 16 of them, and 17.
  CHECK(knows(0, 0x1p-300, 0x1p195));
  CHECK_FALSE(knows(0, 0x1p-300, 0x1p196));
}

TEST_CASE("cpu: recurrent layers that a double does not decide", "[cpu][recurrent]") {
  for (const std::uint32_t seed : {1U, 2U}) {
    check_layers(seed, [](auto&, auto&) {});
    check_layers(seed, [](auto& l, auto&) {
      if constexpr (std::remove_cvref_t<decltype(l)>::has_cells) {
        l.desc.use_clip_threshold = l.desc.couple_input_forget = true;
        l.desc.clip_threshold = 1.5F;
      } else {
        l.desc.linear_before_reset = true;
      }
    });
    // Infinities and NaN in some steps, which leave the states infinite or not.
    check_layers(seed, [](auto& l, auto& random) {
      using element = typename std::remove_cvref_t<decltype(l.in[0])>::value_type;
      for (int i = 0; i < 4; ++i) l.in[0][random() % l.in[0].size()] = element(i % 2 == 0 ? infinity : std::nanf(""));
    });
    // States that are tiny, and states that grow beyond 2^256.
    for (const float factor : {0x1p-120F, 0x1p40F})
      check_layers(seed, [&](auto& l, auto&) {
        using element = typename std::remove_cvref_t<decltype(l.in[0])>::value_type;
        const std::size_t functions = l.desc.activation_descs.size();
        l.desc.activation_descs = {};
        while (l.desc.activation_descs.size() < functions) l.desc.activation_descs.push_back(identity);
        for (const std::size_t operand : {0U, 2U})
          for (element& x : l.in[operand]) x = element(static_cast<float>(x) * factor);
      });
  }
}
