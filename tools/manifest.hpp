// Compares the files of a corpus with its manifests, before `goldml check` uses them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace goldml::tool {

// Whether a file of a corpus is a manifest, by its name.
bool is_manifest(const std::filesystem::path& path);

// What a manifest says of its cases.
struct corpus_part {
  std::string operator_name;
  std::uint64_t seed;
};

// Whether the corpus in a folder matches its manifests: there is at least one, each has as many cases as it
// states, every listed file exists with its SHA-256, and there is no other file. Subfolders are ignored.
// Calls complain(line) with the name and the reason for each mismatch, at most a hundred. Throws error M9 for a folder
// that cannot be read. Opens only files of the folder, and links only with `follow_links`. If `chosen` is given, hashes
// only the files of cases for whose model it returns true. Adds what the manifests say to `parts`, if it is given.
bool verify_corpus(const std::filesystem::path& folder, std::uint64_t max_memory, bool follow_links,
                   const std::function<void(std::string_view)>& complain,
                   const std::function<bool(const std::filesystem::path& model)>& chosen = nullptr,
                   std::vector<corpus_part>* parts = nullptr);

// The lines of the cases of all manifests in a folder, by the names of the manifests. Throws error M12 if there is
// none, or an unfinished one, and model_error or error for what cannot be read.
std::vector<std::string> lines_of_corpus(const std::filesystem::path& folder, std::uint64_t max_memory,
                                         bool follow_links);

}  // namespace goldml::tool
