// io/safe_path.hpp, also through models: files are read and written only below given folders (M7), and only files (M9).
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

// The rule that refuses the model when it is read and run in `folder`, with paths outside allowed or not.
std::string played_rule(const std::string& text, const fs::path& folder, bool allow_outside) {
  io::model_options options;
  options.output_folder = folder;
  options.overwrite = true;
  options.allow_outside = allow_outside;
  return refusal_of([&] {
    io::model model = io::parse_model(text, folder, options);
    std::ostringstream out;
    io::play(reference, model, out);
  });
}

// A folder "in" with a file, next to files that are outside.
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

[[maybe_unused]] std::string link_refusal(std::string_view name) {
  return fmt::format(
      "model M7: targetPath is '{}', wanted a path without links (--allow-outside allows any) (command 0)", name);
}

}  // namespace

TEST_CASE("M7: names below the folder are accepted", "[safe_path]") {
  const two_folders folders;
  for (const std::string_view name : {"new.bin", "mine.bin", "./mine.bin", "sub/new.bin", "new/new/new.bin", "..bin",
                                      "a..b/c...bin", "sub//x.bin", "new/"}) {
    INFO(name);
    CHECK(io::path_below(folders.inner, name, "targetPath", "here").path() == folders.inner / name);
  }
  CHECK(io::path_below("", "mine.bin", "targetPath", "here").path().lexically_normal() ==
        "mine.bin");  // the current folder
  // Models are UTF-8.
  CHECK(io::path_below(folders.inner, "\xC3\xBCnder.bin", "targetPath", "here").path() ==
        folders.inner / fs::path(u8"\u00FCnder.bin"));
}

TEST_CASE("M7: a folder that does not exist yet, with or without a trailing slash", "[safe_path]") {
  const two_folders folders;
  for (const std::string_view folder : {"none", "none/", "none/deeper", "in/", "in", "in/../in"})
    for (const std::string_view name : {"x.bin", "sub/x.bin"}) CHECK(rule(folders.outer / folder, name) == "none");
  CHECK(rule("goldml_no_such_folder", "x.bin") == "none");
  CHECK(rule("goldml_no_such_folder", "../x.bin") == "M7");
}

