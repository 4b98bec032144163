// Which bytes of a buffer belong to an output's elements, to its padding and gaps, and to nobody.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/core/memory_watch.hpp>
#include <goldml/core/tensor_rules.hpp>

#include "../catch.hpp"

using namespace goldml;

namespace {

// A map of the buffer from `before` bytes before the tensor on: '.' an element's byte, 'g' padding or a gap, 'X'
// outside; found by changing each byte alone.
std::string map_of(const tensor_desc& desc, std::size_t before, std::size_t size) {
  std::string map;
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<std::byte> pattern(size);
    fill_with_pattern(pattern, 3);
    std::vector<std::byte> buffer = pattern;
    buffer[i] ^= std::byte{0xFF};
    const std::byte was = pattern[i];
    const std::byte is = buffer[i];
    const memory_changes changes = changes_around(desc, before, pattern, buffer);
    CHECK(changes.outside + changes.gaps <= 1);
    CHECK(changes.first_outside.has_value() == (changes.outside == 1));
    CHECK(changes.first_gap.has_value() == (changes.gaps == 1));
    for (const auto& first : {changes.first_outside, changes.first_gap})
      if (first) {
        CHECK(first->offset == static_cast<std::int64_t>(i) - static_cast<std::int64_t>(before));
        CHECK(first->before == was);
        CHECK(first->after == is);
      }
    map += changes.outside == 1 ? 'X' : changes.gaps == 1 ? 'g' : '.';
  }
  return map;
}

constexpr std::uint32_t huge = 4'000'000'000;

}  // namespace

TEST_CASE("bytes of elements, of padding and gaps, and outside, by hand") {
  // Two rows of two INT32, four apart: elements 0 1 4 5, so 24 bytes, of which 8 are a gap.
  const tensor_desc rows{.data_type = data_type::int32, .sizes = {2, 2}, .strides = {4, 1}};
  CHECK(map_of(rows, 4, 32) ==
        "XXXX"
        "........"
        "gggggggg"
        "........"
        "XXXX");
  CHECK(map_of(rows, 0, 24) ==
        "........"
        "gggggggg"
        "........");
  CHECK(map_of({.data_type = data_type::int32, .sizes = {2, 2}, .strides = {4, 1}, .total_tensor_size_in_bytes = 28}, 1,
               32) ==
        "X"
        "........"
        "gggggggg"
        "........"
        "gggg"
        "XXX");
  // One byte takes four, of which three are padding.
  CHECK(map_of({.data_type = data_type::uint8, .sizes = {1}}, 2, 8) ==
        "XX"
        ".ggg"
        "XX");
  // A TotalTensorSizeInBytes of 6 ends there, though the range bound for it has 8 bytes.
  CHECK(map_of({.data_type = data_type::uint8, .sizes = {3}, .total_tensor_size_in_bytes = 6}, 1, 9) ==
        "X"
        "...ggg"
        "XX");
  CHECK(map_of({.data_type = data_type::float16, .sizes = {3}}, 2, 12) ==
        "XX"
        "......gg"
        "XX");
  CHECK(map_of({.data_type = data_type::int8, .sizes = {2, 3}, .strides = {5, 1}}, 0, 8) == "...gg...");
  // Packed, permuted and doubled; zero-sized gaps are none.
  CHECK(map_of({.data_type = data_type::int16, .sizes = {2, 3}}, 1, 14) ==
        "X"
        "............"
        "X");
  CHECK(map_of({.data_type = data_type::int16, .sizes = {2, 3}, .strides = {3, 1}}, 1, 14) ==
        "X"
        "............"
        "X");
  CHECK(map_of({.data_type = data_type::int16, .sizes = {2, 3}, .strides = {1, 2}}, 1, 14) ==
        "X"
        "............"
        "X");
  CHECK(map_of({.data_type = data_type::int16, .sizes = {2, 3}, .strides = {2, 4}}, 0, 24) ==
        "..gg..gg..gg..gg..gg..gg");
  CHECK(map_of({.data_type = data_type::uint64, .sizes = {2}, .strides = {2}}, 0, 26) ==
        "........"
        "gggggggg"
        "........"
        "XX");
  // Interleaved: sizes {2,3}, strides {3,2} address 0 2 4 3 5 7, so 1 and 6 are gaps.
  CHECK(map_of({.data_type = data_type::uint8, .sizes = {2, 3}, .strides = {3, 2}}, 3, 12) ==
        "XXX"
        ".g....g."
        "X");
  // The stride of a dimension of size 1 addresses nothing, be it 0 or huge.
  for (const std::uint32_t stride : {std::uint32_t{0}, std::uint32_t{1}, std::uint32_t{7}, huge}) {
    CHECK(map_of({.data_type = data_type::uint16, .sizes = {2, 1}, .strides = {1, stride}}, 1, 6) ==
          "X"
          "...."
          "X");
    CHECK(map_of({.data_type = data_type::uint16, .sizes = {1, 2}, .strides = {stride, 1}}, 1, 6) ==
          "X"
          "...."
          "X");
    CHECK(map_of({.data_type = data_type::uint16, .sizes = {1, 1}, .strides = {stride, stride}}, 1, 6) ==
          "X"
          "..gg"
          "X");
    CHECK(map_of({.data_type = data_type::uint8, .sizes = {2, 1, 2}, .strides = {3, stride, 1}}, 0, 9) == "..g..gggX");
  }
  CHECK(map_of({.data_type = data_type::uint8, .sizes = {1, 1, 1, 1, 2, 1, 1, 2}, .strides = {0, 0, 0, 0, 4, 0, 0, 2}},
               0, 9) == ".g.g.g.gX");
}

