// SCATTER_ND on `cpu` at the boundaries of its algorithms: slice lengths near vectors and cache lines, numbers of
// places and tuples near the sizes of batches and tables, layouts of all tensors, tensors that end at the end of their
// memory. Policies and indices: scatter_nd_policies.cpp.
#include "scatter_nd.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/long_run.hpp"

namespace {

using namespace goldml;
using goldml_test::compare;
using goldml_test::for_each_type;
using goldml_test::shapes;
using goldml_test::size_types;
using goldml_test::some_places;
using goldml_test::variants;
using layouts::all_layouts;
using layouts::strides_of;

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

TEST_CASE("cpu SCATTER_ND: slices of all lengths near vectors and cache lines, at any address") {
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

TEST_CASE("cpu SCATTER_ND: single elements, near the sizes of batches, tables and blocks") {
  // Batches of 256 tuples; on the stack, 512 numbers or one bit for each of 32768 places; blocks of 65536 elements.
  goldml_test::thinned cases(3);
  for (const std::uint32_t places : {1u, 63u, 64u, 65u, 1000u, 32'767u, 32'768u, 32'769u, 65'536u, 65'537u, 140'000u})
    for (const std::uint32_t count : {1u, 2u, 255u, 256u, 257u, 511u, 512u, 513u, 1025u, 9000u}) {
      if (cases.skips()) continue;
      const shapes s{{1, places}, {count, 1}, 1, 2};
      const std::vector<std::uint32_t> once = some_places<std::uint32_t>(places, count);
      const std::string refused = compare<float>(s, once, range_policy::refuse, duplicates::refuse);
      CHECK(refused == (count > places ? "S11" : ""));
      std::vector<std::int64_t> twice = some_places<std::int64_t>(places, count);
      for (std::size_t i = 0; i < twice.size(); i += 3) twice[i] = twice[i / 2];
      CHECK(compare<std::uint8_t>(s, twice, range_policy::refuse, duplicates::last_wins).empty());
    }
}

TEST_CASE("cpu SCATTER_ND: rows, near the sizes of batches and tables") {
  // The table of last tuples has 1024 places on the stack.
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
            // A 2x3 array of pairs that point to slices of {4,5}.
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
  // Both indices of a tuple are the same element of memory.
  s = {{4, 4, 9}, {3, 2, 2}, 3, 3};
  s.of_indices.strides = {2, 1, 0};
  CHECK(last_wins(s, {3, 3, 1, 1, 2, 2, 0, 0, 1, 1, 3, 3}).empty());
}

TEST_CASE("cpu SCATTER_ND: more single elements than are sorted at a time") {
  // 28 MiB of records, 10 bytes each: two rounds. The second does not write the lower half of the places.
  // Compared with values computed here, because `reference` would take too long.
  const std::uint32_t places = 200'000;
  const std::uint32_t count = 3'000'000;
  std::vector<std::uint32_t> named = some_places<std::uint32_t>(places / 2, count);
  for (std::uint32_t i = count / 2; i < count; ++i) named[i] += places / 2;
  const tensor<double> input({1, places}, layouts::different_elements<double>(places, 1));
  const tensor<double> updates({1, count}, layouts::different_elements<double>(count, 2));
  const tensor<std::uint32_t> indices({count, 1u}, named);
  std::vector<double> wanted = input.elements();
  for (std::uint32_t i = 0; i < count; ++i) wanted[named[i]] = updates.elements()[i];
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
    CHECK((layouts::bits(scatter_nd(backend, input, outside, updates, desc).elements()) == layouts::bits(wanted)));
    desc.range_policy = range_policy::refuse;
    CHECK(refusal_of([&, &on = backend] { (void)scatter_nd(on, input, outside, updates, desc); }) == "S10");
  }
}

TEST_CASE("cpu SCATTER_ND: no memory outside the tensors is accessed") {
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
          REQUIRE((layouts::bits(output.elements()) == layouts::bits(wanted.elements())));
        }
      }
  });
}
