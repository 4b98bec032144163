// Shared by tests of io/npy.hpp: files given byte by byte, and functions that read, refuse and write them.
// Expected values are derived from NumPy's page numpy.lib.format and from the encodings of the numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include <goldml/io/npy.hpp>

#include "../catch.hpp"

namespace npy_test {

using namespace goldml;
using namespace std::string_literals;
using namespace std::string_view_literals;
using io::npy_array;
using shape = std::vector<std::uint64_t>;
using byte_list = std::vector<std::byte>;

inline constexpr std::uint64_t unlimited = UINT64_MAX;

inline byte_list bytes_of(std::string_view text) {
  byte_list bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

// A file without padding: magic, version, length of the header, header, data.
inline std::string npy_file(std::string_view header, std::string_view data, int version = 1) {
  std::string file = "\x93NUMPY"s + static_cast<char>(version) + '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2U : 4U); ++i) file += static_cast<char>(header.size() >> 8 * i & 0xff);
  return file.append(header).append(data);
}

inline std::string header_of(std::string_view descr, std::string_view sizes, bool fortran_order = false) {
  return "{'descr': '"s.append(descr).append("', 'fortran_order': ").append(fortran_order ? "True" : "False") +
         ", 'shape': " + std::string(sizes) + ", }\n";
}

inline npy_array parse(std::string_view file) { return io::parse_npy(bytes_of(file)); }

template <class T>
std::vector<T> values_of(const npy_array& array) {
  REQUIRE(array.type == data_type_of<T>);
  REQUIRE(array.bytes.size() % sizeof(T) == 0);
  std::vector<T> values(array.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

template <class T>
byte_list bytes_of_values(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// The text of the error, or "".
template <class Call>
std::string text_of(Call&& call) {
  try {
    call();
  } catch (const error& refusal) {
    return refusal.what();
  }
  return "";
}

inline void check_refused(const std::string& file, std::string_view beginning) {
  const std::string text = text_of([&] { parse(file); });
  INFO(text);
  CHECK(text.substr(0, beginning.size()) == beginning);
}

// One file as '<' and '>'; `bytes` are little-endian elements of T.
template <class T>
void check_type(const std::string& code, std::string bytes, const std::vector<T>& expected) {
  const std::string sizes = fmt::format("({},)", expected.size());
  INFO(code);
  CHECK(values_of<T>(parse(npy_file(header_of(std::string("<").append(code), sizes), bytes))) == expected);
  if (sizeof(T) == 1)
    CHECK(values_of<T>(parse(npy_file(header_of(std::string("|").append(code), sizes), bytes))) == expected);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(T))
    std::reverse(bytes.data() + i, bytes.data() + i + sizeof(T));
  CHECK(values_of<T>(parse(npy_file(header_of(std::string(">").append(code), sizes), bytes))) == expected);
}

class temporary_folder {
 public:
  temporary_folder() : path_(std::filesystem::temp_directory_path() / name()) {
    std::filesystem::create_directory(path_);
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::filesystem::path operator/(std::string_view file) const { return path_ / file; }
  const std::filesystem::path& path() const { return path_; }

 private:
  static std::string name() {
    std::random_device device;
    return "goldml_npy_" + std::to_string(device()) + "_" + std::to_string(device());
  }

  std::filesystem::path path_;
};

template <class T>
void check_round_trip(const std::vector<T>& values) {
  const npy_array array{data_type_of<T>, {1, values.size()}, bytes_of_values(values)};
  INFO(name_of(array.type));
  CHECK(io::parse_npy(io::format_npy(array.type, array.shape, array.bytes)) == array);
  const temporary_folder folder;
  io::write_npy(folder / "a.npy", array.type, array.shape, array.bytes);
  CHECK(io::read_npy(folder / "a.npy", array.bytes.size()) == array);
}

template <class T>
void check_round_trip_of_extremes() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>)
    check_round_trip<T>({(limits::min)(), (limits::max)(), 0, 1, static_cast<T>(0x12)});
  else
    check_round_trip<T>({limits::lowest(), (limits::max)(), (limits::min)(), limits::denorm_min(), limits::infinity(),
                         -limits::infinity(), limits::quiet_NaN(), T(0.0F), T(-0.0F)});
}

// 2 x 3 INT16 with the values 1 .. 6, exactly as NumPy writes it: 128 bytes up to the data.
inline std::string whole_file() {
  return "\x93NUMPY\x01\x00\x76\x00{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"s +
         std::string(58, ' ') + "\n\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00"s;
}

}  // namespace npy_test
