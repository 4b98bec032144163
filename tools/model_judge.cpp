#include "model_judge.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <goldml/core/packed_elements.hpp>
#include <goldml/io/files.hpp>
#include <goldml/io/model_commands.hpp>
#include <goldml/io/model_error.hpp>
#include <goldml/io/model_play.hpp>
#include <goldml/io/model_work.hpp>
#include <goldml/oracle/explanation.hpp>
#include <goldml/oracle/generate.hpp>
#include <goldml/oracle/report.hpp>
#include <goldml/oracle/report_fit.hpp>
#include <goldml/oracle/verdict.hpp>

#include "actual_watch.hpp"
#include "intermediates.hpp"

namespace goldml::tool {

namespace detail {

namespace {

// Writes the golden values that are defined into an output. All other bytes remain, as when the model is run.
void put_golden(const oracle::golden_output& golden, const tensor_ref& output) {
  const writable_tensor writable(output);
  visit_data_type(all_types{}, golden.values.desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto from = golden.values.ref().as<T>();
    const auto to = writable.ref().as<T>();
    std::size_t element = 0;
    for (const coordinate_tuple& c : coordinates_of(output.desc().sizes))
      if (golden.verdicts[element++] != verdict::undefined) to[c] = from[c];
  });
}

// Copies the elements of a tensor to one of the same data type and sizes.
void copy_elements(const const_tensor_ref& from, const tensor_ref& to) {
  const readable_tensor readable(from);
  const writable_tensor writable(to);
  visit_data_type(all_types{}, readable.ref().desc().data_type, [&]<class T>(std::type_identity<T>) {
    const auto source = readable.ref().as<T>();
    const auto target = writable.ref().as<T>();
    for (const coordinate_tuple& c : coordinates_of(to.desc().sizes)) target[c] = source[c];
  });
}

std::vector<model_write> writes_of(const io::model& m, std::size_t command) {
  const auto& dispatch = std::get<io::dispatch_command>(m.commands[command]);
  const io::model_dispatchable& dispatchable = m.dispatchables[dispatch.dispatchable];
  const auto operands = dispatchable.desc.description().operands;
  std::vector<model_write> writes;
  const std::size_t tensors = dispatchable.tensors.size();
  for (std::size_t i = 0; i < tensors; ++i)
    if (operands[place_of_tensor(operands, i, tensors).info].role == operand_role::output && dispatchable.tensors[i]) {
      const io::model_binding& binding = *dispatch.bindings[i];
      const tensor_desc& tensor = *dispatchable.tensors[i];
      writes.push_back({command, binding.resource, binding.offset_in_bytes,
                        binding.offset_in_bytes + total_tensor_size_in_bytes(tensor), &tensor});
    }
  return writes;
}

}  // namespace

std::vector<bool> last_writes(std::span<const model_write> writes) {
  std::vector<bool> result(writes.size());
  std::map<std::size_t, std::map<std::uint64_t, std::uint64_t>>
      taken;  // per resource: begin and end of disjoint ranges
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

}  // namespace detail

namespace {

using detail::model_write;

// What the dispatches of a model write, in the order of the commands, and the files that are judged.
struct judged_writes {
  std::vector<model_write> all;
  std::vector<bool> is_last;                                // of each: no later command overwrites it
  std::map<std::size_t, detail::actual_content> given;      // by resource
  std::map<std::size_t, detail::actual_content> again;      // likewise, of a second run
  std::map<std::size_t, std::vector<model_write>> to_last;  // by resource: its last writes
};

// For each command, whether it is a dispatch that writes what a later one reads, and is not given: that is computed
// whole.
std::vector<bool> read_later(const io::model& m, std::span<const actual_file> actuals) {
  std::set<std::string_view> given;
  for (const actual_file& actual : actuals) given.insert(actual.resource);
  std::vector<model_write> writes;
  for (std::size_t i = 0; i < m.commands.size(); ++i)
    if (std::holds_alternative<io::dispatch_command>(m.commands[i]))
      for (const model_write& write : detail::writes_of(m, i)) writes.push_back(write);
  const std::vector<bool> is_last = detail::last_writes(writes);
  std::set<std::size_t> read;  // resources
  std::vector<bool> result(m.commands.size());
  std::size_t end = writes.size();  // of the command's writes
  for (std::size_t i = m.commands.size(); i-- > 0;) {
    const auto* dispatch = std::get_if<io::dispatch_command>(&m.commands[i]);
    if (dispatch == nullptr) continue;
    for (; end > 0 && writes[end - 1].command == i; --end) {
      const std::size_t resource = writes[end - 1].resource;
      const bool is_given = is_last[end - 1] && given.contains(m.resources[resource].name);
      result[i] = result[i] || (read.contains(resource) && !is_given);
    }
    const io::model_dispatchable& of = m.dispatchables[dispatch->dispatchable];
    for (std::size_t j = 0; j < of.tensors.size(); ++j)
      if (dispatch->bindings[j] && detail::is_read(of, j)) read.insert(dispatch->bindings[j]->resource);
  }
  return result;
}

// Throws error for an unknown, repeated or unwritten resource, and for files that cannot be read. Subtracts the size of
// what it reads from `budget`.
judged_writes read_writes(const io::model& m, std::span<const actual_file> actuals, std::uint64_t& budget) {
  judged_writes writes;
  for (std::size_t i = 0; i < m.commands.size(); ++i)
    if (std::holds_alternative<io::dispatch_command>(m.commands[i]))
      for (const model_write& write : detail::writes_of(m, i)) writes.all.push_back(write);
  writes.is_last = detail::last_writes(writes.all);
  for (std::size_t i = 0; i < writes.all.size(); ++i) {
    auto& of_resource = writes.to_last[writes.all[i].resource];
    if (writes.is_last[i]) of_resource.push_back(writes.all[i]);
  }

  const io::detail::model_names names_in_model(m);
  const detail::written_shapes written = detail::written_shapes_of(m);
  for (const actual_file& actual : actuals) {
    const std::size_t resource =
        names_in_model.resource(actual.resource, "--actual", io::path_text(actual.place.path()));
    if (!writes.to_last.contains(resource))
      io::refuse("M3", "--actual", io::in_quotes(actual.resource), "a resource that a dispatch writes", "");
    if (writes.given.contains(resource))
      io::refuse("M2", "--actual", io::in_quotes(actual.resource) + " again", "one file for each resource", "");
    const detail::actual_content& content = writes.given[resource] =
        detail::read_actual(actual, writes.to_last[resource], m, written, budget);
    budget -= std::min<std::uint64_t>(budget, content.bytes.size());
    if (!actual.again) continue;
    const detail::actual_content& second = writes.again[resource] =
        detail::read_actual({actual.resource, *actual.again}, writes.to_last[resource], m, written, budget);
    budget -= std::min<std::uint64_t>(budget, second.bytes.size());
  }
  return writes;
}

// The intermediates that a dispatch has read.
struct read_intermediates {
  std::set<std::size_t> own;              // resources whose given content it has read
  std::map<std::size_t, bool> not_given;  // resources of which only ranges are known; whether they can be given
  std::set<std::size_t> gaps;             // resources whose elements are given, and nothing between or behind them
};

// The elements in which two runs differ bit by bit, where an operator defines them; and the first of them.
struct differing_runs {
  std::uint64_t count = 0;
  coordinate_tuple first = {};
};
differing_runs differences_between(const const_tensor_ref& given_one, const const_tensor_ref& given_other,
                                   const oracle::golden_output& golden) {
  differing_runs result;
  const bool is_alike = given_one.desc().data_type == given_other.desc().data_type &&
                        given_one.desc().sizes == given_other.desc().sizes && given_one.data() != nullptr &&
                        given_other.data() != nullptr;
  const readable_tensor readable_one(is_alike ? given_one : const_tensor_ref()),
      readable_other(is_alike ? given_other : const_tensor_ref());
  const const_tensor_ref &one = is_alike ? readable_one.ref() : given_one,
                         &other = is_alike ? readable_other.ref() : given_other;
  const tensor_desc &a = one.desc(), &b = other.desc();
  const dimensions of_one = effective_strides(a), of_other = effective_strides(b);
  const std::size_t width = element_size_in_bytes(a.data_type);
  std::size_t element = 0;
  for (const coordinate_tuple& c : coordinates_of(a.sizes)) {
    const bool is_open = !golden.sample && golden.verdicts[element] == verdict::undefined;
    ++element;
    if (is_open) continue;
    const auto at = [&](const const_tensor_ref& t, const dimensions& strides) {
      return static_cast<const std::byte*>(t.data()) + static_cast<std::size_t>(offset_of(c, strides)) * width;
    };
    if (is_alike && std::memcmp(at(one, of_one), at(other, of_other), width) == 0) continue;
    if (result.count++ == 0) result.first = c;
  }
  return result;
}

// The judgement of a model, to which dispatches are added one by one.
class growing_judgement {
 public:
  growing_judgement(const io::model& m, const judged_writes& writes, const oracle::compare_options& options,
                    std::string_view case_line, std::size_t most_maps)
      : model_(m), writes_(writes), options_(options), case_line_(case_line), most_maps_(most_maps) {}

