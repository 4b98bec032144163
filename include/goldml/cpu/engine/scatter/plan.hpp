// The loops of a scatter, without element types: the index tuples, and what each of them replaces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/core/dimensions.hpp>
#include <goldml/core/policies.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>

namespace goldml::detail {

// One index of each of `count` tuples.
struct index_column {
  const std::byte* data;
  std::uint64_t stride;  // in bytes
  std::size_t count;
  std::uint32_t size;    // of the axis
  std::uint32_t weight;  // of a step along the axis
  range_policy policy;
};

// For indices of type Index: sums[i] += weight * position of index i. Returns whether all were in range. If not,
// indices are clamped to the nearest end or tuples dropped, as the policy says; with `refuse` the sums are unspecified.
// Defined in tuples.hpp.
template <class Index>
bool add_positions(const index_column& column, std::uint32_t* sums);

// The operations that depend on the type of the indices.
struct index_type {
  std::size_t size;  // in bytes
  bool (*add_positions)(const index_column&, std::uint32_t*);

  template <class Index>
  static index_type of() {
    return {sizeof(Index), detail::add_positions<Index>};
  }
};

// The meaningful dimensions of a scatter, which are the last ones of each tensor, and its policies.
struct scatter_options {
  std::size_t data_dimensions;     // of input and output
  std::size_t indices_dimensions;  // of the indices
  goldml::range_policy range_policy;
  goldml::duplicates duplicates;
};

struct tuple_batch;

// The index tuples of a call, in row-major order, and the slices of the updates that belong to them.
class index_tuples {
 public:
  using weights = std::array<std::uint32_t, dimensions::capacity>;  // of a step along each indexed axis

  // element_size: of the updates, in bytes.
  index_tuples(const scatter_options& options, const index_type& type, const host_input& indices,
               const dimensions& data_sizes, const dimensions& updates_strides, std::size_t element_size)
      : options_(options),
        add_positions_(type.add_positions),
        data_(indices.data),
        stride_(indices.strides.back() * std::uint64_t{type.size}),
        tuple_size_(indices.sizes.back()) {
    const std::size_t all = data_sizes.size();
    const std::size_t meaningful = options.data_dimensions;
    std::uint32_t weight = 1;
    for (std::size_t j = tuple_size_; j-- > 0; weight *= sizes_[j]) {
      sizes_[j] = data_sizes[all - meaningful + j];
      numbering_[j] = weight;
      place_count_ *= sizes_[j];
    }
    const std::size_t slice_dimensions = meaningful - tuple_size_;
    const std::size_t tuple_dimensions = options.indices_dimensions - 1;
    for (std::size_t i = tuple_dimensions; i > 0; --i) {
      const std::uint64_t updates_stride = updates_strides[all - slice_dimensions - i];
      outer_.add(indices.sizes[all - 1 - i],
                 {indices.strides[all - 1 - i] * std::uint64_t{type.size}, updates_stride * element_size});
    }
    outer_.merge();
    count_ = outer_.iterations();
    run_ = outer_.take_innermost();
  }

  std::uint64_t count() const { return count_; }
  std::size_t tuple_size() const { return tuple_size_; }  // k
  std::uint64_t place_count() const { return place_count_; }
  const weights& numbering() const { return numbering_; }  // gives row-major numbers of the places

  // The offset of the slice of tuple t in the updates, in bytes.
  std::uint64_t updates_offset(std::uint64_t t) const {
    return outer_.empty() ? t * run_.stride[1] : offsets_at(outer_, t / run_.size)[1] + t % run_.size * run_.stride[1];
  }

  bool refuses_duplicates() const { return options_.duplicates == duplicates::refuse; }
  // Whether no policy refuses a tuple (S10, S11).
  bool acceptable(const cpu_backend& backend) const;
  // Whether no index of the batch is refused as out of range (S10).
  bool acceptable(const tuple_batch& batch) const;

 private:
  friend class tuple_walk;

  bool distinct(std::uint64_t begin, std::uint64_t end, std::uint64_t* bits) const;

  scatter_options options_;
  bool (*add_positions_)(const index_column&, std::uint32_t*);
  const std::byte* data_;
  std::uint64_t stride_;  // between the indices of a tuple, in bytes
  std::size_t tuple_size_;
  std::array<std::uint32_t, dimensions::capacity> sizes_{};  // of the indexed axes
  weights numbering_{};
  std::uint64_t place_count_ = 1;
  loop_nest<2> outer_;  // over the tuples, except run_: strides {indices, updates}, in bytes
  loop<2> run_;         // the innermost loop over the tuples
  std::uint64_t count_ = 0;
};

// The addresses and loops of a call. Strides are in bytes.
struct scatter_operands {
  const std::byte* input;
  const std::byte* updates;
  std::byte* output;
  loop_nest<2> all;                      // over the whole output: strides {output, input}
  loop_nest<3> places;                   // over the places that a tuple can point to: {output, input, place number}
  loop_nest<3> slice;                    // over the slice that a tuple replaces: {output, updates, input}
  index_tuples::weights output_strides;  // of the places, in elements
  std::uint64_t bytes = 0;               // of all elements of the output
  std::uint64_t span = 1;                // elements of the output from the first place to the last

  scatter_operands(const host_input& from, const host_input& replacements, const host_output& to,
                   const index_tuples& tuples, std::size_t meaningful, std::uint64_t element_size)
      : input(from.data), updates(replacements.data), output(to.data) {
    const dimensions& sizes = to.sizes;
    for (std::size_t i = sizes.size() - meaningful, j = 0; i < sizes.size(); ++i, ++j) {
      const std::uint64_t to_stride = to.strides[i] * element_size;
      const std::uint64_t from_stride = from.strides[i] * element_size;
      all.add(sizes[i], {to_stride, from_stride});
      if (j < tuples.tuple_size()) {
        places.add(sizes[i], {to_stride, from_stride, tuples.numbering()[j]});
        output_strides[j] = to.strides[i];
      } else {
        slice.add(sizes[i], {to_stride, replacements.strides[i] * element_size, from_stride});
      }
    }
  }

  bool in_place() const { return input == output; }
};

}  // namespace goldml::detail
