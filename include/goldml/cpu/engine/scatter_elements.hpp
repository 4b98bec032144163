// Scatters of single elements along an axis. Sequences along the axis are independent of each other. Only the width of
// an element matters, not its type.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <goldml/core/policies.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/host_operand.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/move.hpp>
#include <goldml/cpu/engine/move/blocks.hpp>
#include <goldml/cpu/engine/scatter.hpp>
#include <goldml/cpu/engine/scatter/tuples.hpp>

namespace goldml::detail {

// The loops over the indices, in bytes: strides {output, updates, indices}. The indices are read in batches, either of
// neighbouring sequences (`across`) or of one sequence. A part of the work, an item, is a block of sequences; its
// indices are visited so that those of each sequence come in order.
class sequence_plan {
 public:
  static constexpr std::size_t capacity = 256;  // of a batch

  sequence_plan(const host_input& indices, const index_type& type, const host_input& updates, const host_output& output,
                std::uint32_t axis, range_policy range, goldml::duplicates duplicate, std::size_t width)
      : indices_(indices.data),
        type_(type),
        policy_(range),
        refuses_duplicates_(duplicate == duplicates::refuse),
        size_(output.sizes[axis]),
        step_(std::uint64_t{output.strides[axis]} * width) {
    const auto strides = [&](std::size_t i) {
      return std::array<std::uint64_t, 3>{std::uint64_t{output.strides[i]} * width,
                                          std::uint64_t{updates.strides[i]} * width,
                                          std::uint64_t{indices.strides[i]} * type.size};
    };
    for (std::size_t i = 0; i < indices.sizes.size(); ++i)
      if (i != axis) outer_.add(indices.sizes[i], strides(i));
    outer_.sort_by_stride(2);
    outer_.merge();
    const loop<3> along{indices.sizes[axis], {0, strides(axis)[1], strides(axis)[2]}};
    constexpr std::uint64_t fewest = 16;  // sequences that are worth a batch
    across_ = !outer_.empty() && outer_.back().size >= fewest && outer_.back().stride[2] < along.stride[2];
    lanes_ = across_ ? outer_.take_innermost() : along;
    if (across_) steps_ = along;
    // A bit for each place of the sequences of a batch should fit the cache.
    constexpr std::uint64_t most_bits = std::uint64_t{1} << 21;
    lanes_of_batch_ = across_ ? (std::clamp<std::uint64_t>)(most_bits / size_, fewest, capacity) : capacity;
    batches_ = (lanes_.size + lanes_of_batch_ - 1) / lanes_of_batch_;
  }

  std::uint64_t count() const { return outer_.iterations() * lanes_.size * steps_.size; }  // of the indices
  std::uint64_t items() const { return outer_.iterations() * (across_ ? batches_ : 1); }
  // The number of places of an item, for place numbers below.
  std::uint64_t places() const { return std::uint64_t{size_} * (across_ ? lanes_of_batch_ : 1); }
  std::uint64_t step() const { return step_; }  // between the elements of a sequence of the output
  bool refuses_duplicates() const { return refuses_duplicates_; }
  // Whether indices may be refused, so that all must be read before the first write.
  bool may_refuse() const { return refuses_duplicates_ || policy_ == range_policy::refuse; }

  // Visits the indices of an item that are not dropped, and returns true; or returns false for an index out of range
  // that is refused, or if f does. f(place, position, output, updates): a number of the place, its position on the
  // axis, and the offsets of the sequence in the output and of the update.
  template <class F>
  bool visit(std::uint64_t item, const F& f) const {
    const auto at = offsets_at(outer_, across_ ? item / batches_ : item);
    const std::uint64_t first = across_ ? item % batches_ : 0;
    const std::uint64_t last = across_ ? first + 1 : batches_;
    for (std::uint64_t batch = first; batch < last; ++batch) {
      const std::uint64_t begin = batch * lanes_of_batch_;
      const auto count = static_cast<std::size_t>((std::min)(lanes_of_batch_, lanes_.size - begin));
      for (std::uint64_t s = 0; s < steps_.size; ++s) {
        std::array<std::uint32_t, capacity> positions;
        std::fill_n(positions.begin(), count, std::uint32_t{0});
        const std::byte* const from = indices_ + at[2] + begin * lanes_.stride[2] + s * steps_.stride[2];
        if (!type_.add_positions({from, lanes_.stride[2], count, size_, 1, policy_}, positions.data()) &&
            policy_ == range_policy::refuse)
          return false;
        // Copies, which no store of f can alias.
        const std::uint64_t output_step = lanes_.stride[0];
        const std::uint64_t updates_step = lanes_.stride[1];
        const std::uint64_t place_step = across_ ? lanes_of_batch_ : 1;
        const std::uint64_t lane_step = across_ ? 1 : 0;
        std::uint64_t output = at[0] + begin * output_step;
        std::uint64_t updates = at[1] + begin * updates_step + s * steps_.stride[1];
        for (std::size_t i = 0; i < count; ++i, output += output_step, updates += updates_step) {
          const std::uint64_t position = positions[i];
          if (position == dropped_tuple) continue;
          if (!f(position * place_step + i * lane_step, position, output, updates)) return false;
        }
      }
    }
    return true;
  }

