// RANDOM_GENERATOR and the public functions of philox.hpp: known answers, states, wrong kernels and test data.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <goldml/operators/random_generator.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/samplers/random_generator.hpp>
#include <goldml/reference/random_generator.hpp>

#include "../support/refusals.hpp"
#include "layouts.hpp"

namespace {

using namespace goldml;
using random_words = std::vector<std::uint32_t>;
constexpr std::uint32_t all_ones = 0xFFFF'FFFF;

// The output of `count` words, and the next state.
std::array<random_words, 2> words_drawn(const random_words& state, std::uint32_t count) {
  tensor<std::uint32_t> output({count}), next({6});
  random_generator(reference, tensor_view{state, {6}}, output, next);
  return {output.elements(), next.elements()};
}

}  // namespace

TEST_CASE("RANDOM_GENERATOR: Random123's known answers", "[random_generator]") {
  CHECK(words_drawn({0, 0, 0, 0, 0, 0}, 4)[0] == random_words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8});
  CHECK(words_drawn({all_ones, all_ones, all_ones, all_ones, all_ones, all_ones}, 4)[0] ==
        random_words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD});
  CHECK(words_drawn({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0}, 4)[0] ==
        random_words{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1});
  static_assert(philox_4x32_10({}) == std::array<std::uint32_t, 4>{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8});
}

TEST_CASE("RANDOM_GENERATOR PH-R1: the counter carries and wraps, the last block is cut", "[random_generator]") {
  struct row {
    random_words state, output, next;
  };
  const std::vector<row> rows{{{0, 0, 0, 0, 0, 0},
                               {0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8, 0xF8E4CCA4, 0x5CB200DB},
                               {2, 0, 0, 0, 0, 0}},
                              {{all_ones, 0, 0, 0, 1, 2},
                               {0x692858E1, 0xF906BBE0, 0xFC4D241F, 0x46BA3CD1, 0x40DC5355, 0x4962507B},
                               {1, 1, 0, 0, 1, 2}},
                              {{all_ones, all_ones, 7, 0, 1, 2},
                               {0xE2929704, 0xEFE0C3AA, 0x1583AD86, 0x160E62E1, 0x1AE95E95},
                               {1, 0, 8, 0, 1, 2}},
                              {{all_ones, all_ones, all_ones, all_ones, 0, 0},
                               {0x3F9D0C45, 0x26F733A8, 0x4F9F3099, 0x22D2ED02, 0x6627E8D5},
                               {1, 0, 0, 0, 0, 0}},
                              {{0, 0, 0, 0, 42, 0},
                               {0x9CEAF053, 0x77F5493B, 0x12BF50AD, 0x5742B3D7, 0xFCDB2127, 0x53BA6CFD, 0x838F5A6E,
                                0x744E06FB, 0xD36C0225, 0xA8875DCB},
                               {3, 0, 0, 0, 42, 0}}};
  for (const row& each : rows) {
    const auto [output, next] = words_drawn(each.state, static_cast<std::uint32_t>(each.output.size()));
    CHECK(output == each.output);
    CHECK(next == each.next);
  }
  // The next state goes on where whole blocks end: 8 words are 4 and 4.
  const auto [all, end] = words_drawn(rows[1].state, 8);
  const auto [first, middle] = words_drawn(rows[1].state, 4);
  const auto [second, same_end] = words_drawn(middle, 4);
  CHECK(random_words(all.begin() + 4, all.end()) == second);
  CHECK(random_words(all.begin(), all.begin() + 4) == first);
  CHECK(same_end == end);
}