  // Judges the dispatch whose outputs `given`, by their numbers, are the writes from `first_write` on, and which has
  // read these. Calls put(output, answer) for each output with its golden answer.
  template <class F>
  void add_dispatch(std::size_t first_write, const std::vector<std::size_t>& given, const read_intermediates& read,
                    oracle::golden golden, oracle::judged_names names, F&& put) {
    std::vector<const_tensor_ref> actual_refs(golden.answers.front().size());
    bool any = false;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const model_write& write = writes_.all[first_write + i];
      const auto actual = writes_.given.find(write.resource);
      if (actual == writes_.given.end() || !writes_.is_last[first_write + i]) continue;
      actual_refs[given[i]] = detail::to_actual_tensor(actual->second, write, model_);
      any = true;
    }
    for (const std::size_t output : given)
      if (!actual_refs[output].present()) put(output, golden.answers.front()[output]);
    if (!any) return;
    for (oracle::golden_outputs& outputs : golden.answers)  // the others are not judged
      for (std::size_t i = 0; i < outputs.size(); ++i)
        if (!actual_refs[i].present()) outputs[i] = {host_tensor(), output_verdicts(0), outputs[i].from_golden};
    oracle::judgement judged = oracle::compare(golden, actual_refs, options_);
    oracle::judge_fits(judged, golden, actual_refs, options_, names);
    for (std::size_t i = 0; i < judged.fits.size(); ++i)
      if (judged.fits[i].outcome != oracle::fit_outcome::none)
        result_.fits.emplace_back(names.outputs[i], judged.fits[i]);
    result_.dispatches.add(judged);
    result_.compared += judged.result.compared();
    result_.differing += judged.result.differing();
    result_.depending += judged.result.depending();
    names.intermediates = notes_on(read, judged.result.depending() > 0);
    const oracle::golden_outputs& answer = oracle::judged_outputs(golden, judged);
    for (const oracle::golden_output& output : answer) {
      if (output.values.omitted()) continue;
      all_elements_ += element_count(output.whole().sizes);
      is_sampled_ = is_sampled_ || output.sample;
    }
    for (std::size_t i = 0; i < actual_refs.size() && result_.maps.size() < most_maps_; ++i)
      if (judged.result.outputs[i].differing > 0 && !answer[i].sample) {
        result_.maps.push_back(map_of_differences(names.outputs[i], answer[i], actual_refs[i], options_));
        result_.maps.back().explanation = oracle::explain(answer[i], actual_refs[i], options_, names).text;
      }
    if (++reports_ <= most_reports)
      result_.report += oracle::report(golden, actual_refs, judged, options_, names, case_line_);
    for (std::size_t i = 0; i < given.size(); ++i)
      if (actual_refs[given[i]].present())
        compare_runs(writes_.all[first_write + i], actual_refs[given[i]], golden.answers.front()[given[i]],
                     names.outputs[given[i]]);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::size_t output = given[i];
      if (!actual_refs[output].present()) continue;
      const oracle::output_comparison& compared = judged.result.outputs[output];
      // One with another type or size is not read.
      if (compared.differing > 0) wrong_.insert(writes_.all[first_write + i].resource);
      put(output, golden.answers.front()[output]);
    }
  }

