// io/files.hpp: files are read and replaced as a whole, and an interrupted write leaves the old content.
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#ifndef _WIN32
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "models.hpp"

namespace {

using namespace models;
namespace fs = std::filesystem;

std::span<const std::byte> bytes_of_text(std::string_view text) { return std::as_bytes(std::span(text)); }

std::size_t count_files(const temporary_folder& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder.path())) ++count;
  return count;
}

#ifndef _WIN32

// Simulates a disk that is full after a number of bytes of a file; writing fails with a different errno.
class full_disk {
 public:
  explicit full_disk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~full_disk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

#endif

}  // namespace

TEST_CASE("Files: read to the end, and replaced as a whole", "[files]") {
  const temporary_folder folder;
  const io::file_place place{folder.path(), "sub/a.bin"};
  CHECK_FALSE(io::input_file(place).is_open());
  CHECK(io::replace_file(place, bytes_of_text("0123456789")) == "");
  CHECK(folder.read("sub/a.bin") == "0123456789");
  CHECK(io::replace_file(place, bytes_of_text("abc")) == "");
  {  // Windows does not replace an open file
    io::input_file file(place);
    REQUIRE(file.is_open());
    CHECK(file.size() == 3);
    std::vector<std::byte> read(8, std::byte{'-'});
    CHECK(file.read(std::span(read).first(2)) == 2);
    CHECK(file.read(std::span(read).subspan(2)) == 1);
    CHECK(file.is_open());  // the end of the file is not an error
    CHECK(read[2] == std::byte{'c'});
    CHECK(read[3] == std::byte{'-'});
  }
  CHECK(io::replace_file(place, {}) == "");
  CHECK(io::input_file(place).size() == 0);
  CHECK(fs::remove(folder / "sub/a.bin"));
  CHECK(fs::is_empty(folder / "sub"));  // no other files remain
}

#ifndef _WIN32
TEST_CASE("Files: one that has become shorter is not read, and the reason says so", "[files]") {
  const temporary_folder folder;
  const fs::path path = folder.path() / "cut.bin";
  REQUIRE(io::replace_file(io::place_of(path), bytes_of_text("0123456789")) == "");
  io::input_file file(io::place_of(path));
  REQUIRE(file.size() == 10);
  fs::resize_file(path, 4);
  std::vector<std::byte> bytes(10);
  CHECK_FALSE(file.read_all(bytes));
  CHECK(file.problem() == "shorter than its size when it was opened");
}

TEST_CASE("Files: an error number left by something else does not change what is read", "[files]") {
  const temporary_folder folder;
  const io::file_place place{folder.path(), "a.bin"};
  REQUIRE(io::replace_file(place, bytes_of_text("abc")) == "");
  io::input_file file(place);
  std::vector<std::byte> read(3);
  errno = EINTR;
  CHECK(file.read(read) == 3);
  CHECK(read[2] == std::byte{'c'});
}
#endif

#ifdef __linux__
TEST_CASE("Files: a failure while reading is reported, and nothing counts as read", "[files]") {
  io::input_file file({"/proc/self", "mem"});  // a regular file, whose first page cannot be read
  REQUIRE(file.problem() == "");
  std::vector<std::byte> read(4);
  CHECK(file.read(read) == 0);
  CHECK(file.problem() != "");
  io::input_file whole({"/proc/self", "mem"});
  CHECK_FALSE(whole.read_all(read));
  CHECK(whole.problem() == file.problem());
}
#endif

TEST_CASE("Files: what is not a regular file is neither read nor replaced, and the error gives the reason", "[files]") {
  const temporary_folder folder;
  fs::create_directory(folder / "folder");
  folder.write("file", "x");
  for (const bool follow_links : {false, true}) {
    CHECK(io::input_file({folder.path(), "folder", follow_links}).problem() == "not a regular file");
    CHECK(io::replace_file({folder.path(), "folder", follow_links}, {}) != "");
    CHECK(io::input_file({folder.path(), "none", follow_links}).problem() != "");
    CHECK(io::replace_file({folder.path(), "file/below", follow_links}, {}) != "");
    CHECK(io::input_file({folder.path(), std::string(5000, 'a'), follow_links}).problem() != "");
    CHECK(io::replace_file({folder.path(), std::string(5000, 'a'), follow_links}, {}) != "");
  }
#ifndef _WIN32
  CHECK(io::input_file({folder.path(), "file/below/deeper"}).problem() == "Not a directory");
  CHECK(io::replace_file({folder.path(), "file/below/deeper"}, {}) == "Not a directory");
#endif
  CHECK(count_files(folder) == 2);
  CHECK(folder.read("file") == "x");
}

TEST_CASE("Files: without a folder, below the current one", "[files]") {
  const temporary_folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const std::string problem = io::replace_file({{}, "sub/a.bin"}, bytes_of_text("abc"));
  const std::uint64_t size = io::input_file({{}, "sub/a.bin"}).size();
  fs::current_path(before);
  CHECK(problem == "");
  CHECK(size == 3);
  CHECK(folder.read("sub/a.bin") == "abc");
}

