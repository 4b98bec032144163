// io/npy.hpp: files spelled out byte by byte, round trips, and what is refused. Expected values follow from NumPy's
// page numpy.lib.format and from the encodings of the numbers.
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

namespace {

using namespace goldml;
using namespace std::string_literals;
using namespace std::string_view_literals;
using io::npy_array;
using shape = std::vector<std::uint64_t>;
using byte_list = std::vector<std::byte>;

constexpr std::uint64_t unlimited = UINT64_MAX;

byte_list bytes_of(std::string_view text) {
  byte_list bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

// A file without padding: magic, version, length of the header, header, data.
std::string npy_file(std::string_view header, std::string_view data, int version = 1) {
  std::string file = "\x93NUMPY"s + static_cast<char>(version) + '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2U : 4U); ++i) file += static_cast<char>(header.size() >> 8 * i & 0xff);
  return file.append(header).append(data);
}

std::string header_of(std::string_view descr, std::string_view sizes, bool fortran_order = false) {
  return "{'descr': '"s.append(descr).append("', 'fortran_order': ").append(fortran_order ? "True" : "False") +
         ", 'shape': " + std::string(sizes) + ", }\n";
}

npy_array parse(std::string_view file) { return io::parse_npy(bytes_of(file)); }

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

// The refusal's whole text; "" when there is none.
template <class Call>
std::string text_of(Call&& call) {
  try {
    call();
  } catch (const error& refusal) {
    return refusal.what();
  }
  return "";
}

void check_refused(const std::string& file, std::string_view beginning) {
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
std::string whole_file() {
  return "\x93NUMPY\x01\x00\x76\x00{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"s +
         std::string(58, ' ') + "\n\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00"s;
}

}  // namespace

TEST_CASE("npy: a whole file is read and written byte for byte as by NumPy") {
  const std::string file = whole_file();
  REQUIRE(file.size() == 128 + 12);
  const npy_array array = parse(file);
  CHECK(array.shape == shape{2, 3});
  CHECK(values_of<std::int16_t>(array) == std::vector<std::int16_t>{1, 2, 3, 4, 5, 6});
  CHECK(io::format_npy(array.type, array.shape, array.bytes) == bytes_of(file));
}

TEST_CASE("npy: versions 1.0, 2.0 and 3.0 are read") {
  for (const int version : {1, 2, 3})
    CHECK(parse(npy_file(header_of("|u1", "(2,)"), "\x07\xff", version)) ==
          npy_array{data_type::uint8, {2}, bytes_of("\x07\xff")});
  // A header that only version 2.0's length can tell: 70,000 bytes, most of them padding.
  std::string header = header_of("|u1", "(2,)");
  header.resize(70000, ' ');
  CHECK(parse(npy_file(header, "\x07\xff", 2)).bytes == bytes_of("\x07\xff"));
}

TEST_CASE("npy: every type is read in both byte orders") {
  check_type<float>("f4", "\x00\x00\x80\x3f\x00\x00\x20\xc0"s, {1.0F, -2.5F});
  check_type<float16>("f2", "\x00\x3c\x00\xc1\xff\x7b"s, {float16(1.0F), float16(-2.5F), float16(65504.0F)});
  check_type<double>("f8", "\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x04\xc0"s, {1.0, -2.5});
  check_type<std::uint8_t>("u1", "\x01\xfe"s, {1, 254});
  check_type<std::uint16_t>("u2", "\x02\x01\xfe\xff"s, {258, 65534});
  check_type<std::uint32_t>("u4", "\x04\x03\x02\x01\xfe\xff\xff\xff"s, {16909060U, 4294967294U});
  check_type<std::uint64_t>("u8", "\x08\x07\x06\x05\x04\x03\x02\x01\xfe\xff\xff\xff\xff\xff\xff\xff"s,
                            {72623859790382856U, 18446744073709551614U});
  check_type<std::int8_t>("i1", "\x01\xfe"s, {1, -2});
  check_type<std::int16_t>("i2", "\x02\x01\xfe\xff"s, {258, -2});
  check_type<std::int32_t>("i4", "\x04\x03\x02\x01\xfe\xff\xff\xff"s, {16909060, -2});
  check_type<std::int64_t>("i8", "\x08\x07\x06\x05\x04\x03\x02\x01\xfe\xff\xff\xff\xff\xff\xff\xff"s,
                           {72623859790382856, -2});
}

TEST_CASE("npy: bool is read as UINT8 with the values 0 and 1") {
  check_type<std::uint8_t>("b1", "\x00\x01\x01"s, {0, 1, 1});
  check_refused(npy_file(header_of("|b1", "(3,)"), "\x00\x01\x02"sv), "npy M20: data is 2 at byte 70, wanted 0 or 1");
}

TEST_CASE("npy: Fortran order becomes C order") {
  // First index fastest: (0,0) (1,0) (0,1) (1,1) (0,2) (1,2).
  CHECK(parse(npy_file(header_of("|u1", "(2, 3)", true), "abcdef")) ==
        npy_array{data_type::uint8, {2, 3}, bytes_of("acebdf")});
  CHECK(values_of<std::int16_t>(
            parse(npy_file(header_of(">i2", "(2, 3)", true), "\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\xff\xfa"sv))) ==
        std::vector<std::int16_t>{1, 3, 5, 2, 4, -6});
  // (i,j,k) lies at i + 2j + 4k.
  CHECK(parse(npy_file(header_of("|u1", "(2, 2, 2)", true), "01234567")).bytes == bytes_of("04261537"));
  CHECK(parse(npy_file(header_of("|u1", "(1, 3, 1)", true), "abc")).bytes == bytes_of("abc"));
  CHECK(parse(npy_file(header_of("|u1", "(3,)", true), "abc")).bytes == bytes_of("abc"));
  CHECK(parse(npy_file(header_of("|u1", "()", true), "a")).bytes == bytes_of("a"));
  CHECK(parse(npy_file(header_of("<f4", "(2, 0, 3)", true), "")).bytes.empty());
}

TEST_CASE("npy: no dimensions are one element, a size of 0 is none") {
  CHECK(parse(npy_file(header_of("<u2", "()"), "\x05\x00"sv)).shape.empty());
  CHECK(values_of<std::uint16_t>(parse(npy_file(header_of("<u2", "()"), "\x05\x00"sv))) ==
        std::vector<std::uint16_t>{5});
  CHECK(parse(npy_file(header_of("<u2", "(0,)"), "")).shape == shape{0});
  CHECK(parse(npy_file(header_of("<u2", "(3, 0, 2)"), "")).shape == shape{3, 0, 2});
  // No element, so no overflow, wherever the 0 stands.
  const std::string large = "18446744073709551615";
  CHECK(parse(npy_file(header_of("<u2", "(" + large + ", 2, 0)"), "")).shape == shape{UINT64_MAX, 2, 0});
  CHECK(parse(npy_file(header_of("<u2", "(0, 2, " + large + ")"), "")).shape == shape{0, 2, UINT64_MAX});
}

TEST_CASE("npy: headers as other writers spell them") {
  const npy_array expected{data_type::uint8, {2, 1}, bytes_of("ab")};
  for (const std::string header :
       {R"({"shape":(2,1),"fortran_order":False,"descr":"|u1"})", "{'descr':'|u1','fortran_order':False,'shape':(2,1)}",
        "\t{ 'fortran_order' :\nFalse , 'descr' : \"<u1\" , 'shape' : ( 2 , 1 , ) , } \r\n",
        "{'descr': '>u1', 'fortran_order': False, 'shape': (2L, 1L), }",
        "{'shape':(2,1,),'fortran_order':False,\r'descr':'|u1'}"})
    CHECK(parse(npy_file(header, "ab")) == expected);
}

TEST_CASE("npy M20: malformed headers") {
  struct malformed {
    std::string header;
    std::string_view text;  // after "npy M20: header is "
  };
  const std::string most = "{'descr': '<f4', 'fortran_order': False, ";  // the next byte is byte 51
  const std::string nothing_at_10 = "at its end at byte 10, wanted '{'";
  std::string sizes = "(1";
  for (int i = 0; i < 64; ++i) sizes += ",1";
  const std::vector<malformed> cases{
      {"", nothing_at_10},
      {" ", "at its end at byte 11, wanted '{'"},
      {"[]", "\"[]\" at byte 10, wanted '{'"},
      {"\x1b[2J\x80", R"("\x1b[2J\x80" at byte 10, wanted '{')"},
      {"{", "at its end at byte 11, wanted a key in quotes"},
      {"{}", "without the key descr, wanted all of descr, fortran_order, shape"},
      {"{,}", "\",}\" at byte 11, wanted a key in quotes"},
      {"{descr: '<f4'}", "\"descr: '<f4'}\" at byte 11, wanted a key in quotes"},
      {"{'descr", "\"'descr\" at byte 11, wanted a closing quote"},
      {"{'descr\"", "\"'descr\"\" at byte 11, wanted a closing quote"},
      {"{'descr'}", "\"}\" at byte 18, wanted ':'"},
      {"{'descr': ", "at its end at byte 20, wanted a type in quotes"},
      {"{'descr': 4}", "\"4}\" at byte 20, wanted a type in quotes"},
      {"{'descr': '<f4}", "\"'<f4}\" at byte 20, wanted a closing quote"},
      {"{'descr': '<f4' 'fortran_order'", "\"'fortran_order'\" at byte 26, wanted ',' or '}'"},
      {"{'descr': '<f4',, }", "\", }\" at byte 26, wanted a key in quotes"},
      {"{'Descr': '<f4'}", "key 'Descr' at byte 11, wanted each of descr, fortran_order, shape once"},
      {"{'': '<f4'}", "key '' at byte 11, wanted each of"},
      {"{'descr': '<f4', 'descr': '<f4'}", "key 'descr' at byte 27, wanted each of"},
      {"{'shape': (1,), 'fortran_order': False}", "without the key descr, wanted all of"},
      {"{'descr': '<f4', 'shape': (1,)}", "without the key fortran_order, wanted all of"},
      {most + "}", "without the key shape, wanted all of"},
      {"{'fortran_order': false}", "\"false}\" at byte 28, wanted True or False"},
      {"{'fortran_order': 'True'}", "\"'True'}\" at byte 28, wanted True or False"},
      {"{'fortran_order': Truely}", "\"ly}\" at byte 32, wanted ',' or '}'"},
      {"{'fortran_order': 0}", "\"0}\" at byte 28, wanted True or False"},
      {most + "'shape': 1}", "\"1}\" at byte 60, wanted '('"},
      {most + "'shape': [1]}", "\"[1]}\" at byte 60, wanted '('"},
      {most + "'shape': (1)}", "\")}\" at byte 62, wanted ',' after the only size"},
      {most + "'shape': (,)}", "\",)}\" at byte 61, wanted a size"},
      {most + "'shape': (1,,)}", "\",)}\" at byte 63, wanted a size"},
      {most + "'shape': (1 2)}", "\"2)}\" at byte 63, wanted ',' or ')'"},
      {most + "'shape': (-1,)}", "\"-1,)}\" at byte 61, wanted a size: a decimal integer of at least 0"},
      {most + "'shape': (+1,)}", "\"+1,)}\" at byte 61, wanted a size"},
      {most + "'shape': (01,)}", "\"01,)}\" at byte 61, wanted a size"},
      {most + "'shape': (1.0,)}", "\".0,)}\" at byte 62, wanted ',' or ')'"},
      {most + "'shape': (0x1,)}", "\"x1,)}\" at byte 62, wanted ',' or ')'"},
      {most + "'shape': (1_0,)}", "\"_0,)}\" at byte 62, wanted ',' or ')'"},
      {most + "'shape': (1l,)}", "\"l,)}\" at byte 62, wanted ',' or ')'"},
      {most + "'shape': (1LL,)}", "\"L,)}\" at byte 63, wanted ',' or ')'"},
      {most + "'shape': (None,)}", "\"None,)}\" at byte 61, wanted a size"},
      {most + "'shape': (18446744073709551616,)}",
       "\"18446744073709551616,)}\" at byte 61, wanted a size of at most 2^64-1"},
      {most + "'shape': " + sizes + ")}", "\"1)}\" at byte 189, wanted at most 64 sizes"},
      {most + "'shape': (1,", "at its end at byte 63, wanted a size"},
      {most + "'shape': (1,)", "at its end at byte 64, wanted ',' or '}'"},
      {most + "'shape': (1,)}}", "\"}\" at byte 65, wanted nothing but white space after the dictionary"},
      {most + "'shape': (1,)}\n\n#", "\"#\" at byte 67, wanted nothing but white space"},
      {most + "'shape': (1,)}" + '\0', "\"\\x00\" at byte 65, wanted nothing but white space"},
  };
  for (const malformed& c : cases)
    check_refused(npy_file(c.header, "1234"), "npy M20: header is " + std::string(c.text));
}

TEST_CASE("npy M20: no .npy file, or another version") {
  check_refused("\x93NUMPX\x01\x00\x00\x00"s,
                R"(npy M20: magic is "\x93NUMPX" at byte 0, wanted "\x93NUMPY" (no .npy file))");
  check_refused("PK\x03\x04 a ZIP archive, as in .npz", R"(npy M20: magic is "PK\x03\x04 a" at byte 0)");
  for (const std::string& version : {"\x00\x00"s, "\x04\x00"s, "\x01\x01"s, "\x02\x01"s, "\xff\xff"s}) {
    std::string file = whole_file();
    file.replace(6, 2, version);
    CHECK(refusal_of([&] { parse(file); }) == "M20");
  }
  std::string file = whole_file();
  file[7] = 1;
  check_refused(file, "npy M20: version is 1.1 at byte 6, wanted 1.0, 2.0 or 3.0");
}

TEST_CASE("npy M21: element types that goldml does not have") {
  struct unknown_type {
    std::string descr;
    std::string_view reason;
  };
  for (const unknown_type& c : std::vector<unknown_type>{
           {"'<c8'", "complex numbers have no DirectML data type"},
           {"'<c16'", "complex numbers have no DirectML data type"},
           {"'|O'", "Python objects are pickles, which are programs"},
           {"'|S5'", "text has no DirectML data type"},
           {"'<U3'", "text has no DirectML data type"},
           {"'|V2'", "raw bytes and records have no DirectML data type"},
           {"'<M8[ns]'", "dates and durations have no DirectML data type"},
           {"'<m8[s]'", "dates and durations have no DirectML data type"},
           {"[('a', '<f4'), ('b', '<i4')]", "structured types and subarrays have no DirectML data type"},
           {"('<f4', (2,))", "structured types and subarrays have no DirectML data type"},
           {"''", ""},
           {"'f4'", ""},
           {"'=f4'", ""},
           {"'|f4'", ""},
           {"'|i2'", ""},
           {"'<'", ""},
           {"'<f16'", ""},
           {"'<f1'", ""},
           {"'<i3'", ""},
           {"'<f44'", ""},
           {"'<f'", ""},
           {"'<b2'", ""},
           {"'float32'", ""},
           {"'<F4'", ""},
           {"'<\x00'"s, ""},
           {"'<f4 '", ""},
           {"' <f4'", ""},
           {"'=u1'", ""},
       }) {
    INFO(c.descr);
    const std::string file = npy_file("{'descr': " + c.descr + ", 'fortran_order': False, 'shape': (1,), }", "1234");
    CHECK(refusal_of([&] { parse(file); }) == "M21");
    check_refused(file, "npy M21: descr is ");
    const std::string text = text_of([&] { parse(file); });
    CHECK(text.find(" at byte 20, wanted ") != std::string::npos);
    CHECK(text.find(c.reason) != std::string::npos);
  }
}

TEST_CASE("npy M20: a file cut short anywhere, or with a byte too many") {
  std::string small = npy_file(header_of("<i2", "(2, 3)"), "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00"sv, 2);
  for (const std::string& file : {whole_file(), small}) {
    REQUIRE(refusal_of([&] { parse(file); }) == "none");
    for (std::size_t size = 0; size < file.size(); ++size) {
      INFO(size);
      CHECK(refusal_of([&] { parse(file.substr(0, size)); }) == "M20");
      // A stream that ends before the size that was told.
      std::istringstream stream(file.substr(0, size));
      CHECK(refusal_of([&] { io::read_npy(stream, file.size(), unlimited); }) == "M20");
    }
    CHECK(refusal_of([&] { parse(file + '\0'); }) == "M20");
  }
  check_refused(whole_file().substr(0, 9), "npy M20: file is 9 bytes long, wanted at least 10 (truncated)");
  check_refused(small.substr(0, 11), "npy M20: file is 11 bytes long, wanted at least 12 (truncated)");
  check_refused(whole_file().substr(0, 127),
                "npy M20: header is 118 bytes long by the length at byte 8, wanted at most the 117 that are left");
  check_refused(whole_file().substr(0, 139),
                "npy M20: data is 11 bytes long from byte 128, wanted 12 (truncated: shape (2, 3) of INT16)");
  check_refused(whole_file() + "abc",
                "npy M20: data is 15 bytes long from byte 128, wanted 12 (oversized: shape (2, 3) of INT16)");
}

TEST_CASE("npy M20: sizes that the file cannot have are refused before memory is taken") {
  check_refused("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"s, "npy M20: header is 4294967295 bytes long");
  check_refused("\x93NUMPY\x01\x00\xff\xff{}"s, "npy M20: header is 65535 bytes long by the length at byte 8");
  for (const std::string sizes :
       {"(1099511627776,)", "(9223372036854775807,)", "(18446744073709551615,)", "(4294967296, 4294967296)",
        "(2, 9223372036854775808)", "(65536, 65536, 65536, 65536, 1)", "(3, 6148914691236517206)",
        "(2305843009213693953,)"}) {
    INFO(sizes);
    for (const std::string descr : {"|u1", "<f8"}) {
      const std::string file = npy_file(header_of(descr, sizes), "12345678");
      CHECK(refusal_of([&] { parse(file); }) == "M20");
    }
  }
  check_refused(npy_file(header_of("<f8", "(4294967296, 4294967296)"), "12345678"),
                "npy M20: data is 8 bytes long from byte 88, wanted more than 2^64-2 (truncated");
}

TEST_CASE("npy M23: more than the caller allows is refused before memory is taken") {
  const std::string header = npy_file(header_of("|u1", "(1152921504606846976,)"), "");
  const std::uint64_t told = header.size() + (std::uint64_t{1} << 60);
  std::istringstream stream(header);
  CHECK(text_of([&] { io::read_npy(stream, told, 1000); }) ==
        "npy M23: data is 1152921504606846976 bytes long, wanted at most 1000 together");

  const auto read = [](const std::string& file, std::uint64_t max_bytes) {
    std::istringstream file_stream(file);
    return io::read_npy(file_stream, file.size(), max_bytes);
  };
  CHECK(refusal_of([&] { read(whole_file(), 11); }) == "M23");
  CHECK(read(whole_file(), 12).bytes.size() == 12);
  CHECK(read(npy_file(header_of("<f4", "(0,)"), ""), 0).bytes.empty());
  const std::string fortran = npy_file(header_of("|u1", "(2, 3)", true), "abcdef");
  CHECK(refusal_of([&] { read(fortran, 11); }) == "M23");
  CHECK(read(fortran, 12).bytes == bytes_of("acebdf"));
  CHECK(read(npy_file(header_of("|u1", "(6,)", true), "abcdef"), 6).bytes == bytes_of("abcdef"));

  std::string padded = header_of("|u1", "(1,)");
  padded.resize(1U << 20, ' ');
  CHECK(parse(npy_file(padded, "a", 2)).bytes == bytes_of("a"));
  check_refused(npy_file(padded + ' ', "a", 2), "npy M23: header is 1048577 bytes long");
}

TEST_CASE("npy: round trips of every type with extreme values") {
  check_round_trip_of_extremes<float>();
  check_round_trip_of_extremes<float16>();
  check_round_trip_of_extremes<double>();
  check_round_trip_of_extremes<std::uint8_t>();
  check_round_trip_of_extremes<std::uint16_t>();
  check_round_trip_of_extremes<std::uint32_t>();
  check_round_trip_of_extremes<std::uint64_t>();
  check_round_trip_of_extremes<std::int8_t>();
  check_round_trip_of_extremes<std::int16_t>();
  check_round_trip_of_extremes<std::int32_t>();
  check_round_trip_of_extremes<std::int64_t>();
}

TEST_CASE("npy: NaNs keep their payloads") {
  check_round_trip<float>({std::bit_cast<float>(0x7f800001U), std::bit_cast<float>(0xffc12345U)});
  check_round_trip<double>({std::bit_cast<double>(std::uint64_t{0xfff0000000000001})});
}

TEST_CASE("npy: files of every shape are written with aligned data") {
  shape longest(64, 1);
  shape widest(64, UINT64_MAX);
  widest.back() = 0;
  for (const shape& sizes : {shape{}, shape{0}, shape{3}, shape{3, 0}, shape{2, 3, 4}, longest, widest}) {
    std::uint64_t count = 1;
    for (const std::uint64_t size : sizes) count *= size;
    const npy_array array{data_type::int32, sizes, byte_list(static_cast<std::size_t>(count * 4), std::byte{7})};
    const byte_list file = io::format_npy(array.type, array.shape, array.bytes);
    CHECK((file.size() - array.bytes.size()) % 64 == 0);
    CHECK(file[file.size() - array.bytes.size() - 1] == std::byte{'\n'});
    CHECK(file[6] == std::byte{1});
    CHECK(io::parse_npy(file) == array);
  }
  // Each padding from 0 to 63 spaces.
  for (std::uint64_t size = 1, digits = 1; digits <= 19; ++digits, size *= 10)
    for (std::size_t rank = 1; rank <= 12; ++rank) {
      shape sizes(rank, size);
      sizes.push_back(0);
      const byte_list file = io::format_npy(data_type::uint8, sizes, {});
      CHECK(file.size() % 64 == 0);
      CHECK(io::parse_npy(file).shape == sizes);
    }
}

TEST_CASE("npy: one-byte types have no byte order, 1-D shapes a comma") {
  const byte_list file = io::format_npy(data_type::int8, shape{1}, byte_list(1));
  const std::string text(reinterpret_cast<const char*>(file.data()), file.size());
  CHECK(text.substr(10, 57) == "{'descr': '|i1', 'fortran_order': False, 'shape': (1,), }");
}

TEST_CASE("npy: arrays that do not fit their shape or have no element type are not written") {
  const byte_list bytes(8);
  CHECK(text_of([&] { io::format_npy(data_type::float32, shape{3}, bytes); }) ==
        "npy M20: data is 8 bytes long, wanted 12 (shape (3,) of FLOAT32)");
  CHECK(refusal_of([&] { io::format_npy(data_type::float32, shape{1}, bytes); }) == "M20");
  CHECK(refusal_of([&] { io::format_npy(data_type::float32, shape{}, bytes); }) == "M20");
  CHECK(refusal_of([&] { io::format_npy(data_type::uint8, shape{UINT64_MAX, 2}, bytes); }) == "M20");
  CHECK(refusal_of([&] { io::format_npy(data_type::uint8, shape{std::uint64_t{1} << 63, 2}, {}); }) == "M20");
  CHECK(text_of([&] { io::format_npy(data_type::uint8, shape(65, 1), byte_list(1)); }) ==
        "npy M20: shape is 65 sizes, wanted at most 64");
  for (const std::uint32_t value : {0U, 12U, 13U, 14U, 4294967295U})
    CHECK(refusal_of([&] { io::format_npy(data_type{value}, shape{8}, bytes); }) == "M21");

  const temporary_folder folder;
  std::ofstream(folder / "kept.npy") << "kept";
  CHECK(refusal_of([&] { io::write_npy(folder / "kept.npy", data_type::float32, shape{3}, bytes); }) == "M20");
  std::string kept;
  std::ifstream(folder / "kept.npy") >> kept;
  CHECK(kept == "kept");
}

TEST_CASE("npy: refusals of files name the file") {
  const temporary_folder folder;
  std::ofstream(folder / "cut.npy", std::ios::binary) << whole_file().substr(0, 139);
  const std::string text = text_of([&] { io::read_npy(folder / "cut.npy", unlimited); });
  CHECK(text.find("npy M20: data is 11 bytes long from byte 128, wanted 12 (") == 0);
  CHECK(text.find("cut.npy': truncated: shape (2, 3) of INT16)") != std::string::npos);
  std::ofstream(folder / "whole.npy", std::ios::binary) << whole_file();
  CHECK(text_of([&] { io::read_npy(folder / "whole.npy", 11); }).find("whole.npy')") != std::string::npos);
  CHECK(io::read_npy(folder / "whole.npy", 12) == parse(whole_file()));
  // Of a long path the end stays.
  const std::string long_name = std::string(200, 'x') + "_end.npy";
  CHECK(text_of([&] { io::read_npy(folder / long_name, 0); }).find("_end.npy': ") != std::string::npos);
}

TEST_CASE("npy M22: files that cannot be read or written") {
  const temporary_folder folder;
  const std::string text = text_of([&] { io::read_npy(folder / "none.npy", unlimited); });
  CHECK(text.find("npy M22: file is unreadable, wanted a regular file (") == 0);
  CHECK(text.find("none.npy': ") != std::string::npos);
  CHECK(refusal_of([&] { io::read_npy(folder.path(), unlimited); }) == "M22");

  const shape sizes{2};
  const byte_list bytes(2);
  CHECK(refusal_of([&] { io::write_npy(folder.path(), data_type::uint8, sizes, bytes); }) == "M22");
  const std::string written = text_of([&] { io::write_npy(folder / "none/a.npy", data_type::uint8, sizes, bytes); });
  CHECK(written.find("npy M22: file is not written, wanted writable, with 130 bytes of space (") == 0);
  CHECK(written.find("a.npy") != std::string::npos);
#ifdef __linux__
  // A full disk: the small file fails when it is flushed, the large one while it is written.
  CHECK(refusal_of([&] { io::write_npy("/dev/full", data_type::uint8, sizes, bytes); }) == "M22");
  CHECK(refusal_of([&] { io::write_npy("/dev/full", data_type::uint8, shape{1U << 20}, byte_list(1U << 20)); }) ==
        "M22");
  CHECK(refusal_of([&] { io::read_npy("/dev/zero", unlimited); }) == "M22");
#endif
}

TEST_CASE("npy M22: a stream that fails") {
  // Gives the file up to byte `good`, then breaks.
  class breaking_buffer : public std::streambuf {
   public:
    breaking_buffer(std::string text, std::size_t good) : text_(std::move(text)) {
      setg(text_.data(), text_.data(), text_.data() + good);
    }

   private:
    int_type underflow() override { throw std::runtime_error("broken"); }
    std::string text_;
  };
  const std::string file = whole_file();
  for (std::size_t good = 0; good < file.size(); ++good) {
    breaking_buffer buffer(file, good);
    std::istream stream(&buffer);
    CHECK(refusal_of([&] { io::read_npy(stream, file.size(), unlimited); }) == "M22");
  }
  std::istringstream failed(file);
  failed.setstate(std::ios::failbit);
  CHECK(refusal_of([&] { io::read_npy(failed, file.size(), unlimited); }) == "M22");
}

TEST_CASE("npy: a stream is read from where it stands and no further than told") {
  std::istringstream stream("ab" + whole_file() + "cd");
  stream.ignore(2);
  CHECK(io::read_npy(stream, whole_file().size(), unlimited) == parse(whole_file()));
  CHECK(stream.get() == 'c');
}

TEST_CASE("npy: a file with any one byte changed is read or refused, and what is read can be written") {
  const std::string file =
      npy_file(header_of("<i2", "(2, 3)", true), "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00"sv);
  int read = 0;
  int refused = 0;
  for (std::size_t i = 0; i < file.size(); ++i)
    for (int value = 0; value < 256; ++value) {
      std::string changed = file;
      changed[i] = static_cast<char>(value);
      npy_array array;
      if (refusal_of([&] { array = parse(changed); }) != "none") {
        ++refused;
        continue;
      }
      ++read;
      if (io::parse_npy(io::format_npy(array.type, array.shape, array.bytes)) != array) FAIL(i << ' ' << value);
    }
  // Each of the 12 data bytes may be anything.
  CHECK(read > 12 * 256);
  CHECK(refused > 10 * 250);
}
