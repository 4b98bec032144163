// What the work and the memory of a call are computed from, before the call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/core/dimensions.hpp>

namespace goldml {

// What a valid call does at most, whatever its data are, counted by kinds of cost. Logical elements count even if they
// share bytes: a tensor with strides of 0 may have 2^32 - 1 elements in 4 bytes. Counts saturate at 2^64 - 1.
struct work_counts {
  std::uint64_t elements = 0;   // that are read, written or compared
  std::uint64_t terms = 0;      // numbers and products of two that enter a sum or product, which is exact if need be
  std::uint64_t results = 0;    // exact results that are rounded
  std::uint64_t functions = 0;  // exponentials to 128 bits or more; a logarithm counts as four
  std::uint64_t judged = 0;     // elements for which `check` computes what a device may answer

  friend bool operator==(const work_counts&, const work_counts&) = default;
  friend work_counts operator+(const work_counts& a, const work_counts& b) {
    return {saturating_add(a.elements, b.elements), saturating_add(a.terms, b.terms),
            saturating_add(a.results, b.results), saturating_add(a.functions, b.functions),
            saturating_add(a.judged, b.judged)};
  }
};

// How many nanoseconds one of each kind takes at most.
struct work_rates {
  std::uint64_t elements, terms, results, functions, judged;
};

// Measured on the hardest data by `tests/tool/limits.py GOLDML work`, which prints what they give beside the time that
// calls take (docs/attacks.md). One thread; a backend on a device has those of cpu, where it was not measured.
inline constexpr work_rates work_rates_of_cpu{5, 12, 150, 1800, 0};
inline constexpr work_rates work_rates_of_reference{25, 25, 200, 1800, 0};
inline constexpr work_rates work_rates_of_check{60, 40, 400, 2500, 700};  // of judging, which evaluates on `reference`

// Saturates at 2^64 - 1.
inline std::uint64_t nanoseconds_of(const work_counts& counts, const work_rates& rates) {
  std::uint64_t total = 0;
  for (const auto& [count, rate] : std::array<std::array<std::uint64_t, 2>, 5>{{{counts.elements, rates.elements},
                                                                                {counts.terms, rates.terms},
                                                                                {counts.results, rates.results},
                                                                                {counts.functions, rates.functions},
                                                                                {counts.judged, rates.judged}}})
    total = saturating_add(total, saturating_multiply(count, rate));
  return total;
}

// The bytes that a call allocates beside its tensors, at most.
struct scratch_memory {
  std::uint64_t reference = 0;
  std::uint64_t cpu = 0;
  std::uint64_t cpu_thread = 0;  // for each thread besides
};

}  // namespace goldml
