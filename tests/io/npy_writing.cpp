// io/npy.hpp: round trips, written files, and failures of streams and files (M22).
#include "npy_files.hpp"

using namespace npy_test;

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
  // Provides the file up to byte `good`, then fails.
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

TEST_CASE("npy: a stream is read from its position, and no further than the given size") {
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
