// SCATTER_ND: its desc, the shapes derived from it, the place that each index tuple points to, and the two rules that
// depend on the values of the indices (S10, S11). Used by all kernels that run on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include <goldml/core/cold.hpp>
#include <goldml/core/coordinates.hpp>
#include <goldml/core/feature_level.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/core/tensor_view.hpp>
#include <goldml/core/violation.hpp>

namespace goldml {

struct scatter_nd_desc {
  std::uint32_t input_dimension_count = 1;    // r: meaningful trailing dimensions of input and output
  std::uint32_t indices_dimension_count = 1;  // q: meaningful trailing dimensions of indices
  goldml::range_policy range_policy = goldml::range_policy::refuse;
  goldml::duplicates duplicates = goldml::duplicates::refuse;
  bool in_place = false;  // the output may be exactly the input (T12)
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

// The parts of the shapes, in the corrected reading of the page (ledger 7.7). Requires sizes that satisfy S1, S4 and
// S6.
struct scatter_nd_shape {
  std::size_t dimension_count;  // D
  std::size_t tuple_size;       // k: indices in a tuple
  dimensions places;            // d[0..k): the places that a tuple can point to
  dimensions slice;             // d[k..r): the slice that each tuple replaces
  dimensions tuples;            // i[0..q-1)

  scatter_nd_shape(const scatter_nd_desc& desc, const dimensions& input, const dimensions& indices)
      : dimension_count(input.size()),
        tuple_size(indices.back()),
        places(input.slice(input.size() - desc.input_dimension_count,
                           input.size() - desc.input_dimension_count + tuple_size)),
        slice(input.slice(input.size() - desc.input_dimension_count + tuple_size, input.size())),
        tuples(indices.slice(indices.size() - desc.indices_dimension_count, indices.size() - 1)) {}

  // tuples ++ slice, with leading 1s. Requires S9: together at most D sizes.
  dimensions updates_sizes() const { return at(tuples, slice, 1); }

  // D coordinates, with leading zeros. For indices: at(t, {j}), for updates: at(t, s), for the output: at(p, s).
  coordinate_tuple at(const coordinate_tuple& outer, const coordinate_tuple& inner, std::uint32_t fill = 0) const {
    coordinate_tuple c = coordinate_tuple::filled(dimension_count - outer.size() - inner.size(), fill);
    c.append(outer);
    c.append(inner);
    return c;
  }
};

// The position of index v on an axis of that size, or nullopt if v is out of range and the policy is not `clamp`.
template <class Index>
constexpr std::optional<std::uint32_t> resolve_index(Index v, std::uint32_t size, range_policy policy) {
  const bool clamp = policy == range_policy::clamp;
  if constexpr (std::is_signed_v<Index>) {
    if (v < 0) {
      const std::int64_t wrapped =
          v < -std::int64_t{size} ? -1 : std::int64_t{v} + size;  // checks the range first, so nothing overflows
      if (wrapped >= 0) return static_cast<std::uint32_t>(wrapped);
      return clamp ? std::optional(std::uint32_t{0}) : std::nullopt;
    }
  }
  if (static_cast<std::uint64_t>(v) < size) return static_cast<std::uint32_t>(v);
  return clamp ? std::optional(size - 1) : std::nullopt;
}

// The place that tuple t points to (k coordinates), or nullopt if one of its indices is out of range and the policy is
// not `clamp`.
template <class Index>
std::optional<coordinate_tuple> place_of(const tensor_view<const Index>& indices, const scatter_nd_shape& shape,
                                         const coordinate_tuple& t, range_policy policy) {
  coordinate_tuple place;
  for (std::uint32_t j = 0; j < shape.tuple_size; ++j) {
    const auto position = resolve_index(indices[shape.at(t, {j})], shape.places[j], policy);
    if (!position) return std::nullopt;
    place.push_back(*position);
  }
  return place;
}

namespace detail {

// S10 for index v, which is element j of tuple t; `number` is the number of the tuple.
template <class Index>
GOLDML_COLD violation index_out_of_range(Index v, std::uint32_t j, const scatter_nd_shape& shape,
                                         const coordinate_tuple& t, std::size_t number) {
  const std::int64_t size = shape.places[j];
  return {.rule = "S10",
          .operator_name = "SCATTER_ND",
          .operand = "IndicesTensor",
          .member = "tuple",
          .index = number,
          .got = violation_text("{}", v),
          .wanted = violation_text("{} to {}", std::is_signed_v<Index> ? -size : 0, size - 1),
          .why = violation_text("element {} of the tuple at {}; range_policy clamp or drop accepts it", j,
                                shape.at(t, {j}))};
}

// S11 for tuple t, which points to the same place as an earlier tuple; `number` is the number of the tuple.
GOLDML_COLD inline violation place_taken(const coordinate_tuple& place, const scatter_nd_shape& shape,
                                         const coordinate_tuple& t, std::size_t number) {
  return {.rule = "S11",
          .operator_name = "SCATTER_ND",
          .operand = "IndicesTensor",
          .member = "tuple",
          .index = number,
          .got = violation_text("place {} again", place),
          .wanted = violation_text("a place that no earlier tuple names"),
          .why = violation_text("the tuple at {}; duplicates last_wins accepts it", shape.at(t, {0}))};
}

// S10: the lowest tuple with an index out of range.
template <class Index>
std::optional<violation> find_out_of_range(const tensor_view<const Index>& indices, const scatter_nd_shape& shape) {
  std::size_t number = 0;
  for (const coordinate_tuple& t : coordinates_of(shape.tuples)) {
    for (std::uint32_t j = 0; j < shape.tuple_size; ++j) {
      const Index v = indices[shape.at(t, {j})];
      if (!resolve_index(v, shape.places[j], range_policy::refuse)) return index_out_of_range(v, j, shape, t, number);
    }
    ++number;
  }
  return std::nullopt;
}

// S11: the lowest tuple that points to the same place as an earlier one. Uses one bit per place.
template <class Index>
std::optional<violation> find_duplicate(const tensor_view<const Index>& indices, const scatter_nd_shape& shape,
                                        range_policy policy) {
  const dimensions strides = packed_strides(shape.places);
  std::vector<bool> taken(static_cast<std::size_t>(element_count(shape.places)));
  std::size_t number = 0;
  for (const coordinate_tuple& t : coordinates_of(shape.tuples)) {
    if (const auto place = place_of(indices, shape, t, policy)) {
      auto bit = taken[static_cast<std::size_t>(offset_of(*place, strides))];
      if (bit) return place_taken(*place, shape, t, number);
      bit = true;
    }
    ++number;
  }
  return std::nullopt;
}

}  // namespace detail

// Checks the rules on the values of the indices: S10 for all tuples, then S11. The desc and the sizes must be valid.
// Call before the first write.
template <class Index>
std::optional<violation> check_indices(const scatter_nd_desc& desc, const tensor_view<const Index>& indices,
                                       const scatter_nd_shape& shape) {
  if (desc.range_policy == range_policy::refuse)
    if (auto broken = detail::find_out_of_range(indices, shape)) return broken;
  if (desc.duplicates == duplicates::refuse) return detail::find_duplicate(indices, shape, desc.range_policy);
  return std::nullopt;
}

}  // namespace goldml
