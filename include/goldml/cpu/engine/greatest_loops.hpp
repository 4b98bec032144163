// Loops that find the greatest taps of windows, compiled for the instruction set: a block of windows at once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/simd.hpp>
#include <goldml/cpu/engine/inner_windows.hpp>
#include <goldml/operators/pooling_values.hpp>
#include <goldml/operators/windows.hpp>

namespace goldml::detail {

namespace window_loops {

// Taps are compared and numbered in words: a tensor has less than 2^32 elements.
template <class T>
using word_of = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T>
using key_of = std::make_signed_t<word_of<T>>;

// Bits of floats are the highest of their word.
template <class T>
inline constexpr int word_shift = is_floating_type<T> ? static_cast<int>(8 * (sizeof(word_of<T>) - sizeof(T))) : 0;
template <class T>
GOLDML_INLINE word_of<T> word_of_element(T x) {
  if constexpr (is_floating_type<T>)
    return word_of<T>{std::bit_cast<simd::bits_of_size<sizeof(T)>>(x)} << word_shift<T>;
  else
    return static_cast<word_of<T>>(x);
}
template <class T>
GOLDML_INLINE T element_of_word(word_of<T> x) {
  return std::bit_cast<T>(static_cast<simd::bits_of_size<sizeof(T)>>(x >> word_shift<T>));
}

// The elements of a row and the keys by which they are compared, in whole blocks. NaN has the key `of_nan`.
template <class T>
struct read_keys {
  template <class Set>
  GOLDML_INLINE static void run(Set, const T* from, std::uint64_t step, std::uint64_t count, key_of<T> of_nan,
                                word_of<T>* line, key_of<T>* keys) {
    simd::vector<word_of<T>, block> words;
    simd::vector<key_of<T>, block> low, infinity, nan, flipped;
    constexpr key_of<T> greatest = (std::numeric_limits<key_of<T>>::max)();
    simd::splat(low, greatest);
    simd::splat(nan, of_nan);
    // Unsigned words are compared as signed ones.
    simd::splat(flipped, std::is_unsigned_v<T> && sizeof(T) >= 4 ? ~greatest : key_of<T>{0});
    if constexpr (is_floating_type<T>)
      simd::splat(infinity, static_cast<key_of<T>>(word_of<T>{float_bits<T>::infinity} << word_shift<T>));
    for (std::uint64_t first = 0; first < count; first += block) {
      if (const std::uint64_t some = count - first; sizeof(T) == sizeof(word_of<T>) && step == 1 && some >= block) {
        simd::load(words, from + first);
      } else {
        word_of<T> each[block] = {};
        for (std::uint64_t i = 0; i < block && i < some; ++i) each[i] = word_of_element<T>(from[(first + i) * step]);
        simd::load(words, each);
      }
      simd::store(line + first, words);
      simd::vector<key_of<T>, block> key;
      simd::bits_as(key, words);
      if constexpr (is_floating_type<T>) {
        const auto magnitude = key & low, sign = key >> (std::numeric_limits<key_of<T>>::digits);
        simd::select(key, infinity < magnitude, nan, (magnitude ^ sign) - sign);
      } else {
        key = key ^ flipped;
      }
      simd::store(keys + first, key);
    }
  }
};

// Of windows, the greatest elements so far, their keys and numbers. Values or numbers may be missing.
template <class T>
struct greatest_taps {
  word_of<T>* values;
  key_of<T>* keys;
  word_of<T>* numbers;

  greatest_taps from(std::uint64_t q) const {
    return {values == nullptr ? nullptr : values + q, keys + q, numbers == nullptr ? nullptr : numbers + q};
  }
  void set(std::uint64_t q, word_of<T> value, key_of<T> key, word_of<T> number) const {
    keys[q] = key;
    if (values != nullptr) values[q] = value;
    if (numbers != nullptr) numbers[q] = number;
  }
};
// What they are of a window without taps.
template <class T>
inline constexpr key_of<T> least_key = (std::numeric_limits<key_of<T>>::min)();
template <class T>
inline constexpr word_of<T> no_number = (std::numeric_limits<word_of<T>>::max)();

// A block of them.
template <class T, bool WithValues, bool WithNumbers>
struct greatest_block {
  simd::vector<word_of<T>, block> values, numbers;
  simd::vector<key_of<T>, block> keys;