TEST_CASE("M7: names with '..', roots, and empty names", "[safe_path]") {
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

TEST_CASE("M7: names of devices are refused on systems where they are devices", "[safe_path]") {
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

TEST_CASE("M7: names that Windows treats as other names are refused there", "[safe_path]") {
  const two_folders folders;
  for (const std::string_view name :
       {"a.bin:stream", "a.bin::$DATA", "MODEL~1.BIN", "a~12", "a~0", "a~9", "a.bin.", "a.bin ", "..."}) {
    INFO(name);
    CHECK(io::detail::is_alias_of_windows(name));
#ifdef _WIN32
    CHECK(rule(folders.inner, fmt::format("sub/{}", name)) == "M7");
    CHECK(rule(folders.inner, fmt::format("{}/x.bin", name)) == "M7");
#else
    CHECK(rule(folders.inner, name) == "none");
#endif
  }
  for (const std::string_view name : {"", ".", "a~.bin", "~", "a~x1.bin", ".bin", " a.bin", "a b.bin"}) {
    INFO(name);
    CHECK_FALSE(io::detail::is_alias_of_windows(name));
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
    CHECK(refusal(folders.inner, name) == link_refusal(name));
    CHECK(played_rule(read_text(name), folders.inner, false) == "M7");
    CHECK(played_rule(write_text(name), folders.inner, false) == "M7");
  }
  CHECK(folders.outer.read("secrets/key.bin") == "key!");
  CHECK_FALSE(fs::exists(folders.outer / "none"));
  CHECK_FALSE(fs::exists(folders.outer / "secrets/none.bin"));
}

TEST_CASE("M7: links within the folder are refused too; the folder itself may be a link", "[safe_path]") {
  const two_folders folders;
  fs::create_symlink("mine.bin", folders.inner / "other.bin");
  fs::create_directory_symlink("sub", folders.inner / "other");
  fs::create_directory_symlink(folders.inner, folders.outer / "link");  // the caller's own name for the folder
  for (const std::string_view name : {"other.bin", "other/new.bin", "./other.bin", "sub/../other.bin"}) {
    INFO(name);
    CHECK(rule(folders.inner, name) == "M7");
    CHECK(rule(folders.outer / "link", name) == "M7");
    CHECK(played_rule(read_text(name), folders.inner, false) == "M7");
    CHECK(played_rule(write_text(name), folders.inner, false) == "M7");
  }
  CHECK(refusal(folders.inner, "other/new.bin") == link_refusal("other/new.bin"));
  CHECK(rule(folders.outer / "link", "../secrets/key.bin") == "M7");
  CHECK(played_rule(read_text("mine.bin"), folders.outer / "link", false) == "none");
  CHECK(played_rule(write_text("sub/new.bin"), folders.outer / "link", false) == "none");
  CHECK(folders.outer.read("in/sub/new.bin").size() == 4);
  CHECK(folders.outer.read("in/mine.bin") == "mine");
}

// Attack: a repository has a link out.bin -> .git/config and a model that writes out.bin; the next `git status` would
// run what the new configuration says. And k.bin -> ../../.ssh/id_rsa, which a print would show.
TEST_CASE("M7: a repository's links neither write its configuration nor read a key outside", "[safe_path]") {
  const temporary_folder home;
  fs::create_directories(home / "src/repository/.git");
  fs::create_directories(home / ".ssh");
  home.write("src/repository/.git/config", "[core]");
  home.write(".ssh/id_rsa", "key!");
  const fs::path repository = home / "src/repository";
  fs::create_symlink(".git/config", repository / "out.bin");
  fs::create_symlink("../../.ssh/id_rsa", repository / "k.bin");
  for (const bool overwrite : {false, true}) {
    io::model_options options;
    options.output_folder = repository;
    options.overwrite = overwrite;
    CHECK(refusal_of([&] { io::parse_model(write_text("out.bin"), repository, options); }) == "M7");
    CHECK(refusal_of([&] { io::parse_model(read_text("k.bin"), repository, options); }) == "M7");
  }
  CHECK(home.read("src/repository/.git/config") == "[core]");
  CHECK(fs::is_symlink(repository / "out.bin"));
  // If any path is allowed, the extension of the link's target is checked.
  io::model_options anywhere;
  anywhere.output_folder = repository;
  anywhere.overwrite = anywhere.allow_outside = true;
  CHECK(
      message_of([&] { io::parse_model(write_text("out.bin"), repository, anywhere); }) ==
      "model M5: targetPath is 'out.bin', wanted a .npy, .dat or .bin file (a link to a file of another kind; command "
      "0)");
  CHECK(message_of([&] { io::parse_model(read_text("k.bin"), repository, anywhere); }) ==
        "model M5: sourcePath is 'k.bin', wanted a .npy, .dat or .bin file (a link to a file of another kind; resource "
        "'r')");
  CHECK(home.read("src/repository/.git/config") == "[core]");
  // A link that leads nowhere has no kind: the system says why it cannot be opened.
  fs::create_symlink("loop.bin", repository / "loop.bin");
  CHECK(message_of([&] { io::parse_model(read_text("loop.bin"), repository, anywhere); })
            .starts_with("model M9: sourcePath is 'loop.bin', wanted "));
}

// Files are checked when a model is read and opened later: a link created in between is not followed either.
TEST_CASE("M7: links created after the check are not followed", "[safe_path]") {
  const two_folders folders;
  const io::file_place file = io::path_below(folders.inner, "new.bin", "targetPath", "here");
  const io::file_place deep = io::path_below(folders.inner, "new/mine.bin", "targetPath", "here");
  fs::create_symlink(folders.outer / "secrets/key.bin", folders.inner / "new.bin");
  fs::create_directory_symlink(folders.outer / "secrets", folders.inner / "new");
  const std::vector<std::byte> bytes(4);
  for (const io::file_place& place : {file, deep}) {
    CHECK_FALSE(io::input_file(place).is_open());
    CHECK(io::replace_file(place, bytes) != "");
  }
  CHECK(folders.outer.read("secrets/key.bin") == "key!");
  CHECK_FALSE(fs::exists(folders.outer / "secrets/mine.bin"));
}

TEST_CASE("M7: goldml's default output folder must not be a link", "[safe_path]") {
  const two_folders folders;
  fs::create_directory_symlink("../secrets", folders.inner / io::own_output_folder);
  io::model_options options;
  options.own_folder_in = folders.inner;
  check_begins(message_of([&] { io::parse_model(write_text("key.bin"), folders.inner, options); }),
               "model M7: targetPath is 'key.bin', wanted an output folder that is not a link ('");
  CHECK(folders.outer.read("secrets/key.bin") == "key!");
}

TEST_CASE("M9: a pipe is neither read nor written, so nothing waits for its other end", "[safe_path]") {
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

TEST_CASE("M9: a device is not a file either", "[safe_path]") {
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

TEST_CASE("M9: folders, and missing files", "[safe_path]") {
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
  check_begins(message_of([&] { io::parse_model(read_text("none.bin"), folders.inner, {}); }),
               "model M9: sourcePath is 'none.bin', wanted a file below the model's folder (");
}

TEST_CASE("M7: a refused write leaves no files", "[safe_path]") {
  const two_folders folders;
  const std::string text = model_text(R"("r": { "initialValuesDataType": "UINT8", "initialValues": [1] })", "",
                                      R"({ "type": "writeFile", "resource": "r", "targetPath": "first.bin" },
          { "type": "writeFile", "resource": "r", "targetPath": "../second.bin" })");
  CHECK(played_rule(text, folders.inner, false) == "M7");
  CHECK_FALSE(fs::exists(folders.inner / "first.bin"));
  CHECK_FALSE(fs::exists(folders.outer / "second.bin"));
}

TEST_CASE("Paths: files are searched only in the folder of the model", "[safe_path]") {
  const two_folders folders;
  folders.outer.write("mine.bin", "8765");
  const struct return_later {
    fs::path before = fs::current_path();
    ~return_later() { fs::current_path(before); }
  } guard;
  fs::current_path(folders.outer.path());
  const std::string beside_model = message_of([&] { io::parse_model(read_text("mine.bin"), "in", {}); });
  const std::string in_current = refusal_of([&] { io::parse_model(read_text("mine.bin"), "in/sub", {}); });
  const io::model here = io::parse_model(read_text("mine.bin"), "", {});
  const io::model first = io::parse_model(read_text("mine.bin"), "in", {});
  CHECK(beside_model.empty());
  CHECK(in_current == "M9");
  CHECK(here.resources.at(0).bytes.at(0) == std::byte{'8'});
  CHECK(first.resources.at(0).bytes.at(0) == std::byte{'m'});
}

TEST_CASE("Paths: with allow_outside and no output folder, a name alone is in the current folder", "[safe_path]") {
  const two_folders folders;
  const fs::path before = fs::current_path();
  fs::current_path(folders.inner);
  const std::string refused = played_rule(write_text("new.bin"), "", true);
  fs::current_path(before);
  CHECK(refused == "none");
  CHECK(folders.outer.read("in/new.bin") == "\x01\x02\x03\x04");
}

#ifndef _WIN32
TEST_CASE("M9: a name that is too long is no file that must not be replaced, and cannot be written", "[safe_path]") {
  const two_folders folders;
  io::model_options options;
  options.output_folder = folders.inner;
  const std::string name = std::string(300, 'a') + ".bin";
  io::model model = io::parse_model(write_text(name), folders.inner, options);
  std::ostringstream out;
  const std::string text = message_of([&] { io::play(reference, model, out); });
  INFO(text);
  CHECK(text.starts_with("model M9: targetPath is '"));
  CHECK(text.find("wanted a file that can be written (File name too long; resource 'r'") != std::string::npos);
}
#endif

TEST_CASE("Paths: goldml's default output folder is created, and files in it are replaced", "[safe_path]") {
  const two_folders folders;
  io::model_options options;
  options.own_folder_in = folders.inner;
  for (int time = 0; time < 2; ++time) {
    io::model model = io::parse_model(write_text("sub/new.bin"), folders.inner, options);
    std::ostringstream out;
    io::play(reference, model, out);
    CHECK(folders.outer.read("in/goldml-outputs/sub/new.bin") == "\x01\x02\x03\x04");
    folders.outer.write("in/goldml-outputs/sub/new.bin", "old");
  }
}

TEST_CASE("M9: in other folders a file is replaced only with overwrite, which is checked before anything runs",
          "[safe_path]") {
  const two_folders folders;
  const std::string text = model_text(
      R"("r": { "initialValuesDataType": "UINT8", "initialValues": [1, 2, 3, 4] })", "",
      R"({ "type": "print", "resource": "r" }, { "type": "writeFile", "resource": "r", "targetPath": "new.bin" },
          { "type": "writeFile", "resource": "r", "targetPath": "mine.bin" })");
  io::model_options options;
  options.output_folder = folders.inner;
  std::ostringstream out;
  io::model refused = io::parse_model(text, folders.inner, options);
  CHECK(message_of([&] { io::play(reference, refused, out); }) ==
        fmt::format("model M9: targetPath is {}, wanted the name of a new file (--overwrite replaces what is there) "
                    "(command 2)",
                    io::in_quotes(io::path_text(folders.inner / "mine.bin"))));
  CHECK(out.str().empty());
  CHECK_FALSE(fs::exists(folders.inner / "new.bin"));
  CHECK(folders.outer.read("in/mine.bin") == "mine");
  options.overwrite = true;
  io::model taken = io::parse_model(text, folders.inner, options);
  io::play(reference, taken, out);
  CHECK(folders.outer.read("in/mine.bin") == "\x01\x02\x03\x04");
  // allow_outside does not allow replacing files.
  options.overwrite = false;
  options.allow_outside = true;
  io::model outside = io::parse_model(write_text("../secrets/key.bin"), folders.inner, options);
  CHECK(refusal_of([&] { io::play(reference, outside, out); }) == "M9");
  options.output_folder.reset();
  options.own_folder_in = folders.inner;
  outside = io::parse_model(write_text("../../secrets/key.bin"), folders.inner, options);
  CHECK(refusal_of([&] { io::play(reference, outside, out); }) == "M9");
  CHECK(folders.outer.read("secrets/key.bin") == "key!");
}

TEST_CASE("C6: a path of a model has at most 63 folders, inside the folder and outside", "[safe_path]") {
  const temporary_folder folder;
  const auto deep = [](int folders) {
    std::string name;
    for (int i = 0; i < folders; ++i) name += "a/";
    return name + "x.bin";
  };
  CHECK(rule(folder.path(), deep(63)) == "none");
  const std::string refused = refusal(folder.path(), deep(64));
  CHECK(refused.ends_with(", 64 folders deep, wanted at most 63 folders (command 0)"));
  CHECK(rule(folder.path(), deep(20000)) == "M7");
  CHECK(refusal_of([&] { io::path_from(folder.path(), deep(63), true, "targetPath", "here"); }) == "none");
  CHECK(refusal_of([&] { io::path_from(folder.path(), deep(64), true, "targetPath", "here"); }) == "M7");
}
