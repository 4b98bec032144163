// io/safe_path.hpp, and through models: files are read and written below given folders only (M7), and only files (M9).
#include <filesystem>
#include <string>
#include <string_view>

#ifndef _WIN32
#include <sys/stat.h>
#endif

#include "models.hpp"

namespace {

using namespace models;
namespace fs = std::filesystem;

std::string refusal(const fs::path& folder, std::string_view name) {
  return message_of([&] { io::path_below(folder, name, "targetPath", "command 0"); });
}

std::string rule(const fs::path& folder, std::string_view name) {
  return refusal_of([&] { io::path_below(folder, name, "targetPath", "command 0"); });
}

std::string read_text(std::string_view path) {
  return model_text(
      fmt::format(R"("r": {{ "initialValuesDataType": "UINT8", "initialValues": {{ "sourcePath": "{}" }} }})", path));
}

std::string write_text(std::string_view path) {
  return model_text(R"("r": { "initialValuesDataType": "UINT8", "initialValues": [1, 2, 3, 4] })", "",
                    fmt::format(R"({{ "type": "writeFile", "resource": "r", "targetPath": "{}" }})", path));
}

// The rule that refuses the model when it is read and played in `folder`, allowed outside or not.
std::string played_rule(const std::string& text, const fs::path& folder, bool allow_outside) {
  io::model_options options;
  options.output_folder = folder;
  options.allow_outside = allow_outside;
  return refusal_of([&] {
    io::model model = io::parse_model(text, folder, options);
    std::ostringstream out;
    io::play(reference, model, out);
  });
}

// A folder "in" to stay in, with a file of its own, beside things that are outside.
struct two_folders {
  temporary_folder outer;
  fs::path inner = outer / "in";

  two_folders() {
    fs::create_directories(inner / "sub");
    fs::create_directory(outer / "secrets");
    outer.write("in/mine.bin", "mine");
    outer.write("secrets/key.bin", "key!");
  }
};

}  // namespace

TEST_CASE("M7: names below the folder are taken", "[safe_path]") {
  const two_folders folders;
  for (const std::string_view name :
       {"new.bin", "mine.bin", "./mine.bin", "sub/new.bin", "new/new/new.bin", "..bin", "a..b/c...bin", "sub//x.bin"}) {
    INFO(name);
    CHECK(io::path_below(folders.inner, name, "targetPath", "here") == folders.inner / name);
  }
  CHECK(io::path_below("", "mine.bin", "targetPath", "here").lexically_normal() == "mine.bin");  // the current folder
  // Models are UTF-8.
  CHECK(io::path_below(folders.inner, "\xC3\xBCnder.bin", "targetPath", "here") ==
        folders.inner / fs::path(u8"\u00FCnder.bin"));
}

TEST_CASE("M7: a folder that is yet to be made, with or without a slash at its end", "[safe_path]") {
  const two_folders folders;
  for (const std::string_view folder : {"none", "none/", "none/deeper", "in/", "in", "in/../in"})
    for (const std::string_view name : {"x.bin", "sub/x.bin"}) CHECK(rule(folders.outer / folder, name) == "none");
  CHECK(rule("goldml_no_such_folder", "x.bin") == "none");
  CHECK(rule("goldml_no_such_folder", "../x.bin") == "M7");
}

TEST_CASE("M7: names with '..', roots, or nothing in them", "[safe_path]") {
  const two_folders folders;
  for (const std::string_view name :
       {"../secrets/key.bin", "..", "sub/../mine.bin", "sub/../../secrets/key.bin", "none/../x.bin", "./.."}) {
    INFO(name);
    CHECK(refusal(folders.inner, name) == fmt::format("model M7: targetPath is '{}', wanted a path without '..' "
                                                      "(--allow-outside allows any) (command 0)",
                                                      name));
  }
  CHECK(refusal(folders.inner, "/etc/x.bin") ==
        "model M7: targetPath is '/etc/x.bin', wanted a relative path (--allow-outside allows any) (command 0)");
  CHECK(rule(folders.inner, (folders.inner / "mine.bin").string()) == "M7");  // absolute, even if inside
  CHECK(refusal(folders.inner, "") == "model M7: targetPath is '', wanted a file name (command 0)");
  CHECK(rule(folders.inner, std::string_view("mine.bin\0.npy", 13)) == "M7");
  CHECK(refusal(folders.inner, "/\x1B[31m") ==
        "model M7: targetPath is '/?[31m', wanted a relative path (--allow-outside allows any) (command 0)");
}