  GOLDML_INLINE void load(const greatest_taps<T>& from, std::uint64_t q) {
    simd::load(keys, from.keys + q);
    if constexpr (WithValues) simd::load(values, from.values + q);
    if constexpr (WithNumbers) simd::load(numbers, from.numbers + q);
  }
  GOLDML_INLINE void store(const greatest_taps<T>& to, std::uint64_t q) const {
    simd::store(to.keys + q, keys);
    if constexpr (WithValues) simd::store(to.values + q, values);
    if constexpr (WithNumbers) simd::store(to.numbers + q, numbers);
  }
  GOLDML_INLINE void see(const greatest_block& other) {
    const auto greater = keys < other.keys;
    if constexpr (WithValues) simd::select(values, greater, other.values, values);
    if constexpr (WithNumbers) simd::select(numbers, greater, other.numbers, numbers);
    simd::greatest(keys, keys, other.keys);
  }
};

// The greatest taps of `count` windows, at least a block, in a row of which they have all. Element i has `number` + i.
template <class T, std::size_t Step, bool WithValues, bool WithNumbers>
struct see_taps {
  template <class Set>
  GOLDML_INLINE static void run(Set, const word_of<T>* line, const key_of<T>* keys, const window_axis& axis,
                                std::uint64_t count, word_of<T> number, const greatest_taps<T>& to) {
    using words = simd::vector<word_of<T>, block>;
    const std::uint64_t by = Step == 0 ? axis.stride : Step;
    const auto load = [&](auto& v, const auto* from) GOLDML_INLINE_LAMBDA {
      if constexpr (Step == 1) return simd::load(v, from);
      std::remove_cvref_t<decltype(*from)> each[block];
      for (std::size_t i = 0; i < block; ++i) each[i] = from[i * by];
      simd::load(v, each);
    };
    words steps, dilation, start;
    greatest_block<T, WithValues, WithNumbers> best, each, first;
    word_of<T> multiples[block];
    for (std::size_t i = 0; i < block; ++i) multiples[i] = static_cast<word_of<T>>(number + i * by);
    simd::load(steps, multiples);
    simd::splat(dilation, static_cast<word_of<T>>(axis.dilation));
    simd::splat(first.keys, least_key<T>);
    simd::splat(first.values, word_of_element<T>(least_of<T>()));
    simd::splat(first.numbers, no_number<T>);
    for_blocks(count, [&](std::uint64_t q) GOLDML_INLINE_LAMBDA {
      best = first;
      simd::splat(start, static_cast<word_of<T>>(q * by));
      each.numbers = start + steps;
      for (std::uint64_t j = 0, at = q * by; j < axis.window; ++j, at += axis.dilation) {
        load(each.keys, keys + at);
        if constexpr (WithValues) load(each.values, line + at);
        best.see(each);
        each.numbers = each.numbers + dilation;
      }
      best.store(to, q);
    });
  }
};

// The greatest of those of several rows, at least one, in whole blocks.
template <class T, bool WithValues, bool WithNumbers>
struct see_rows {
  template <class Set>
  GOLDML_INLINE static void run(Set, const greatest_taps<T>* rows, std::size_t row_count, std::uint64_t count,
                                const greatest_taps<T>& to) {
    for (std::uint64_t q = 0; q < count; q += block) {
      greatest_block<T, WithValues, WithNumbers> best, each;
      best.load(rows[0], q);
      for (std::size_t r = 1; r < row_count; ++r) {
        each.load(rows[r], q);
        best.see(each);
      }
      best.store(to, q);
    }
  }
};

// Whether some key of whole blocks is this one.
struct find_in_blocks {
  template <class Set, class Key>
  GOLDML_INLINE static void run(Set, const Key* from, std::uint64_t count, Key value, bool& found) {
    simd::vector<Key, block> all, each, any;
    simd::splat(all, value);
    simd::splat(any, Key{0});
    for (std::uint64_t i = 0; i < count; i += block) {
      simd::load(each, from + i);
      any = any | (each == all);
    }
    Key parts[block];
    simd::store(parts, any);
    for (const Key part : parts) found = found || part != 0;
  }
};

}  // namespace window_loops

}  // namespace goldml::detail