  // Whether the given content of a resource differs from the golden answer of a dispatch judged so far.
  bool is_wrong(std::size_t resource) const { return wrong_.contains(resource); }

  // Compares whole buffers with `resources`, as the last command left them, and returns the judgement.
  model_judgement finish(std::vector<io::model_resource>& resources) {
    if (reports_ > most_reports)
      result_.report += fmt::format("and {} more dispatches; of all elements compared {} {}\n", reports_ - most_reports,
                                    result_.differing, result_.differing == 1 ? "differs" : "differ");
    if (is_sampled_) result_.sampled_of = all_elements_;
    const bool gaps_must_survive = options_.gaps == oracle::gap_bytes::must_survive;
    std::map<std::size_t, std::vector<model_write>> all;  // by resource
    for (const model_write& write : writes_.all) all[write.resource].push_back(write);
    for (const auto& [resource, content] : writes_.given) {
      const std::vector<model_write>& to_resource = all[resource];
      if (!detail::is_whole_buffer(content, to_resource, model_)) continue;
      const memory_changes changes = detail::changes_in_buffer(resources[resource].bytes, content.bytes, to_resource);
      result_.wrote_outside = result_.wrote_outside || changes.outside > 0 || (gaps_must_survive && changes.gaps > 0);
      result_.report += detail::changes_in_resource_text(changes, resources[resource].name, gaps_must_survive);
    }
    if (result_.wrote_outside || result_.racing > 0) result_.dispatches.add(oracle::outcome::differs);
    return std::move(result_);
  }

