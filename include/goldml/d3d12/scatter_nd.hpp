// SCATTER_ND by shaders: first a map from places to tuples (scatter_nd_places.hlsl), then one pass that writes the
// output (scatter_nd_vectors.hlsl for packed slices of whole vectors, scatter_nd.hlsl for any layout). A violation of
// S10 or S11 is recorded in a status. If there is one, the last pass writes nothing, and the host throws the violation.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <goldml/d3d12/runtime/host_call.hpp>
#include <goldml/d3d12/runtime/tensor_layout.hpp>
#include <goldml/d3d12/shaders/scatter_nd.dxbc.hpp>
#include <goldml/d3d12/shaders/shared.dxbc.hpp>
#include <goldml/operators/scatter_nd.hpp>

namespace goldml::d3d12 {

template <>
struct program<scatter_nd_desc> {
  static void record(recorder& work, const scatter_nd_desc& desc, std::span<const buffer_tensor> inputs,
                     std::span<const buffer_tensor> outputs) {
    recording(work, desc, inputs, outputs[0]).record_all();
  }

 private:
  // The violation of the refused tuple, from the status that scatter_nd_places.hlsl writes.
  struct refusal {
    static constexpr std::size_t words = 2 + 2 * dimensions::capacity;

    scatter_nd_desc desc;
    scatter_nd_shape shape;
    data_type index_type;

    std::optional<violation> operator()(std::span<const std::uint32_t> status) const {
      std::optional<violation> result;
      if (status[0] == 0 && status[1] == 0) return result;
      visit_data_type(ix_types{}, index_type, [&]<class Index>(std::type_identity<Index>) {
        result = status[0] != 0 ? out_of_range<Index>(status) : duplicate<Index>(status);
      });
      return result;
    }

   private:
    template <class Index>
    static Index index_of(std::span<const std::uint32_t> status, std::uint32_t j) {
      return static_cast<Index>(status[2 + 2 * j] | std::uint64_t{status[3 + 2 * j]} << 32);
    }

    // The status counts tuples from the last one.
    std::uint64_t number_of(std::uint32_t mark) const { return element_count(shape.tuples) - mark; }

    template <class Index>
    std::optional<violation> out_of_range(std::span<const std::uint32_t> status) const {
      const std::uint64_t number = number_of(status[0]);
      for (std::uint32_t j = 0; j < shape.tuple_size; ++j)
        if (const Index v = index_of<Index>(status, j); !resolve_index(v, shape.places[j], range_policy::refuse))
          return goldml::detail::index_out_of_range(v, j, shape, coordinate_at(shape.tuples, number), number);
      throw std::logic_error("goldml: d3d12: a tuple was refused that is in range");
    }

    template <class Index>
    violation duplicate(std::span<const std::uint32_t> status) const {
      const std::uint64_t number = number_of(status[1]);
      coordinate_tuple place;
      for (std::uint32_t j = 0; j < shape.tuple_size; ++j)
        place.push_back(resolve_index(index_of<Index>(status, j), shape.places[j], desc.range_policy).value());
      return goldml::detail::place_taken(place, shape, coordinate_at(shape.tuples, number), number);
    }
  };

  class recording {
   public:
    recording(recorder& work, const scatter_nd_desc& desc, std::span<const buffer_tensor> inputs,
              const buffer_tensor& output)
        : work_(work),
          desc_(desc),
          input_(inputs[0]),
          indices_(inputs[1]),
          updates_(inputs[2]),
          output_(output),
          shape_(desc, input_.desc.sizes, indices_.desc.sizes),
          places_(static_cast<std::uint32_t>(element_count(shape_.places))),
          slice_(static_cast<std::uint32_t>(element_count(shape_.slice))),
          tuples_(static_cast<std::uint32_t>(element_count(shape_.tuples))),
          in_place_(same_range(input_.range, output.range)),
          map_places_((std::min)(places_, most_map_places)),
          scratch_(work.scratch(map_bytes() + in_vectors(4 * refusal::words))),
          map_(scratch_.part(0, map_bytes())),
          status_(scratch_.part(map_bytes(), 4 * refusal::words)) {}

