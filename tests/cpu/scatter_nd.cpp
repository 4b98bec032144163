// SCATTER_ND on `cpu` where its code has seams: slices of every length round vectors and cache lines, numbers of places
// and tuples round batches and tables, layouts of all four tensors, what each policy does with each kind of index, memory
// that ends where the tensors do.
#include <goldml/cpu/scatter_nd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <goldml/reference/scatter_nd.hpp>

#include "differential.hpp"
#include "moving.hpp"

namespace {

using namespace goldml;
using goldml_test::for_each_type;
using goldml_test::placed;
using goldml_test::placing;
using goldml_test::size_types;
using layouts::all_layouts;
using layouts::strides_of;

const goldml_test::cpu_variants& variants() {
  static const goldml_test::cpu_variants all;
  return all;
}

// The four tensors' sizes, and how they lie.
struct shapes {
  dimensions data;
  dimensions indices;
  std::uint32_t r;
  std::uint32_t q;
  placing of_input = {};
  placing of_indices = {};
  placing of_updates = {};
  placing of_output = {};

  scatter_nd_desc desc(range_policy range, duplicates rule) const {
    return {.input_dimension_count = r, .indices_dimension_count = q, .range_policy = range, .duplicates = rule};
  }
};

// All variants of `cpu` against `reference`, in place too: the bytes of the output's memory and of the inputs', and the
// refusal. Returns the refused rule.
template <class T, class Index>
std::string compare(const shapes& s, const std::vector<Index>& values, range_policy range, duplicates rule) {
  placed<T> input(s.data, s.of_input, 1);
  placed<Index> indices(s.indices, s.of_indices, 2);
  placed<T> updates(scatter_nd_shape(s.desc(range, rule), s.data, s.indices).updates_sizes(), s.of_updates, 3);
  placed<T> output(s.data, s.of_output, 4);
  const auto all_indices = coordinates_of(s.indices);
  std::size_t next = 0;
  for (const coordinate_tuple& c : all_indices) indices.view()[c] = values.at(next++);
  const auto output_before = output.bytes();
  const std::vector inputs_before{input.bytes(), indices.bytes(), updates.bytes()};

  std::string refused_rule;
  for (const bool in_place : {false, true}) {
    scatter_nd_desc desc = s.desc(range, rule);
    desc.in_place = in_place;
    const auto call = [&](const auto& backend) -> std::string {
      output.restore(output_before);
      try {
        scatter_nd(backend, in_place ? output.view() : input.view(), indices.view(), updates.view(), output.view(), desc);
      } catch (const error& e) {
        refused_rule = e.violation().rule;
        return e.what();
      }
      return "";
    };
    const std::string wanted_refusal = call(reference);
    const auto wanted = output.bytes();
    for (const auto& [name, backend] : variants().list()) {
      const std::string refusal = call(backend);
      const bool inputs_kept = std::vector{input.bytes(), indices.bytes(), updates.bytes()} == inputs_before;
      if (refusal == wanted_refusal && output.bytes() == wanted && inputs_kept) continue;
      INFO(name << (in_place ? ", in place" : "") << ": "
                << fmt::format("{} {} strides {}, indices {} strides {}, updates strides {}, output strides {}, range {}, "
                               "duplicates {}",
                               name_of(data_type_of<T>), s.data, s.of_input.strides, s.indices, s.of_indices.strides,
                               s.of_updates.strides, s.of_output.strides, enumerator_name(range),
                               enumerator_name(rule)));
      REQUIRE(refusal == wanted_refusal);
      REQUIRE(output.bytes() == wanted);
      REQUIRE(inputs_kept);
    }
  }
  return refused_rule;
}

// `count` numbers below `places`, none twice as long as there are enough.
template <class Index>
std::vector<Index> some_places(std::uint32_t places, std::uint32_t count) {
  // Steps that have no divisor in common with the number of places visit each of them.
  std::uint64_t step = places / 3 + 1;
  while (std::gcd(step, std::uint64_t{places}) != 1) ++step;
  std::vector<Index> result;
  for (std::uint64_t i = 0; i < count; ++i) result.push_back(static_cast<Index>((i * step + 1) % places));
  return result;
}

constexpr auto all_ranges = {range_policy::refuse, range_policy::clamp, range_policy::drop};
constexpr auto both_rules = {duplicates::refuse, duplicates::last_wins};

}  // namespace