 private:
  static constexpr std::uint64_t most_reports = 100;

  // With a second run: a device whose runs differ has a race, whatever the verdict on one of them (ledger MV-R3).
  void compare_runs(const model_write& write, const const_tensor_ref& first, const oracle::golden_output& golden,
                    std::string_view name) {
    const auto second = writes_.again.find(write.resource);
    if (second == writes_.again.end()) return;
    const differing_runs found =
        differences_between(first, detail::to_actual_tensor(second->second, write, model_), golden);
    if (found.count == 0) return;
    result_.racing += found.count;
    result_.report +=
        fmt::format("{}: two runs differ in {} of {} elements, first at {}: a race, not rounding (ledger MV-R3)\n",
                    name, found.count, element_count(first.desc().sizes), violation_text("{}", found.first).view());
  }

  // The lines of a report, and the names of what is needed.
  std::string notes_on(const read_intermediates& read, bool depends) {
    std::string text;
    const auto name_of = [&](std::size_t resource) { return io::in_quotes(model_.resources[resource].name); };
    for (const std::size_t resource : read.own)
      if (is_wrong(resource))
        text += fmt::format("  judged from the device's own {}, which differs\n", name_of(resource));
    if (!depends) return text;
    for (const std::size_t resource : read.gaps)
      text += fmt::format(
          "  not known: bytes of {}, or halves of bytes, that hold no element; --keep-gaps takes them for "
          "unchanged\n",
          name_of(resource));
    for (const auto& [resource, can_be_given] : read.not_given) {
      const std::string& name = model_.resources[resource].name;
      if (!can_be_given) {
        text += fmt::format("  not given: {}, which a later command overwrites; write it to a resource of its own\n",
                            name_of(resource));
        continue;
      }
      text += fmt::format("  not given: {}; add --actual {}=FILE\n", name_of(resource), io::terminal_text(name));
      if (std::find(result_.give.begin(), result_.give.end(), name) == result_.give.end()) result_.give.push_back(name);
    }
    return text;
  }

  const io::model& model_;
  const judged_writes& writes_;
  const oracle::compare_options& options_;
  const std::string_view case_line_;
  const std::size_t most_maps_;
  std::uint64_t reports_ = 0;
  std::set<std::size_t> wrong_;  // resources
  std::uint64_t all_elements_ = 0;
  bool is_sampled_ = false;
  model_judgement result_;
};

// The intermediates that a dispatch has read, whose first write is that of this number. `taken`: by number, the writes
// whose elements are the device's own.
read_intermediates intermediates_of(const io::model& m, const io::dispatch_command& dispatch, std::size_t inputs,
                                    std::span<const oracle::legal_values> held, const judged_writes& writes,
                                    const std::vector<bool>& taken, std::size_t first_write) {
  read_intermediates result;
  for (std::size_t input = 0; input < inputs; ++input) {
    const auto& binding = dispatch.bindings[input];
    if (!binding || binding->is_initial) continue;
    const std::uint64_t end =
        binding->offset_in_bytes + total_tensor_size_in_bytes(*m.dispatchables[dispatch.dispatchable].tensors[input]);
    bool can_be_given = true, is_given = true;
    for (std::size_t i = 0; i < first_write; ++i) {
      const model_write& write = writes.all[i];
      if (write.resource != binding->resource || write.begin >= end || write.end <= binding->offset_in_bytes) continue;
      can_be_given = can_be_given && writes.is_last[i];
      is_given = is_given && taken[i];
      if (writes.is_last[i] && writes.given.contains(write.resource)) result.own.insert(write.resource);
    }
    if (held[input].exact()) continue;
    if (is_given) {
      result.gaps.insert(binding->resource);
      continue;
    }
    const auto [place, added] = result.not_given.emplace(binding->resource, can_be_given);
    place->second = place->second && can_be_given;
  }
  return result;
}