TEST_CASE("RANDOM_GENERATOR: row-major order in all layouts; the next state may be omitted", "[random_generator]") {
  const dimensions sizes{2, 3, 3}, state_sizes{1, 1, 6};
  const random_words state{all_ones, 0, 0, 0, 1, 2};
  const auto [wanted, next] = words_drawn(state, 18);
  for (const auto each : layouts::all_layouts) {
    const dimensions strides = layouts::strides_of(each, sizes), of_state = layouts::strides_of(each, state_sizes);
    layouts::laid_out<std::uint32_t> x(state_sizes, of_state, state), y(sizes, strides, random_words(18, 7)),
        z(sizes, strides, random_words(18, 7)), end(state_sizes, of_state, random_words(6, 7));
    random_generator(reference, x.view(), y.view(), end.view());
    random_generator(reference, const_tensor_ref(x.view()), tensor_ref(z.view()), tensor_ref());
    CHECK(y.elements() == wanted);
    CHECK(z.elements() == wanted);
    CHECK(end.elements() == next);
    CHECK((y.gaps_untouched() && end.gaps_untouched()));
    random_generator(reference, x.view(), z.view());
    CHECK(z.elements() == wanted);
  }
  // Six words that are one in memory.
  const random_words one{5};
  tensor<std::uint32_t> y({4});
  random_generator(reference, tensor_view{one, {1, 6}, {0, 0}}, y);
  CHECK(y.elements() == words_drawn({5, 5, 5, 5, 5, 5}, 4)[0]);
}

TEST_CASE("RANDOM_GENERATOR: states may not share memory", "[random_generator]") {
  random_words state(6, 1), output(4, 9);
  const auto call = [&] {
    random_generator(reference, tensor_view{state, {6}}, tensor_view{output, {4}}, tensor_view{state, {6}});
  };
  CHECK(refusal_of(call) == "T12");
  CHECK(state == random_words(6, 1));
  CHECK(output == random_words(4, 9));
}

TEST_CASE("RANDOM_GENERATOR: wrong kernels are noticed", "[random_generator]") {
  // A block by other rules: of rounds, of keys before the first round, of products that do not cross.
  const auto block_of = [](int rounds, bool bumped, bool straight) {
    return [=](const philox_state& at) {
      std::array<std::uint32_t, 4> c = at.counter;
      auto [k0, k1] = at.key;
      for (int round = 0; round < rounds; ++round) {
        if (round > 0 || bumped) detail::next_philox_key(k0, k1);
        std::uint64_t p = std::uint64_t{0xD2511F53} * c[0], q = std::uint64_t{0xCD9E8D57} * c[2];
        if (straight) std::swap(p, q);
        c = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(q),
             static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p)};
      }
      return c;
    };
  };
  CHECK(block_of(7, false, false)({})[0] == 0x5F6FB709);
  CHECK(block_of(10, true, false)({})[0] == 0x5805DFA6);
  CHECK(block_of(10, false, true)({})[0] == 0xF72CDB4D);
  CHECK(block_of(10, false, false)({})[0] == 0x6627E8D5);
  CHECK(block_of(1, false, false)({{1, 0, 0, 0}, {0, 0}}) == std::array<std::uint32_t, 4>{0, 0, 0, 0xD2511F53});
  // Counters that lose a carry.
  const auto without_carry_from = [](std::size_t word) {
    return [=](const philox_state& state, std::uint64_t number) {
      const philox_state right = advanced(state, number / 4);
      philox_state wrong = right;
      for (std::size_t i = word + 1; i < 4; ++i) wrong.counter[i] = state.counter[i];
      return philox_4x32_10(wrong)[number % 4];
    };
  };
  using word_of = std::function<std::uint32_t(const philox_state&, std::uint64_t)>;
  struct tried_kernel {
    std::string name;
    word_of word;
    int least;  // of 100 cases, in which it errs
    bool counts_cut_block = true;
  };
  const auto right = [](const philox_state& state, std::uint64_t number) {
    return philox_4x32_10(advanced(state, number / 4))[number % 4];
  };
  const std::vector<tried_kernel> kernels{
      {"right", right, 0},
      {"7 rounds",
       [&](const philox_state& s, std::uint64_t n) { return block_of(7, false, false)(advanced(s, n / 4))[n % 4]; },
       100},
      {"the key bumped first",
       [&](const philox_state& s, std::uint64_t n) { return block_of(10, true, false)(advanced(s, n / 4))[n % 4]; },
       100},
      {"the products do not cross",
       [&](const philox_state& s, std::uint64_t n) { return block_of(10, false, true)(advanced(s, n / 4))[n % 4]; },
       100},
      {"no carry from word 0", without_carry_from(0), 5},
      {"no carry from word 1", without_carry_from(1), 5},
      {"no carry from word 2", without_carry_from(2), 5},
      {"a block for each word",
       [](const philox_state& s, std::uint64_t n) { return philox_4x32_10(advanced(s, n))[0]; }, 60},
      {"the counter not counted", [](const philox_state& s, std::uint64_t n) { return philox_4x32_10(s)[n % 4]; }, 60},
      {"the words of a block in the other order",
       [&](const philox_state& s, std::uint64_t n) { return right(s, n ^ 3); }, 95},
      {"the cut block not counted", right, 20, false}};
  std::vector<int> found(kernels.size());
  for (std::uint64_t number = 0; number < 100; ++number) {
    const auto c = oracle::make_case(oracle::sample_case<random_generator_desc>({}, number));
    const philox_state state = detail::read_state(c.input_refs()[0].as<std::uint32_t>());
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      std::vector<host_tensor> got;
      std::vector<const_tensor_ref> refs;
      for (const tensor_desc& desc : c.outputs)
        got.emplace_back(desc.sizes.empty() ? host_tensor() : host_tensor(desc));
      std::uint64_t n = 0;
      const auto output = got[0].ref().as<std::uint32_t>();
      for (const coordinate_tuple& at : coordinates_of(output.sizes())) output[at] = kernels[k].word(state, n++);
      const std::uint64_t blocks = kernels[k].counts_cut_block ? philox_blocks(n) : n / 4;
      if (!got[1].omitted()) detail::write_state(got[1].ref().as<std::uint32_t>(), advanced(state, blocks));
      for (const host_tensor& each : got) refs.push_back(each.omitted() ? const_tensor_ref() : each.ref());
      found[k] += oracle::compare(c.expected, refs).outcome() == oracle::outcome::differs ? 1 : 0;
    }
  }
  CHECK(found[0] == 0);
  for (std::size_t k = 1; k < kernels.size(); ++k) {
    INFO(kernels[k].name << ": " << found[k] << " of 100 cases");
    CHECK(found[k] >= kernels[k].least);
  }
}

