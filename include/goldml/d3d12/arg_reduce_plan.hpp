// How an arg reduction is divided among shaders, passes, groups and threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <goldml/d3d12/runtime/tensor_layout.hpp>

namespace goldml::d3d12 {

// A part of the work: some output elements and, for each, some candidates.
struct reduction_box {
  dimension_rows kept;     // steps: input, output
  dimension_rows reduced;  // steps: input, index
  std::uint64_t input_first = 0;
  std::uint64_t output_first = 0;
  std::uint32_t index_first = 0;
};

// Which shader: arg_reduce.hlsl, arg_reduce_runs*.hlsl, arg_reduce_columns.hlsl.
enum class reduction_way : std::uint8_t { any, runs, columns };

class arg_reduce_plan {
 public:
  arg_reduce_plan(const recorder& work, const dimensions& axes, const buffer_tensor& input, const buffer_tensor& output)
      : input_(input), output_(output) {
    const dimensions& sizes = input.desc.sizes;
    const dimensions from = effective_strides(input.desc);
    const dimensions to = effective_strides(output.desc);
    std::uint32_t weight = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
      if (axes.contains(static_cast<std::uint32_t>(i))) {
        whole_.reduced.add({sizes[i], {from[i], weight, 0}});
        weight *= sizes[i];
      } else {
        whole_.kept.add({sizes[i], {from[i], to[i], 0}});
      }
    }
    for (dimension_rows* rows : {&whole_.kept, &whole_.reduced}) {
      rows->sort_by(0);
      rows->merge();
    }
    way_ = choose_way(work);
  }

  const reduction_box& whole() const { return whole_; }
  reduction_way way() const { return way_; }

  // The base-2 logarithm of the size of an input element.
  std::uint32_t element_log2() const { return size_log2(input_.desc.data_type); }
  std::uint32_t vector_elements() const { return 16u >> element_log2(); }

  // The number of words of a partial result: key and index and, for 64-bit elements, the key's low word.
  std::uint32_t entry_words() const { return element_log2() == 3 ? 3 : 2; }

  // Divides `b` into boxes of output elements, each with all their candidates. Makes as few boxes as possible such that
  // the outputs, the first candidates and the partial results of each fit into views. Calls f(box, its parts, the
  // splits of all parts).
  template <class F>
  void for_each_output_box(const reduction_box& b, F&& f) const {
    const bool cut_input = b.kept.reach(0) >= input_elements() / 2;
    if (!cut_input && b.kept.reach(1) < window_elements(output_.desc, view_kind::raw)) {
      std::vector<reduction_box> parts;
      cut_candidates(b, parts);
      std::uint32_t splits = 0;
      for (const reduction_box& part : parts) splits += splits_of(part);
      if (std::uint64_t{splits} * b.kept.elements() * entry_words() <= most_view_elements || !leaves_entries(splits)) {
        f(b, parts, splits);
        return;
      }
    }
    const std::size_t row = b.kept.longest(cut_input ? 0 : 1);
    reduction_box first = b, second = b;
    const std::uint32_t half = cut(first.kept, second.kept, row);
    second.input_first += std::uint64_t{half} * b.kept[row].steps[0];
    second.output_first += std::uint64_t{half} * b.kept[row].steps[1];
    for_each_output_box(first, f);
    for_each_output_box(second, f);
  }

  // Whether the passes write partial results, which a last pass combines.
  bool leaves_entries(std::uint32_t splits) const { return splits > 1 || way_ == reduction_way::columns; }

  // How arg_reduce.hlsl distributes the work of a group over threads.
  struct sharing {
    std::uint32_t lanes_log2;
    bool lanes_together;
  };

  // The number of threads per output element: enough to keep a GPU busy, with neighbouring threads reading neighbouring
  // elements.
  static sharing sharing_of(const reduction_box& part) {
    const std::uint64_t outputs = part.kept.elements();
    const std::uint64_t candidates = part.reduced.elements();
    const bool together =
        part.reduced[0].steps[0] - 1 <= part.kept[0].steps[0] - 1;  // a step of 0 counts as the longest
    const std::uint32_t most = together ? 8 : 3;
    std::uint32_t lanes = 0;
    while (lanes < most && (candidates >> lanes) > 2 &&
           ((outputs << lanes) < wanted_threads || (together && lanes < 5)))
      ++lanes;
    return {lanes, together};
  }

