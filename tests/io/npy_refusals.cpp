// io/npy.hpp: refused files (M20, M21, M23): malformed, truncated, unsupported types, too large.
#include "npy_files.hpp"

using namespace npy_test;

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

TEST_CASE("npy M20: not a .npy file, or another version") {
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

TEST_CASE("npy M20: a file truncated anywhere, or with one byte too many") {
  std::string small = npy_file(header_of("<i2", "(2, 3)"), "\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00"sv, 2);
  for (const std::string& file : {whole_file(), small}) {
    REQUIRE(refusal_of([&] { parse(file); }) == "none");
    for (std::size_t size = 0; size < file.size(); ++size) {
      INFO(size);
      CHECK(refusal_of([&] { parse(file.substr(0, size)); }) == "M20");
      // A stream that ends before the given size.
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

TEST_CASE("npy M20: sizes that the file cannot have are refused before memory is allocated") {
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

TEST_CASE("npy M23: more than the caller allows is refused before memory is allocated") {
  const std::string header = npy_file(header_of("|u1", "(1152921504606846976,)"), "");
  const std::uint64_t stated_size = header.size() + (std::uint64_t{1} << 60);
  std::istringstream stream(header);
  CHECK(text_of([&] { io::read_npy(stream, stated_size, 1000); }) ==
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

TEST_CASE("npy: errors name the file") {
  const temporary_folder folder;
  std::ofstream(folder / "cut.npy", std::ios::binary) << whole_file().substr(0, 139);
  const std::string text = text_of([&] { io::read_npy(folder / "cut.npy", unlimited); });
  CHECK(text.find("npy M20: data is 11 bytes long from byte 128, wanted 12 (") == 0);
  CHECK(text.find("cut.npy': truncated: shape (2, 3) of INT16)") != std::string::npos);
  std::ofstream(folder / "whole.npy", std::ios::binary) << whole_file();
  CHECK(text_of([&] { io::read_npy(folder / "whole.npy", 11); }).find("whole.npy')") != std::string::npos);
  CHECK(io::read_npy(folder / "whole.npy", 12) == parse(whole_file()));
  // A long path is truncated at the beginning.
  const std::string long_name = std::string(200, 'x') + "_end.npy";
  CHECK(text_of([&] { io::read_npy(folder / long_name, 0); }).find("_end.npy': ") != std::string::npos);
}

TEST_CASE("npy: a file in a folder is read without following links") {
  const temporary_folder folder;
  std::ofstream(folder / "whole.npy", std::ios::binary) << whole_file();
  CHECK(io::read_npy(io::file_place{folder.path(), "whole.npy"}, 12) == parse(whole_file()));
#ifndef _WIN32
  std::filesystem::create_symlink("whole.npy", folder / "link.npy");
  CHECK(io::read_npy(folder / "link.npy", 12) == parse(whole_file()));
  CHECK(refusal_of([&] { io::read_npy(io::file_place{folder.path(), "link.npy"}, 12); }) == "M22");
#endif
}

#ifdef __linux__
TEST_CASE("npy M20: a file that has fewer bytes than it says") {
  const std::filesystem::path shrunk =
      "/sys/devices/system/cpu/online";  // as a file that is truncated while it is read
  if (!std::filesystem::exists(shrunk)) return;
  std::string content;
  std::getline(std::ifstream(shrunk), content);
  CHECK(text_of([&] { io::read_npy(shrunk, unlimited); }) ==
        fmt::format("npy M20: file is {} bytes long, wanted {} ('/sys/devices/system/cpu/online': truncated)",
                    content.size() + 1, std::filesystem::file_size(shrunk)));
}
#endif

TEST_CASE("npy: of a piece of a file 40 bytes are shown") {
  const std::string forty(40, 'x');
  CHECK(io::detail::printable(forty) == forty);
  CHECK(io::detail::printable(forty + "y") == forty + "...");
  CHECK(io::detail::printable(" ~\x7F\x1F\xFF") == " ~\\x7f\\x1f\\xff");
}
