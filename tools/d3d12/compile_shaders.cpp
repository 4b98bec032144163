// Compiles HLSL files and writes the headers that embed them. regenerate.sh links it with vkd3d-shader 2.1 or newer; no
// other part of the project needs that library.
//   compile_shaders FOLDER NAMESPACE     for each folder NAME in FOLDER: NAME/*.hlsl to the header FOLDER/NAME.dxbc.hpp
//   compile_shaders --disassemble FILE   prints the bytecode of one file as text
#include <vkd3d_shader.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "../sha256.hpp"

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

// Memory that vkd3d-shader allocates and frees.
struct shader_code : vkd3d_shader_code {
  shader_code() : vkd3d_shader_code{nullptr, 0} {}
  shader_code(const shader_code&) = delete;
  shader_code& operator=(const shader_code&) = delete;
  ~shader_code() { vkd3d_shader_free_shader_code(this); }

  std::string_view text() const { return {static_cast<const char*>(code), size}; }
};

void translate(std::string_view source, const std::string& name, vkd3d_shader_source_type from,
               vkd3d_shader_target_type to, shader_code& result) {
  vkd3d_shader_hlsl_source_info hlsl{};
  hlsl.type = VKD3D_SHADER_STRUCTURE_TYPE_HLSL_SOURCE_INFO;
  hlsl.profile = "cs_5_0";
  const vkd3d_shader_compile_option options[] = {
      {VKD3D_SHADER_COMPILE_OPTION_API_VERSION, VKD3D_SHADER_API_VERSION_1_17},
      {VKD3D_SHADER_COMPILE_OPTION_STRIP_DEBUG, 1}};
  vkd3d_shader_compile_info info{};
  info.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO;
  if (from == VKD3D_SHADER_SOURCE_HLSL) info.next = &hlsl;
  info.source = {source.data(), source.size()};
  info.source_type = from;
  info.target_type = to;
  info.options = options;
  info.option_count = 2;
  info.log_level = VKD3D_SHADER_LOG_WARNING;
  info.source_name = name.c_str();
  char* messages = nullptr;
  const int status = vkd3d_shader_compile(&info, &result, &messages);
  if (messages && *messages) std::fputs(messages, stderr);
  vkd3d_shader_free_messages(messages);
  if (status < 0) throw std::runtime_error(fmt::format("{}: vkd3d-shader says {}", name, status));
}

// A file with its #includes expanded. This text is compiled, hashed and embedded; on Windows it is compiled again.
std::string full_text(const fs::path& path) {
  std::istringstream file(read_text(path));
  std::string text;
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view include = "#include \"";
    if (line.starts_with(include))
      text += full_text(path.parent_path() / line.substr(include.size(), line.size() - include.size() - 1));
    else
      text += line + "\n";
  }
  return text;
}

std::string sha256_of(std::string_view text) { return goldml::tool::sha256(std::as_bytes(std::span(text))); }

// 32-bit words, in decimal or hexadecimal, whichever is shorter.
void append_words(std::string& out, std::string_view bytes) {
  std::string line = "   ";
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i, 4);
    const std::string decimal = fmt::format(" {},", word);
    const std::string hexadecimal = fmt::format(" {:#x},", word);
    const std::string& digits = decimal.size() <= hexadecimal.size() ? decimal : hexadecimal;
    if (line.size() + digits.size() > 120) {
      out += line + "\n";
      line = "   ";
    }
    line += digits;
  }
  out += line + "\n";
}

// Typed buffers need descriptor tables. A shader without them gets two entries, one per binding model.
bool has_typed_buffers(std::string_view text) {
  return text.find("\nBuffer<") != text.npos || text.find("\nRWBuffer<") != text.npos;
}

// The constant buffers of a shader: a map from the name ("constants" in b0, "layout" in b1) to the members of a C++
// struct with the same memory layout, which is why `constants` may have scalars only and `layout` rows of four words
// only. Throws for any other declaration.
std::map<std::string, std::string> constant_buffers(const std::string& text) {
  static const std::regex opening(R"(cbuffer (\w+) : register\(b(\d)\) \{)");
  static const std::regex scalar(R"(  (u?)int (\w+);( *// .*)?)");
  static const std::regex rows(R"(  uint4 (\w+)(?:\[(\d+)\])?;( *// .*)?)");
  std::map<std::string, std::string> buffers;
  std::string name;  // of the current declaration
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch part;
    if (line.starts_with("cbuffer")) {
      if (!std::regex_match(line, part, opening) || part[1] != (part[2] == "0" ? "constants" : "layout"))
        throw std::runtime_error("wanted 'cbuffer constants : register(b0) {' or 'layout', b1: " + line);
      name = part[1];
    } else if (name.empty()) {
      continue;
    } else if (line == "};") {
      name.clear();
    } else if (name == "constants" && std::regex_match(line, part, scalar)) {
      buffers[name] += fmt::format("    std::{}int32_t {};{}\n", part[1].str(), part[2].str(), part[3].str());
    } else if (name == "layout" && std::regex_match(line, part, rows)) {
      const std::string type = part[2].matched ? fmt::format("std::array<goldml::d3d12::constant_row, {}>", part[2].str())
                                               : "goldml::d3d12::constant_row";
      buffers[name] += fmt::format("    {} {};{}\n", type, part[1].str(), part[3].str());
    } else {
      throw std::runtime_error("a member of a constant buffer that has no C++ form: " + line);
    }
  }
  return buffers;
}

