// A corpus: generated cases as DxDispatch models with .npy inputs, golden .npy outputs and a manifest; and the check of
// what something else wrote for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <goldml/io/dxdispatch.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/version.hpp>

#include "model_judge.hpp"
#include "sha256.hpp"

namespace goldml::tool {

struct corpus_options {
  oracle::generate_options generate;
  std::uint64_t shard = 0;   // this one
  std::uint64_t shards = 1;  // of so many: the cases whose number leaves the rest `shard`
  std::filesystem::path folder;
};

namespace detail {

inline void write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.flush();
  if (!file) io::refuse("M9", "file", io::in_quotes(path.string()), "a file that can be written", "");
}

// A tensor's buffer as elements: as many whole ones as cover it, so that a .npy file can hold gaps and padding.
inline std::vector<std::byte> buffer_of(const host_tensor& tensor) {
  std::vector<std::byte> bytes = tensor.bytes();
  const std::uint64_t unit = std::max<std::uint64_t>(element_size_in_bytes(tensor.desc().data_type), 4);
  bytes.resize((bytes.size() + unit - 1) / unit * unit);
  return bytes;
}

// Writes an array and returns "name": "hash" for the manifest.
inline std::string write_buffer(const std::filesystem::path& folder, const std::string& name,
                                const host_tensor& tensor) {
  const std::vector<std::byte> bytes = buffer_of(tensor);
  const std::vector<std::uint64_t> shape{bytes.size() / element_size_in_bytes(tensor.desc().data_type)};
  io::write_npy(folder / name, tensor.desc().data_type, shape, bytes);
  return fmt::format("\"{}\": \"{}\"", name, sha256(io::format_npy(tensor.desc().data_type, shape, bytes)));
}

inline std::string list_text(const dimensions& values) {
  const std::string text = fmt::format("{}", values);
  return "[" + text.substr(1, text.size() - 2) + "]";
}

inline std::string tensor_text(const tensor_desc& desc) {
  std::string text =
      fmt::format("{{ \"DataType\": \"{}\", \"Sizes\": {}", name_of(desc.data_type), list_text(desc.sizes));
  if (!desc.strides.empty()) text += fmt::format(", \"Strides\": {}", list_text(desc.strides));
  if (desc.total_tensor_size_in_bytes)
    text += fmt::format(", \"TotalTensorSizeInBytes\": {}", *desc.total_tensor_size_in_bytes);
  return text + " }";
}

// One attribute as members of the C structure.
template <class Desc, class Member>
std::string attribute_text(const Desc& desc, const attribute<Desc, Member>& a) {
  const Member& value = desc.*a.member;
  if constexpr (std::is_same_v<Member, dimensions>) {
    return fmt::format("        \"{}\": {},\n        \"{}\": {}", a.companion, value.size(), a.name, list_text(value));
  } else if constexpr (std::is_same_v<Member, scalar>) {
    std::string number = "0";
    visit_data_type(all_types{}, *value.type(), [&]<class T>(std::type_identity<T>) {
      // A scalar's member holds its bits exactly only when the text reads back; NaN and infinities are strings.
      number = number_text(value.template as<T>());
      if constexpr (is_floating_type<T>)
        if (oracle::ulp_distance(value.template as<T>(), value.template as<T>()) == std::nullopt ||
            goldml::detail::magnitude_bits(value.template as<T>()) == goldml::detail::float_bits<T>::infinity)
          number = "\"" + number + "\"";
    });
    return fmt::format("        \"{}\": \"{}\",\n        \"{}\": {}", a.companion, name_of(*value.type()), a.name,
                       number);
  } else if constexpr (std::is_enum_v<Member>) {
    return fmt::format("        \"{}\": \"{}{}\"", a.name, enumeration<Member>::prefix, enumerator_name(value));
  } else {
    return fmt::format("        \"{}\": {}", a.name, value);
  }
}

// A case as a model and its files. Returns its entry in the manifest.
template <class Desc>
std::string write_case(const oracle::generated_case<Desc>& c, const std::string& name,
                       const std::filesystem::path& folder) {
  using traits = operator_traits<Desc>;
  std::string resources, members, bindings, writes, files;
  const auto append = [](std::string& list, std::string_view separator, const std::string& item) {
    list += (list.empty() ? "" : std::string(separator)) + item;
  };
  for (std::size_t i = 0; i < traits::operands.size(); ++i) {
    if (!c.text.tensors[i]) continue;
    const std::string_view operand = traits::operands[i].name;
    const std::string file = fmt::format("{}.{}.npy", name, operand);
    append(members, ",\n", fmt::format("        \"{}\": {}", operand, tensor_text(*c.text.tensors[i])));
    append(bindings, ", ", fmt::format("\"{0}\": \"{0}\"", operand));
    if (i < c.inputs.size()) {
      append(files, ", ", write_buffer(folder, file, c.inputs[i]));
      append(resources, ",\n",
             fmt::format("    \"{}\": {{ \"initialValues\": {{ \"sourcePath\": \"{}\" }} }}", operand, file));
      continue;
    }
    const host_tensor& golden = c.expected.answers.front()[i - c.inputs.size()].values;
    append(files, ", ", write_buffer(folder, fmt::format("{}.{}.golden.npy", name, operand), golden));
    append(resources, ",\n",
           fmt::format("    \"{}\": {{ \"initialValuesDataType\": \"{}\", \"initialValues\": {{ \"valueCount\": {}, "
                       "\"value\": 0 }} }}",
                       operand, name_of(golden.desc().data_type),
                       buffer_of(golden).size() / element_size_in_bytes(golden.desc().data_type)));
    append(
        writes, ",\n",
        fmt::format("    {{ \"type\": \"writeFile\", \"resource\": \"{}\", \"targetPath\": \"{}\" }}", operand, file));
  }
  std::apply([&](const auto&... a) { (append(members, ",\n", attribute_text(c.text.desc, a)), ...); },
             traits::attributes);
  const std::string model = fmt::format(
      "// {}\n{{\n  \"resources\": {{\n{}\n  }},\n  \"dispatchables\": {{\n    \"op\": {{\n      \"type\": "
      "\"DML_OPERATOR_{}\",\n      \"desc\": {{\n{}\n      }}\n    }}\n  }},\n  \"commands\": [\n    {{ \"type\": "
      "\"dispatch\", \"dispatchable\": \"op\", \"bindings\": {{ {} }} }},\n{}\n  ]\n}}\n",
      c.line(), resources, traits::name, members, bindings, writes);
  write_text(folder / (name + ".json"), model);
  append(files, ", ", fmt::format("\"{}.json\": \"{}\"", name, sha256(std::as_bytes(std::span(model)))));
  return fmt::format("    {{ \"name\": \"{}\", \"case\": \"{}\", \"files\": {{ {} }} }}", name, c.line(), files);
}

}  // namespace detail

