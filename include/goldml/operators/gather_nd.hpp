// GATHER_ND and GATHER_ND1: elements or slices of the input, at the places that index tuples point to; GATHER_ND1 with
// batches. Feature levels 2_1 and 3_0. Pages: DML_GATHER_ND_OPERATOR_DESC, DML_GATHER_ND1_OPERATOR_DESC. Rules:
// GN1..GN11. Rulings: ledger L60, L62.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goldml/core/compiled.hpp>
#include <goldml/operators/gather_family.hpp>

namespace goldml {

struct gather_nd_desc {
  std::uint32_t input_dimension_count = 1;    // r: meaningful trailing dimensions of the input
  std::uint32_t indices_dimension_count = 1;  // q: meaningful trailing dimensions of the indices
  goldml::range_policy range_policy = goldml::range_policy::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

struct gather_nd1_desc {
  std::uint32_t input_dimension_count = 1;
  std::uint32_t indices_dimension_count = 1;
  std::uint32_t batch_dimension_count = 0;  // b: the first meaningful dimensions, which the tensors share
  goldml::range_policy range_policy = goldml::range_policy::refuse;
  goldml::same_resource same_resource = goldml::same_resource::refuse;
  goldml::feature_level feature_level = goldml::feature_level::latest;
};

namespace detail {

template <>
struct gather_row<gather_nd_desc> {
  static constexpr std::string_view name = "GATHER_ND";
  static constexpr std::uint32_t enumerator = 108;
  static constexpr std::string_view alike_ranks = "GN1", alike_types = "GN2", output_sizes = "GN9",
                                    index_range = "GN11";
  static constexpr std::size_t first = 1;
};

template <>
struct gather_row<gather_nd1_desc> : gather_row<gather_nd_desc> {
  static constexpr std::string_view name = "GATHER_ND1";
  static constexpr std::uint32_t enumerator = 140;
  static constexpr std::size_t first = 2;
};

// The length of an index tuple, which is the last size. Not back(): g++ 12 warns of it, as it takes sizes for empty.
constexpr std::uint32_t tuple_length(const dimensions& indices) {
  std::uint32_t last = 0;
  for (const std::uint32_t size : indices) last = size;
  return last;
}

// The number of batch dimensions; 0 for the operator without them.
template <class Desc>
constexpr std::uint32_t batch_dimensions_of(const Desc& desc) {
  if constexpr (requires { desc.batch_dimension_count; })
    return desc.batch_dimension_count;
  else
    return 0;
}

}  // namespace detail

// The parts of the shapes (ledger L62). Requires sizes that satisfy GN3, GN5 and GN7.
struct gather_nd_shape {
  std::size_t dimension_count;  // D
  std::size_t input_count;      // r
  std::size_t indices_count;    // q
  std::size_t batch;            // b
  std::size_t tuple_size;       // k: indices in a tuple
  dimensions tuples;            // i[0..q-1), of which the first b are the batch
  dimensions places;            // d[b..b+k): the places that a tuple can point to
  dimensions slice;             // d[b+k..r): what each tuple selects

  template <class Desc>
  gather_nd_shape(const Desc& desc, const dimensions& input, const dimensions& indices)
      : dimension_count(input.size()),
        input_count(desc.input_dimension_count),
        indices_count(desc.indices_dimension_count),
        batch(detail::batch_dimensions_of(desc)),
        tuple_size(detail::tuple_length(indices)),
        tuples(indices.slice(indices.size() - indices_count, indices.size() - 1)),
        places(input.slice(input.size() - input_count + batch, input.size() - input_count + batch + tuple_size)),
        slice(input.slice(input.size() - input_count + batch + tuple_size, input.size())) {}

  // Whether the output has enough dimensions (GN8).
  bool fits() const { return tuples.size() + slice.size() <= dimension_count; }

  // {1, .., 1} ++ tuples ++ slice. Requires GN8.
  dimensions output_sizes() const { return left_pad(concatenate(tuples, slice), dimension_count, 1); }
};

namespace detail {

// The base of operator_traits of the two operators.
template <class Desc>
struct gather_nd_traits : gather_traits<Desc> {
  static constexpr auto attributes = [] {
    if constexpr (requires(Desc desc) { desc.batch_dimension_count; })
      return std::array{row<&Desc::input_dimension_count>("InputDimensionCount"),
                        row<&Desc::indices_dimension_count>("IndicesDimensionCount"),
                        row<&Desc::batch_dimension_count>("BatchDimensionCount")};
    else
      return std::array{row<&Desc::input_dimension_count>("InputDimensionCount"),
                        row<&Desc::indices_dimension_count>("IndicesDimensionCount")};
  }();

