#include "manifest.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/files.hpp>
#include <goldml/io/json.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/model_place.hpp>
#include <goldml/io/safe_path.hpp>

#include "sha256.hpp"

namespace goldml::tool {

namespace {

// Throws error M9.
io::input_file open_corpus_file(const io::file_place& place) {
  io::input_file file(place);
  if (!file.is_open())
    io::refuse("M9", "file", io::path_in_quotes(place.path()), "a file that can be read", file.problem());
  return file;
}

// Throws error M9, and M8 for a file of more than `most` bytes.
std::string read_text(const io::file_place& place, std::uint64_t most) {
  io::input_file file = open_corpus_file(place);
  if (file.size() > most)
    io::refuse("M8", "manifest", fmt::format("{} bytes", file.size()), fmt::format("at most {}", most),
               "a 32nd of --max-memory");
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  if (!file.read_all(std::as_writable_bytes(std::span(text))))
    io::refuse("M9", "file", io::path_in_quotes(place.path()), "a file that can be read", file.problem());
  return text;
}

// Throws error M9.
std::string hash_of_file(const io::file_place& place) {
  io::input_file file = open_corpus_file(place);
  std::array<std::byte, std::size_t{1} << 16> part;
  sha256_hash hash;
  for (;;) {
    const std::size_t count = file.read(part);
    hash.add(std::span(part).first(count));
    if (count < part.size()) break;
  }
  if (!file.problem().empty())
    io::refuse("M9", "file", io::path_in_quotes(place.path()), "a file that can be read", file.problem());
  return hash.text();
}

struct manifest_file {
  std::string hash;
  std::filesystem::path model;  // of the same case
};

// The files of a manifest, by name.
using manifest_files = std::map<std::filesystem::path, manifest_file>;

// Adds the files of one manifest. Throws error M2, M4 for an invalid manifest, and M12 for a manifest that is
// unfinished, or has a wrong number of cases, a case without its model, or a file that is already listed.
void add_files(const io::json& manifest, manifest_files& files) {
  if (!manifest.IsObject()) io::refuse("M2", "manifest", io::description(manifest), "an object", "");
  if (io::find_member(manifest, "unfinished") != nullptr)
    io::refuse("M12", "manifest", "of an unfinished corpus", "one that 'goldml generate' completed", "");
  const auto count = io::to_integer<std::uint64_t>(io::required_member(manifest, "count", "manifest"), "count", "");
  const auto shard = io::to_integer<std::uint64_t>(io::required_member(manifest, "shard", "manifest"), "shard", "");
  const auto shards = io::to_integer<std::uint64_t>(io::required_member(manifest, "shards", "manifest"), "shards", "");
  if (shard >= shards) io::refuse("M4", "shard", fmt::format("{}", shard), "less than 'shards'", "manifest");
  const std::uint64_t wanted = shard < count ? (count - shard - 1) / shards + 1 : 0;
  const io::json& cases = io::required_array(manifest, "cases", "manifest");
  if (cases.Size() != wanted)
    io::refuse("M12", "cases", fmt::format("{} of them", cases.Size()), fmt::format("{}", wanted),
               "by the manifest's count");
  for (const io::json& entry : cases.GetArray()) {
    if (!entry.IsObject()) io::refuse("M2", "cases", io::description(entry), "an object for each case", "manifest");
    const std::string name(io::required_text(entry, "name", "case of the manifest"));
    const std::filesystem::path model = io::path_of(name + ".json");
    const io::json& of_case = io::required_object(entry, "files", "case of the manifest");
    if (io::find_member(of_case, name + ".json") == nullptr)
      io::refuse("M12", "case", io::in_quotes(name), "a case with its model among its files", "");
    for (const auto& file : io::members_of(of_case))
      if (!files
               .emplace(io::path_of(io::text_of(file.name)),
                        manifest_file{std::string(io::to_text(file.value, "SHA-256", "manifest")), model})
               .second)
        io::refuse("M12", "file", io::in_quotes(io::text_of(file.name)) + " again", "each file once", "manifests");
  }
}

// Of a manifest that add_files() accepts.
void add_part(const io::json& manifest, std::vector<corpus_part>& parts) {
  const io::json* const name = io::find_member(manifest, "operator");
  const io::json* const seed = io::find_member(manifest, "seed");
  if (name != nullptr && name->IsString() && seed != nullptr && seed->IsUint64())
    parts.push_back({std::string(io::text_of(*name)), seed->GetUint64()});
}

// Both for its text. Throws also model_error M1. `name` is for messages.
void read_manifest(std::string_view text, std::string_view name, manifest_files& files,
                   std::vector<corpus_part>& parts) {
  const rapidjson::Document manifest = io::parse_json(text, name);
  try {
    add_files(manifest, files);
    add_part(manifest, parts);
  } catch (const io::value_error& refusal) {
    throw io::model_error(refusal.violation(), io::place_of_value(text, manifest, *refusal.value(), name));
  }
}

}  // namespace

bool is_manifest(const std::filesystem::path& path) {
  return path.extension() == ".json" && io::path_text(path.filename()).starts_with("manifest");
}

bool verify_corpus(const std::filesystem::path& folder, std::uint64_t max_memory, bool follow_links,
                   const std::function<void(std::string_view)>& complain,
                   const std::function<bool(const std::filesystem::path&)>& chosen, std::vector<corpus_part>* parts) {
  constexpr std::uint64_t most_complaints = 100;
  std::uint64_t complaints = 0;
  const auto say_line = [&](std::string_view line) {
    if (++complaints <= most_complaints) complain(line);
  };
  const auto say = [&](const std::filesystem::path& name, std::string_view problem) {
    say_line(fmt::format("{}: {}", io::path_text(name), problem));
  };
  const auto attempt = [&](const std::filesystem::path& name, auto&& action) {
    try {
      action();
    } catch (const io::model_error& refusal) {  // names the file
      say_line(refusal.what());
    } catch (const error& refusal) {
      say(name, refusal.what());
    }
  };
  const auto place = [&](const std::filesystem::path& name) { return io::file_place{folder, name, follow_links}; };

  std::set<std::filesystem::path> present;
  manifest_files files;
  std::vector<corpus_part> listed_parts;
  bool any_manifest = false;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::filesystem::path name = entry->path().filename();
    std::error_code unknown;
    if (std::filesystem::is_directory(entry->symlink_status(unknown))) continue;
    if (!is_manifest(name)) {
      present.insert(name);
      continue;
    }
    any_manifest = true;
    attempt(name,
            [&] { read_manifest(read_text(place(name), max_memory / 32), io::path_text(name), files, listed_parts); });
  }
  if (failed) io::refuse("M9", "folder", io::path_in_quotes(folder), "a folder that can be read", failed.message());
  if (!any_manifest)
    say(folder,
        "model M12: manifest is missing, wanted a corpus that 'goldml generate' made (--unverified judges any "
        "folder of models)");
  if (parts != nullptr) *parts = std::move(listed_parts);
  if (complaints != 0) return false;

