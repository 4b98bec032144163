// Where a stranger's model may read and write: below given folders only. Rule M7.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <goldml/io/model_error.hpp>

namespace goldml::io {

namespace detail {

// Whether `path`, all links followed, lies below `folder`. Neither needs to exist yet.
inline bool lies_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code failed;
  auto real_folder = std::filesystem::weakly_canonical(std::filesystem::absolute(folder, failed), failed);
  if (failed) return false;
  if (!real_folder.has_filename()) real_folder = real_folder.parent_path();  // a folder to be made, ending in "/"
  const auto real_path = std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  if (failed) return false;
  return std::mismatch(real_folder.begin(), real_folder.end(), real_path.begin(), real_path.end()).first ==
         real_folder.end();
}

// A link to nothing: weakly_canonical() does not follow it, but opening a file for writing does.
inline bool is_dangling_link(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::is_symlink(std::filesystem::symlink_status(path, failed)) &&
         !std::filesystem::exists(path, failed);
}

// Whether Windows takes a part of a path for a device, in whatever folder: CON, nul.txt, Com1 and their like
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

#ifdef _WIN32
inline constexpr bool has_devices_in_folders = true;
#else
inline constexpr bool has_devices_in_folders = false;
#endif

}  // namespace detail

// A path as a model writes it: JSON is UTF-8, whatever the system's paths are.
inline std::filesystem::path path_of(std::string_view utf8) { return std::u8string(utf8.begin(), utf8.end()); }

// folder / name, after checking that it stays below `folder`: name has no root and no "..", no part of it is a device,
// and no link on the way leaves. Throws error M7. `member` is a literal: what names the path in the model.
inline std::filesystem::path path_below(const std::filesystem::path& folder, std::string_view name,
                                        std::string_view member, std::string_view where) {
  const std::filesystem::path relative = path_of(name);
  if (relative.empty() || name.find('\0') != std::string_view::npos)
    refuse("M7", member, in_quotes(name), "a file name", where);
  if (relative.has_root_path())
    refuse("M7", member, in_quotes(name), "a relative path (--allow-outside allows any)", where);
  if (std::find(relative.begin(), relative.end(), "..") != relative.end())
    refuse("M7", member, in_quotes(name), "a path without '..' (--allow-outside allows any)", where);
  if constexpr (detail::has_devices_in_folders)
    for (std::size_t begin = 0, end; begin <= name.size(); begin = end + 1) {
      end = (std::min)(name.find_first_of("/\\", begin), name.size());
      if (detail::is_device_of_windows(name.substr(begin, end - begin)))
        refuse("M7", member, in_quotes(name), "a name that is no device (--allow-outside allows any)", where);
    }
  std::filesystem::path path = folder.empty() ? "." : folder;
  const std::filesystem::path start = path;
  bool dangling = false;
  for (const std::filesystem::path& part : relative) {
    path /= part;
    dangling = dangling || detail::is_dangling_link(path);
  }
  if (dangling || !detail::lies_below(path, start))
    refuse("M7", member, in_quotes(name), "a path whose links stay below its folder (--allow-outside allows any)",
           where);
  return path;
}

}  // namespace goldml::io