    // All tuples are checked before the first element is written. If the map has room for all places, it is made once;
    // otherwise it is made part by part, once for the check and once for the output.
    void record_all() const {
      record_clear(scratch_);
      for (std::uint64_t first = 0; first < places_; first += map_places_) {
        if (first != 0) record_clear(map_);
        record_phase(0, static_cast<std::uint32_t>(first));
        if (desc_.duplicates == duplicates::refuse) record_phase(1, static_cast<std::uint32_t>(first));
      }
      if (desc_.range_policy == range_policy::refuse || desc_.duplicates == duplicates::refuse) {
        record_phase(2, 0);
        work_.check_after(status_, refusal{desc_, shape_, indices_.desc.data_type});
      }
      if (can_use_vectors()) {
        record_vectors();
        return;
      }
      for (std::uint64_t first = 0; first < places_; first += map_places_) {
        if (map_places_ < places_) {
          record_clear(map_);
          record_phase(0, static_cast<std::uint32_t>(first));
        }
        record_elements(static_cast<std::uint32_t>(first));
      }
    }

   private:
    // One word per place, in one view, followed by the status.
    static constexpr std::uint32_t most_map_places = most_view_elements - 64;

    void record_clear(const buffer_range& range) const {
      const auto vector_count = static_cast<std::uint32_t>(range.size / 16);
      const bool by_vectors = work_.may_use_tables() && fits(vectors(range));  // of whole vectors: in_vectors()
      const auto words = static_cast<std::uint32_t>(range.size / 4);
      const group_counts groups = grid(divide_up(by_vectors ? vector_count : words, 1024));
      if (by_vectors) {
        pass p = pass_of<shaders::clear_vectors>(groups, {.vectors = vector_count, .groups_x = groups[0]});
        p.writes = {vectors(range)};
        work_.dispatch(p);
      } else {
        pass p = pass_of<shaders::clear>(groups, {.words = words, .groups_x = groups[0]});
        p.writes = {raw(range)};
        dispatch_raw(work_, std::move(p));
      }
    }

    bool can_use_vectors() const {
      const std::uint64_t slice_bytes = slice_ * element_size_in_bytes(output_.desc.data_type);
      if (!work_.may_use_tables() || slice_bytes % 16 != 0 || map_places_ < places_) return false;
      for (const buffer_tensor* tensor : {&input_, &updates_, &output_})
        if (effective_strides(tensor->desc) != packed_strides(tensor->desc.sizes) || !fits(vectors(tensor->range)))
          return false;
      return work_.must_use_tables() || output_.range.size >= 16384;
    }

    void record_vectors() const {
      const std::uint64_t bytes = element_size_in_bytes(output_.desc.data_type);
      const auto vector_count = static_cast<std::uint32_t>(element_count(output_.desc.sizes) * bytes / 16);
      const auto slice = static_cast<std::uint32_t>(slice_ * bytes / 16);
      const group_counts groups = grid(divide_up(vector_count, 1024));
      pass p = pass_of<shaders::scatter_nd_vectors>(
          groups, {.vectors = vector_count,
                   .slice_size = slice,
                   .slice_log2 = std::has_single_bit(slice) ? static_cast<std::uint32_t>(std::countr_zero(slice)) : 32u,
                   .tuples = tuples_,
                   .last_wins = last_wins(),
                   .in_place = in_place_ ? 1u : 0u,
                   .groups_x = groups[0]});
      p.reads = {in_place_ ? view{} : vectors(input_.range), vectors(updates_.range), words(map_), raw(status_)};
      p.writes = {vectors(output_.range)};
      work_.dispatch(p);
    }

