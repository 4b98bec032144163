#include "corpus.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/packed_elements.hpp>
#include <goldml/io/attributes_json.hpp>
#include <goldml/io/files.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/npy.hpp>
#include <goldml/io/quotes.hpp>
#include <goldml/io/safe_path.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/version.hpp>

#include "sha256.hpp"

namespace goldml::tool {

namespace {

// A file of the corpus, to be written. Throws error M7 for a link, M9 for an existing file.
io::file_place corpus_file(const corpus_options& options, const std::string& name) {
  const io::file_place place{options.folder, name};
  const std::string path = io::in_quotes(io::path_text(place.path()));
  std::error_code failed;
  if (io::detail::is_link(place.path())) io::refuse("M7", "file", path, "a file that is not a link", "");
  if (std::filesystem::exists(place.path(), failed)) io::refuse("M9", "file", path, "the name of a new file", "");
  return place;
}

// Throws error M9 if the folder cannot be read, or is not empty and options.append is false.
void check_folder(const corpus_options& options) {
  std::error_code failed;
  if (options.append || !std::filesystem::exists(options.folder, failed)) return;
  const std::filesystem::directory_iterator first(options.folder, failed);
  if (failed || first != std::filesystem::directory_iterator())
    io::refuse("M9", "folder", io::path_in_quotes(options.folder), "a new or empty folder",
               failed ? failed.message() : "--append adds to existing files and replaces none");
}

void write_text(const io::file_place& place, std::string_view text) {
  if (const std::string problem = io::replace_file(place, std::as_bytes(std::span(text))); !problem.empty())
    io::refuse("M9", "file", io::in_quotes(io::path_text(place.path())), "a file that can be written", problem);
}

// A tensor's buffer, extended to whole elements, so that a .npy file can hold gaps and padding.
std::vector<std::byte> buffer_of(const host_tensor& tensor) {
  std::vector<std::byte> bytes = tensor.bytes();
  const std::uint64_t unit = std::max<std::uint64_t>(element_size_in_bytes(stored_type(tensor.desc().data_type)), 4);
  bytes.resize((bytes.size() + unit - 1) / unit * unit);
  return bytes;
}

// Writes an array and returns "name": "hash" for the manifest.
std::string write_array(const corpus_options& options, const std::string& name, data_type type,
                        std::span<const std::uint64_t> shape, std::span<const std::byte> bytes) {
  io::write_npy(corpus_file(options, name), type, shape, bytes);
  return fmt::format("\"{}\": \"{}\"", name, sha256(io::format_npy(type, shape, bytes)));
}

// The same for a tensor: its buffer in one dimension, or of a plain corpus the tensor in its shape, with elements of 4
// bits as bytes.
std::string write_tensor(const corpus_options& options, const std::string& name, const host_tensor& tensor) {
  const tensor_desc& desc = tensor.desc();
  if (options.plain && is_4_bit(desc.data_type)) return write_tensor(options, name, unpacked(tensor.ref()));
  if (options.plain) {
    const std::vector<std::uint64_t> shape(desc.sizes.begin(), desc.sizes.end());
    const auto size = static_cast<std::size_t>(element_count(desc.sizes) * element_size_in_bytes(desc.data_type));
    return write_array(options, name, desc.data_type, shape, std::span(tensor.bytes()).first(size));
  }
  const std::vector<std::byte> bytes = buffer_of(tensor);
  const data_type type = stored_type(desc.data_type);
  return write_array(options, name, type, std::array{bytes.size() / element_size_in_bytes(type)}, bytes);
}

// Without strides, padding after the elements and alignment.
void make_packed(oracle::test_case<any_desc>& c) {
  for (std::optional<tensor_desc>& tensor : c.tensors)
    if (tensor) tensor = tensor_desc{.data_type = tensor->data_type, .sizes = tensor->sizes};
}

std::string plain_json(const scale_bias& value) {
  return io::detail::json_list(std::array{value.scale, value.bias}, io::detail::json_number<float>);
}

std::string plain_json(const activation& value) {
  const activation_info& info = *find_activation(value.operator_type);
  std::string text = fmt::format("{{ \"Type\": \"{}\"", info.name);
  for (std::size_t i = 0; i < info.parameter_count(); ++i)
    text += fmt::format(", \"{}\": {}", info.parameters[i], io::detail::json_number(value.parameters[i]));
  if (info.takes_axes)
    text += fmt::format(", \"Axes\": {}",
                        io::detail::json_list(value.axes, [](std::uint32_t axis) { return fmt::format("{}", axis); }));
  if (value.scale_bias) text += ", \"ScaleBias\": " + plain_json(*value.scale_bias);
  return text + " }";
}

// An attribute as the Python module takes it: names without prefix, small structures as lists.
std::string plain_json(const attribute& a, const void* desc) {
  const void* value = a.address(desc);
  switch (a.kind) {
    case attribute_kind::enumeration:
      return fmt::format("\"{}\"", a.names.name_of(load_enumerator(value)).value());
    case attribute_kind::size_2d: {
      const auto& size = *static_cast<const size_2d*>(value);
      return fmt::format("[{},{}]", size.width, size.height);
    }
    case attribute_kind::scale_bias: {
      const auto& given = *static_cast<const std::optional<scale_bias>*>(value);
      return given ? plain_json(*given) : "null";
    }
    case attribute_kind::activation: {
      const auto& given = *static_cast<const std::optional<activation>*>(value);
      return given ? plain_json(*given) : "null";
    }
    case attribute_kind::list_of_activation:
      return io::detail::json_list(*static_cast<const activation_list*>(value),
                                   [](const activation& one) { return plain_json(one); });
    default:
      return io::detail::json_value(a, desc);
  }
}

// Of a case of a plain corpus, members of JSON objects: attributes, policies and the level, and the files of operands.
struct plain_members {
  std::string attributes, inputs, outputs, golden;