  // The number of groups that share the candidates of an output element.
  std::uint32_t splits_of(const reduction_box& part) const {
    const std::uint64_t outputs = part.kept.elements();
    const std::uint64_t candidates = part.reduced.elements();
    if (way_ == reduction_way::runs) {
      const std::uint64_t batches = divide_up(candidates << element_log2(), 16 * 1024);
      return static_cast<std::uint32_t>((std::max)((std::min)(wanted_groups / outputs, batches), std::uint64_t{1}));
    }
    std::uint64_t splits = 1;
    if (way_ == reduction_way::columns) {
      const std::uint64_t threads = element_log2() == 2 ? wanted_threads / 2 : wanted_threads;
      splits = (std::min)(divide_up(threads, outputs / 4), divide_up(candidates, 16));
    } else {
      const std::uint32_t lanes = sharing_of(part).lanes_log2;
      splits = (std::min)(wanted_threads / (outputs << lanes), divide_up(candidates >> lanes, 8));
    }
    constexpr std::uint64_t most_candidates = std::uint64_t{1} << 31;  // a thread counts them in 32 bits
    splits = (std::max)({splits, std::uint64_t{1}, divide_up(candidates, most_candidates)});
    return static_cast<std::uint32_t>(divide_up(candidates, divide_up(candidates, splits)));
  }

  // Threads per output element in the pass that combines partial results.
  static std::uint32_t combining_lanes_log2(std::uint32_t outputs, std::uint32_t splits) {
    std::uint32_t lanes = 0;
    while (lanes < 10 && (std::uint32_t{1} << lanes) < splits && (std::uint64_t{outputs} << lanes) < wanted_threads)
      ++lanes;
    return lanes;
  }

 private:
  // Enough to make full use of a large GPU; measured on an H200.
  static constexpr std::uint64_t wanted_groups = 528;  // of arg_reduce_runs*.hlsl
  static constexpr std::uint64_t wanted_threads = 1056 * 256;

  reduction_way choose_way(const recorder& work) const {
    if (!work.may_use_tables() || element_log2() > 2 || !has_whole_vectors(input_.range) || whole_.reduced.count() != 1)
      return reduction_way::any;
    const dimension_row& candidates = whole_.reduced[0];  // a single row: neighbours have neighbouring indices
    const bool always = work.must_use_tables();
    if (candidates.steps[0] == 1 && (always || std::uint64_t{candidates.size} << element_log2() >= 4096))
      return reduction_way::runs;
    const dimension_row& columns = whole_.kept[0];
    const std::uint32_t vector = vector_elements();
    bool aligned = columns.steps[0] == 1 && columns.size % vector == 0 && candidates.steps[0] % vector == 0;
    for (std::size_t i = 1; i < whole_.kept.count(); ++i) aligned = aligned && whole_.kept[i].steps[0] % vector == 0;
    return aligned && (always || columns.size >= 256) ? reduction_way::columns : reduction_way::any;
  }

  std::uint64_t input_elements() const {
    return window_elements(input_.desc, way_ == reduction_way::any ? view_kind::raw : view_kind::vectors);
  }

  // Divides the row between `first` and `second`, and returns the size of the first part. Vectors, of up to 16
  // elements, are not divided.
  static std::uint32_t cut(dimension_rows& first, dimension_rows& second, std::size_t row) {
    const std::uint32_t size = first[row].size;
    first[row].size = size < 32 ? size / 2 : size / 32 * 16;
    second[row].size = size - first[row].size;
    return first[row].size;
  }

  void cut_candidates(const reduction_box& b, std::vector<reduction_box>& parts) const {
    if (b.kept.reach(0) + b.reduced.reach(0) < input_elements()) {
      parts.push_back(b);
      return;
    }
    const std::size_t row = b.reduced.longest(0);
    reduction_box first = b, second = b;
    const std::uint32_t half = cut(first.reduced, second.reduced, row);
    second.input_first += std::uint64_t{half} * b.reduced[row].steps[0];
    second.index_first += half * b.reduced[row].steps[1];
    cut_candidates(first, parts);
    cut_candidates(second, parts);
  }

  const buffer_tensor& input_;
  const buffer_tensor& output_;
  reduction_box whole_;
  reduction_way way_ = reduction_way::any;
};

}  // namespace goldml::d3d12
