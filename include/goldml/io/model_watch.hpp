// Watches the bytes around the outputs of a dispatch while a model is played. They hold a pattern while the backend
// computes; then their previous contents are restored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <goldml/core/memory_watch.hpp>
#include <goldml/core/operator_traits.hpp>
#include <goldml/io/model.hpp>
#include <goldml/io/model_error.hpp>

namespace goldml::io {

struct watch_options {
  bool gaps_must_survive = false;                        // for every backend
  std::function<void(std::string_view)> note = nullptr;  // is called with a line if a backend changed padding or gaps
  // Is called before each command with the work that is done and that of all commands (model_work.hpp), and with
  // whether the command prints.
  std::function<void(std::uint64_t done, std::uint64_t all, bool prints)> progress = nullptr;
};

namespace detail {

// Where the tensors of a dispatch begin and end that are bound to one resource. Searched, because a dispatch may have
// any number of outputs.
class bound_ranges {
 public:
  void add(std::uint64_t begin, std::uint64_t size) {
    begins_.push_back(begin);
    ends_.push_back(begin + size);
  }
  void sort() {
    std::sort(begins_.begin(), begins_.end());
    std::sort(ends_.begin(), ends_.end());
  }

  // After sort(): the greatest end up to an offset, or 0.
  std::uint64_t last_end(std::uint64_t offset) const {
    const auto behind = std::upper_bound(ends_.begin(), ends_.end(), offset);
    return behind == ends_.begin() ? 0 : *std::prev(behind);
  }
  // The least begin from an offset on, or the greatest number.
  std::uint64_t first_begin(std::uint64_t offset) const {
    const auto found = std::lower_bound(begins_.begin(), begins_.end(), offset);
    return found == begins_.end() ? saturated : *found;
  }

 private:
  std::vector<std::uint64_t> begins_, ends_;
};

// Watches one output of a dispatch: its padding, its gaps, and 1024 bytes before and after it, as far as they are in
// the resource and no other tensor of the dispatch begins or ends there. Gaps are watched only if they are at most 16
// times as large as the elements, so that watching takes no longer than the dispatch.
class output_watch {
 public:
  // `others`: the tensors of the dispatch in the same resource.
  output_watch(std::vector<std::byte>& buffer, const tensor_desc& desc, std::uint64_t begin, const bound_ranges& others)
      : buffer_(&buffer), desc_(desc), begin_(begin), size_(total_tensor_size_in_bytes(desc)) {
    constexpr std::uint64_t guard = 1024;
    const std::uint64_t end = begin + size_;
    const std::uint64_t low = (std::max)(begin - (std::min)(begin, guard), others.last_end(begin));
    const std::uint64_t high = (std::min)({std::uint64_t{buffer.size()}, end + guard, others.first_begin(end)});
    const std::uint64_t elements = size_in_bytes_of(desc.data_type, element_count(desc.sizes));
    const std::uint64_t addressed = addressed_size_in_bytes(desc.data_type, desc.sizes, effective_strides(desc));
    if (elements < addressed && size_ <= 4096 + 16 * elements) {
      watch(low, high, true);
    } else {
      watch(low, begin, false);
      watch(elements == addressed ? begin + addressed : end, high, false);
    }
  }
  output_watch(const output_watch&) = delete;
  output_watch& operator=(const output_watch&) = delete;
  ~output_watch() { restore(); }

  // Returns the changes, and restores the previous contents of all bytes that are not part of an element.
  memory_changes finish() {
    memory_changes changes;
    for (const strip& s : strips_) {
      const std::span<std::byte> bytes = bytes_of(s);
      std::vector<std::byte> pattern(bytes.size());
      fill_with_pattern(pattern, seed, s.begin);
      if (s.has_elements) {
        changes = changes_around(desc_, begin_ - s.begin, pattern, bytes);  // of the only strip
        continue;
      }
      for (std::size_t i = 0; i < bytes.size(); ++i)
        if (bytes[i] != pattern[i])
          changes.add(
              {static_cast<std::int64_t>(s.begin + i) - static_cast<std::int64_t>(begin_), pattern[i], bytes[i]},
              size_);
    }
    restore();
    return changes;
  }

 private:
  static constexpr std::uint64_t seed = 1;

