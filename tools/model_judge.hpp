// Judging what something else wrote for a model: the model is played on `reference`, and the outputs of its dispatches
// carry the verdicts of their operators.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <goldml/io/model.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/io/npy.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/verdict.hpp>

namespace goldml::tool {

// What something else wrote as the content of a resource.
struct actual_file {
  std::string resource;
  std::filesystem::path path;  // .npy, or raw bytes
};

struct model_judgement {
  bool agrees = true;
  std::uint64_t compared = 0;  // elements
  std::uint64_t differing = 0;
  std::string report;  // of each dispatch that was judged
};

namespace detail {

// The bytes of an actual file, as the resource's content or as a packed tensor.
struct actual_content {
  std::vector<std::byte> bytes;
  std::optional<io::npy_array> array;
};

inline actual_content read_actual(const actual_file& file, std::uint64_t max_memory) {
  const std::string where = "resource " + io::in_quotes(file.resource);
  if (file.path.extension() == ".npy") {
    io::npy_array array = io::read_npy(file.path, max_memory);
    return {array.bytes, array};
  }
  std::error_code failed;
  const std::uint64_t size = std::filesystem::file_size(file.path, failed);
  if (failed) io::refuse("M9", "actual", io::in_quotes(file.path.string()), "a file that can be read", where);
  if (size > max_memory)
    io::refuse("M8", "actual", fmt::format("{} bytes", size), fmt::format("at most {}", max_memory), where);
  actual_content content{std::vector<std::byte>(static_cast<std::size_t>(size)), {}};
  std::ifstream stream(file.path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(content.bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<std::uint64_t>(stream.gcount()) != size)
    io::refuse("M9", "actual", io::in_quotes(file.path.string()), "a file that can be read", where);
  return content;
}

// A dispatch's output in its resource, by bytes.
struct model_write {
  std::size_t command;
  std::size_t resource;
  std::uint64_t begin;
  std::uint64_t end;
};

// Whether an array of this shape can be the resource's buffer: a flat one, or one as the model itself writes it.
inline bool is_buffer_shape(const std::vector<std::uint64_t>& shape, const io::model& m, std::size_t resource) {
  return shape.size() < 2 || std::any_of(m.commands.begin(), m.commands.end(), [&](const io::model_command& command) {
           const auto* write = std::get_if<io::write_file_command>(&command);
           return write != nullptr && write->resource == resource &&
                  std::equal(shape.begin(), shape.end(), write->dimensions.begin(), write->dimensions.end());
         });
}

// The content as a dispatch's output: the packed tensor when it has the tensor's shape; the whole buffer, strides
// and all, when it is as large as the buffer or long enough; else the packed tensor when it is raw or flat and just as
// long. What is none of these is handed on as it is, for the comparison to call a mismatch.
inline const_tensor_ref to_actual_tensor(const actual_content& content, const tensor_desc& wanted,
                                         const model_write& write, const io::model& m) {
  const auto& bytes = content.bytes;
  const std::vector<std::uint64_t> shape = content.array ? content.array->shape : std::vector<std::uint64_t>();
  const bool same_shape =
      content.array && std::equal(shape.begin(), shape.end(), wanted.sizes.begin(), wanted.sizes.end());
  const bool any_layout = !content.array || is_buffer_shape(shape, m, write.resource);
  const std::uint64_t addressed = addressed_size_in_bytes(wanted.data_type, wanted.sizes, effective_strides(wanted));
  const std::uint64_t packed = element_count(wanted.sizes) * element_size_in_bytes(wanted.data_type);
  tensor_desc desc{.data_type = content.array ? content.array->type : wanted.data_type, .sizes = wanted.sizes};
  if (!same_shape && any_layout &&
      (bytes.size() == m.resources[write.resource].bytes.size() || bytes.size() >= write.begin + addressed)) {
    desc.strides = wanted.strides;
    return {desc, bytes.data() + write.begin, bytes.size() - write.begin};
  }
  if (bytes.size() == packed && (same_shape || any_layout)) return {desc, bytes.data(), bytes.size()};
  desc.sizes = {};
  for (const std::uint64_t size : content.array ? shape : std::vector<std::uint64_t>{bytes.size()})
    desc.sizes.push_back(std::min<std::uint64_t>(size, (std::numeric_limits<std::uint32_t>::max)()));
  if (!content.array) desc.data_type = data_type::uint8;
  return {desc, bytes.data(), bytes.size()};
}

// Gives an output its golden values where they are defined; all other bytes stay, as when the model is run.
inline void put_golden(const oracle::golden_output& golden, const tensor_ref& output) {
  visit_data_type(all_types{}, output.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto from = golden.values.ref().as<T>();
    const auto to = output.as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(output.desc().sizes))
      if (golden.verdicts[element++] != verdict::undefined) to[c] = from[c];
  });
}

inline std::vector<model_write> writes_of(const io::model& m, std::size_t command) {
  const auto& dispatch = std::get<io::dispatch_command>(m.commands[command]);
  const io::model_dispatchable& dispatchable = m.dispatchables[dispatch.dispatchable];
  const auto operands = io::detail::operands_of_desc(dispatchable.desc);
  std::vector<model_write> writes;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i].role == operand_role::output) {
      const io::model_binding& binding = *dispatch.bindings[i];
      writes.push_back({command, binding.resource, binding.offset_in_bytes,
                        binding.offset_in_bytes + total_tensor_size_in_bytes(*dispatchable.tensors[i])});
    }
  return writes;
}

