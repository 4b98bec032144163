// A buffer for an output, filled with a pattern inside and around the tensor, for tests of a device. Detects writes
// outside the tensor, and notes writes into padding and gaps.
//
//   oracle::watched_output y(c.outputs[0]);           before: c is a generated case
//   run(device, c, y.bytes(), y.offset_in_bytes());   all of bytes() is uploaded, bound at the offset, and downloaded
//   oracle::compare(c.expected, y);                   judges the elements and the bytes around them
//
// A tensor in plain memory takes y.ref().
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <goldml/core/memory_rules.hpp>
#include <goldml/core/memory_watch.hpp>
#include <goldml/core/tensor_ref.hpp>
#include <goldml/oracle/compare.hpp>
#include <goldml/oracle/initial_outputs.hpp>

namespace goldml::oracle {

class watched_output {
 public:
  // The minimum number of bytes before the tensor and after it.
  static constexpr std::uint64_t guard_in_bytes = 256;

  // The desc must have passed T1..T10. The pattern depends on the seed: a device that happens to write the pattern of a
  // byte is detected with another seed. Takes 2 * guard_in_bytes more than the tensor, or GuaranteedBaseOffsetAlignment
  // if that is more. With an alignment above 64 KiB the tensor begins at offset 0, without a guard before it.
  // `initial`: the elements before the call, if it reads them.
  explicit watched_output(const tensor_desc& desc, std::uint64_t seed = 1, const const_tensor_ref& initial = {})
      : desc_(desc),
        seed_(seed),
        offset_(desc.guaranteed_base_offset_alignment > largest_alignment
                    ? 0
                    : (std::max)(guard_in_bytes, std::uint64_t{desc.guaranteed_base_offset_alignment})),
        bytes_(static_cast<std::size_t>(offset_ + size_in_bytes() + guard_in_bytes)) {
    fill_with_pattern(bytes_, seed_);
    if (initial.present()) detail::copy_all(initial, ref());
  }

  const tensor_desc& desc() const { return desc_; }

  // The whole buffer, including guards.
  std::vector<std::byte>& bytes() { return bytes_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }

  // The offset of the tensor, for DML_BUFFER_BINDING's Offset: a multiple of 16 and of GuaranteedBaseOffsetAlignment.
  std::uint64_t offset_in_bytes() const { return offset_; }
  // For DML_BUFFER_BINDING's SizeInBytes: TotalTensorSizeInBytes, rounded up to a multiple of 4.
  std::uint64_t size_in_bytes() const { return round_up_to_4(total_tensor_size_in_bytes(desc_)); }

  // Absent if the output is omitted: a desc without sizes.
  tensor_ref ref() & {
    return desc_.sizes.empty() ? tensor_ref() : tensor_ref(desc_, bytes_.data() + offset_, size_in_bytes());
  }
  const_tensor_ref ref() const& {
    return desc_.sizes.empty() ? const_tensor_ref() : const_tensor_ref(desc_, bytes_.data() + offset_, size_in_bytes());
  }
  const_tensor_ref ref() const&& = delete;  // the ref would dangle

  // The changed bytes that are not part of an element.
  memory_changes changes() const {
    std::vector<std::byte> before(bytes_.size());
    fill_with_pattern(before, seed_);
    return changes_around(desc_, offset_, before, bytes_);
  }

 private:
  static constexpr std::uint32_t largest_alignment = std::uint32_t{1} << 16;

  tensor_desc desc_;
  std::uint64_t seed_;
  std::uint64_t offset_;
  std::vector<std::byte> bytes_;
};

// Adds the changes around the outputs, in their order, to a judgement of their elements.
inline void judge_memory(judgement& judged, std::span<const memory_changes> changes, const compare_options& options) {
  for (std::size_t i = 0; i < changes.size() && i < judged.result.outputs.size(); ++i) {
    output_comparison& output = judged.result.outputs[i];
    output.memory = changes[i];
    output.wrote_outside = changes[i].outside > 0 || (options.gaps == gap_bytes::must_survive && changes[i].gaps > 0);
  }
}

// Like compare() of their tensors, but differs if a device wrote outside one. `actual` is a range of watched_output, or
// one. Templates, so that compare(expected, {}) is that of no tensors.
template <class Outputs>
requires std::convertible_to<const Outputs&, std::span<const watched_output>> judgement
compare(const golden& expected, const Outputs& actual, const compare_options& options = {}) {
  std::vector<const_tensor_ref> refs;
  std::vector<memory_changes> changes;
  for (const watched_output& output : std::span<const watched_output>(actual)) {
    refs.push_back(output.ref());
    changes.push_back(output.changes());
  }
  judgement judged = compare(expected, std::span<const const_tensor_ref>(refs), options);
  judge_memory(judged, changes, options);
  return judged;
}
template <std::same_as<watched_output> Output>
judgement compare(const golden& expected, const Output& actual, const compare_options& options = {}) {
  return compare(expected, std::span(&actual, 1), options);
}

}  // namespace goldml::oracle