TEST_CASE("cpu SCATTER_ND: a worked example") {
  const tensor<float> input({2, 3}, {1, 2, 3, 4, 5, 6});
  const tensor<std::int32_t> indices({1, 1}, {-1});
  const tensor<float> updates({1, 3}, {7, 8, 9});
  for (const auto& [name, backend] : variants().list()) {
    INFO(name);
    CHECK(scatter_nd(backend, input, indices, updates, {.input_dimension_count = 2, .indices_dimension_count = 2})
              .elements() == std::vector<float>{1, 2, 3, 7, 8, 9});
  }
}

TEST_CASE("cpu SCATTER_ND: slices of every length round vectors and cache lines, from any address") {
  for_each_type(size_types{}, [&]<class T>(std::type_identity<T>) {
    const auto line = static_cast<std::uint32_t>(64 / sizeof(T));
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t length = 1; length <= line + 2; ++length) lengths.push_back(length);
    for (const std::uint32_t lines : {2u, 3u, 8u})
      for (const std::uint32_t length : {lines * line - 1, lines * line, lines * line + 1}) lengths.push_back(length);
    for (const std::uint32_t length : lengths)
      for (std::size_t shift = 0; shift < 3; ++shift) {
        shapes s{{9, length}, {4, 1}, 2, 2, {{}, shift}, {}, {{}, 2 - shift}, {{}, 2 * shift}};
        CHECK(compare<T, std::uint32_t>(s, {3, 8, 0, 4}, range_policy::refuse, duplicates::refuse).empty());
        s.of_output.strides = {length + 1, 1};
        CHECK(compare<T, std::int64_t>(s, {-1, 1, 8, 1}, range_policy::refuse, duplicates::last_wins).empty());
      }
  });
}

TEST_CASE("cpu SCATTER_ND: single elements, round the sizes of batches, tables and blocks") {
  // Batches of 256 tuples; 512 numbers, or one bit for each of 32768 places, on the stack; blocks of 65536 elements.
  for (const std::uint32_t places : {1u, 63u, 64u, 65u, 1000u, 32'767u, 32'768u, 32'769u, 65'536u, 65'537u, 140'000u})
    for (const std::uint32_t count : {1u, 2u, 255u, 256u, 257u, 511u, 512u, 513u, 1025u, 9000u}) {
      const shapes s{{1, places}, {count, 1}, 1, 2};
      const std::vector<std::uint32_t> once = some_places<std::uint32_t>(places, count);
      const std::string refused = compare<float>(s, once, range_policy::refuse, duplicates::refuse);
      CHECK(refused == (count > places ? "S11" : ""));
      std::vector<std::int64_t> twice = some_places<std::int64_t>(places, count);
      for (std::size_t i = 0; i < twice.size(); i += 3) twice[i] = twice[i / 2];
      CHECK(compare<std::uint8_t>(s, twice, range_policy::refuse, duplicates::last_wins).empty());
    }
}

TEST_CASE("cpu SCATTER_ND: rows, round the sizes of batches and tables") {
  // The last tuple of each of 1024 places on the stack.
  for (const std::uint32_t places : {1u, 255u, 1023u, 1024u, 1025u, 3000u})
    for (const std::uint32_t count : {1u, 256u, 257u, 513u, 1100u}) {
      const shapes s{{places, 10}, {count, 1}, 2, 2};
      const auto rows = some_places<std::uint64_t>(places, count);
      CHECK(compare<float>(s, rows, range_policy::refuse, duplicates::last_wins).empty());
      CHECK(compare<float16>(s, rows, range_policy::refuse, duplicates::refuse) == (count > places ? "S11" : ""));
    }
}

TEST_CASE("cpu SCATTER_ND: any layout of the four tensors") {
  const std::vector<std::int32_t> pairs{-1, 0, 1, -1, 0, 2, -3, 1, 2, 2, 1, 0};
  for_each_type(size_types{}, [&]<class T>(std::type_identity<T>) {
    for (const auto of_input : all_layouts)
      for (const auto of_indices : all_layouts)
        for (const auto of_updates : all_layouts)
          for (const auto of_output : all_layouts) {
            // Pairs name slices of {4,5}; a 2x3 array of them.
            const dimensions data{3, 3, 4, 5};
            const dimensions indices{1, 2, 3, 2};
            const shapes s{data,
                           indices,
                           4,
                           3,
                           {strides_of(of_input, data)},
                           {strides_of(of_indices, indices), 1},
                           {strides_of(of_updates, {2, 3, 4, 5})},
                           {strides_of(of_output, data), 3}};
            CHECK(compare<T>(s, pairs, range_policy::refuse, duplicates::refuse).empty());
          }
  });
}