  // A range of the buffer that holds the pattern, except in its elements.
  struct strip {
    std::uint64_t begin;
    std::vector<std::byte> held;  // before
    bool has_elements;            // all of the tensor's
  };

  std::span<std::byte> bytes_of(const strip& s) const {
    return std::span(*buffer_).subspan(static_cast<std::size_t>(s.begin), s.held.size());
  }

  void copy_elements(const strip& s, std::span<const std::byte> from, std::span<std::byte> to) const {
    for_each_element_run(desc_, [&](std::uint64_t offset, std::uint64_t count) {
      const auto first = static_cast<std::size_t>(begin_ - s.begin + offset);
      std::memcpy(to.data() + first, from.data() + first, static_cast<std::size_t>(count));
    });
  }

  void watch(std::uint64_t first, std::uint64_t end, bool has_elements) {
    if (first >= end) return;
    const auto bytes =
        std::span(*buffer_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
    const strip& s = strips_.emplace_back(strip{first, {bytes.begin(), bytes.end()}, has_elements});
    fill_with_pattern(bytes, seed, first);
    if (has_elements) copy_elements(s, s.held, bytes);
  }

  void restore() {
    for (strip& s : strips_) {
      const std::span<std::byte> bytes = bytes_of(s);
      if (s.has_elements) copy_elements(s, bytes, s.held);
      std::copy(s.held.begin(), s.held.end(), bytes.begin());
    }
    strips_.clear();
  }

  std::vector<std::byte>* buffer_;
  tensor_desc desc_;
  std::uint64_t begin_;
  std::uint64_t size_;
  std::vector<strip> strips_;
};

// The watched outputs of a dispatch. Their strips may overlap, so they are restored in reverse order.
struct output_watches {
  std::deque<output_watch> all;

  output_watches() = default;
  output_watches(const output_watches&) = delete;
  output_watches& operator=(const output_watches&) = delete;
  ~output_watches() {
    while (!all.empty()) all.pop_back();
  }
};

// Calls run() and checks the bytes around the outputs of the dispatch. Throws error M14 if a byte outside an output
// changed, or if padding or a gap changed that must not. If the change is allowed, calls options.note.
template <class Run>
void run_watched(model& m, const dispatch_command& command, std::span<const operand_info> infos, std::size_t number,
                 bool gaps_must_survive, const watch_options& options, Run&& run) {
  const auto& tensors = m.dispatchables[command.dispatchable].tensors;
  std::map<std::size_t, bound_ranges> bound;  // by resource
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i] && command.bindings[i] && !command.bindings[i]->is_initial)
      bound[command.bindings[i]->resource].add(command.bindings[i]->offset_in_bytes,
                                               total_tensor_size_in_bytes(*tensors[i]));
  for (auto& [resource, ranges] : bound) ranges.sort();
  output_watches watches;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto [row, element] = place_of_tensor(infos, i, tensors.size());
    if (infos[row].role != operand_role::output || !tensors[i] || !command.bindings[i]) continue;
    const model_binding& mine = *command.bindings[i];
    model_resource& resource = m.resources[mine.resource];
    watches.all.emplace_back(resource.bytes, *tensors[i], mine.offset_in_bytes, bound[mine.resource]);
    names.push_back(fmt::format("{}{} in resource {}; command {}", infos[row].name,
                                infos[row].is_array() ? fmt::format("[{}]", element) : "", in_quotes(resource.name),
                                number));
  }
  run();
  for (std::size_t i = watches.all.size(); i-- > 0;) {
    const memory_changes changes = watches.all[i].finish();
    const bool strict = gaps_must_survive || options.gaps_must_survive;
    if (changes.outside > 0)
      refuse("M14", "dispatch", "wrote outside its tensor: " + changes_text(changes.outside, changes.first_outside),
             "no byte changed before it or behind its TotalTensorSizeInBytes", names[i]);
    if (changes.gaps > 0 && strict)
      refuse("M14", "dispatch", "wrote into padding or gaps: " + changes_text(changes.gaps, changes.first_gap),
             "elements only", names[i]);
    if (changes.gaps > 0 && options.note)
      options.note(fmt::format("note: wrote into padding or gaps: {} ({})",
                               changes_text(changes.gaps, changes.first_gap), names[i]));
  }
}

}  // namespace detail

}  // namespace goldml::io
