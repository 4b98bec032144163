// A bitmap of the nonzero elements of a tensor, in logical row-major order for all strides. It is divided into units,
// which can be computed independently.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <goldml/core/dimensions.hpp>
#include <goldml/cpu/engine/base/loop_nest.hpp>
#include <goldml/cpu/engine/compact/masks.hpp>

namespace goldml::detail {

constexpr std::uint64_t low_bits(std::uint64_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// ORs `mask` into a bitmap, from bit `at` on. Does not access a word in which no bit is set.
inline void put_bits(std::uint64_t* words, std::uint64_t at, std::uint64_t mask) {
  const auto shift = static_cast<int>(at % 64);
  words[at / 64] |= mask << shift;
  if (const std::uint64_t rest = mask >> 1 >> (63 - shift); rest != 0) words[at / 64 + 1] |= rest;
}

// Transposes a 64 x 64 bit matrix: bit j of word i becomes bit i of word j. Each step swaps two quarters of each
// square.
inline void transpose_bits(std::array<std::uint64_t, 64>& square) {
  std::uint64_t low = 0x0000'0000'FFFF'FFFFu;
  for (std::size_t half = 32; half != 0; half /= 2, low ^= low << half)
    for (std::size_t block = 0; block < 64; block += 2 * half)
      for (std::size_t i = block; i < block + half; ++i) {
        const std::uint64_t swapped = (square[i] >> half ^ square[i + half]) & low;
        square[i] ^= swapped << half;
        square[i + half] ^= swapped;
      }
}

// If the innermost dimension has a large stride and another dimension has stride 1, a unit is a band: up to 64 steps of
// that other dimension with all dimensions inside it. It is read in tiles of 64 x 64, along the addresses.
template <class Bits>
class nonzero_bits {
 public:
  nonzero_bits(const void* data, const dimensions& sizes, const dimensions& strides, Bits value_bits,
               instruction_set set)
      : data_(static_cast<const std::byte*>(data)), value_bits_(value_bits), masks_(nonzero_masks_for<Bits>(set)) {
    for (std::size_t i = 0; i < sizes.size(); ++i) outer_.add(sizes[i], {strides[i]});
    outer_.merge();
    elements_ = outer_.iterations();
    find_bands();
    if (band_steps_ == 0) line_ = outer_.take_innermost();
  }

  std::uint64_t elements() const { return elements_; }
  std::uint64_t units() const {
    return band_steps_ == 0 ? (elements_ + line_unit - 1) / line_unit : outer_.iterations() * bands();
  }

  // The first element of a unit. begin(units()) is elements().
  std::uint64_t begin(std::uint64_t unit) const {
    if (band_steps_ == 0) return (std::min)(unit * line_unit, elements_);
    return (unit / bands() * line_.size + (std::min)(unit % bands() * band_steps_, line_.size)) * inner_size_;
  }

  // The number of words that fill() needs for any unit.
  std::size_t unit_words() const {
    const std::uint64_t longest = band_steps_ == 0 ? line_unit : (std::min)(band_steps_, line_.size) * inner_size_;
    return static_cast<std::size_t>((std::min)(longest, elements_) / 64 + 2);
  }

  // Sets bit i of `words` if element begin(unit) + i is not zero. All bits past the last, including those of one
  // further word, are 0.
  void fill(std::uint64_t unit, std::uint64_t* words) const {
    const std::uint64_t first = begin(unit);
    const std::uint64_t end = begin(unit + 1);
    std::fill_n(words, (end - first) / 64 + 2, std::uint64_t{0});
    if (band_steps_ == 0)
      fill_lines(first, end, words);
    else
      fill_band(unit, words);
  }

 private:
  // In elements. Units are small, so that one is read while the rows of others are written. A larger band would take
  // more than 4 MiB.
  static constexpr std::uint64_t line_unit = 4096 / sizeof(Bits);
  static constexpr std::uint64_t largest_band = std::uint64_t{1} << 25;

  std::uint64_t bands() const { return (line_.size + band_steps_ - 1) / band_steps_; }

  const std::byte* at(std::uint64_t offset) const { return data_ + offset * sizeof(Bits); }

  static std::ptrdiff_t in_bytes(std::uint64_t stride) { return static_cast<std::ptrdiff_t>(stride * sizeof(Bits)); }

  void find_bands() {
    if (outer_.empty() || outer_.back().stride[0] * sizeof(Bits) < 64) return;
    std::size_t along = 0;
    while (along < outer_.size() && !(outer_[along].stride[0] == 1 && outer_[along].size >= 8)) ++along;
    if (along == outer_.size()) return;
    inner_size_ = 1;
    for (std::size_t i = along + 1; i < outer_.size(); ++i) {
      inner_.add(outer_[i].size, outer_[i].stride);
      inner_size_ *= outer_[i].size;
    }
    std::uint64_t steps = 64;
    while (steps * inner_size_ > largest_band) steps /= 2;
    if (steps < 8) return;
    while (outer_.size() > along) line_ = outer_.take_innermost();
    band_steps_ = steps;
    masks_ = nonzero_masks_baseline<Bits>;  // the fastest for single words
  }

  // The mask of `count` (at most 64) elements from `first` on, of the contiguous elements at `line`. Reads 64 elements
  // of the line if it has that many, and never past its ends.
  std::uint64_t mask_in_line(const std::byte* line, std::uint64_t first, std::uint64_t count) const {
    if (line_.size < 64)
      return nonzero_mask_of_elements(line + in_bytes(first), static_cast<std::size_t>(count), value_bits_,
                                      in_bytes(1));
    const std::uint64_t start = (std::min)(first, line_.size - 64);
    std::uint64_t mask;
    masks_(line + in_bytes(start), 1, value_bits_, &mask);
    return mask >> (first - start) & low_bits(count);
  }

  void fill_lines(std::uint64_t first, std::uint64_t end, std::uint64_t* words) const {
    std::uint64_t column = first % line_.size;
    std::uint64_t bit = 0;
    outer_.for_range(first / line_.size, (end - 1) / line_.size + 1, [&](const auto& offset) {
      const std::byte* const line = at(offset[0]);
      const std::uint64_t count = (std::min)(end - first - bit, line_.size - column);
      std::uint64_t done = 0;
      if (line_.stride[0] == 1 && bit % 64 == 0) {
        masks_(line + in_bytes(column), static_cast<std::size_t>(count / 64), value_bits_, words + bit / 64);
        done = count / 64 * 64;
      }
      for (; done < count; done += 64) {
        const std::uint64_t next = (std::min<std::uint64_t>)(count - done, 64);
        put_bits(words, bit + done,
                 line_.stride[0] == 1 ? mask_in_line(line, column + done, next)
                                      : nonzero_mask_of_elements(line + in_bytes((column + done) * line_.stride[0]),
                                                                 static_cast<std::size_t>(next), value_bits_,
                                                                 in_bytes(line_.stride[0])));
      }
      bit += count;
      column = 0;
    });
  }

  void fill_band(std::uint64_t unit, std::uint64_t* words) const {
    const std::uint64_t first_step = unit % bands() * band_steps_;
    const std::uint64_t steps = (std::min)(band_steps_, line_.size - first_step);
    const std::ptrdiff_t ahead = in_bytes(first_step) + 8 * in_bytes(inner_.back().stride[0]);
    outer_.for_range(unit / bands(), unit / bands() + 1, [&](const auto& outer) {
      for (std::uint64_t column = 0; column < inner_size_; column += 64) {
        std::array<std::uint64_t, 64> tile{};
        std::size_t n = 0;
        inner_.for_range(column, (std::min)(column + 64, inner_size_), [&](const auto& inner) {
          const std::byte* const line = at(outer[0] + inner[0]);
          for (std::size_t i = 0; i <= sizeof(Bits); ++i) simd::prefetch(line + ahead + 64 * i);
          tile[n++] = mask_in_line(line, first_step, steps);
        });
        transpose_bits(tile);
        for (std::uint64_t i = 0; i < steps; ++i) put_bits(words, i * inner_size_ + column, tile[i]);
      }
    });
  }

  const std::byte* data_;
  Bits value_bits_;
  nonzero_masks<Bits> masks_;
  std::uint64_t elements_ = 0;
  loop_nest<1> outer_;
  loop<1> line_;                  // the innermost loop; with bands, the loop with stride 1
  std::uint64_t band_steps_ = 0;  // steps of line_ in a band; 0: units are not bands
  loop_nest<1> inner_;            // with bands: the loops inside line_
  std::uint64_t inner_size_ = 0;
};

}  // namespace goldml::detail