// Writes the corpus of one operator; progress(done, all) after each case.
template <class Desc, class Progress>
void generate_corpus(const corpus_options& options, Progress&& progress) {
  std::error_code failed;
  std::filesystem::create_directories(options.folder, failed);
  std::string operator_name(operator_traits<Desc>::name);
  for (char& c : operator_name) c = c == '_' ? '_' : static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const std::uint64_t all = options.generate.count;
  std::string entries;
  for (std::uint64_t number = options.shard; number < all; number += options.shards) {
    const auto c = oracle::make_case(oracle::sample_case<Desc>(options.generate, number), options.generate.verdicts);
    entries += (entries.empty() ? "" : ",\n") +
               detail::write_case(c, fmt::format("{}_{:06}", operator_name, number), options.folder);
    progress(number + 1, all);
  }
  const std::string manifest =
      options.shards == 1 ? fmt::format("manifest_{}.json", operator_name)
                          : fmt::format("manifest_{}_{}_of_{}.json", operator_name, options.shard, options.shards);
  detail::write_text(
      options.folder / manifest,
      fmt::format("{{\n  \"goldml\": \"{}.{}.{}\",\n  \"operator\": \"{}\",\n  \"seed\": {},\n  "
                  "\"count\": {},\n  \"feature_level\": \"{}\",\n  \"cases\": [\n{}\n  ]\n}}\n",
                  version.major_number, version.minor_number, version.patch_number, operator_traits<Desc>::name,
                  options.generate.seed, all, name_of(options.generate.feature_level), entries));
}

}  // namespace goldml::tool