// The bytes for expecting a call whose inputs are not all exact: the ranges of inputs and outputs, and two answers.
std::uint64_t memory_of_chain(std::uint64_t of_answer, std::span<const const_tensor_ref> inputs,
                              std::span<const tensor_ref> outputs) {
  std::uint64_t total = saturating_multiply(of_answer, 2);
  const auto add = [&](const tensor_desc& desc, std::uint64_t copies, std::uint64_t per_element) {
    total = saturating_add(total, saturating_multiply(total_tensor_size_in_bytes(desc), copies));
    total = saturating_add(total, saturating_multiply(element_count(desc.sizes), per_element));
  };
  for (const const_tensor_ref& input : inputs)
    if (input.present()) add(input.desc(), 3, 2 + 2 * sizeof(std::uint32_t));  // ranges, other values; states, counts
  for (const tensor_ref& output : outputs)
    if (output.present()) add(output.desc(), 4, 2 + sizeof(double) + sizeof(interval));
  return total;
}

// Of an output of which only a sample of the elements is computed.
oracle::legal_values unknown_values(const tensor_ref& output) {
  oracle::legal_values result{const_tensor_ref(output)};
  result.low = result.high = host_tensor(output.desc());
  result.states.assign(static_cast<std::size_t>(element_count(output.desc().sizes)), oracle::certainty::unknown);
  return result;
}

}  // namespace

std::uint64_t work_of_judging(const io::model& m, std::span<const actual_file> actuals,
                              const oracle::sample_options& sample) {
  const std::vector<bool> computed_whole = read_later(m, actuals);
  std::uint64_t work = 0;
  for (std::size_t i = 0; i < m.commands.size(); ++i) {
    const auto* dispatch = std::get_if<io::dispatch_command>(&m.commands[i]);
    if (dispatch == nullptr || computed_whole[i]) {
      work = saturating_add(work, io::work_of(m, m.commands[i], work_rates_of_check));
      continue;
    }
    const io::model_dispatchable& of = m.dispatchables[dispatch->dispatchable];
    const work_counts counts = oracle::work_of_elements(of.desc, to_operands(of.tensors), sample);
    work = saturating_add(work, nanoseconds_of(counts, work_rates_of_check));
    work = saturating_add(work, io::work_of_a_command);
  }
  return work;
}

