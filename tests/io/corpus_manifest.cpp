// M12: `goldml check` first compares a corpus with its manifests (tools/manifest.hpp) and their hashes
// (tools/sha256.hpp).
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../tools/manifest.hpp"
#include "../../tools/sha256.hpp"
#include "models.hpp"

using namespace models;

namespace {

std::string hash_of(std::string_view text) { return tool::sha256(std::as_bytes(std::span(text))); }

// The complaints of verify_corpus(), line by line; empty if the corpus matches its manifests.
std::vector<std::string> complaints(const temporary_folder& folder, std::uint64_t max_memory = std::uint64_t{1} << 30) {
  std::vector<std::string> lines;
  const bool true_to_manifest =
      tool::verify_corpus(folder.path(), max_memory, false, [&](std::string_view line) { lines.emplace_back(line); });
  CHECK(true_to_manifest == lines.empty());
  return lines;
}

// A manifest of these cases; `head` is its preceding members.
std::string manifest_text(std::string_view cases, std::string_view head = R"("count": 1, "shard": 0, "shards": 1)") {
  return fmt::format(R"({{ {}, "cases": [{}] }})", head, cases);
}

// The entry of a case: its files and their contents.
std::string entry(std::string_view name, const std::vector<std::pair<std::string, std::string>>& files) {
  std::string text;
  for (const auto& [file, content] : files)
    text += fmt::format(R"({}"{}": "{}")", text.empty() ? "" : ", ", file, hash_of(content));
  return fmt::format(R"({{ "name": "{}", "files": {{ {} }} }})", name, text);
}

// One case of three files.
void write_corpus(const temporary_folder& folder) {
  folder.write("c.json", "model");
  folder.write("c.in.npy", "input");
  folder.write("c.out.golden.npy", "golden");
  folder.write("manifest_c.json",
               manifest_text(entry("c", {{"c.json", "model"}, {"c.in.npy", "input"}, {"c.out.golden.npy", "golden"}})));
}

using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("sha256: the vectors of FIPS 180-4, and each length of padding, in one part and in several") {
  CHECK(hash_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  const std::vector<std::pair<std::size_t, std::string>> hashes{
      {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
      {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
      {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
      {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
      {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
      {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
      {1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto& [length, hash] : hashes) {
    INFO(length);
    const std::string text(length, 'a');
    CHECK(hash_of(text) == hash);
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{63}, std::size_t{64}, std::size_t{65}}) {
      tool::sha256_hash parts;
      for (std::size_t i = 0; i < length; i += step)
        parts.add(std::as_bytes(std::span(text).subspan(i, (std::min)(step, length - i))));
      CHECK(parts.text() == hash);
    }
  }
}

TEST_CASE("M12: a corpus that matches its manifest is accepted; subfolders are ignored") {
  const temporary_folder folder;
  write_corpus(folder);
  CHECK(complaints(folder).empty());
  std::filesystem::create_directory(folder / "goldml-outputs");
  folder.write("goldml-outputs/c.out.npy", "anything");
  CHECK(complaints(folder).empty());
}

TEST_CASE("M12: every changed, missing or added file is named") {
  for (const char* const file : {"c.json", "c.in.npy", "c.out.golden.npy"}) {
    const temporary_folder folder;
    write_corpus(folder);
    const std::string content = folder.read(file);
    for (std::string changed : {content + "x", content.substr(1), std::string(), "x" + content.substr(1)}) {
      folder.write(file, changed);
      CHECK(complaints(folder) ==
            lines{fmt::format("{}: model M12: file is changed, wanted the SHA-256 of the manifest", file)});
    }
    std::filesystem::remove(folder / file);
    CHECK(complaints(folder) ==
          lines{fmt::format("{}: model M12: file is missing, wanted every file of the manifest", file)});
    folder.write(file, content);
    CHECK(complaints(folder).empty());
  }
  const temporary_folder folder;
  write_corpus(folder);
  for (const char* const added : {"d.json", "c.out.npy", ".hidden", "manifest"}) {
    folder.write(added, "");
    CHECK(complaints(folder) ==
          lines{fmt::format("{}: model M12: file is added, wanted only files of a manifest", added)});
    std::filesystem::remove(folder / added);
  }
  folder.write("1", "");
  std::filesystem::rename(folder / "c.in.npy", folder / "2");
  CHECK(complaints(folder).size() == 3);
}

TEST_CASE("M12: a corpus without a manifest, and an interrupted one") {
  const temporary_folder folder;
  write_corpus(folder);
  std::filesystem::remove(folder / "manifest_c.json");
  const lines none = complaints(folder);
  CHECK(none.at(0).ends_with(
      "model M12: manifest is missing, wanted a corpus that 'goldml generate' made (--unverified judges any folder of "
      "models)"));
  CHECK(none.size() == 1);
  folder.write("manifest_c.json", R"({ "count": 1, "shard": 0, "shards": 1, "unfinished": true })");
  CHECK(complaints(folder) == lines{"manifest_c.json: model M12: manifest is of an unfinished corpus, wanted one that "
                                    "'goldml generate' completed"});
}

TEST_CASE("M12: the manifest's count, and that of a shard") {
  const auto with = [](std::string_view head, std::size_t cases) {
    const temporary_folder folder;
    std::string entries;
    for (std::size_t i = 0; i < cases; ++i) {
      const std::string name = std::string("c") + static_cast<char>('0' + i);
      folder.write(name + ".json", name);
      entries += (i == 0 ? "" : ", ") + entry(name, {{name + ".json", name}});
    }
    folder.write("manifest.json", manifest_text(entries, head));
    const lines found = complaints(folder);
    return found.empty() ? "" : found.front();
  };
  // Of 10 cases shards 0 to 3 of 4 have {0, 4, 8}, {1, 5, 9}, {2, 6}, {3, 7}; counted by hand.
  CHECK(with(R"("count": 3, "shard": 0, "shards": 1)", 3).empty());
  CHECK(with(R"("count": 10, "shard": 0, "shards": 4)", 3).empty());
  CHECK(with(R"("count": 10, "shard": 1, "shards": 4)", 3).empty());
  CHECK(with(R"("count": 10, "shard": 2, "shards": 4)", 2).empty());
  CHECK(with(R"("count": 10, "shard": 3, "shards": 4)", 2).empty());
  CHECK(with(R"("count": 2, "shard": 2, "shards": 4)", 0).empty());
  CHECK(with(R"("count": 3, "shard": 1, "shards": 18446744073709551615)", 1).empty());
  CHECK(with(R"("count": 3, "shard": 0, "shards": 1)", 2) ==
        "manifest.json: model M12: cases is 2 of them, wanted 3 (by the manifest's count)");
  CHECK(with(R"("count": 3, "shard": 0, "shards": 1)", 4).find("wanted 3") != std::string::npos);
  CHECK(with(R"("count": 10, "shard": 2, "shards": 4)", 3).find("wanted 2") != std::string::npos);
  CHECK(with(R"("count": 10, "shard": 4, "shards": 4)", 2).find("model M4: shard is 4") != std::string::npos);
  CHECK(with(R"("count": 10, "shard": 0, "shards": 0)", 2).find("model M4: shard is 0") != std::string::npos);
}

TEST_CASE("M12: invalid and hostile manifests") {
  const temporary_folder folder;
  write_corpus(folder);
  const auto refused = [&](std::string_view manifest, std::string_view wanted, std::uint64_t max_memory = 1 << 30) {
    folder.write("manifest_c.json", manifest);
    const lines found = complaints(folder, max_memory);
    INFO(manifest);
    REQUIRE(!found.empty());
    CHECK(found.size() <= 101);
    CHECK(found.front().find(wanted) != std::string::npos);
    for (const std::string& line : found)
      for (const char c : line) CHECK(static_cast<unsigned char>(c) >= 0x20);
  };
  const std::string_view one = R"("count": 1, "shard": 0, "shards": 1)";
  refused("", "model M1");
  refused("[]", "model M2: manifest is an array");
  refused("{}", "model M2: count is missing");
  refused(R"({"count": "1", "shard": 0, "shards": 1})", "model M2: count");
  refused(R"({"count": -1, "shard": 0, "shards": 1})", "model M4: count");
  refused(fmt::format("{{ {} }}", one), "model M2: cases is missing");
  refused(manifest_text("1"), "model M2: cases is 1");
  refused(manifest_text("{}"), "model M2: name");
  refused(manifest_text(R"({ "name": "c" })"), "model M2: files");
  refused(manifest_text(R"({ "name": "c", "files": { "c.json": 1 } })"), "model M2: SHA-256");
  refused(manifest_text(entry("c", {{"c.in.npy", "input"}})), "model M12: case is 'c'");
  refused(manifest_text(entry("c", {{"c.json", "model"}}) + "," + entry("c", {{"c.json", "model"}}),
                        R"("count": 2, "shard": 0, "shards": 1)"),
          "model M12: file is 'c.json' again");
  // Nothing outside the folder is opened: a name that contains a path is not a file of the folder.
  for (const char* const name : {"../../../../etc/passwd", "/etc/passwd", "./c.in.npy", "goldml/c.in.npy", "..", ""})
    refused(manifest_text(entry("c", {{"c.json", "model"}, {name, "x"}})), "model M12: file is missing");
  refused(manifest_text(entry("c", {{"c.json", "model"}, {"\\u001b[31m", "x"}})), "?[31m: model M12: file is missing");
  refused(manifest_text(entry("c", {{"c.json", "model"}})), "M8: manifest is", 32 * 20);
  std::vector<std::pair<std::string, std::string>> many{{"c.json", "model"}};
  for (int i = 0; i < 500; ++i) many.emplace_back(fmt::format("x{}", i), "x");
  folder.write("manifest_c.json", manifest_text(entry("c", many)));
  CHECK(complaints(folder).size() == 101);
  CHECK(complaints(folder).back() == "and 402 more");  // 500 that are missing, 2 that are added
#ifndef _WIN32
  write_corpus(folder);
  std::filesystem::rename(folder / "c.in.npy", folder / "goldml");
  std::filesystem::create_symlink("goldml", folder / "c.in.npy");
  CHECK(complaints(folder).size() == 2);
  CHECK(complaints(folder).front().starts_with("c.in.npy: model M9: file is "));
#endif
}
