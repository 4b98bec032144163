// libFuzzer: a stranger's model, read, validated and played. Nothing but goldml::error comes out, no buffer is larger
// than the memory allowed, and no file is written outside the output folder, which is emptied each time.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <variant>

#include <goldml/goldml.hpp>
#include <goldml/io/dxdispatch.hpp>

#include "refusal.hpp"

namespace {

using namespace goldml;

class output_folder {
 public:
  output_folder()
      : path_(std::filesystem::temp_directory_path() / ("goldml_fuzz_" + std::to_string(std::random_device()()))) {
    std::filesystem::create_directory(path_);
  }
  ~output_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  output_folder(const output_folder&) = delete;
  output_folder& operator=(const output_folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  void empty() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) std::filesystem::remove_all(entry.path());
  }

 private:
  std::filesystem::path path_;
};

// How much there is to do: elements of each dispatch, bytes of each print and file. (A legal model may ask for any
// amount: 2^32-1 elements of stride 0 take four bytes.)
std::uint64_t work_of(const io::model& m) {
  std::uint64_t work = 0;
  for (const io::model_command& command : m.commands)
    if (const auto* dispatch = std::get_if<io::dispatch_command>(&command)) {
      for (const auto& tensor : m.dispatchables[dispatch->dispatchable].tensors)
        if (tensor) work = saturating_add(work, element_count(tensor->sizes));
    } else if (const auto* print = std::get_if<io::print_command>(&command)) {
      work += m.resources[print->resource].bytes.size();
    } else if (const auto* write = std::get_if<io::write_file_command>(&command)) {
      work += m.resources[write->resource].bytes.size();
    }
  return work;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const output_folder output;
  io::model_options options;
  options.output_folder = output.path();
  options.max_memory = std::uint64_t{1} << 20;
  options.warn = [](std::string_view warning) { require(!warning.empty()); };
  try {
    io::model m = io::parse_model({reinterpret_cast<const char*>(data), size}, ".", options);
    std::uint64_t total = 0;
    for (const io::model_resource& resource : m.resources) total += resource.bytes.size();
    require(total <= options.max_memory);
    for (const io::model_violation& broken : io::validate_model(m)) require_one_line(error(broken.violation));
    std::ostream nowhere(nullptr);
    if (work_of(m) <= 1U << 18) io::play(reference, m, nowhere);
  } catch (const error& refusal) {
    require_one_line(refusal);
  }
  output.empty();
  return 0;
}
