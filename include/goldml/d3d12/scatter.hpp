// Scatters by shaders: first a map from places to tuples of indices (scatter_nd_places.hlsl), then one pass that writes
// the output (scatter_nd_vectors.hlsl for packed slices of whole vectors, scatter_nd.hlsl for any layout). A violation
// of the rules on the values of the indices is recorded in a status. If there is one, the last pass writes nothing, and
// the host throws the violation.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <goldml/d3d12/index_tuples.hpp>

namespace goldml::d3d12 {

// A scatter: at each place that a tuple names, a slice of the input is replaced by the tuple's slice of the updates.
// Places and slices together are the output. Dimensions from the last to the first.
struct scatter {
  index_tuples tuples = {};
  buffer_tensor input = {};
  buffer_tensor updates = {};
  buffer_tensor output = {};
  dimension_rows places = {};         // steps in input and output
  dimension_rows slice = {};          // steps in input, output and updates
  dimension_rows update_tuples = {};  // over the tuples: steps in the updates
  // The violation of a refused tuple.
  std::function<std::optional<violation>(const tuple_status&)> refusal = {};
};

namespace detail {

class scatter_recording {
 public:
  scatter_recording(recorder& work, const scatter& s)
      : work_(work),
        s_(s),
        places_(s.places.elements()),
        slice_(s.slice.elements()),
        in_place_(same_range(s.input.range, s.output.range)),
        map_places_((std::min)(places_, most_map_places)),
        scratch_(work.scratch(map_bytes() + in_vectors(4 * tuple_status::words))),
        map_(scratch_.part(0, map_bytes())),
        status_(scratch_.part(map_bytes(), 4 * tuple_status::words)) {}

  // All tuples are checked before the first element is written. If the map has room for all places, it is made once;
  // otherwise it is made part by part, once for the check and once for the output.
  void record_all() const {
    record_clear(work_, scratch_);
    for (std::uint64_t first = 0; first < places_; first += map_places_) {
      if (first != 0) record_clear(work_, map_);
      record_phase(0, static_cast<std::uint32_t>(first));
      if (s_.tuples.duplicates == duplicates::refuse) record_phase(1, static_cast<std::uint32_t>(first));
    }
    if (s_.tuples.may_be_refused()) {
      record_phase(2, 0);
      work_.check_after(status_,
                        [count = s_.tuples.count(),
                         refusal = s_.refusal](std::span<const std::uint32_t> words) -> std::optional<violation> {
                          const tuple_status status(words, count);
                          return status.any_refused() ? refusal(status) : std::nullopt;
                        });
    }
    if (can_use_vectors()) {
      record_vectors();
      return;
    }
    for (std::uint64_t first = 0; first < places_; first += map_places_) {
      if (map_places_ < places_) {
        record_clear(work_, map_);
        record_phase(0, static_cast<std::uint32_t>(first));
      }
      record_elements(static_cast<std::uint32_t>(first));
    }
  }

 private:
  // One word per place, in one view, followed by the status.
  static constexpr std::uint32_t most_map_places = most_view_elements - 64;

  bool can_use_vectors() const {
    const std::uint64_t slice_bytes = slice_ * element_size_in_bytes(s_.output.desc.data_type);
    if (!work_.may_use_tables() || slice_bytes % 16 != 0 || map_places_ < places_) return false;
    for (const buffer_tensor* tensor : {&s_.input, &s_.updates, &s_.output})
      if (effective_strides(tensor->desc) != packed_strides(tensor->desc.sizes) || !fits(vectors(tensor->range)))
        return false;
    return work_.must_use_tables() || s_.output.range.size >= 16384;
  }

  void record_vectors() const {
    const std::uint64_t bytes = element_size_in_bytes(s_.output.desc.data_type);
    const auto vector_count = static_cast<std::uint32_t>(element_count(s_.output.desc.sizes) * bytes / 16);
    const auto slice = static_cast<std::uint32_t>(slice_ * bytes / 16);
    const group_counts groups = grid(divide_up(vector_count, 1024));
    pass p = pass_of<shaders::scatter_nd_vectors>(
        groups, {.vectors = vector_count,
                 .slice_size = slice,
                 .slice_log2 = std::has_single_bit(slice) ? static_cast<std::uint32_t>(std::countr_zero(slice)) : 32u,
                 .tuples = s_.tuples.count(),
                 .last_wins = s_.tuples.last_wins(),
                 .in_place = in_place_ ? 1u : 0u,
                 .groups_x = groups[0]});
    p.reads = {in_place_ ? view{} : vectors(s_.input.range), vectors(s_.updates.range), words(map_), raw(status_)};
    p.writes = {vectors(s_.output.range)};
    work_.dispatch(p);
  }

  // Records the pass that writes the output elements at the places in the map.
  void record_elements(std::uint32_t first_place) const {
    dimension_rows place = s_.places, slice = s_.slice, tuple = s_.update_tuples;
    for (dimension_rows* rows : {&place, &slice, &tuple}) rows->merge();

    const std::uint32_t elements = (std::min)(places_ - first_place, map_places_) * slice_;
    const group_counts groups = grid(divide_up(elements, 256));
    const std::vector<element_window> froms = in_place_ ? std::vector<element_window>{} : windows_of(s_.input);
    const std::vector<element_window> updates = windows_of(s_.updates);
    for (const element_window& to_window : windows_of(s_.output))
      for (std::size_t i = 0; i < (std::max)(froms.size(), updates.size()); ++i) {
        const element_window from_window = i < froms.size() ? froms[i] : element_window{};
        const element_window update_window = i < updates.size() ? updates[i] : element_window{};
        pass p = pass_of<shaders::scatter_nd>(
            groups,
            {.first_place = first_place,
             .elements = elements,
             .slice_size = slice_,
             .tuples = s_.tuples.count(),
             .last_wins = s_.tuples.last_wins(),
             .in_place = in_place_ ? 1u : 0u,
             .place_dims = static_cast<std::uint32_t>(place.count()),
             .slice_dims = static_cast<std::uint32_t>(slice.count()),
             .tuple_dims = static_cast<std::uint32_t>(tuple.count()),
             .size_log2 = size_log2(s_.output.desc.data_type),
             .input_begin = from_window.begin,
             .input_count = from_window.count,
             .updates_begin = update_window.begin,
             .updates_count = update_window.count,
             .output_begin = to_window.begin,
             .output_count = to_window.count,
             .groups_x = groups[0]},
            {.place = place.constants(), .slice = slice.constants(), .tuple = tuple.constants()});
        p.reads = {raw(from_window.range), raw(update_window.range), raw(map_), raw(status_)};
        p.writes = {structured(to_window.range)};
        dispatch_raw(work_, std::move(p));
      }
  }

  std::uint64_t map_bytes() const { return in_vectors(std::uint64_t{4} * map_places_); }

  void record_phase(std::uint32_t phase, std::uint32_t first_place) const {
    record_tuples(work_, s_.tuples, phase, map_, first_place, map_places_, status_);
  }

  recorder& work_;
  const scatter& s_;
  std::uint32_t places_;  // number of places
  std::uint32_t slice_;   // elements
  bool in_place_;
  std::uint32_t map_places_;  // places in the map
  buffer_range scratch_;
  buffer_range map_;     // one word per place
  buffer_range status_;  // which tuple is refused (phases 0 and 1), and its indices
};

}  // namespace detail

inline void record_scatter(recorder& work, const scatter& s) { detail::scatter_recording(work, s).record_all(); }

}  // namespace goldml::d3d12