TEST_CASE("cpu SCATTER_ND: numbers of dimensions, and inputs broadcast by strides of 0") {
  using list = std::vector<std::uint32_t>;
  const auto last_wins = [](const shapes& s, const list& values) {
    return compare<std::uint16_t>(s, values, range_policy::refuse, duplicates::last_wins);
  };
  CHECK(last_wins({{6}, {1}, 1, 1}, {5}).empty());
  CHECK(last_wins({{2, 1, 2, 1, 2, 1, 2, 3}, {1, 1, 1, 1, 1, 1, 1, 8}, 8, 1}, {1, 0, 1, 0, 1, 0, 1, 2}).empty());
  CHECK(last_wins({{1, 1, 1, 1, 1, 2, 3, 40}, {1, 1, 1, 1, 2, 2, 1, 2}, 3, 4}, {1, 2, 0, 1, 1, 2, 0, 0}).empty());
  const shapes rows{{4, 20}, {3, 1}, 2, 2};
  shapes s = rows;
  s.of_input.strides = {0, 1};
  CHECK(last_wins(s, {2, 0, 3}).empty());
  s.of_input.strides = {1, 0};
  CHECK(last_wins(s, {2, 0, 3}).empty());
  s = rows;
  s.of_updates.strides = {0, 1};
  CHECK(last_wins(s, {2, 0, 3}).empty());
  s.of_updates.strides = {0, 0};
  CHECK(last_wins(s, {2, 0, 3}).empty());
  s = rows;
  s.of_indices.strides = {0, 7};
  CHECK(last_wins(s, {1, 1, 1}).empty());
  CHECK(compare<float>(s, list{1, 1, 1}, range_policy::refuse, duplicates::refuse) == "S11");
  // Both coordinates of a tuple are one element of memory.
  s = {{4, 4, 9}, {3, 2, 2}, 3, 3};
  s.of_indices.strides = {2, 1, 0};
  CHECK(last_wins(s, {3, 3, 1, 1, 2, 2, 0, 0, 1, 1, 3, 3}).empty());
}

