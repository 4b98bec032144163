// core/host_tensor.hpp: an owning tensor whose data type is known only at run time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <goldml/core/host_tensor.hpp>

#include "../catch.hpp"

namespace {

using namespace goldml;

bool all_are(const std::vector<std::byte>& bytes, std::byte value) {
  return std::all_of(bytes.begin(), bytes.end(), [&](std::byte b) { return b == value; });
}

}  // namespace

TEST_CASE("host_tensor: has as many bytes as the buffer, including padding", "[host_tensor]") {
  const host_tensor three({.data_type = data_type::uint8, .sizes = {3}});
  CHECK(three.bytes().size() == 4);
  CHECK(all_are(three.bytes(), std::byte{0}));
  const host_tensor filled({.data_type = data_type::float32, .sizes = {2, 3}, .strides = {5, 1}}, std::byte{0xA5});
  CHECK(filled.bytes().size() == 32);
  CHECK(all_are(filled.bytes(), std::byte{0xA5}));
  CHECK(host_tensor({.data_type = data_type::int8, .sizes = {3}, .total_tensor_size_in_bytes = 20}).bytes().size() ==
        20);
  CHECK(host_tensor().bytes().empty());
}

TEST_CASE("host_tensor: its ref knows the size of its memory", "[host_tensor]") {
  host_tensor t({.data_type = data_type::int16, .sizes = {2, 2}});
  t.ref().as<std::int16_t>()[{1, 0}] = 513;
  CHECK(t.bytes()[4] == std::byte{1});
  CHECK(t.bytes()[5] == std::byte{2});
  CHECK(t.ref().memory().size_in_bytes == 8);
  const host_tensor& same = t;
  CHECK(same.ref().as<std::int16_t>()[{1, 0}] == 513);
  CHECK(same.ref().desc() == t.desc());
  CHECK(reinterpret_cast<std::uintptr_t>(t.bytes().data()) % alignof(double) == 0);
}

TEST_CASE("host_tensor: a copy of another tensor keeps gaps and reads no bytes past its end", "[host_tensor]") {
  const std::vector<std::uint8_t> elsewhere{1, 2, 3, 4, 5};  // {2,2} strides {3,1}: 1 2 . 4 5
  const tensor_desc desc{.data_type = data_type::uint8, .sizes = {2, 2}, .strides = {3, 1}};
  const host_tensor copy(const_tensor_ref(desc, elsewhere.data(), elsewhere.size()));
  REQUIRE(copy.bytes().size() == 8);
  CHECK(copy.desc() == desc);
  const std::vector<std::byte> wanted{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                      std::byte{5}, std::byte{0}, std::byte{0}, std::byte{0}};
  CHECK(copy.bytes() == wanted);
  CHECK(copy == host_tensor(copy.ref()));
  CHECK(copy != host_tensor(desc));
}
