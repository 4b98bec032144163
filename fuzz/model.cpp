// libFuzzer: an untrusted model is read, validated and played. Only goldml::error is thrown, no buffer is larger than the
// allowed memory, and no file is written outside the output folder, which is emptied each time.
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
#include "tally.hpp"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const output_folder output;
  fuzz::tally::executed();
  io::model_options options;
  options.output_folder = output.path();
  options.max_memory = std::uint64_t{1} << 20;
  options.warn = [](std::string_view warning) { require(!warning.empty()); };
  try {
    io::model m = io::parse_model({reinterpret_cast<const char*>(data), size}, ".", options);
    std::uint64_t total = 0;
    for (const io::model_resource& resource : m.resources) total += resource.bytes.size();
    require(total <= options.max_memory);
    io::validate_model(m, [](std::string_view, const violation& broken) { require_one_line(error(broken)); });
    std::ostream nowhere(nullptr);
    io::play(reference, m, nowhere, 1U << 20);
    for (const io::model_command& command : m.commands)
      if (std::holds_alternative<io::dispatch_command>(command)) {
        fuzz::tally::reached_kernel();
        break;
      }
  } catch (const error& refusal) {
    require_one_line(refusal);
  }
  output.empty();
  return 0;
}
