// io/npy.hpp: reading.
#include "npy_files.hpp"

using namespace npy_test;

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
  // A header too long for version 1.0: 70,000 bytes, most of them padding.
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
  // (i,j,k) is at i + 2j + 4k.
  CHECK(parse(npy_file(header_of("|u1", "(2, 2, 2)", true), "01234567")).bytes == bytes_of("04261537"));
  CHECK(parse(npy_file(header_of("|u1", "(1, 3, 1)", true), "abc")).bytes == bytes_of("abc"));
  CHECK(parse(npy_file(header_of("|u1", "(3,)", true), "abc")).bytes == bytes_of("abc"));
  CHECK(parse(npy_file(header_of("|u1", "()", true), "a")).bytes == bytes_of("a"));
  CHECK(parse(npy_file(header_of("<f4", "(2, 0, 3)", true), "")).bytes.empty());
}

TEST_CASE("npy: no dimensions mean one element, a size of 0 means none") {
  CHECK(parse(npy_file(header_of("<u2", "()"), "\x05\x00"sv)).shape.empty());
  CHECK(values_of<std::uint16_t>(parse(npy_file(header_of("<u2", "()"), "\x05\x00"sv))) ==
        std::vector<std::uint16_t>{5});
  CHECK(parse(npy_file(header_of("<u2", "(0,)"), "")).shape == shape{0});
  CHECK(parse(npy_file(header_of("<u2", "(3, 0, 2)"), "")).shape == shape{3, 0, 2});
  // There is no element, hence no overflow, whichever size is 0.
  const std::string large = "18446744073709551615";
  CHECK(parse(npy_file(header_of("<u2", "(" + large + ", 2, 0)"), "")).shape == shape{UINT64_MAX, 2, 0});
  CHECK(parse(npy_file(header_of("<u2", "(0, 2, " + large + ")"), "")).shape == shape{0, 2, UINT64_MAX});
}

TEST_CASE("npy: headers of other writers") {
  const npy_array expected{data_type::uint8, {2, 1}, bytes_of("ab")};
  for (const std::string header :
       {R"({"shape":(2,1),"fortran_order":False,"descr":"|u1"})", "{'descr':'|u1','fortran_order':False,'shape':(2,1)}",
        "\t{ 'fortran_order' :\nFalse , 'descr' : \"<u1\" , 'shape' : ( 2 , 1 , ) , } \r\n",
        "{'descr': '>u1', 'fortran_order': False, 'shape': (2L, 1L), }",
        "{'shape':(2,1,),'fortran_order':False,\r'descr':'|u1'}"})
    CHECK(parse(npy_file(header, "ab")) == expected);
}
