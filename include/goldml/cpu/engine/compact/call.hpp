// A compaction over elements of one width: distributes the bitmap and the rows over threads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <goldml/core/cold.hpp>
#include <goldml/cpu/backend.hpp>
#include <goldml/cpu/engine/base/parallel.hpp>
#include <goldml/cpu/engine/compact/bits.hpp>
#include <goldml/cpu/engine/compact/plan.hpp>
#include <goldml/cpu/engine/compact/rows.hpp>

namespace goldml::detail {

// One call, over elements as wide as Bits.
template <class Bits>
class compaction {
 public:
  compaction(const cpu_backend& backend, const compact_plan& plan, const nonzero_bits<Bits>& source)
      : backend_(backend), plan_(plan), source_(source) {}

  // Writes all rows and returns their number.
  std::uint64_t run() const {
    // Input and output together, assuming that one element in eight is not zero.
    const std::uint64_t bytes = source_.elements() * (sizeof(Bits) + columns() * sizeof(std::uint32_t) / 8);
    const std::uint64_t parts = part_count(backend_, bytes, source_.units());
    return parts == 1 ? run_alone() : run_together(parts);
  }

 private:
  static constexpr std::uint64_t chunk_elements = std::uint64_t{1} << 16;
  static constexpr std::uint64_t slab_words = std::uint64_t{1} << 20;  // 8 MiB

  std::size_t columns() const { return plan_.rows.sizes.back(); }

  // Calls body with a row writer that has at least as many lanes as there are columns.
  template <class F>
  void with_rows(const F& body) const {
    if (columns() <= 4)
      with_rows_of<4>(body);
    else
      with_rows_of<8>(body);
  }
  template <std::size_t Lanes, class F>
  void with_rows_of(const F& body) const {
    const std::size_t rank = plan_.rows.sizes.size();
    nonzero_rows<Lanes> rows(plan_.input.sizes, columns(), reinterpret_cast<std::uint32_t*>(plan_.rows.data),
                             plan_.rows.strides[rank - 2], plan_.rows.strides[rank - 1], source_.elements(),
                             backend_.instruction_set());
    body(rows);
  }

  std::uint64_t size_of(std::uint64_t unit) const { return source_.begin(unit + 1) - source_.begin(unit); }

  // Whether to use non-temporal stores, given that `found` of the first `elements` elements are not zero.
  bool streaming(std::uint64_t found, std::uint64_t elements) const {
    const double share = elements == 0 ? 0 : static_cast<double>(found) / static_cast<double>(elements);
    return share * static_cast<double>(source_.elements() * columns() * sizeof(std::uint32_t)) >=
           static_cast<double>(backend_.tuning().streaming_from_bytes);
  }

  // For each unit: first its bitmap, then its rows, whose writes overlap with reading the next unit.
  std::uint64_t run_alone() const {
    std::array<std::uint64_t, 512> on_stack;
    std::unique_ptr<std::uint64_t[]> on_heap;
    std::uint64_t* words = on_stack.data();
    if (source_.unit_words() > on_stack.size()) {
      on_heap = std::make_unique_for_overwrite<std::uint64_t[]>(source_.unit_words());
      words = on_heap.get();
    }
    std::uint64_t found = 0;
    with_rows([&](auto& to) {
      for (std::uint64_t unit = 0; unit < source_.units(); ++unit) {
        const std::uint64_t begin = source_.begin(unit);
        source_.fill(unit, words);
        found += to.add(words, begin, size_of(unit), streaming(found, begin));
      }
      to.finish();
    });
    return found;
  }

  // Slab by slab: all threads compute the bitmaps of the slab and count their bits, in chunks of units. The counts give
  // the first row of each chunk; then all threads write rows. A free thread takes the next chunk. Not inlined, and
  // compiled for size: what takes time is in what it calls.
  GOLDML_COLD std::uint64_t run_together(std::uint64_t parts) const {
    const std::uint64_t units = source_.units();
    const std::uint64_t unit_words = source_.unit_words();
    const std::uint64_t longest = chunk_elements / source_.begin(1) + 1;
    const std::uint64_t chunk = std::clamp<std::uint64_t>(units / (8 * parts), 1, longest);  // in units
    const std::uint64_t slab = (std::min)(units, (std::max)(slab_words / unit_words, parts * chunk));
    const auto words = std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(slab * unit_words));
    std::vector<std::uint64_t> rows_of(static_cast<std::size_t>((slab - 1) / chunk + 1));

    std::uint64_t found = 0;
    for (std::uint64_t first = 0; first < units; first += slab) {
      const std::uint64_t end = (std::min)(units, first + slab);
      const std::uint64_t chunks = (end - first - 1) / chunk + 1;
      // Calls body(unit, its words).
      const auto for_chunk = [&](std::uint64_t c, const auto& body) {
        const std::uint64_t last = (std::min)(end, first + (c + 1) * chunk);
        for (std::uint64_t unit = first + c * chunk; unit < last; ++unit)
          body(unit, words.get() + (unit - first) * unit_words);
      };
      std::atomic<std::uint64_t> next{0};
      run_parts(backend_, parts, [&](std::uint64_t) {
        for (std::uint64_t c = next++; c < chunks; c = next++) {
          std::uint64_t set = 0;
          for_chunk(c, [&](std::uint64_t unit, std::uint64_t* bits) {
            source_.fill(unit, bits);
            for (std::uint64_t w = 0; w < (size_of(unit) + 63) / 64; ++w) set += count_bits(bits[w]);
          });
          rows_of[c] = set;
        }
      });
      std::uint64_t place = found;
      for (std::uint64_t c = 0; c < chunks; ++c) place += std::exchange(rows_of[c], place);
      found = place;
      const bool past_caches = streaming(found, source_.begin(end));
      next = 0;
      run_parts(backend_, parts, [&](std::uint64_t) {
        with_rows([&](auto& to) {
          for (std::uint64_t c = next++; c < chunks; c = next++) {
            to.move_to(rows_of[c]);  // now the first row of the chunk
            for_chunk(c, [&](std::uint64_t unit, const std::uint64_t* bits) {
              to.add(bits, source_.begin(unit), size_of(unit), past_caches);
            });
          }
          to.finish();
        });
      });
    }
    return found;
  }

  const cpu_backend& backend_;
  const compact_plan& plan_;
  const nonzero_bits<Bits>& source_;
};

template <class Bits>
std::uint64_t compact(const cpu_backend& backend, const compact_plan& plan) {
  const Bits value_bits = static_cast<Bits>(plan.signed_zero ? (std::numeric_limits<Bits>::max)() >> 1
                                                             : (std::numeric_limits<Bits>::max)());
  const nonzero_bits<Bits> source(plan.input.data, plan.input.sizes, plan.input.strides, value_bits,
                                  backend.instruction_set());
  return compaction<Bits>(backend, plan, source).run();
}

}  // namespace goldml::detail
