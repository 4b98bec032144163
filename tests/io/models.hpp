// Shared by tests of models: temporary folders, models as text, and their results.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <goldml/goldml.hpp>
#include <goldml/io/dxdispatch.hpp>

#include "../catch.hpp"

// Compiled once, in models.cpp: reading a model, and every operator on `reference`.
extern template goldml::io::model goldml::io::detail::parse_source<goldml::io::model>(
    std::shared_ptr<const goldml::io::model_source>, const std::filesystem::path&, const goldml::io::model_options&);
extern template void goldml::io::play(const goldml::reference_backend&, goldml::io::model&, std::ostream&,
                                      std::uint64_t, const goldml::io::watch_options&);

namespace models {

using namespace goldml;

// A folder, empty at first and removed at the end.
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

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view file) const { return path_ / file; }

  void write(std::string_view file, std::string_view bytes) const {
    std::ofstream(path_ / file, std::ios::binary) << bytes;
  }

  std::string read(std::string_view file) const {
    std::ifstream stream(path_ / file, std::ios::binary);
    REQUIRE(stream.is_open());
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  bool empty() const { return std::filesystem::is_empty(path_); }

 private:
  static std::string name() {
    std::random_device device;
    return "goldml_model_" + std::to_string(device()) + "_" + std::to_string(device());
  }

  std::filesystem::path path_;
};

// The text of the error without its place, or "".
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const error& refusal) {
    return to_string(refusal.violation());
  }
  return "";
}

// The members of "resources" and of "dispatchables", the commands.
inline std::string model_text(std::string_view resources, std::string_view dispatchables = "",
                              std::string_view commands = "") {
  return fmt::format(R"({{ "resources": {{ {} }}, "dispatchables": {{ {} }}, "commands": [ {} ] }})", resources,
                     dispatchables, commands);
}

// Options under which files are read and written in `folder` only, and replaced there.
inline io::model_options options_in(const temporary_folder& folder) {
  io::model_options options;
  options.output_folder = folder.path();
  options.overwrite = true;
  return options;
}

// A model with its own folder, and its warnings.
struct read_result {
  io::model model;
  std::vector<std::string> warnings;
};

inline read_result read(std::string_view text, io::model_options options, const std::filesystem::path& folder) {
  read_result result;
  options.warn = [&](std::string_view warning) { result.warnings.emplace_back(warning); };
  result.model = io::parse_model(text, folder, options);
  return result;
}

inline read_result read(std::string_view text) {
  const temporary_folder folder;
  return read(text, options_in(folder), folder.path());
}

// What the model prints when it is played in `folder`.
inline std::string played(std::string_view text, const temporary_folder& folder) {
  io::model model = io::parse_model(text, folder.path(), options_in(folder));
  std::ostringstream out;
  io::play(reference, model, out);
  return out.str();
}

inline std::string played(std::string_view text) { return played(text, temporary_folder()); }

// The elements of a resource with these members, as a print shows them.
inline std::string printed(std::string_view members, const temporary_folder& folder) {
  const std::string text = played(
      model_text(fmt::format(R"("r": {{ {} }})", members), "", R"({ "type": "print", "resource": "r" })"), folder);
  constexpr std::string_view prefix = "Resource 'r': ";
  REQUIRE(text.substr(0, prefix.size()) == prefix);
  REQUIRE(text.back() == '\n');
  return text.substr(prefix.size(), text.size() - prefix.size() - 1);
}

inline std::string printed(std::string_view members) { return printed(members, temporary_folder()); }

// The bytes of a resource with these members.
inline std::vector<int> bytes_of(std::string_view members) {
  const auto result = read(model_text(fmt::format(R"("r": {{ {} }})", members)));
  std::vector<int> bytes;
  for (const std::byte b : result.model.resources.at(0).bytes) bytes.push_back(std::to_integer<int>(b));
  return bytes;
}

// The text of the error for a resource with these members; "" if it is accepted.
inline std::string resource_refusal(std::string_view members) {
  return message_of([&] { read(model_text(fmt::format(R"("r": {{ {} }})", members))); });
}

// Checks the beginning of a text, and shows the whole text on failure.
inline void check_begins(const std::string& text, std::string_view beginning) {
  INFO(text);
  CHECK(text.substr(0, beginning.size()) == beginning);
}

}  // namespace models
