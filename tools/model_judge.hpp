// Judging what something else wrote for a model: the model is played on `reference`, and the outputs of its dispatches
// carry the verdicts of their operators.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <goldml/io/files.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_commands.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/io/model_work.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/tally.hpp>
#include <goldml/oracle/verdict.hpp>

#include "actual_files.hpp"
#include "actual_watch.hpp"

namespace goldml::tool {

struct model_judgement {
  oracle::tally dispatches;    // those that were judged
  std::uint64_t compared = 0;  // elements
  std::uint64_t differing = 0;
  bool wrote_outside = false;  // bytes of a whole buffer changed that must not
  std::string report;          // of each dispatch that was judged
};

namespace detail {

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
  const std::size_t tensors = dispatchable.tensors.size();
  for (std::size_t i = 0; i < tensors; ++i)
    if (operands[place_of_tensor(operands, i, tensors).info].role == operand_role::output) {
      const io::model_binding& binding = *dispatch.bindings[i];
      const tensor_desc& tensor = *dispatchable.tensors[i];
      writes.push_back({command, binding.resource, binding.offset_in_bytes,
                        binding.offset_in_bytes + total_tensor_size_in_bytes(tensor), &tensor});
    }
  return writes;
}

// Which of these writes, in the order of the commands, are overlapped by none of a later command.
inline std::vector<bool> last_writes(std::span<const model_write> writes) {
  std::vector<bool> result(writes.size());
  std::map<std::size_t, std::map<std::uint64_t, std::uint64_t>> taken;  // of each resource: begin and end, disjoint
  const auto overlaps = [](const std::map<std::uint64_t, std::uint64_t>& ranges, const model_write& w) {
    const auto next = ranges.lower_bound(w.end);  // it and all after it begin at w.end or later
    return next != ranges.begin() && std::prev(next)->second > w.begin;
  };
  const auto take = [](std::map<std::uint64_t, std::uint64_t>& ranges, const model_write& w) {
    std::uint64_t begin = w.begin;
    std::uint64_t end = w.end;
    for (auto next = ranges.upper_bound(end); next != ranges.begin() && std::prev(next)->second >= begin;) {
      const auto range = std::prev(next);
      begin = std::min(begin, range->first);
      end = std::max(end, range->second);
      next = ranges.erase(range);
    }
    ranges[begin] = end;
  };
  for (std::size_t i = writes.size(); i > 0;) {
    std::size_t first = i;  // of the command's writes
    while (first > 0 && writes[first - 1].command == writes[i - 1].command) --first;
    for (std::size_t j = first; j < i; ++j) result[j] = !overlaps(taken[writes[j].resource], writes[j]);
    for (std::size_t j = first; j < i; ++j) take(taken[writes[j].resource], writes[j]);
    i = first;
  }
  return result;
}

// The answers with only the outputs that were given, in ascending order.
inline oracle::golden only(oracle::golden all, const std::vector<std::size_t>& outputs) {
  oracle::golden result;
  for (oracle::golden_outputs& answer : all.answers) {
    result.answers.emplace_back();
    for (const std::size_t output : outputs) {
      oracle::golden_output& kept = result.answers.back().emplace_back(std::move(answer[output]));
      if (!kept.counted_by) continue;
      const auto count = std::find(outputs.begin(), outputs.end(), *kept.counted_by);
      kept.counted_by.reset();
      if (count != outputs.end()) kept.counted_by = static_cast<std::size_t>(count - outputs.begin());
    }
  }
  return result;
}

}  // namespace detail

// What judging may take: memory, all that it holds together (M8; for a .npy file M23), and work (M11).
struct judge_limits {
  std::uint64_t max_memory;
  std::uint64_t max_work;
};