#ifndef _WIN32

TEST_CASE("Files: temporary files that interrupted runs have left are kept; a thousand are too many", "[files]") {
  const temporary_folder folder;
  const auto left = [&](int number) { return fmt::format(".goldml-{}-{}.tmp", getpid(), number); };
  folder.write("old.bin", "old");
  folder.write(left(0), "zero");
  CHECK(io::replace_file({folder.path(), "old.bin"}, bytes_of_text("new")) == "");
  CHECK(folder.read("old.bin") == "new");
  CHECK(folder.read(left(0)) == "zero");
  CHECK(count_files(folder) == 2);
  for (int number = 1; number < 1000; ++number) folder.write(left(number), "");
  CHECK(io::replace_file({folder.path(), "old.bin"}, bytes_of_text("newer")) == "File exists");
  CHECK(folder.read("old.bin") == "new");
  CHECK(count_files(folder) == 1001);
}

TEST_CASE("Files: a full disk leaves the old content, and no other file", "[files]") {
  const temporary_folder folder;
  const std::string large(100'000, 'n');
  folder.write("old.bin", "old");
  folder.write("old.npy", "old");
  for (const bool follow_links : {false, true}) {
    std::string old_file, new_file, npy;
    {
      const full_disk full(50'000);
      old_file = io::replace_file({folder.path(), "old.bin", follow_links}, bytes_of_text(large));
      new_file = io::replace_file({folder.path(), "new.bin", follow_links}, bytes_of_text(large));
      npy = message_of([&] {
        io::write_npy(io::file_place{folder.path(), "old.npy", follow_links}, data_type::uint8,
                      std::vector<std::uint64_t>{large.size()}, bytes_of_text(large));
      });
    }
    CHECK(old_file == "File too large");
    CHECK(new_file == "File too large");
    check_begins(npy, "npy M22: file is not written, wanted writable, with 100128 bytes of space (");
    CHECK(folder.read("old.bin") == "old");
    CHECK(folder.read("old.npy") == "old");
    CHECK(count_files(folder) == 2);
  }
}

TEST_CASE("Files: a process that is killed while it writes leaves the old content", "[files]") {
  const temporary_folder folder;
  const std::string large(100'000, 'n');
  folder.write("old.bin", "old");
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{50'000, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    io::replace_file({folder.path(), "old.bin"}, bytes_of_text(large));
    _exit(0);
  }
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGXFSZ);
  CHECK(folder.read("old.bin") == "old");
  CHECK(count_files(folder) == 2);  // and the partial file, under another name
  // A partial file does no harm.
  CHECK(io::replace_file({folder.path(), "old.bin"}, bytes_of_text("new")) == "");
  CHECK(folder.read("old.bin") == "new");
}

TEST_CASE("Files: permissions are kept, and so are links that may be followed", "[files]") {
  const temporary_folder folder;
  folder.write("secret.bin", "old");
  fs::permissions(folder / "secret.bin", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("secret.bin", folder / "link.bin");
  CHECK(io::replace_file({folder.path(), "link.bin"}, bytes_of_text("new")) == "not a regular file");
  CHECK_FALSE(io::input_file({folder.path(), "link.bin"}).is_open());
  CHECK(io::replace_file(io::place_of(folder / "link.bin"), bytes_of_text("new")) == "");
  CHECK(fs::is_symlink(folder / "link.bin"));
  CHECK(folder.read("secret.bin") == "new");
  CHECK(fs::status(folder / "secret.bin").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(io::input_file(io::place_of(folder / "link.bin")).size() == 3);
}

TEST_CASE("Files: devices are written to, not replaced; pipes are not waited for", "[files]") {
  const temporary_folder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const bool follow_links : {false, true})
    CHECK(io::input_file({folder.path(), "pipe", follow_links}).problem() == "not a regular file");
  CHECK(io::replace_file({folder.path(), "pipe"}, {}) == "not a regular file");
  CHECK(io::replace_file(io::place_of("/dev/null"), bytes_of_text("x")) == "");
  CHECK(fs::is_character_file("/dev/null"));
#ifdef __linux__
  CHECK(io::replace_file(io::place_of("/dev/full"), bytes_of_text("x")) == "No space left on device");
  CHECK(fs::is_character_file("/dev/full"));
#endif
}

#endif

TEST_CASE("Files: below folders, with links followed or not", "[files]") {
  const temporary_folder folder;
  fs::create_directories(folder.path() / "a/b");
  for (const bool follow_links : {false, true}) {
    CHECK(io::replace_file({folder.path(), "a/b/file.bin", follow_links}, bytes_of_text("content")) == "");
    io::input_file file({folder.path(), "a/b/file.bin", follow_links});
    CHECK(file.problem() == "");
    std::vector<std::byte> bytes(20);
    CHECK(file.read(bytes) == 7);
  }
}
