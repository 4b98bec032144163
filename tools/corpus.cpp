#include "corpus.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/model_error.hpp>
#include <goldml/io/npy.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/io/safe_path.hpp>

namespace goldml::tool::detail {

io::file_place corpus_file(const corpus_options& options, const std::string& name) {
  const io::file_place place{options.folder, name};
  const std::string path = io::in_quotes(io::path_text(place.path()));
  std::error_code failed;
  if (io::detail::is_link(place.path())) io::refuse("M7", "file", path, "a file that is not a link", "");
  if (std::filesystem::exists(place.path(), failed)) io::refuse("M9", "file", path, "the name of a new file", "");
  return place;
}

void check_folder(const corpus_options& options) {
  std::error_code failed;
  if (options.append || !std::filesystem::exists(options.folder, failed)) return;
  const std::filesystem::directory_iterator first(options.folder, failed);
  if (failed || first != std::filesystem::directory_iterator())
    io::refuse("M9", "folder", io::path_in_quotes(options.folder), "a new or empty folder",
               failed ? failed.message() : "--append adds to existing files and replaces none");
}

void write_text(const io::file_place& place, std::string_view text) {
  if (const std::string problem = io::replace_file(place, std::as_bytes(std::span(text))); !problem.empty())
    io::refuse("M9", "file", io::in_quotes(io::path_text(place.path())), "a file that can be written", problem);
}

std::vector<std::byte> buffer_of(const host_tensor& tensor) {
  std::vector<std::byte> bytes = tensor.bytes();
  const std::uint64_t unit = std::max<std::uint64_t>(element_size_in_bytes(tensor.desc().data_type), 4);
  bytes.resize((bytes.size() + unit - 1) / unit * unit);
  return bytes;
}

std::string write_buffer(const corpus_options& options, const std::string& name, const host_tensor& tensor) {
  const std::vector<std::byte> bytes = buffer_of(tensor);
  const std::vector<std::uint64_t> shape{bytes.size() / element_size_in_bytes(tensor.desc().data_type)};
  io::write_npy(corpus_file(options, name), tensor.desc().data_type, shape, bytes);
  return fmt::format("\"{}\": \"{}\"", name, sha256(io::format_npy(tensor.desc().data_type, shape, bytes)));
}

}  // namespace goldml::tool::detail
