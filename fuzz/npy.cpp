// libFuzzer: arbitrary bytes as a .npy file. Only goldml::error is thrown. What is read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <span>

#include <goldml/io/npy.hpp>

#include "refusal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace goldml;
  try {
    const io::npy_array array = io::parse_npy(std::as_bytes(std::span(data, size)));
    require(io::parse_npy(io::format_npy(array.type, array.shape, array.bytes)) == array);
  } catch (const error& refusal) {
    require_one_line(refusal);
  }
  return 0;
}
