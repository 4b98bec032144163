// Tuples of indices that are checked and entered into a map by scatter_nd_places.hlsl, for scatters and gathers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <goldml/core/policies.hpp>
#include <goldml/d3d12/runtime/tensor_layout.hpp>
#include <goldml/d3d12/shaders/scatter_nd.dxbc.hpp>
#include <goldml/d3d12/shaders/shared.dxbc.hpp>

namespace goldml::d3d12 {

// Where the tuples are, and the places that they name.
struct index_tuples {
  buffer_tensor indices = {};
  dimension_rows tuples = {};  // dimensions over the tuples: steps in the indices and in the places
  dimension_rows axes = {};    // for each index of a tuple the axis that it selects from: its step in the places
  std::uint32_t step = 0;      // from one index of a tuple to the next
  goldml::range_policy range_policy = goldml::range_policy::refuse;
  goldml::duplicates duplicates = goldml::duplicates::refuse;

  std::uint32_t count() const { return tuples.elements(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(axes.count()); }
  data_type type() const { return indices.desc.data_type; }
  std::uint32_t is_signed() const { return type() == data_type::int32 || type() == data_type::int64 ? 1 : 0; }
  std::uint32_t last_wins() const { return duplicates == duplicates::last_wins ? 1 : 0; }
  // From the first to the last index of a tuple, in elements.
  std::uint64_t reach() const { return std::uint64_t{step} * (size() - 1); }
  bool may_be_refused() const { return range_policy == range_policy::refuse || duplicates == duplicates::refuse; }
};

// The words that the shader writes: which tuple is refused, and its indices.
class tuple_status {
 public:
  static constexpr std::size_t words = 2 + 2 * dimensions::capacity;

  // `count` is the number of tuples.
  tuple_status(std::span<const std::uint32_t> read, std::uint32_t count) : read_(read), count_(count) {}

  bool any_refused() const { return read_[0] != 0 || read_[1] != 0; }
  // Otherwise it names the place of an earlier tuple.
  bool out_of_range() const { return read_[0] != 0; }
  // The status counts tuples from the last one.
  std::uint64_t number() const { return count_ - (out_of_range() ? read_[0] : read_[1]); }
  template <class Index>
  Index index(std::size_t j) const {
    return static_cast<Index>(read_[2 + 2 * j] | std::uint64_t{read_[3 + 2 * j]} << 32);
  }

 private:
  std::span<const std::uint32_t> read_;
  std::uint32_t count_;
};

namespace detail {

// A phase of the shader, which describes them. The map has a word for each of `places` places from `first_place` on.
inline void record_tuples(recorder& work, const index_tuples& t, std::uint32_t phase, const buffer_range& map,
                          std::uint32_t first_place, std::uint32_t places, const buffer_range& status) {
  dimension_rows rows = t.tuples;
  rows.merge();
  const group_counts groups = grid(phase == 2 ? 1 : divide_up(t.count(), 256));
  for (const element_window& window : windows_of(t.indices, t.reach())) {
    pass p = pass_of<shaders::scatter_nd_places>(groups,
                                                 {.phase = phase,
                                                  .tuples = t.count(),
                                                  .tuple_size = t.size(),
                                                  .tuple_dims = static_cast<std::uint32_t>(rows.count()),
                                                  .element_stride = t.step,
                                                  .size_log2 = size_log2(t.type()),
                                                  .is_signed = t.is_signed(),
                                                  .range_policy = static_cast<std::uint32_t>(t.range_policy),
                                                  .last_wins = t.last_wins(),
                                                  .window_begin = window.begin,
                                                  .window_count = window.count,
                                                  .first_place = first_place,
                                                  .places = places,
                                                  .groups_x = groups[0]},
                                                 {.dimension = rows.constants(), .axis = t.axes.constants()});
    p.reads = {raw(window.range)};
    p.writes = {structured(map), structured(status)};
    dispatch_raw(work, std::move(p));
  }
}

// Sets the words of a range of scratch memory, which has whole vectors, to 0.
inline void record_clear(recorder& work, const buffer_range& range) {
  const auto vector_count = static_cast<std::uint32_t>(range.size / 16);
  const bool by_vectors = work.may_use_tables();
  const auto words = static_cast<std::uint32_t>(range.size / 4);
  const group_counts groups = grid(divide_up(by_vectors ? vector_count : words, 1024));
  if (by_vectors) {
    pass p = pass_of<shaders::clear_vectors>(groups, {.vectors = vector_count, .groups_x = groups[0]});
    p.writes = {vectors(range)};
    work.dispatch(p);
  } else {
    pass p = pass_of<shaders::clear>(groups, {.words = words, .groups_x = groups[0]});
    p.writes = {raw(range)};
    dispatch_raw(work, std::move(p));
  }
}

constexpr std::uint64_t in_vectors(std::uint64_t bytes) { return divide_up(bytes, 16) * 16; }

}  // namespace detail

}  // namespace goldml::d3d12