TEST_CASE("39.4: fill_random draws the words of RANDOM_GENERATOR, and goes on", "[random_generator]") {
  random_words all(11), parts(11);
  CHECK(fill_random(all, 42) == philox_state{{3, 0, 0, 0}, {42, 0}});
  CHECK(all == words_drawn({0, 0, 0, 0, 42, 0}, 11)[0]);
  const philox_state middle = fill_random(std::span(parts).first(8), 42);
  CHECK(fill_random(std::span(parts).subspan(8), middle) == philox_state{{3, 0, 0, 0}, {42, 0}});
  CHECK(parts == all);
  CHECK(philox_state(0x1234'5678'9ABC'DEF0) == philox_state{{}, {0x9ABCDEF0, 0x12345678}});
  random_words none;
  CHECK(fill_random(none, 1) == philox_state(1));
}

TEST_CASE("39.4: fill_random of floats gives TensorFlow's stateless_uniform of seed [1, 2]", "[random_generator]") {
  // TensorFlow makes key and counter of a seed by a block with a key of its own.
  const auto mixed = philox_4x32_10({{1, 0, 2, 0}, {0x3EC8F720, 0x02461E29}});
  std::array<float, 4> floats{};
  fill_random(floats, {{0, 0, mixed[2], mixed[3]}, {mixed[0], mixed[1]}});
  CHECK(floats == std::array{0.8440604F, 0.19204533F, 0.9962232F, 0.1603874F});
  CHECK(unit_float(0) == 0);
  CHECK(unit_float(0xFFFF'FFFF) == 1 - 0x1p-23F);
  CHECK(unit_float(0xFF80'0001) == 0x1p-23F);
}