// Plays the commands on `reference` with each dispatch's golden answer, and judges every given resource by each
// dispatch that wrote to it, except for outputs that a later one overwrote. Throws error for an illegal model, one
// that is beyond the limits, a resource that is not there (M3), that is given twice (M2) or that no dispatch writes
// (M3), and files that cannot be read. Nothing is written or printed.
inline model_judgement judge_model(io::model& m, std::span<const actual_file> actuals,
                                   const oracle::compare_options& options, const judge_limits& limits,
                                   std::string_view case_line) {
  io::validate_model(m, [](std::string_view, const violation& broken) { throw error(broken); });
  io::check_work(m, limits.max_work);
  std::uint64_t budget = limits.max_memory;
  const auto spend = [&](std::uint64_t size) { budget -= std::min(budget, size); };
  for (const io::model_resource& resource : m.resources) spend(resource.bytes.size());

  std::vector<detail::model_write> writes;
  for (std::size_t i = 0; i < m.commands.size(); ++i)
    if (std::holds_alternative<io::dispatch_command>(m.commands[i]))
      for (const detail::model_write& write : detail::writes_of(m, i)) writes.push_back(write);
  std::map<std::size_t, std::vector<detail::model_write>> last;  // by resource
  const std::vector<bool> is_last = detail::last_writes(writes);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    auto& of_resource = last[writes[i].resource];
    if (is_last[i]) of_resource.push_back(writes[i]);
  }

  const io::detail::model_names names_in_model(m);
  const detail::written_shapes written = detail::written_shapes_of(m);
  std::map<std::size_t, detail::actual_content> given;  // by resource
  for (const actual_file& actual : actuals) {
    const std::size_t resource =
        names_in_model.resource(actual.resource, "--actual", io::path_text(actual.place.path()));
    if (!last.contains(resource))
      io::refuse("M3", "--actual", io::in_quotes(actual.resource), "a resource that a dispatch writes", "");
    if (given.contains(resource))
      io::refuse("M2", "--actual", io::in_quotes(actual.resource) + " again", "one file for each resource", "");
    const detail::actual_content& content = given[resource] =
        detail::read_actual(actual, last[resource], m, written, budget);
    spend(content.bytes.size());
  }

  constexpr std::uint64_t most_reports = 100;
  std::uint64_t reports = 0;
  model_judgement result;
  std::size_t first_write = 0;  // of the command
  for (std::size_t i = 0; i < m.commands.size(); ++i) {
    const auto* dispatch = std::get_if<io::dispatch_command>(&m.commands[i]);
    if (dispatch == nullptr) continue;
    io::detail::visit_dispatch(
        m, *dispatch, [&]<class Desc>(const Desc& desc, const auto& inputs, const auto& outputs) {
          const std::size_t my_writes = first_write;
          first_write += outputs.size();
          const std::uint64_t needed = oracle::memory_of_expect(desc, to_operands<Desc>(inputs, outputs));
          if (needed > budget)
            io::refuse("M8", "check", fmt::format("{} bytes for the golden answer", needed),
                       fmt::format("at most {}", budget), fmt::format("what --max-memory leaves; command {}", i));
          std::vector<tensor_desc> output_descs;
          for (const tensor_ref& output : outputs) output_descs.push_back(output.desc());
          oracle::golden golden = oracle::expect(desc, inputs, std::span<const tensor_desc>(output_descs));
          for (std::size_t output = 0; output < outputs.size(); ++output)
            detail::put_golden(golden.answers.front()[output], outputs[output]);  // what later commands read

          oracle::judged_names names =
              oracle::names_of(desc, std::span<const const_tensor_ref>(inputs), outputs.size());
          std::vector<std::string> judged_names;
          std::vector<std::size_t> judged_outputs;
          std::vector<const_tensor_ref> actual_refs;
          for (std::size_t output = 0; output < outputs.size(); ++output) {
            const detail::model_write& write = writes[my_writes + output];
            const auto actual = given.find(write.resource);
            if (actual == given.end() || !is_last[my_writes + output]) continue;
            judged_outputs.push_back(output);
            judged_names.push_back(names.outputs[output]);
            actual_refs.push_back(detail::to_actual_tensor(actual->second, write, m));
          }
          if (judged_outputs.empty()) return;
          names.outputs = judged_names;
          if (names.deciding)
            names.deciding = [judged_outputs, all = names.deciding](std::size_t output, auto&&... rest) {
              return all(judged_outputs[output], rest...);
            };
          const oracle::golden wanted = detail::only(std::move(golden), judged_outputs);
          const oracle::judgement judged = oracle::compare(wanted, actual_refs, options);
          result.dispatches.add(judged.outcome());
          result.compared += judged.result.compared();
          result.differing += judged.result.differing();
          if (++reports <= most_reports)
            result.report += oracle::report(wanted, actual_refs, judged, options, names, case_line);
        });
  }
  if (reports > most_reports)
    result.report += fmt::format("and {} more dispatches; of all elements compared {} {}\n", reports - most_reports,
                                 result.differing, result.differing == 1 ? "differs" : "differ");
  const bool gaps_must_survive = options.gaps == oracle::gap_bytes::must_survive;
  std::map<std::size_t, std::vector<detail::model_write>> all;  // by resource
  for (const detail::model_write& write : writes) all[write.resource].push_back(write);
  for (const auto& [resource, content] : given) {
    const std::vector<detail::model_write>& to_resource = all[resource];
    if (!detail::is_whole_buffer(content, to_resource, m)) continue;
    const memory_changes changes = detail::changes_in_buffer(m.resources[resource].bytes, content.bytes, to_resource);
    result.wrote_outside = result.wrote_outside || changes.outside > 0 || (gaps_must_survive && changes.gaps > 0);
    result.report += detail::changes_in_resource_text(changes, m.resources[resource].name, gaps_must_survive);
  }
  if (result.wrote_outside) result.dispatches.add(oracle::outcome::differs);
  return result;
}

}  // namespace goldml::tool