  for (const auto& [name, listed] : files) {
    if (present.erase(name) == 0)
      say(name, "model M12: file is missing, wanted every file of the manifest");
    else if (!chosen || chosen(listed.model))
      attempt(name, [&, &file = name, &wanted = listed.hash] {
        if (hash_of_file(place(file)) != wanted)
          io::refuse("M12", "file", "changed", "the SHA-256 of the manifest", "");
      });
  }
  for (const std::filesystem::path& name : present)
    say(name, "model M12: file is added, wanted only files of a manifest");
  if (complaints > most_complaints) complain(fmt::format("and {} more", complaints - most_complaints));
  return complaints == 0;
}

std::vector<std::string> lines_of_corpus(const std::filesystem::path& folder, std::uint64_t max_memory,
                                         bool follow_links) {
  std::set<std::filesystem::path> names;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (is_manifest(entry->path())) names.insert(entry->path().filename());
  if (failed) io::refuse("M9", "folder", io::path_in_quotes(folder), "a folder that can be read", failed.message());
  if (names.empty())
    io::refuse("M12", "folder", "without a manifest", "a corpus that 'goldml generate' wrote", io::path_text(folder));
  std::vector<std::string> lines;
  for (const std::filesystem::path& name : names) {
    const std::string text = read_text({folder, name, follow_links}, max_memory / 32);
    const std::string file = io::path_text(name);
    const rapidjson::Document manifest = io::parse_json(text, file);
    try {
      manifest_files files;
      add_files(manifest, files);
      for (const io::json& entry : io::required_array(manifest, "cases", "manifest").GetArray())
        lines.emplace_back(io::required_text(entry, "case", "case of the manifest"));
    } catch (const io::value_error& refusal) {
      throw io::model_error(refusal.violation(), io::place_of_value(text, manifest, *refusal.value(), file));
    }
  }
  return lines;
}

}  // namespace goldml::tool