 private:
  const std::byte* indices_;
  index_type type_;
  range_policy policy_;
  bool refuses_duplicates_;
  std::uint32_t size_;  // of the axis in the output
  std::uint64_t step_;
  loop_nest<3> outer_;
  bool across_;
  loop<3> lanes_;
  loop<3> steps_{1, {}};
  std::uint64_t lanes_of_batch_;
  std::uint64_t batches_;
};

// Whether no policy refuses an index of the items begin .. end-1. `taken` has a bit for each place of an item, all 0,
// if duplicates are refused.
inline bool items_acceptable(const sequence_plan& plan, std::uint64_t begin, std::uint64_t end, std::uint64_t* taken) {
  const auto take = [taken](std::uint64_t place, auto, auto, auto) {
    std::uint64_t& word = taken[place / 64];
    const std::uint64_t bit = std::uint64_t{1} << place % 64;
    const bool is_free = (word & bit) == 0;
    word |= bit;
    return is_free;
  };
  const auto release = [taken](std::uint64_t place, auto, auto, auto) {
    taken[place / 64] = 0;
    return true;
  };
  const auto ignore = [](auto, auto, auto, auto) { return true; };
  for (std::uint64_t item = begin; item < end; ++item) {
    if (!(plan.refuses_duplicates() ? plan.visit(item, take) : plan.visit(item, ignore))) return false;
    if (plan.refuses_duplicates() && item + 1 < end) plan.visit(item, release);
  }
  return true;
}

// Whether no policy refuses an index.
inline bool indices_acceptable(const cpu_backend& backend, const sequence_plan& plan) {
  if (!plan.may_refuse()) return true;
  const std::uint64_t words = plan.refuses_duplicates() ? (plan.places() + 63) / 64 : 0;
  const std::uint64_t bytes = plan.count() * sizeof(std::uint64_t);
  std::atomic<bool> result = true;
  parallel_for_parts(backend, part_count(backend, bytes, plan.items()), plan.items(),
                     [&](std::uint64_t begin, std::uint64_t end) {
                       std::array<std::uint64_t, 512> few;
                       if (words > few.size()) {
                         if (!items_acceptable(plan, begin, end, zeros<std::uint64_t>(words).data())) result = false;
                       } else {
                         std::fill_n(few.begin(), words, std::uint64_t{0});
                         if (!items_acceptable(plan, begin, end, few.data())) result = false;
                       }
                     });
  return result;
}

// Returns false, with nothing written, if a policy refuses an index. `all` are the loops of a copy of the input, which
// is skipped if the input is the output.
template <std::size_t Size>
bool scatter_along_axis(const cpu_backend& backend, const sequence_plan& plan, const loop_nest<2>& all,
                        const std::byte* input, const std::byte* updates, std::byte* output) {
  if (!indices_acceptable(backend, plan)) return false;
  if (input != output) copy_elements<Size>(backend, all, output, input);
  parallel_for(backend, plan.count() * (Size + sizeof(std::uint64_t)), plan.items(),
               [&](std::uint64_t begin, std::uint64_t end) {
                 const auto write = [output, updates, step = plan.step()](auto, std::uint64_t position,
                                                                          std::uint64_t to, std::uint64_t from) {
                   move_element<Size>(output + to + position * step, updates + from);
                   return true;
                 };
                 for (std::uint64_t item = begin; item < end; ++item) plan.visit(item, write);
               });
  return true;
}

}  // namespace goldml::detail

#ifdef GOLDML_COMPILED
namespace goldml {
// clang-format off
extern template bool detail::scatter_along_axis<1>(const cpu_backend&, const detail::sequence_plan&, const detail::loop_nest<2>&, const std::byte*, const std::byte*, std::byte*);
extern template bool detail::scatter_along_axis<2>(const cpu_backend&, const detail::sequence_plan&, const detail::loop_nest<2>&, const std::byte*, const std::byte*, std::byte*);
extern template bool detail::scatter_along_axis<4>(const cpu_backend&, const detail::sequence_plan&, const detail::loop_nest<2>&, const std::byte*, const std::byte*, std::byte*);
extern template bool detail::scatter_along_axis<8>(const cpu_backend&, const detail::sequence_plan&, const detail::loop_nest<2>&, const std::byte*, const std::byte*, std::byte*);
// clang-format on
}  // namespace goldml
#endif