  explicit plain_members(const any_desc& desc) {
    const operator_description& op = desc.description();
    for (const std::span<const attribute> rows : {op.attributes, op.policies})
      for (const attribute& a : rows) add(attributes, a.name, plain_json(a, desc.get()));
    add(attributes, "feature_level", fmt::format("\"{}\"", name_of(desc.level())));
  }
  static void add(std::string& members, std::string_view name, std::string_view value) {
    members += fmt::format("{}\"{}\": {}", members.empty() ? "" : ", ", name, value);
  }
  // Adds an operand: the names of the files of its tensors, in quotes.
  void add(const operand_info& info, std::string names, std::string golden_names) {
    for (std::string* text : {&names, &golden_names})
      *text = info.is_array() ? "[" + *text + "]" : text->empty() ? "null" : *text;
    add(info.role == operand_role::input ? inputs : outputs, info.name, names);
    if (info.role == operand_role::output) add(golden, info.name, golden_names);
  }
  std::string text() const {
    return fmt::format(
        "\"attributes\": {{ {} }},\n      \"inputs\": {{ {} }},\n      \"outputs\": {{ {} }},\n      \"golden\": {{ "
        "{} }},\n      ",
        attributes, inputs, outputs, golden);
  }
};

// Whether the errors of its sums are those of random data: the fit has a statement, and the order of the terms does not
// matter.
bool has_random_sums(const oracle::generated_case<any_desc>& c) {
  const oracle::judged_names names = oracle::names_of(c);
  if (!names.fit) return false;
  const oracle::golden_output& golden = c.expected.answers.front().front();
  const oracle::fit_result fit = names.fit(golden, golden.values.ref(), {});
  return fit.outcome != oracle::fit_outcome::none && !fit.dependent;
}

// A case as a model and its files. Returns its entry in the manifest.
std::string write_case(const oracle::generated_case<any_desc>& c, const std::string& name,
                       const corpus_options& options) {
  const operator_description& op = c.text.desc.description();
  std::string resources, members, bindings, writes, files;
  const auto append = [](std::string& list, std::string_view separator, const std::string& item) {
    list += (list.empty() ? "" : std::string(separator)) + item;
  };
  plain_members plain(c.text.desc);
  std::string array_members, array_bindings, names, golden_names;
  for (std::size_t i = 0; i < c.text.tensors.size(); ++i) {
    const auto [row, element] = place_of_tensor(op.operands, i, c.text.tensors.size());
    const operand_info& info = op.operands[row];
    if (c.text.tensors[i]) {
      // Each tensor of an array is a separate resource, named after the operand and its index.
      const std::string resource = std::string(info.name) + (info.is_array() ? fmt::format("{}", element) : "");
      const std::string file = fmt::format("{}.{}.npy", name, resource);
      if (info.is_array()) {
        append(array_members, ", ", io::tensor_json(*c.text.tensors[i]));
        append(array_bindings, ", ", fmt::format("\"{}\"", resource));
      } else {
        append(members, ",\n", fmt::format("        \"{}\": {}", resource, io::tensor_json(*c.text.tensors[i])));
        append(bindings, ", ", fmt::format("\"{0}\": \"{0}\"", resource));
      }
      append(names, ", ", fmt::format("\"{}\"", file));
      if (i < c.inputs.size()) {
        append(files, ", ", write_tensor(options, file, c.inputs[i]));
        append(resources, ",\n",
               fmt::format("    \"{}\": {{ \"initialValues\": {{ \"sourcePath\": \"{}\" }} }}", resource, file));
      } else {
        const host_tensor golden = oracle::stored_values(c.expected.answers.front()[i - c.inputs.size()]);
        const std::string golden_file = fmt::format("{}.{}.golden.npy", name, resource);
        append(files, ", ", write_tensor(options, golden_file, golden));
        append(golden_names, ", ", fmt::format("\"{}\"", golden_file));
        std::string values =
            fmt::format("\"initialValuesDataType\": \"{}\", \"initialValues\": {{ \"valueCount\": {}, \"value\": 0 }}",
                        name_of(stored_type(golden.desc().data_type)),
                        buffer_of(golden).size() / element_size_in_bytes(stored_type(golden.desc().data_type)));
        if (!c.initial.empty() && !c.initial[i - c.inputs.size()].omitted()) {  // the case reads it before it writes it
          const std::string before = options.plain ? file : fmt::format("{}.{}.initial.npy", name, resource);
          append(files, ", ", write_tensor(options, before, c.initial[i - c.inputs.size()]));
          values = fmt::format("\"initialValues\": {{ \"sourcePath\": \"{}\" }}", before);
        }
        append(resources, ",\n", fmt::format("    \"{}\": {{ {} }}", resource, values));
        append(writes, ",\n",
               fmt::format("    {{ \"type\": \"writeFile\", \"resource\": \"{}\", \"targetPath\": \"{}\" }}", resource,
                           file));
      }
    }
    if (element + 1 < tensor_count(op.operands, row, c.text.tensors.size())) continue;
    plain.add(info, std::exchange(names, ""), std::exchange(golden_names, ""));
    if (info.is_array()) {
      append(members, ",\n",
             fmt::format("        \"{}\": {},\n        \"{}\": [{}]", info.count, element + 1, info.name,
                         std::exchange(array_members, "")));
      append(bindings, ", ", fmt::format("\"{}\": [{}]", info.name, std::exchange(array_bindings, "")));
    }
  }
  data_type type_of_scalars = data_type::unknown;
  for (const tensor_desc& output : c.outputs)
    if (!output.sizes.empty()) type_of_scalars = output.data_type;
  for (const std::string& member : io::attributes_json(op.attributes, c.text.desc.get(), type_of_scalars))
    append(members, ",\n", "        " + member);
  const std::string comment = options.plain ? "" : fmt::format("// {}\n", c.line());
  const std::string model = fmt::format(
      "{}{{\n  \"resources\": {{\n{}\n  }},\n  \"dispatchables\": {{\n    \"op\": {{\n      \"type\": "
      "\"DML_OPERATOR_{}\",\n      \"desc\": {{\n{}\n      }}\n    }}\n  }},\n  \"commands\": [\n    {{ \"type\": "
      "\"dispatch\", \"dispatchable\": \"op\", \"bindings\": {{ {} }} }},\n{}\n  ]\n}}\n",
      comment, resources, op.name, members, bindings, writes);
  write_text(corpus_file(options, name + ".json"), model);
  append(files, ", ", fmt::format("\"{}.json\": \"{}\"", name, sha256(std::as_bytes(std::span(model)))));
  return fmt::format("    {{ \"name\": \"{}\", \"case\": \"{}\", {}{}\"files\": {{ {} }} }}", name, c.line(),
                     has_random_sums(c) ? "\"random_sums\": true, " : "", options.plain ? plain.text() : "", files);
}

}  // namespace

std::string generate_corpus(const oracle::any_operator& op, const corpus_options& options,
                            const progress_function& progress) {
  oracle::sample_case(op, options.generate, options.shard);  // reports an invalid selection before files are written
  check_folder(options);
  std::string operator_name(op.name());
  for (char& c : operator_name) c = c == '_' ? '_' : static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const io::file_place manifest = corpus_file(
      options, options.shards == 1
                   ? fmt::format("manifest_{}.json", operator_name)
                   : fmt::format("manifest_{}_{}_of_{}.json", operator_name, options.shard, options.shards));
  const std::uint64_t all = options.generate.count;
  const std::string head = fmt::format(
      "{{\n  \"goldml\": \"{}.{}.{}\",\n  \"operator\": \"{}\",\n  \"seed\": {},\n  \"count\": {},\n  \"shard\": {},\n"
      "  \"shards\": {},\n  \"feature_level\": \"{}\",\n  \"sizes_class\": \"{}\",\n",
      version.major_number, version.minor_number, version.patch_number, op.name(), options.generate.seed, all,
      options.shard, options.shards, name_of(options.generate.feature_level),
      enumerator_name(options.generate.sizes_class));
  write_text(manifest, head + "  \"unfinished\": true\n}\n");
  std::string entries;
  for (std::uint64_t number = options.shard; number < all;) {
    auto text = oracle::sample_case(op, options.generate, number);
    if (options.plain) make_packed(text);
    const auto c = oracle::make_case(op, text);
    entries += (entries.empty() ? "" : ",\n") + write_case(c, fmt::format("{}_{:06}", operator_name, number), options);
    progress(number + 1, all);
    if (all - number <= options.shards) break;  // before the addition, which may overflow
    number += options.shards;
  }
  write_text(manifest, fmt::format("{}  \"cases\": [\n{}\n  ]\n}}\n", head, entries));
  return io::path_text(manifest.name);
}

}  // namespace goldml::tool
