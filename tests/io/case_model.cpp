// The model of a case's line: its inputs are made only when its work has been checked.
#include "../../tools/case_model.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "../allocations.hpp"
#include "models.hpp"

using namespace models;

namespace {

constexpr std::string_view sum_of_4_mib =
    "ELEMENT_WISE_ADD ATensor=FLOAT32{1024,1024} BTensor=FLOAT32{1024,1024} OutputTensor=FLOAT32{1024,1024} "
    "data=uniform seed=1";
constexpr std::string_view slice_of_one_byte =
    "SLICE InputTensor=UINT8{65535,65535}/{0,0} OutputTensor=UINT8{1,1} Offsets={0,0} Sizes={1,1} Strides={1,1} "
    "data=uniform seed=1";
constexpr std::size_t inputs = std::size_t{8} << 20;
constexpr std::size_t little = std::size_t{64} << 10;

// The bytes that f() allocates in total, freed or not.
template <class F>
std::size_t allocated_by(F&& f) {
  const std::size_t before = allocated_bytes;
  f();
  return allocated_bytes - before;
}

// As the tool reads a line; the work of the command itself is 1.
io::model read_line(std::string_view line, std::uint64_t max_work, bool explained = false) {
  return tool::read_case_model(
      line, {.without_buffers = explained,
             .before_inputs = [&](const io::model&, std::uint64_t work) { io::check_work(work + 1, max_work); }});
}

}  // namespace

TEST_CASE("C4: the inputs of a case line are made after the work check, and not to be explained", "[models]") {
  std::string refused;
  CHECK(allocated_by([&] { refused = message_of([&] { read_line(sum_of_4_mib, 1'000'000); }); }) < little);
  CHECK(refused.starts_with("model M11: commands is "));
  CHECK(allocated_by([&] {
          const io::model m = read_line(sum_of_4_mib, 0, true);
          CHECK(m.resources.at(0).size_in_bytes == inputs / 2);
          CHECK(m.resources.at(0).bytes.empty());
        }) < little);
  CHECK(allocated_by([&] { read_line(sum_of_4_mib, saturated); }) >= inputs);  // so the counts above can fail
}

TEST_CASE("C4: making inputs is work, also where their elements share an address", "[models]") {
  const std::uint64_t elements = std::uint64_t{65535} * 65535;
  CHECK(message_of([] { read_line(slice_of_one_byte, 100'000'000'000); }).starts_with("model M11: commands is "));
  CHECK(message_of([&] { read_line(slice_of_one_byte, elements); }).starts_with("model M11: commands is "));
  CHECK(read_line(slice_of_one_byte, 0, true).commands.size() == 2);
}

TEST_CASE("C4: the inputs that a model's comment describes are made for a comparison only if the work allows it",
          "[models]") {
  const temporary_folder folder;
  std::ofstream(folder / "m.json") << "// " << sum_of_4_mib << '\n';
  const io::model m = read_line(sum_of_4_mib, saturated);
  const auto described = [&](std::uint64_t max_work) {
    return tool::how_to_reproduce(io::place_of(folder / "m.json"), m, std::uint64_t{1} << 30, max_work);
  };
  std::string text;
  CHECK(allocated_by([&] { text = described(1'000'000); }) < little);
  CHECK(text == "goldml run " + io::shell_file(folder / "m.json"));
  CHECK(allocated_by([&] { text = described(saturated); }) >= inputs);
  CHECK(text.starts_with("ELEMENT_WISE_ADD ATensor=FLOAT32{1024,1024} "));
}