TEST_CASE("a buffer that ends in the tensor is looked at to its end") {
  const tensor_desc rows{.data_type = data_type::int32, .sizes = {3, 1}, .strides = {2, 1}};
  CHECK(map_of(rows, 0, 18) == "....gggg....gggg..");
  CHECK(map_of(rows, 2, 4) == "XX..");
  CHECK(map_of(rows, 2, 2) == "XX");
}

TEST_CASE("the pattern has no zeros and no ones, and differs from place to place and from seed to seed") {
  std::set<std::byte> values;
  std::size_t repeated = 0;
  std::size_t same = 0;
  for (std::uint64_t place = 0; place < 4096; ++place) {
    const std::byte value = memory_pattern(1, place);
    values.insert(value);
    repeated += value == memory_pattern(1, place + 1) ? 1U : 0U;
    repeated += value == memory_pattern(1, place + 4) ? 1U : 0U;
    same += value == memory_pattern(2, place) ? 1U : 0U;
  }
  CHECK_FALSE(values.contains(std::byte{0}));
  CHECK_FALSE(values.contains(std::byte{0xFF}));
  CHECK(values.size() == 254);
  CHECK(repeated < 100);  // 32 of 8192 by chance
  CHECK(same < 60);       // 16 of 4096 by chance
}

TEST_CASE("changes are counted, and the first is kept with its place") {
  const tensor_desc rows{.data_type = data_type::int32, .sizes = {2, 1}, .strides = {2, 1}};  // 4 bytes, gap, 4 bytes
  std::vector<std::byte> before(20, std::byte{0xA7});
  std::vector<std::byte> after = before;
  for (const std::size_t i : {2U, 3U, 4U, 9U, 11U, 17U}) after[i] = std::byte{0};  // 4 is an element's
  const memory_changes changes = changes_around(rows, 4, before, after);
  CHECK(changes.outside == 3);
  CHECK(changes.gaps == 2);
  CHECK(changes_text(changes.outside, changes.first_outside) == "byte -2 is 0x00, was 0xA7; 3 bytes changed");
  CHECK(changes_text(changes.gaps, changes.first_gap) == "byte 5 is 0x00, was 0xA7; 2 bytes changed");
  CHECK(changes_text(1, changes.first_gap) == "byte 5 is 0x00, was 0xA7; 1 byte changed");
  CHECK(before[4] == std::byte{0});  // now as the device left it
}