TEST_CASE("cpu SCATTER_ND: each policy, with an odd tuple at each seam") {
  // Single elements of few and of many places, and rows: each way to look for duplicates, each way to write.
  for (const shapes& s : {shapes{{1, 700}, {600, 1}, 1, 2}, shapes{{1, 40'000}, {600, 1}, 1, 2},
                          shapes{{1, 40'000}, {300, 1}, 1, 2}, shapes{{700, 16}, {600, 1}, 2, 2},
                          shapes{{1500, 9}, {600, 1}, 2, 2}, shapes{{700, 16}, {600, 1}, 2, 2, {}, {}, {}, {{1, 700}}}}) {
    const std::uint32_t places = s.r == 1 ? s.data[1] : s.data[0];
    const std::uint32_t count = s.indices[0];
    const auto usual = some_places<std::int64_t>(places, count);
    for (const std::uint32_t at : {0u, 255u, 256u, count - 1})
      for (const std::int64_t odd : {std::int64_t{places}, -std::int64_t{places} - 1, std::int64_t{-1}, usual[count / 2]})
        for (const range_policy range : all_ranges)
          for (const duplicates rule : both_rules) {
            std::vector<std::int64_t> values = usual;
            values[at] = odd;
            const bool outside = odd >= places || odd < -std::int64_t{places};
            const std::string refused = compare<float>(s, values, range, rule);
            if (outside && range == range_policy::refuse) CHECK(refused == "S10");
            if (odd == usual[count / 2] && rule == duplicates::refuse) CHECK(refused == "S11");
            if ((!outside || range != range_policy::refuse) && rule == duplicates::last_wins) CHECK(refused.empty());
          }
  }
}

TEST_CASE("cpu SCATTER_ND: which of several violations is named") {
  // S10 over all tuples before S11; of each the lowest tuple.
  std::vector<std::int32_t> values = some_places<std::int32_t>(900, 800);
  const shapes s{{1, 900}, {800, 1}, 1, 2};
  values[10] = values[3];
  CHECK(compare<float>(s, values, range_policy::refuse, duplicates::refuse) == "S11");
  values[700] = 900;
  values[790] = -901;
  CHECK(compare<float>(s, values, range_policy::refuse, duplicates::refuse) == "S10");
  CHECK(compare<float>(s, values, range_policy::refuse, duplicates::last_wins) == "S10");
  CHECK(compare<float>(s, values, range_policy::drop, duplicates::refuse) == "S11");
  CHECK(compare<float>(s, values, range_policy::clamp, duplicates::refuse) == "S11");
}

TEST_CASE("cpu SCATTER_ND: the ends of each index type, on each axis") {
  const auto check = []<class Index>(std::type_identity<Index>) {
    const Index lowest = std::numeric_limits<Index>::min();
    const Index highest = std::numeric_limits<Index>::max();
    const auto minus = [](int v) { return static_cast<Index>(0 - v); };  // of an unsigned type: far above
    for (const Index v : {lowest, static_cast<Index>(lowest + 1), minus(6), minus(5), minus(4), minus(1), Index{0},
                          Index{3}, Index{4}, Index{5}, static_cast<Index>(highest / 2), highest})
      for (const range_policy range : all_ranges)
        for (const duplicates rule : both_rules) {
          // Pairs that point into {4,5}, at elements and at slices of 6: v is the first index of one, the last of another.
          const std::vector<Index> pairs{v, 1, 2, 2, 1, v};
          const std::string elements = compare<double>({{1, 4, 5}, {1, 3, 2}, 2, 2}, pairs, range, rule);
          CHECK(compare<double>({{4, 5, 6}, {1, 3, 2}, 3, 2}, pairs, range, rule) == elements);
        }
  };
  for_each_type(ix_types{}, check);
}

TEST_CASE("cpu SCATTER_ND: more single elements than are sorted at a time") {
  // 28 MiB of records, 10 bytes each: two rounds. `reference` would take long; what is wanted is plain.
  const std::uint32_t places = 200'000;
  const std::uint32_t count = 3'000'000;
  const tensor<double> input({1, places}, layouts::different_elements<double>(places, 1));
  const tensor<double> updates({1, count}, layouts::different_elements<double>(count, 2));
  const tensor<std::uint32_t> indices({count, 1u}, some_places<std::uint32_t>(places, count));
  std::vector<double> wanted = input.elements();
  for (std::uint32_t i = 0; i < count; ++i) wanted[indices.elements()[i]] = updates.elements()[i];
  wanted[7] = input.elements()[7];
  tensor<std::uint32_t> outside = indices;
  std::uint32_t first_outside = count;
  for (std::uint32_t i = count; i-- > 0;)
    if (outside[{i, 0u}] == 7) outside[{i, 0u}] = places + 7, first_outside = i;
  REQUIRE(first_outside < count);
  scatter_nd_desc desc{.input_dimension_count = 1, .indices_dimension_count = 2, .duplicates = duplicates::last_wins};
  for (const auto& [name, backend] : variants().list()) {
    if (backend.tuning().streaming_from_bytes != 0) continue;
    INFO(name);
    desc.range_policy = range_policy::drop;
    CHECK(layouts::bits(scatter_nd(backend, input, outside, updates, desc).elements()) == layouts::bits(wanted));
    desc.range_policy = range_policy::refuse;
    CHECK(refusal_of([&, &on = backend] { (void)scatter_nd(on, input, outside, updates, desc); }) == "S10");
  }
}

TEST_CASE("cpu SCATTER_ND: nothing beyond the tensors is touched") {
  for_each_type(size_types{}, [&]<class T>(std::type_identity<T>) {
    for (const std::uint32_t length : {1u, 3u, 16u, 17u, 40u})
      for (const bool at_end : {false, true}) {
        const std::uint32_t places = 37;
        const scatter_nd_desc desc{.input_dimension_count = 2, .indices_dimension_count = 2};
        goldml_test::guarded<T> input({places, length}, at_end, layouts::different_elements<T>(places * length, 1));
        goldml_test::guarded<std::uint32_t> indices({5, 1}, at_end, {36, 0, 35, 1, 17});
        goldml_test::guarded<T> updates({5, length}, at_end, layouts::different_elements<T>(5 * length, 2));
        goldml_test::guarded<T> wanted({places, length}, at_end, std::vector<T>(places * length));
        scatter_nd(reference, input.view(), indices.view(), updates.view(), wanted.view(), desc);
        for (const auto& [name, backend] : variants().list()) {
          goldml_test::guarded<T> output({places, length}, at_end, std::vector<T>(places * length));
          scatter_nd(backend, input.view(), indices.view(), updates.view(), output.view(), desc);
          INFO(name);
          REQUIRE(layouts::bits(output.elements()) == layouts::bits(wanted.elements()));
        }
      }
  });
}