TEST_CASE("M7: names of devices are refused where they are devices", "[safe_path]") {
  const two_folders folders;
  for (const std::string_view name : {"CON", "nul", "Aux.npy", "prn.tar.gz", "COM1", "lpt9.bin", "com0", "LPT\xC2\xB2",
                                      "NUL .txt", "con:", "conin$", "CONOUT$.x"}) {
    INFO(name);
    CHECK(io::detail::is_device_of_windows(name));
#ifdef _WIN32
    CHECK(rule(folders.inner, fmt::format("sub/{}", name)) == "M7");
    CHECK(rule(folders.inner, fmt::format("{}/x.bin", name)) == "M7");
#else
    CHECK(rule(folders.inner, name) == "none");
#endif
  }
  for (const std::string_view name :
       {"CONS", "null", "aux1", "com", "com10", "lptx", "x.nul", "conin", "COM\xC2\xB4", ""}) {
    INFO(name);
    CHECK_FALSE(io::detail::is_device_of_windows(name));
  }
}

#ifndef _WIN32

TEST_CASE("M7: links that leave the folder", "[safe_path]") {
  const two_folders folders;
  fs::create_directory_symlink(folders.outer / "secrets", folders.inner / "folder");
  fs::create_symlink(folders.outer / "secrets/key.bin", folders.inner / "file.bin");
  fs::create_symlink("../secrets/key.bin", folders.inner / "relative.bin");
  fs::create_symlink("folder/key.bin", folders.inner / "twice.bin");
  fs::create_symlink(folders.outer / "secrets/none.bin", folders.inner / "dangling.bin");
  fs::create_directory_symlink(folders.outer / "none", folders.inner / "dangling");
  fs::create_symlink("loop.bin", folders.inner / "loop.bin");
  fs::create_directory_symlink("..", folders.inner / "up");
  for (const std::string_view name :
       {"folder/key.bin", "folder/new.bin", "folder/new/new.bin", "file.bin", "relative.bin", "twice.bin",
        "dangling.bin", "dangling/new.bin", "dangling/new/new.bin", "loop.bin", "up/secrets/key.bin"}) {
    INFO(name);
    CHECK(refusal(folders.inner, name) ==
          fmt::format("model M7: targetPath is '{}', wanted a path whose links stay below its folder "
                      "(--allow-outside allows any) (command 0)",
                      name));
    CHECK(played_rule(read_text(name), folders.inner, false) == "M7");
    CHECK(played_rule(write_text(name), folders.inner, false) == "M7");
  }
  CHECK(folders.outer.read("secrets/key.bin") == "key!");
  CHECK_FALSE(fs::exists(folders.outer / "none"));
  CHECK_FALSE(fs::exists(folders.outer / "secrets/none.bin"));
}

TEST_CASE("M7: links that stay in the folder are taken", "[safe_path]") {
  const two_folders folders;
  fs::create_symlink("mine.bin", folders.inner / "other.bin");
  fs::create_directory_symlink("sub", folders.inner / "other");
  fs::create_directory_symlink(folders.inner, folders.outer / "link");  // the folder itself may be named by a link
  CHECK(rule(folders.inner, "other.bin") == "none");
  CHECK(rule(folders.inner, "other/new.bin") == "none");
  CHECK(rule(folders.outer / "link", "other/new.bin") == "none");
  CHECK(rule(folders.outer / "link", "../secrets/key.bin") == "M7");
  CHECK(played_rule(read_text("other.bin"), folders.outer / "link", false) == "none");
  CHECK(played_rule(write_text("other/new.bin"), folders.outer / "link", false) == "none");
  CHECK(folders.outer.read("in/sub/new.bin").size() == 4);
}