// The header for the *.hlsl files of a folder: a struct per file with its constant buffers and its code.
std::string header_of(const fs::path& folder, std::string_view name_space) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".hlsl") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) throw std::runtime_error("no .hlsl file in " + folder.string());

  std::string out = fmt::format(
      "// Shaders: constant buffers, HLSL text, and the bytecode compiled from it. From the folder {}/.\n"
      "// Generated by tools/d3d12/regenerate.sh with {}. Do not edit.\n"
      "#pragma once\n\n"
      "#include <array>\n"
      "#include <cstdint>\n"
      "#include <string_view>\n\n"
      "#include <goldml/d3d12/runtime/shader.hpp>\n\n"
      "namespace {} {{\n",
      folder.filename().string(), vkd3d_shader_get_version(nullptr, nullptr), name_space);
  std::map<std::string, std::string> first_with;  // from members to the first struct with these members
  for (const fs::path& file : files) {
    const std::string text = full_text(file);
    const std::string name = file.stem().string();
    shader_code dxbc;
    translate(text, file.filename().string(), VKD3D_SHADER_SOURCE_HLSL, VKD3D_SHADER_TARGET_DXBC_TPF, dxbc);
    std::fprintf(stderr, "%-32s %6zu bytes\n", name.c_str(), dxbc.size);
    out += fmt::format("\nstruct {} {{\n", name);
    for (const auto& [buffer, members] : constant_buffers(text)) {
      const auto [first, is_new] = first_with.emplace(members, fmt::format("{}::{}", name, buffer));
      out += is_new ? fmt::format("  struct {} {{\n{}  }};\n", buffer, members)
                    : fmt::format("  using {} = {};\n", buffer, first->second);
    }
    out += fmt::format(
        "  static constexpr std::string_view hash = \"{}\";\n"
        "  static constexpr std::string_view hlsl = R\"hlsl({})hlsl\";\n"
        "  static constexpr std::uint32_t dxbc[] = {{\n",
        sha256_of(text), text);
    append_words(out, dxbc.text());
    out += "  };\n";
    const bool typed = has_typed_buffers(text);
    const auto entry = [&](std::string_view member, std::string_view suffix, std::string_view binding) {
      return fmt::format(
          "  static constexpr goldml::d3d12::shader {}{{\n"
          "      .name = \"{}{}\", .hash = hash, .bytecode = dxbc, .hlsl = hlsl,\n"
          "      .binding = goldml::d3d12::binding_model::{}",
          member, name, suffix, binding);
    };
    if (typed)
      out += entry("code", "", "table") + "};\n";
    else
      out += entry("in_table", "_in_table", "table") + "};\n" + entry("code", "", "root") + ", .in_table = &in_table};\n";
    out += "};\n";
  }
  return out + fmt::format("\n}}  // namespace {}\n", name_space);
}

// Writes nothing unless every file compiles.
void write_headers(const fs::path& folder, std::string_view name_space) {
  std::map<fs::path, std::string> headers;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) headers[entry.path().string() + ".dxbc.hpp"] = header_of(entry.path(), name_space);
  if (headers.empty()) throw std::runtime_error("no folder in " + folder.string());
  for (const auto& [path, text] : headers) std::ofstream(path, std::ios::binary) << text;
}

void disassemble(const fs::path& file) {
  shader_code dxbc;
  shader_code listing;
  translate(full_text(file), file.filename().string(), VKD3D_SHADER_SOURCE_HLSL, VKD3D_SHADER_TARGET_DXBC_TPF, dxbc);
  translate(dxbc.text(), file.filename().string(), VKD3D_SHADER_SOURCE_DXBC_TPF, VKD3D_SHADER_TARGET_D3D_ASM, listing);
  std::fwrite(listing.code, 1, listing.size, stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() == 3 && std::string_view(arguments[1]) == "--disassemble") {
    disassemble(arguments[2]);
    return 0;
  }
  if (arguments.size() != 3) throw std::runtime_error("FOLDER NAMESPACE, or --disassemble FILE");
  write_headers(arguments[1], arguments[2]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "compile_shaders: %s\n", error.what());
  return 1;
}
