// Where an untrusted model may read and write: only below given folders, and not through links. Rule M7.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <goldml/io/files.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/suggestions.hpp>

namespace goldml::io {

namespace detail {

// Whether Windows treats a component of a path as a device, in any folder: CON, nul.txt, Com1 and the like
// (learn.microsoft.com/windows/win32/fileio/naming-a-file).
inline bool is_device_of_windows(std::string_view part) {
  part = part.substr(0, part.find_first_of(".:"));
  while (part.ends_with(' ')) part.remove_suffix(1);
  std::string name(part);
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  for (const std::string_view device : {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"})
    if (name == device) return true;
  const std::string_view number = std::string_view(name).substr((std::min<std::size_t>)(name.size(), 3));
  constexpr std::array<std::string_view, 13> numbers{
      "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "\xC2\xB9", "\xC2\xB2", "\xC2\xB3"};  // superscripts, as UTF-8
  return (name.starts_with("COM") || name.starts_with("LPT")) &&
         std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// Whether Windows may treat a component of a path as another name: a stream ("a.bin:s"), a short name ("MODEL~1.BIN"),
// or a name whose trailing dots and spaces are dropped (the same page, and "file streams").
inline bool is_alias_of_windows(std::string_view part) {
  for (std::size_t at = part.find('~'); at != std::string_view::npos; at = part.find('~', at + 1))
    if (at + 1 < part.size() && part[at + 1] >= '0' && part[at + 1] <= '9') return true;
  return part.find(':') != std::string_view::npos || (part != "." && part.ends_with('.')) || part.ends_with(' ');
}

#ifdef _WIN32
inline constexpr bool has_names_of_windows = true;
#else
inline constexpr bool has_names_of_windows = false;
#endif

// The most folders and names in a path of a model, so that few bytes of a model do not make thousands of folders.
inline constexpr std::ptrdiff_t deepest_path = 64;

inline void check_depth(const std::filesystem::path& path, std::string_view name, std::string_view member,
                        std::string_view where) {
  if (const auto depth = std::distance(path.begin(), path.end()); depth > deepest_path)
    refuse("M7", member, fmt::format("{}, {} folders deep", in_quotes(name), depth - 1),
           fmt::format("at most {} folders", deepest_path - 1), where);
}

}  // namespace detail

// A path from a model. JSON is UTF-8, independent of the system's paths.
inline std::filesystem::path path_of(std::string_view utf8) { return std::u8string(utf8.begin(), utf8.end()); }

// The file `name` below `folder`, after checking the path: `name` has no root and no "..", no component is a device or
// a link, and on Windows no component is an alias. Throws error M7. `member` is a literal: the member of the model that
// has the path.
inline file_place path_below(const std::filesystem::path& folder, std::string_view name, std::string_view member,
                             std::string_view where) {
  const std::filesystem::path relative = path_of(name);
  if (relative.empty() || name.find('\0') != std::string_view::npos)
    refuse("M7", member, in_quotes(name), "a file name", where);
  detail::check_depth(relative, name, member, where);
  if (relative.has_root_path())
    refuse("M7", member, in_quotes(name), "a relative path (--allow-outside allows any)", where);
  if (std::find(relative.begin(), relative.end(), "..") != relative.end())
    refuse("M7", member, in_quotes(name), "a path without '..' (--allow-outside allows any)", where);
  if constexpr (detail::has_names_of_windows)
    for (std::size_t begin = 0, end; begin <= name.size(); begin = end + 1) {
      end = (std::min)(name.find_first_of("/\\", begin), name.size());
      const std::string_view part = name.substr(begin, end - begin);
      if (detail::is_device_of_windows(part))
        refuse("M7", member, in_quotes(name), "a name that is not a device (--allow-outside allows any)", where);
      if (detail::is_alias_of_windows(part))
        refuse("M7", member, in_quotes(name),
               "names without ':', '~' before a digit, and dots or spaces at their end (--allow-outside allows any)",
               where);
    }
  std::filesystem::path path = folder;
  for (const std::filesystem::path& part : relative) {
    path /= part;
    if (part != "." && !part.empty() && detail::is_link(path))
      refuse("M7", member, in_quotes(name), "a path without links (--allow-outside allows any)", where);
  }
  return {folder, relative};
}

// The same or, with `allow_outside`, any path, with links followed.
inline file_place path_from(const std::filesystem::path& folder, std::string_view name, bool allow_outside,
                            std::string_view member, std::string_view where) {
  if (!allow_outside) return path_below(folder, name, member, where);
  detail::check_depth(path_of(name), name, member, where);
  return {folder, path_of(name), true};
}

// The extension of the file that is opened, which may differ from that of `name` if a link is followed. If that is not
// possible, that of `name`: opening the file will fail, and say why.
inline std::filesystem::path real_extension(const file_place& place) {
  if (!place.follow_links) return place.name.extension();
  std::error_code failed;
  const std::filesystem::path target = std::filesystem::weakly_canonical(place.path(), failed);
  return failed ? place.name.extension() : target.extension();
}

// Whether a file is a NumPy file, as DxDispatch decides it.
inline bool is_npy_extension(const std::filesystem::path& extension) {
  return extension == ".npy" || extension == ".NPY";
}

// Whether the file at `place`, which a model calls `name`, is a NumPy file, or else raw bytes. Throws error M5 for
// images and, unless any path is allowed, for everything but .npy, .dat and .bin. Where a link is followed, its target
// counts.
inline bool is_npy_file(const file_place& place, std::string_view name, std::string_view member, bool allow_outside,
                        std::string_view where) {
  constexpr std::string_view wanted = "a .npy, .dat or .bin file";
  const std::filesystem::path extension = real_extension(place);
  for (const std::string_view image : {".jpg", ".jpeg", ".png"})
    if (detail::same_word(path_text(extension), image))
      refuse("M5", member, in_quotes(name), wanted, joined_reasons("goldml has no images", where));
  if (is_npy_extension(extension)) return true;
  if (extension == ".dat" || extension == ".bin") return false;
  if (!allow_outside)
    refuse("M5", member, in_quotes(name), wanted, joined_reasons("--allow-outside takes others as raw bytes", where));
  if (extension != place.name.extension())
    refuse("M5", member, in_quotes(name), wanted, joined_reasons("a link to a file of another kind", where));
  return false;
}

}  // namespace goldml::io