// The answers with only the outputs that were given.
inline oracle::golden only(const oracle::golden& all, const std::vector<std::size_t>& outputs) {
  oracle::golden result;
  for (const oracle::golden_outputs& answer : all.answers) {
    result.answers.emplace_back();
    for (const std::size_t output : outputs) result.answers.back().push_back(answer[output]);
  }
  return result;
}

}  // namespace detail

// Plays the commands on `reference` with each dispatch's golden answer, and judges every given resource by each
// dispatch that wrote to it, but for outputs that a later one wrote over. Throws error for an illegal model, a resource
// that is not there (M3), that is given twice (M2) or that no dispatch writes (M3), and files that cannot be read.
// Nothing is written or printed.
inline model_judgement judge_model(io::model& m, std::span<const actual_file> actuals,
                                   const oracle::verdict_options& verdicts, const oracle::compare_options& options,
                                   std::uint64_t max_memory, std::string_view case_line) {
  if (const auto broken = io::validate_model(m); !broken.empty()) throw error(broken.front().violation);
  std::vector<detail::model_write> writes;
  for (std::size_t i = 0; i < m.commands.size(); ++i)
    if (std::holds_alternative<io::dispatch_command>(m.commands[i]))
      for (const detail::model_write& write : detail::writes_of(m, i)) writes.push_back(write);
  std::map<std::size_t, detail::actual_content> given;  // by resource
  for (const actual_file& actual : actuals) {
    const std::size_t resource = io::detail::resource_index(m, actual.resource, "--actual", actual.path.string());
    if (std::none_of(writes.begin(), writes.end(), [&](const auto& write) { return write.resource == resource; }))
      io::refuse("M3", "--actual", io::in_quotes(actual.resource), "a resource that a dispatch writes", "");
    if (given.contains(resource))
      io::refuse("M2", "--actual", io::in_quotes(actual.resource) + " again", "one file for each resource", "");
    given[resource] = detail::read_actual(actual, max_memory);
  }
  const auto is_judged = [&](const detail::model_write& mine) {
    return given.contains(mine.resource) && std::none_of(writes.begin(), writes.end(), [&](const auto& later) {
             return later.command > mine.command && later.resource == mine.resource && later.begin < mine.end &&
                    mine.begin < later.end;
           });
  };

  model_judgement result;
  for (std::size_t i = 0; i < m.commands.size(); ++i) {
    const auto* dispatch = std::get_if<io::dispatch_command>(&m.commands[i]);
    if (dispatch == nullptr) continue;
    io::detail::visit_dispatch(
        m, *dispatch, [&]<class Desc>(const Desc& desc, const auto& inputs, const auto& outputs) {
          std::vector<tensor_desc> output_descs;
          for (const tensor_ref& output : outputs) output_descs.push_back(output.desc());
          const oracle::golden golden =
              oracle::expect(desc, inputs, std::span<const tensor_desc>(output_descs), verdicts);
          for (std::size_t output = 0; output < outputs.size(); ++output)
            detail::put_golden(golden.answers.front()[output], outputs[output]);  // what later commands read

          const std::vector<detail::model_write> mine = detail::writes_of(m, i);
          oracle::judged_names names = oracle::names_of<Desc>();
          std::vector<std::string_view> judged_names;
          std::vector<std::size_t> judged_outputs;
          std::vector<const_tensor_ref> actual_refs;
          for (std::size_t output = 0; output < outputs.size(); ++output) {
            if (!is_judged(mine[output])) continue;
            judged_outputs.push_back(output);
            judged_names.push_back(names.outputs[output]);
            actual_refs.push_back(
                detail::to_actual_tensor(given[mine[output].resource], output_descs[output], mine[output], m));
          }
          if (judged_outputs.empty()) return;
          names.outputs = judged_names;
          const oracle::golden wanted = detail::only(golden, judged_outputs);
          const oracle::judgement judged = oracle::compare(wanted, actual_refs, options);
          result.agrees = result.agrees && judged.result.agrees();
          result.compared += judged.result.compared();
          result.differing += judged.result.differing();
          result.report += oracle::report(wanted, actual_refs, judged, options, names, case_line);
        });
  }
  return result;
}

}  // namespace goldml::tool