model_judgement judge_model(io::model& m, std::span<const actual_file> actuals, const oracle::compare_options& options,
                            const judge_limits& limits, std::string_view case_line) {
  io::validate_model(m,
                     [&](std::string_view name, const violation& broken) { io::refuse_dispatchable(m, name, broken); });
  const std::vector<bool> computed_whole = read_later(m, actuals);
  const auto sample_of = [&](std::size_t command) {
    return computed_whole[command] ? oracle::sample_options() : limits.sample;
  };
  const std::uint64_t work = work_of_judging(m, actuals, limits.sample);
  io::check_work(work, limits.max_work);
  std::uint64_t budget = limits.max_memory;
  for (const auto* resources : {&m.resources, &m.initial_copies})
    for (const io::model_resource& resource : *resources)
      budget -= std::min<std::uint64_t>(budget, resource.bytes.size());
  const judged_writes writes = read_writes(m, actuals, budget);

  growing_judgement judgement(m, writes, options, case_line, limits.most_maps);
  detail::intermediates known(m);
  // What carrying the intermediates that were not given may take: a share of the work that is left for each command.
  const std::uint64_t spare_work = (limits.max_work - work) / (std::max)(m.commands.size(), std::size_t{1});
  std::vector<bool> taken(writes.all.size());
  std::size_t first_write = 0;  // of the command
  for (std::size_t i = 0; i < m.commands.size(); ++i) {
    const auto* dispatch = std::get_if<io::dispatch_command>(&m.commands[i]);
    if (dispatch == nullptr) continue;
    io::detail::visit_dispatch(m, *dispatch, [&](const any_desc& desc, const auto& inputs, const auto& outputs) {
      std::uint64_t needed = oracle::memory_of_elements(desc, to_operands(inputs, outputs), sample_of(i));
      const auto require_memory = [&](std::string_view what) {
        if (needed > budget)
          io::refuse("M8", "check", fmt::format("{} bytes for {}", needed, what), fmt::format("at most {}", budget),
                     fmt::format("what --max-memory leaves; command {}", i));
      };
      require_memory("the golden answer");
      if (outputs.size() == 1 && outputs[0].present()) {
        needed = saturating_add(needed, oracle::memory_of_fit(desc, inputs, outputs[0].desc()));
        require_memory("the golden answer and its fit");
      }
      std::vector<oracle::legal_values> held;
      bool is_exact = true;
      for (std::size_t input = 0; input < inputs.size(); ++input) {
        held.push_back(inputs[input].present() ? known.read(*dispatch->bindings[input], inputs[input])
                                               : oracle::legal_values());
        is_exact = is_exact && held.back().exact();
      }
      std::vector<const_tensor_ref> initial;  // what outputs contain that the dispatch reads
      bool reads_outputs = false;
      for (std::size_t output = 0; output < outputs.size(); ++output) {
        const std::size_t tensor = inputs.size() + output;
        const bool reads = detail::is_read(m.dispatchables[dispatch->dispatchable], tensor);
        initial.push_back(reads ? const_tensor_ref(outputs[output]) : const_tensor_ref());
        reads_outputs = reads_outputs || reads;
        if (reads && !known.read(*dispatch->bindings[tensor], initial.back()).exact())
          io::refuse("M24", "--actual",
                     fmt::format("none for what {} contains before command {}",
                                 io::detail::operand_name(m.dispatchables[dispatch->dispatchable], tensor), i),
                     "--actual for each intermediate", "the dispatch reads it before it writes it");
      }
      if (!reads_outputs) initial.clear();
      const bool sampled = !reads_outputs && std::any_of(outputs.begin(), outputs.end(), [&](const tensor_ref& output) {
        return output.present() && element_count(output.desc().sizes) > sample_of(i).elements;
      });
      if (!is_exact && sampled)
        io::refuse("M24", "--elements",
                   fmt::format("for command {}, which reads what is not known of an intermediate", i),
                   "--actual for each intermediate", "");
      if (!is_exact) {
        needed = memory_of_chain(needed, inputs, outputs);
        require_memory("the golden answer of intermediates that were not given");
      }
      std::vector<tensor_desc> output_descs;
      std::vector<std::size_t> given;  // the outputs that are not omitted
      for (std::size_t output = 0; output < outputs.size(); ++output) {
        output_descs.push_back(outputs[output].desc());
        if (outputs[output].present()) given.push_back(output);
      }
      oracle::golden golden =
          sampled ? oracle::expect(desc, inputs, std::span<const tensor_desc>(output_descs), sample_of(i))
                  : oracle::expect_in_chain(
                        desc, held, output_descs, options,
                        static_cast<std::size_t>(1 + spare_work / io::work_of(m, m.commands[i], work_rates_of_check)),
                        initial);
      oracle::judged_names names = oracle::names_of(desc, std::span<const const_tensor_ref>(inputs), outputs.size());
      if (!is_exact) names.half = nullptr;  // of the golden intermediates only
      const read_intermediates read = intermediates_of(m, *dispatch, inputs.size(), held, writes, taken, first_write);

      // What later commands read: the device's own elements where they are given.
      std::vector<const_tensor_ref> own(outputs.size());
      for (std::size_t k = 0; k < given.size(); ++k) {
        const model_write& write = writes.all[first_write + k];
        const io::model_binding& binding = *dispatch->bindings[inputs.size() + given[k]];
        if (const auto file = writes.given.find(write.resource);
            file != writes.given.end() && writes.is_last[first_write + k]) {
          const const_tensor_ref actual = detail::to_actual_tensor(file->second, write, m);
          if (oracle::mismatch_text(*write.wanted, actual).empty()) own[given[k]] = actual;
        }
        taken[first_write + k] = own[given[k]].present();
        if (!known.is_read_after(i, write.resource)) continue;
        const bool gaps_may_change = options.gaps == oracle::gap_bytes::may_change;
        const oracle::legal_values values = own[given[k]].present() ? oracle::legal_values(outputs[given[k]])
                                            : sampled               ? unknown_values(outputs[given[k]])
                                                      : oracle::legal_values_of(golden, given[k], options);
        needed = known.memory_of_write(binding, values, gaps_may_change);
        require_memory("what is known of an intermediate");
        budget -= needed;
        known.write(binding, values, gaps_may_change);
      }
      judgement.add_dispatch(first_write, given, read, std::move(golden), std::move(names),
                             [&](std::size_t output, const oracle::golden_output& answer) {
                               if (own[output].present())
                                 detail::copy_elements(own[output], outputs[output]);
                               else if (!answer.sample)
                                 detail::put_golden(answer, outputs[output]);
                             });
      first_write += given.size();
    });
  }
  return judgement.finish(m.resources);
}

}  // namespace goldml::tool