TEST_CASE("M9: a pipe is neither read nor written, so nobody waits for its other end", "[safe_path]") {
  const two_folders folders;
  REQUIRE(mkfifo((folders.inner / "pipe.bin").c_str(), 0600) == 0);
  REQUIRE(mkfifo((folders.inner / "pipe.npy").c_str(), 0600) == 0);
  for (const bool allow_outside : {false, true})
    for (const std::string_view name : {"pipe.bin", "pipe.npy"}) {
      CHECK(played_rule(read_text(name), folders.inner, allow_outside) == "M9");
      CHECK(played_rule(write_text(name), folders.inner, allow_outside) == "M9");
    }
  CHECK(refusal_of([&] { io::read_model(folders.inner / "pipe.bin", {}); }) == "M9");
}

TEST_CASE("M9: a device is no file either", "[safe_path]") {
  const two_folders folders;
  fs::create_symlink("/dev/zero", folders.inner / "zero.bin");
  CHECK(played_rule(read_text("zero.bin"), folders.inner, true) == "M9");
  CHECK(played_rule(write_text("zero.bin"), folders.inner, true) == "M9");
}

TEST_CASE("Paths: with allow_outside links, '..' and absolute names are followed", "[safe_path]") {
  const two_folders folders;
  fs::create_symlink(folders.outer / "secrets/key.bin", folders.inner / "file.bin");
  for (const std::string& name :
       {std::string("file.bin"), std::string("../secrets/key.bin"), (folders.outer / "secrets/key.bin").string()}) {
    INFO(name);
    CHECK(played_rule(read_text(name), folders.inner, true) == "none");
    CHECK(played_rule(read_text(name), folders.inner, false) == "M7");
  }
  CHECK(played_rule(write_text("../secrets/new.bin"), folders.inner, true) == "none");
  CHECK(folders.outer.read("secrets/new.bin").size() == 4);
}

#endif

TEST_CASE("M9: folders, and files that are not there", "[safe_path]") {
  const two_folders folders;
  fs::create_directory(folders.inner / "folder.bin");
  for (const bool allow_outside : {false, true}) {
    CHECK(played_rule(read_text("folder.bin"), folders.inner, allow_outside) == "M9");
    CHECK(played_rule(read_text("none.bin"), folders.inner, allow_outside) == "M9");
    CHECK(played_rule(write_text("folder.bin"), folders.inner, allow_outside) == "M9");
  }
  CHECK(message_of([&] {
          io::parse_model(write_text("folder.bin"), folders.inner, {.output_folder = folders.inner});
        }) == "model M9: targetPath is 'folder.bin', wanted a regular file, or the name of a new one (command 0)");
  CHECK(message_of([&] { io::parse_model(read_text("none.bin"), folders.inner, {}); }) ==
        "model M9: sourcePath is 'none.bin', wanted a file below the model's folder or the current one (resource 'r')");
}

TEST_CASE("M7: a refused write leaves nothing behind", "[safe_path]") {
  const two_folders folders;
  const std::string text = model_text(R"("r": { "initialValuesDataType": "UINT8", "initialValues": [1] })", "",
                                      R"({ "type": "writeFile", "resource": "r", "targetPath": "first.bin" },
          { "type": "writeFile", "resource": "r", "targetPath": "../second.bin" })");
  CHECK(played_rule(text, folders.inner, false) == "M7");
  CHECK_FALSE(fs::exists(folders.inner / "first.bin"));
  CHECK_FALSE(fs::exists(folders.outer / "second.bin"));
}

TEST_CASE("Paths: files are looked for beside the model, then in the current folder", "[safe_path]") {
  const two_folders folders;
  folders.outer.write("mine.bin", "8765");
  const struct return_later {
    fs::path before = fs::current_path();
    ~return_later() { fs::current_path(before); }
  } guard;
  fs::current_path(folders.outer.path());
  const std::string beside_model = message_of([&] { io::parse_model(read_text("mine.bin"), "in", {}); });
  const io::model here = io::parse_model(read_text("mine.bin"), "in/sub", {});
  const io::model first = io::parse_model(read_text("mine.bin"), "in", {});
  CHECK(beside_model.empty());
  CHECK(here.resources.at(0).bytes.at(0) == std::byte{'8'});
  CHECK(first.resources.at(0).bytes.at(0) == std::byte{'m'});
}