    // Records the pass that writes the output elements at the places in the map.
    void record_elements(std::uint32_t first_place) const {
      const std::size_t d = shape_.dimension_count;
      const std::size_t place_axis = d - desc_.input_dimension_count;
      const std::size_t slice_axis = place_axis + shape_.tuple_size;
      const dimensions from = effective_strides(input_.desc);
      const dimensions to = effective_strides(output_.desc);
      const dimensions update = effective_strides(updates_.desc);
      dimension_rows place, slice, tuple;
      for (std::size_t i = slice_axis; i-- > place_axis;) place.add({output_.desc.sizes[i], {from[i], to[i], 0}});
      for (std::size_t i = d; i-- > slice_axis;) slice.add({output_.desc.sizes[i], {from[i], to[i], update[i]}});
      const std::size_t tuples_end = d - shape_.slice.size();
      for (std::size_t i = 0; i < shape_.tuples.size(); ++i)
        tuple.add({shape_.tuples[shape_.tuples.size() - 1 - i], {update[tuples_end - 1 - i], 0, 0}});
      for (dimension_rows* rows : {&place, &slice, &tuple}) rows->merge();

      const std::uint32_t elements = (std::min)(places_ - first_place, map_places_) * slice_;
      const group_counts groups = grid(divide_up(elements, 256));
      const std::vector<element_window> froms = in_place_ ? std::vector<element_window>{} : windows_of(input_);
      const std::vector<element_window> updates = windows_of(updates_);
      for (const element_window& to_window : windows_of(output_))
        for (std::size_t i = 0; i < (std::max)(froms.size(), updates.size()); ++i) {
          const element_window from_window = i < froms.size() ? froms[i] : element_window{};
          const element_window update_window = i < updates.size() ? updates[i] : element_window{};
          pass p = pass_of<shaders::scatter_nd>(
              groups,
              {.first_place = first_place,
               .elements = elements,
               .slice_size = slice_,
               .tuples = tuples_,
               .last_wins = last_wins(),
               .in_place = in_place_ ? 1u : 0u,
               .place_dims = static_cast<std::uint32_t>(place.count()),
               .slice_dims = static_cast<std::uint32_t>(slice.count()),
               .tuple_dims = static_cast<std::uint32_t>(tuple.count()),
               .size_log2 = size_log2(output_.desc.data_type),
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

    static std::uint64_t in_vectors(std::uint64_t bytes) { return divide_up(bytes, 16) * 16; }
    std::uint64_t map_bytes() const { return in_vectors(std::uint64_t{4} * map_places_); }
    std::uint32_t last_wins() const { return desc_.duplicates == duplicates::last_wins ? 1u : 0u; }

    void record_phase(std::uint32_t phase, std::uint32_t first_place) const {
      const dimensions strides = effective_strides(indices_.desc);
      dimension_rows tuple, axis;
      for (std::size_t i = 0; i < shape_.tuples.size(); ++i)
        tuple.add({shape_.tuples[shape_.tuples.size() - 1 - i], {strides[strides.size() - 2 - i], 0, 0}});
      tuple.merge();
      const dimensions steps = packed_strides(shape_.places);
      for (std::size_t j = 0; j < shape_.tuple_size; ++j) axis.add({shape_.places[j], {steps[j], 0, 0}});
      const data_type type = indices_.desc.data_type;
      const std::uint64_t tuple_reach = std::uint64_t{strides.back()} * (shape_.tuple_size - 1);
      const group_counts groups = grid(phase == 2 ? 1 : divide_up(tuples_, 256));
      for (const element_window& window : windows_of(indices_, tuple_reach)) {
        pass p = pass_of<shaders::scatter_nd_places>(
            groups,
            {.phase = phase,
             .tuples = tuples_,
             .tuple_size = static_cast<std::uint32_t>(shape_.tuple_size),
             .tuple_dims = static_cast<std::uint32_t>(tuple.count()),
             .element_stride = strides.back(),
             .size_log2 = size_log2(type),
             .is_signed = type == data_type::int32 || type == data_type::int64 ? 1u : 0u,
             .range_policy = static_cast<std::uint32_t>(desc_.range_policy),
             .last_wins = last_wins(),
             .window_begin = window.begin,
             .window_count = window.count,
             .first_place = first_place,
             .places = map_places_,
             .groups_x = groups[0]},
            {.dimension = tuple.constants(), .axis = axis.constants()});
        p.reads = {raw(window.range)};
        p.writes = {structured(map_), structured(status_)};
        dispatch_raw(work_, std::move(p));
      }
    }

    recorder& work_;
    const scatter_nd_desc& desc_;
    const buffer_tensor& input_;
    const buffer_tensor& indices_;
    const buffer_tensor& updates_;
    const buffer_tensor& output_;
    scatter_nd_shape shape_;
    std::uint32_t places_;  // number of places
    std::uint32_t slice_;   // elements
    std::uint32_t tuples_;
    bool in_place_;
    std::uint32_t map_places_;  // places in the map
    buffer_range scratch_;
    buffer_range map_;     // one word per place
    buffer_range status_;  // which tuple is refused (phases 0 and 1), and its indices
  };
};

}  // namespace goldml::d3d12

namespace goldml {

template <>
struct kernel<scatter_nd_desc, d3d12::device> : d3d12::host_kernel<scatter_nd_desc> {};

}  // namespace goldml