  static void check_sizes(const Desc& desc, const dimensions& input, const dimensions& indices,
                          const rule_report& report) {
    const std::size_t r = desc.input_dimension_count;
    const std::size_t q = desc.indices_dimension_count;
    const std::size_t b = batch_dimensions_of(desc);
    const std::size_t rank = indices.size();
    check_count("InputDimensionCount", r, rank, report);
    check_count("IndicesDimensionCount", q, rank, report);
    if (r == 0 || r > rank || q == 0 || q > rank) return;

    check_leading("InputTensor", input, r, report);
    check_leading("IndicesTensor", indices, q, report);
    if (b >= (std::min)(r, q)) {
      report("GN5", "", "BatchDimensionCount", violation_text("{}", b), violation_text("below {}", (std::min)(r, q)),
             violation_text("InputDimensionCount {}, IndicesDimensionCount {}", r, q));
      return;
    }
    for (std::size_t i = 0; i < b; ++i)
      if (indices[indices.size() - q + i] != input[input.size() - r + i])
        report("GN6", "IndicesTensor", "Sizes", violation_text("{}", indices[indices.size() - q + i]),
               violation_text("{}", input[input.size() - r + i]),
               violation_text("the input's, for dimension {} of {} of the batch", i, b), indices.size() - q + i);
    if (tuple_length(indices) > r - b) {
      report("GN7", "IndicesTensor", "Sizes", violation_text("{}", tuple_length(indices)),
             violation_text("at most InputDimensionCount less BatchDimensionCount {}", r - b),
             violation_text("the last size is the length of an index tuple; Sizes {}", indices), indices.size() - 1);
      return;
    }
    const gather_nd_shape shape(desc, input, indices);
    if (!shape.fits())
      report("GN8", "OutputTensor", "DimensionCount", violation_text("{}", shape.dimension_count),
             violation_text("at least {}", shape.tuples.size() + shape.slice.size()),
             violation_text("tuples {} ++ input slice {}", shape.tuples, shape.slice));
  }

  static std::optional<dimensions> output_sizes(const Desc& desc, const dimensions& input, const dimensions& indices) {
    const std::size_t r = desc.input_dimension_count;
    const std::size_t q = desc.indices_dimension_count;
    const std::size_t b = batch_dimensions_of(desc);
    if (r == 0 || q == 0 || r > input.size() || q > indices.size() || b >= (std::min)(r, q) ||
        tuple_length(indices) > r - b)
      return std::nullopt;
    const gather_nd_shape shape(desc, input, indices);
    return shape.fits() ? std::optional(shape.output_sizes()) : std::nullopt;
  }

  static std::uint32_t indexed_size(const Desc& desc, const dimensions& input, const coordinate_tuple& c) {
    return input[input.size() - desc.input_dimension_count + batch_dimensions_of(desc) + c.back()];
  }

  template <class Index>
  static std::optional<coordinate_tuple> source_of(const Desc& desc, const dimensions& input,
                                                   const tensor_view<const Index>& indices, const coordinate_tuple& o,
                                                   range_policy policy) {
    const gather_nd_shape shape(desc, input, indices.sizes());
    const std::size_t end = o.size() - shape.slice.size();
    const coordinate_tuple t = o.slice(end - shape.tuples.size(), end);
    coordinate_tuple from = left_pad(t.slice(0, shape.batch), input.size() - shape.input_count + shape.batch, 0);
    for (std::uint32_t j = 0; j < shape.tuple_size; ++j) {
      const Index index = indices[left_pad(concatenate(t, {j}), input.size(), 0)];
      const auto position = resolve_index(index, shape.places[j], policy);
      if (!position) return std::nullopt;
      from.push_back(*position);
    }
    from.append(o.slice(end, o.size()));
    return from;
  }

 private:
  // GN3.
  static void check_count(std::string_view member, std::size_t count, std::size_t dimension_count,
                          const rule_report& report) {
    if (count == 0 || count > dimension_count)
      report("GN3", "", member, violation_text("{}", count), violation_text("1 to {}", dimension_count));
  }

  // GN4.
  static void check_leading(std::string_view operand, const dimensions& sizes, std::size_t meaningful,
                            const rule_report& report) {
    for (std::size_t i = 0; i < sizes.size() - meaningful; ++i)
      if (sizes[i] != 1)
        report("GN4", operand, "Sizes", violation_text("{}", sizes[i]), violation_text("1"),
               violation_text("Sizes {}, of which the last {} are meaningful", sizes, meaningful), i);
  }
};

}  // namespace detail

template <>
struct operator_traits<gather_nd_desc> : detail::gather_nd_traits<gather_nd_desc> {
  static constexpr operator_options<gather_nd_desc> options = shared_options();
};
template <>
struct operator_traits<gather_nd1_desc> : detail::gather_nd_traits<gather_nd1_desc> {
  static constexpr operator_options<gather_nd1_desc> options = shared_options();
};

// Output[.., t, s] = Input[.., t[0..b), p, s], where the coordinates p are the index tuple Indices[.., t, :]. With D
// dimensions in all three tensors, r and q of them meaningful in input and indices, and b of these the batch:
//   input    {1, .., 1, d[0..r)}; every type
//   indices  {1, .., 1, i[0..q)}, the last size k the length of a tuple, and the first b those of d
//   output   {1, .., 1} ++ i[0..q-1) ++ d[b+k..r), the input's type
inline constexpr gather_function<gather_nd_desc> gather_nd{};
inline constexpr gather_function<gather_nd1_desc> gather_nd1{};

}  // namespace goldml

GOLDML_COMPILED_OPERATOR(gather_nd_desc);
GOLDML_COMPILED_OPERATOR(gather_nd1_desc);
