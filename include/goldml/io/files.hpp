// Reads files, and replaces them atomically, without following links below a given folder. No other header accesses
// files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#ifdef _WIN32
#include <fstream>
#else
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace goldml::io {

// A file: a folder that the caller trusts, and the file's path below it.
struct file_place {
  std::filesystem::path folder;  // links in it are followed; empty: the current folder
  std::filesystem::path name;    // relative, without ".."
  bool follow_links = false;     // false: no part of `name` may be a link. true: `name` is any path

  std::filesystem::path path() const { return folder.empty() ? name : folder / name; }
};

// A file that the caller names, in any folder.
inline file_place place_of(const std::filesystem::path& path) { return {{}, path, true}; }

namespace detail {

inline constexpr const char* not_a_regular_file = "not a regular file";

#ifdef _WIN32

// Declared here, because <windows.h> defines macros with common names.
extern "C" __declspec(dllimport) unsigned long __stdcall GetFileAttributesW(const wchar_t* path);

// Whether the path itself is a link: a reparse point of any kind.
inline bool is_link(const std::filesystem::path& path) {
  constexpr unsigned long reparse_point = 0x400;
  const unsigned long attributes = GetFileAttributesW(path.c_str());
  return attributes != 0xFFFFFFFF && (attributes & reparse_point) != 0;
}

#else

// Whether the path itself is a link.
inline bool is_link(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::is_symlink(std::filesystem::symlink_status(path, failed));
}

// Owns a file descriptor.
class descriptor {
 public:
  explicit descriptor(int value = -1) : value_(value) {}
  descriptor(descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~descriptor() { close(); }

  int get() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  bool close() { return value_ < 0 || ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

inline std::string system_reason(int code = errno) { return std::generic_category().message(code); }

// Opens the folder of the file. On failure the descriptor is not open and errno is set. `make`: creates missing
// folders.
inline descriptor open_folder_of(const file_place& place, bool make) {
#ifdef O_PATH
  constexpr int access = O_PATH | O_DIRECTORY | O_CLOEXEC;  // needs no permission to list the folder
#else
  constexpr int access = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
#endif
  const std::filesystem::path start = place.follow_links ? place.path().parent_path() : place.folder;
  std::error_code failed;
  if (make && !start.empty()) std::filesystem::create_directories(start, failed);  // open() reports a failure
  descriptor folder(::open(start.empty() ? "." : start.c_str(), access));
  if (place.follow_links) return folder;
  for (const std::filesystem::path& part : place.name.parent_path()) {
    if (!folder.is_open()) break;
    if (part.empty() || part == ".") continue;
    if (make) ::mkdirat(folder.get(), part.c_str(), 0777);  // likewise
    folder = descriptor(::openat(folder.get(), part.c_str(), access | O_NOFOLLOW));
  }
  return folder;
}

inline bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

// Creates a new file in the folder; returns it with its name. Files left by an interrupted run are kept.
inline std::pair<descriptor, std::string> make_temporary(const descriptor& folder) {
  for (int number = 0; number < 1000; ++number) {
    std::string name = ".goldml-" + std::to_string(::getpid()) + "-" + std::to_string(number) + ".tmp";
    descriptor file(::openat(folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (file.is_open() || errno != EEXIST) return {std::move(file), std::move(name)};
  }
  return {descriptor(), ""};
}

#endif

}  // namespace detail

// A regular file, open for reading. Anything else (a folder, a pipe, a device) is not opened, and does not block.
class input_file {
 public:
  // If the file cannot be opened, problem() gives the reason.
  explicit input_file(const file_place& place) {
#ifdef _WIN32
    std::filesystem::path below = place.folder;
    for (const std::filesystem::path& part : place.name) {
      below /= part;
      if (!place.follow_links && detail::is_link(below)) problem_ = "a link";
    }
    std::error_code failed;
    const auto status = std::filesystem::status(place.path(), failed);
    if (problem_.empty() && !std::filesystem::is_regular_file(status))
      problem_ = failed ? failed.message() : detail::not_a_regular_file;
    if (problem_.empty()) size_ = std::filesystem::file_size(place.path(), failed);
    if (problem_.empty() && failed) problem_ = failed.message();
    if (!problem_.empty()) return;
    file_.open(place.path(), std::ios::binary);
    if (!file_) problem_ = std::generic_category().message(errno);
#else
    const detail::descriptor folder = detail::open_folder_of(place, false);
    if (folder.is_open())
      file_ = detail::descriptor(
          ::openat(folder.get(), place.name.filename().c_str(),
                   O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (place.follow_links ? 0 : O_NOFOLLOW)));
    struct stat status {};
    if (!file_.is_open() || ::fstat(file_.get(), &status) != 0)
      problem_ = detail::system_reason();
    else if (!S_ISREG(status.st_mode))
      problem_ = detail::not_a_regular_file;
    else
      size_ = static_cast<std::uint64_t>(status.st_size);
#endif
  }

  bool is_open() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  std::uint64_t size() const { return size_; }  // in bytes, when it was opened

  // Reads the next bytes and returns their number. It is less than requested at the end of the file or on failure, for
  // which problem() gives the reason.
  std::size_t read(std::span<std::byte> to) {
#ifdef _WIN32
    file_.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size()));
    if (file_.bad()) problem_ = std::generic_category().message(errno);
    return static_cast<std::size_t>(file_.gcount());
#else
    std::size_t done = 0;
    while (done < to.size()) {
      const auto got = ::read(file_.get(), to.data() + done, to.size() - done);
      if (got == 0) break;
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        problem_ = detail::system_reason();
        break;
      }
      done += static_cast<std::size_t>(got);
    }
    return done;
#endif
  }

  // Reads that many bytes. Returns false if there are fewer or on failure, for which problem() gives the reason.
  bool read_all(std::span<std::byte> to) {
    if (read(to) == to.size()) return true;
    if (problem_.empty()) problem_ = "shorter than its size when it was opened";
    return false;
  }

 private:
#ifdef _WIN32
  std::ifstream file_;
#else
  detail::descriptor file_;
#endif
  std::string problem_;
  std::uint64_t size_ = 0;
};

// Replaces the content of a regular file, or creates it. Writes a temporary file in the same folder and renames it, so
// that an interrupted write leaves the old content. Without follow_links, missing folders are created. With
// follow_links, a file that is not regular, such as a device, is written to directly. Returns the reason of a failure,
// or "". The content is `start` and then `bytes`.
inline std::string replace_file(const file_place& place, std::span<const std::byte> bytes,
                                std::span<const std::byte> start = {}) {
#ifdef _WIN32
  std::filesystem::path below = place.folder;
  for (const std::filesystem::path& part : place.name) {
    below /= part;
    if (!place.follow_links && detail::is_link(below)) return "a link";
  }
  const std::filesystem::path path = place.path();
  std::error_code failed;
  if (!place.follow_links) std::filesystem::create_directories(path.parent_path(), failed);
  const auto status = std::filesystem::status(path, failed);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return detail::not_a_regular_file;
  std::filesystem::path temporary;
  for (int number = 0; temporary.empty() || std::filesystem::exists(temporary, failed); ++number)
    temporary = path.parent_path() / (".goldml-" + std::to_string(number) + ".tmp");
  {
    errno = 0;
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    for (const std::span<const std::byte> part : {start, bytes})
      file.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
    file.close();
    if (!file) {
      const std::string reason = std::generic_category().message(errno);
      std::filesystem::remove(temporary, failed);
      return reason;
    }
  }
  std::filesystem::rename(temporary, path, failed);
  if (!failed) return "";
  const std::string reason = failed.message();
  std::filesystem::remove(temporary, failed);
  return reason;
#else
  const auto write_all = [&](int file) { return detail::write_all(file, start) && detail::write_all(file, bytes); };
  file_place target = place;
  if (place.follow_links) {
    std::error_code failed;
    const auto status = std::filesystem::status(place.path(), failed);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      detail::descriptor file(::open(place.path().c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
      const bool written = file.is_open() && write_all(file.get());
      return written && file.close() ? "" : detail::system_reason();
    }
    if (std::filesystem::exists(status)) {  // a link is kept, and the file that it points to is replaced
      target = place_of(std::filesystem::canonical(place.path(), failed));
      if (failed) return failed.message();
    }
  }
  const detail::descriptor folder = detail::open_folder_of(target, !place.follow_links);
  if (!folder.is_open()) return detail::system_reason();
  const std::filesystem::path name = target.name.filename();
  struct stat old {};
  const bool exists = ::fstatat(folder.get(), name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  if (exists && !S_ISREG(old.st_mode)) return detail::not_a_regular_file;
  auto [file, temporary] = detail::make_temporary(folder);
  if (!file.is_open()) return detail::system_reason();
  if (exists) static_cast<void>(::fchmod(file.get(), old.st_mode & 0777));  // if refused, the default mode is kept
  const bool done = write_all(file.get()) && file.close() &&
                    ::renameat(folder.get(), temporary.c_str(), folder.get(), name.c_str()) == 0;
  if (done) return "";
  const std::string reason = detail::system_reason();
  ::unlinkat(folder.get(), temporary.c_str(), 0);
  return reason;
#endif
}

}  // namespace goldml::io
