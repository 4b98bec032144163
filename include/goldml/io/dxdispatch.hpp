// Reads DxDispatch models: one JSON file with buffers, DirectML operators on them, and commands. model_play.hpp
// validates them and plays them on any backend. Optional: needs RapidJSON; not part of goldml.hpp. The format is
// described in docs/models.md.
//
// A model from an untrusted source is safe to play:
// - Files are read only below the model's folder, written only below the output folder, and never through links (M7).
// - An existing file is replaced only in goldml's default output folder, or if the caller allows it (M9).
// - Buffers and descs that need more than max_memory are refused before they are allocated (M8). Reading a file
//   temporarily takes its size again. The text of the model is kept, for the places in messages.
// - Every desc and binding is checked before the first command runs, and so is the limit of work (M11).
// With model_options::validate_only no buffers are allocated, and their size is not limited.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goldml/io/model.hpp>
#include <goldml/io/model_commands.hpp>
#include <goldml/io/model_operators.hpp>
#include <goldml/io/model_place.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/io/model_portable.hpp>
#include <goldml/io/model_resources.hpp>

namespace goldml::io {

namespace detail {

inline model read_document(const rapidjson::Document& document, const model_source& source,
                           const std::filesystem::path& model_folder, const model_options& options) {
  if (!document.IsObject()) refuse(document, "M2", "JSON", description(document), "an object", "the whole file");
  constexpr std::string_view where = "the model";
  warn_unknown(document, {"$schema", "resources", "dispatchables", "commands"}, where, options.warn);

  model result;
  for (const auto& member : members_of(required_object(document, "dispatchables", where)))
    result.dispatchables.push_back(read_dispatchable(text_of(member.name), member.value, options));
  check_tensor_memory(document, result.dispatchables, options);

  std::vector<resource_plan> plans;
  std::uint64_t budget =  // at most the maximum size of a vector
      options.validate_only ? saturated : std::min<std::uint64_t>(options.max_memory, PTRDIFF_MAX);
  for (const auto& member : members_of(required_object(document, "resources", where))) {
    at_value(member.value,
             [&] { plans.emplace_back(text_of(member.name), member.value, model_folder, options, budget); });
    if (!options.validate_only) budget -= plans.back().size_in_bytes();
  }
  std::uint64_t bytes_to_check = options.max_memory;  // of all sequences
  for (resource_plan& plan : plans) {
    const std::uint64_t values_size = plan.values_size_in_bytes();
    result.resources.push_back(options.validate_only ? std::move(plan).check(bytes_to_check) : std::move(plan).fill());
    result.resources.back().values_size_in_bytes = values_size;
  }

  read_bindings_and_commands(document, options, result);
  copy_initial_resources(document, options, budget, result);
  result.memory_left = budget;
  if (options.portable) {
    // Their places are found together, because each search takes as long as reading the model.
    std::vector<violation> first;
    std::vector<const json*> values;
    const rapidjson::Document as_dxdispatch = parse_json(source.text, source.file, nullptr, true);
    const auto report_first = [&] {
      const std::vector<model_place> places = places_of_values(source.text, as_dxdispatch, values, source.file);
      for (std::size_t i = 0; i < first.size(); ++i) options.portable(first[i], places[i]);
      first.clear();
    };
    portability_check([&](const violation& v, const json& value) {
      if (values.size() == most_portable_places) return options.portable(v, {});
      first.push_back(v);
      values.push_back(&value);
      if (values.size() == most_portable_places) report_first();
    }).check(source.text, as_dxdispatch);
    report_first();
  }
  return result;
}

// A template only so that a program can compile it once.
template <class Model>
Model parse_source(std::shared_ptr<const model_source> source, const std::filesystem::path& model_folder,
                   const model_options& options) {
  check_policies(options);
  std::size_t end = 0;
  const rapidjson::Document document = parse_json(source->text, source->file, &end);
  const std::string_view rest = std::string_view(source->text).substr(end);
  if (options.warn && value_scanner(rest).skip_space() < rest.size())
    options.warn("the text behind the model's last brace is ignored");
  try {
    Model result = read_document(document, *source, model_folder, options);
    result.source = std::move(source);
    return result;
  } catch (const value_error& refusal) {
    throw model_error(refusal.violation(), place_of_value(source->text, document, *refusal.value(), source->file));
  }
}

}  // namespace detail

// The model in `text`, whose files are searched in `model_folder` (empty: the current folder). Throws error (M1..M9,
// M20..M23) for an invalid model: a model_error if a place of the text is refused. The rules of its operators are
// checked by validate_model().
inline model parse_model(std::string_view text, const std::filesystem::path& model_folder,
                         const model_options& options) {
  return detail::parse_source<model>(std::make_shared<const model_source>(model_source{std::string(text), ""}),
                                     model_folder, options);
}

// The model in a file, whose own files are searched in the same folder.
inline model read_model(const file_place& place, const model_options& options) {
  const std::string name = in_quotes(path_text(place.path()));
  input_file file(place);
  if (!file.is_open()) refuse("M9", "file", name, "a model that can be read", file.problem());
  const std::uint64_t size = file.size();
  // RapidJSON takes up to about 32 bytes for each byte of text.
  if (size > options.max_memory / 32)
    refuse("M8", "file", fmt::format("{} bytes", size), fmt::format("at most {}", options.max_memory / 32),
           "a 32nd of --max-memory");
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!file.read_all(std::as_writable_bytes(std::span(text))))
    refuse("M9", "file", name, "a model that can be read", file.problem());
  return detail::parse_source<model>(
      std::make_shared<const model_source>(model_source{std::move(text), path_text(place.path())}),
      place.path().parent_path(), options);
}
inline model read_model(const std::filesystem::path& path, const model_options& options) {
  return read_model(place_of(path), options);
}

}  // namespace goldml::io
