// goldml_verify_directml: compares goldml with the DirectML of this machine and prints the tables that
// docs/verify-on-windows.md explains. Exit status: 0 they agree, 1 they differ, 2 no DirectML, no adapter or wrong
// usage.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <goldml/version.hpp>

#include "verify.hpp"

using namespace goldml;

namespace {

struct arguments {
  verify_directml::options options;
  directml::device_options device;
  bool trace = false;
};

constexpr const char* usage =
    "goldml_verify_directml [--count N] [--seed N] [--adapter PART_OF_NAME] [--debug-layer] [--trace]";

bool read_number(std::string_view text, std::uint64_t& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc{} && end == text.data() + text.size();
}

bool read(const std::vector<std::string_view>& given, arguments& to) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool has_value = i + 1 < given.size();
    if (given[i] == "--debug-layer")
      to.device.debug_layer = true;
    else if (given[i] == "--trace")
      to.trace = true;
    else if (given[i] == "--adapter" && has_value)
      to.device.adapter = given[++i];
    else if (given[i] == "--count" && has_value && read_number(given[i + 1], to.options.count))
      ++i;
    else if (given[i] == "--seed" && has_value && read_number(given[i + 1], to.options.seed))
      ++i;
    else
      return false;
  }
  return true;
}

// The file version and the location of the DirectML.dll.
std::string library_text() {
#ifdef _WIN32
  const HMODULE dll = GetModuleHandleW(L"DirectML.dll");
  std::vector<wchar_t> path(4096);
  const DWORD length = GetModuleFileNameW(dll, path.data(), static_cast<DWORD>(path.size()));
  std::vector<std::byte> version(GetFileVersionInfoSizeW(path.data(), nullptr));
  VS_FIXEDFILEINFO* fixed = nullptr;
  UINT size = 0;
  void* found = nullptr;
  std::string text = "unknown";
  if (!version.empty() && GetFileVersionInfoW(path.data(), 0, static_cast<DWORD>(version.size()), version.data()) &&
      VerQueryValueW(version.data(), L"\\", &found, &size)) {
    fixed = static_cast<VS_FIXEDFILEINFO*>(found);
    text = fmt::format("{}.{}.{}.{}", fixed->dwFileVersionMS >> 16, fixed->dwFileVersionMS & 0xFFFF,
                       fixed->dwFileVersionLS >> 16, fixed->dwFileVersionLS & 0xFFFF);
  }
  // In the folder of the program, or that of Windows; the rest of the path is not printed.
  std::wstring folder(path.data(), length);
  for (wchar_t& c : folder) c = c >= L'A' && c <= L'Z' ? static_cast<wchar_t>(c - L'A' + L'a') : c;
  return text + (folder.find(L"\\system32\\") != std::wstring::npos ? ", of Windows" : ", beside the program");
#else
  return "none";
#endif
}

std::string missing_types(const directml::device& dml) {
  std::string text;
  for (const operator_description* op : operator_descriptions())
    for (const operand_info& info : op->operands) {
      const operand_limits* const limits = limits_at(info, dml.feature_level());
      if (limits == nullptr) continue;
      for (const data_type type : {data_type::float64, data_type::uint64, data_type::int64, data_type::float16,
                                   data_type::uint8, data_type::int8, data_type::uint16, data_type::int16})
        if (limits->data_types.contains(type) && !dml.supports(type) && text.find(name_of(type)) == std::string::npos)
          text += (text.empty() ? "" : ", ") + std::string(name_of(type));
    }
  return text.empty() ? "none" : text;
}

int run(arguments& given) {
  const directml::device dml(given.device);
  std::printf("goldml %d.%d.%d and DirectML %s\nadapter: %s\nfeature level: %s, data types missing: %s\n",
              version.major_number, version.minor_number, version.patch_number, library_text().c_str(),
              dml.gpu().adapter().name.c_str(), std::string(name_of(dml.feature_level())).c_str(),
              missing_types(dml).c_str());
  std::printf("seed %llu, %llu cases per operator\n\n", static_cast<unsigned long long>(given.options.seed),
              static_cast<unsigned long long>(given.options.count));
  std::fflush(stdout);
  if (given.trace)
    given.options.before = [](const std::string& line) {
      std::fprintf(stderr, "%s\n", line.c_str());
      std::fflush(stderr);
    };
  bool at_odds = false;
  std::string examples;
  for (const oracle::any_operator* op : oracle::every_operator()) {
    if (FAILED(dml.native()->GetDeviceRemovedReason())) break;
    const verify_directml::result found = verify_directml::compare(dml, *op, given.options);
    std::printf("%s\n", verify_directml::table_text(op->name(), found).c_str());
    std::fflush(stdout);
    at_odds = at_odds || found.at_odds();
    for (const std::string& example : found.examples) examples += example + "\n";
  }
  std::printf("%s%s", examples.empty() ? "" : "The first case of each row that is at odds:\n\n", examples.c_str());
  return at_odds ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  arguments given;
  if (!read({argv + 1, argv + argc}, given)) {
    std::fprintf(stderr, "%s\n", usage);
    return 2;
  }
  try {
    return run(given);
  } catch (const d3d12::device_error& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 2;
  }
}
