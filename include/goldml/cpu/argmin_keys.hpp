// ARGMIN on the CPU compares signed integers in place of numbers: keys that order as the numbers do (ledger 7.4), with
// NaN above or below them all as nan_policy says (ledger 7.1). Whatever the rounding or flushing mode of the program.
// Also here: what both ways through a tensor, by runs and by columns, share.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/cpu/instruction_set.hpp>
#include <goldml/operators/argmin.hpp>

namespace goldml::detail {

// The keys of elements that are `Bits` wide. One class serves all integers of a width: an offset turns unsigned order
// into signed.
template <class Bits, bool IsFloating>
class argmin_keys {
 public:
  using bits = Bits;
  using key = std::make_signed_t<Bits>;
  static constexpr bool is_floating = IsFloating;

  // For elements of type T.
  template <class T>
  static argmin_keys of_type(nan_policy policy) {
    static_assert(sizeof(T) == sizeof(Bits) && is_floating_type<T> == IsFloating);
    argmin_keys keys;
    if constexpr (!IsFloating) {
      keys.offset_ = std::is_signed_v<T> ? Bits{0} : sign;
    } else {
      // Sign and magnitude become one number, -inf .. inf, which both zeros share; NaN is what wraps round beyond the
      // infinities. The offset puts -inf (skip) or the first NaN (propagate) at the least integer.
      constexpr Bits infinity = float_bits<T>::infinity;
      if (policy == nan_policy::skip) {
        keys.offset_ = static_cast<Bits>(sign + infinity);
        keys.highest_ = static_cast<key>(static_cast<Bits>(infinity + keys.offset_ + 1));  // any NaN
      } else {
        keys.offset_ = static_cast<Bits>(sign - infinity - 1);
        keys.lowest_ = static_cast<key>(static_cast<Bits>(keys.offset_ - infinity - 1));  // any NaN
      }
    }
    return keys;
  }

  // NaNs have one key.
  GOLDML_INLINE key of(Bits x) const { return clamped(raw(x)); }

  // Several keys of NaN to the one.
  GOLDML_INLINE key clamped(key k) const { return k < lowest_ ? lowest_ : k > highest_ ? highest_ : k; }

  // All NaN where NaN comes last; also the greatest integer.
  GOLDML_INLINE key highest() const { return highest_; }
  // Whether NaNs come first, so that their one key must be known before two are compared.
  GOLDML_INLINE bool is_nan_first() const { return lowest_ != (std::numeric_limits<key>::min)(); }

 private:
  template <class Keys, std::size_t N>
  friend class argmin_key_vectors;

  static constexpr Bits sign = static_cast<Bits>(Bits{1} << (std::numeric_limits<Bits>::digits - 1));

  GOLDML_INLINE key raw(Bits x) const {
    if constexpr (IsFloating) {
      const Bits negative = (x & sign) != 0 ? static_cast<Bits>(~Bits{0}) : Bits{0};
      return static_cast<key>(static_cast<Bits>((((x & static_cast<Bits>(~sign)) ^ negative) - negative) + offset_));
    } else {
      return static_cast<key>(static_cast<Bits>(x + offset_));
    }
  }

  Bits offset_ = 0;
  key lowest_ = (std::numeric_limits<key>::min)();
  key highest_ = (std::numeric_limits<key>::max)();
};

// The keys of N elements at a time.
template <class Keys, std::size_t N>
class argmin_key_vectors {
 public:
  using bits_vector = simd::vector<typename Keys::bits, N>;
  using key_vector = simd::vector<typename Keys::key, N>;

  GOLDML_INLINE explicit argmin_key_vectors(const Keys& keys) {
    simd::splat(offset_, keys.offset_);
    simd::splat(magnitude_, static_cast<typename Keys::bits>(~Keys::sign));
    simd::splat(lowest_, keys.lowest_);
    simd::splat(highest_, keys.highest_);
    simd::splat(greatest_, (std::numeric_limits<typename Keys::key>::max)());
  }

  // NaNs may have several keys, all beyond the numbers'.
  GOLDML_INLINE void of(key_vector& k, const bits_vector& x) const {
    if constexpr (Keys::is_floating) {
      key_vector sign;
      simd::bits_as(sign, x);
      sign = sign >> std::numeric_limits<typename Keys::key>::digits;
      bits_vector negative;
      simd::bits_as(negative, sign);
      const bits_vector sum = (((x & magnitude_) ^ negative) - negative) + offset_;
      simd::bits_as(k, sum);
    } else {
      const bits_vector sum = x + offset_;
      simd::bits_as(k, sum);
    }
  }

  GOLDML_INLINE bool is_nan_first() const { return lowest_[0] != (std::numeric_limits<typename Keys::key>::min)(); }

  // Which are NaN with the sign set, where NaN comes last: the offset is then what -inf is.
  GOLDML_INLINE void negative_nan(key_vector& which, const bits_vector& x) const { which = offset_ < x; }

  // NaNs that come first, to their one key.
  GOLDML_INLINE void clamp_lowest(key_vector& k) const { simd::greatest(k, k, lowest_); }

  GOLDML_INLINE void clamp(key_vector& k) const {
    if constexpr (Keys::is_floating) {
      clamp_lowest(k);
      simd::least(k, k, highest_);
    }
  }

  // From the least of keys that need not be clamped to a bound: the elements whose unclamped key is at most that are
  // those that have the least clamped one.
  GOLDML_INLINE void to_bound(key_vector& k) const {
    if constexpr (Keys::is_floating) {
      clamp_lowest(k);
      simd::select(k, highest_ <= k, greatest_, k);
    }
  }

 private:
  bits_vector offset_, magnitude_;
  key_vector lowest_, highest_, greatest_;
};

template <class T>
using argmin_keys_of = argmin_keys<simd::bits_of_size<sizeof(T)>, is_floating_type<T>>;

// Where indices go: `stride` apart, in elements of 4 or 8 bytes (an index is not negative and fits, so that its bits are
// the same in a signed type).
struct index_output {
  void* data;
  bool is_wide;

  GOLDML_INLINE void write(std::uint64_t offset, std::uint64_t index) const {
    if (is_wide)
      static_cast<std::uint64_t*>(data)[offset] = index;
    else
      static_cast<std::uint32_t*>(data)[offset] = static_cast<std::uint32_t>(index);
  }
  std::uint64_t read(std::uint64_t offset) const {
    return is_wide ? static_cast<const std::uint64_t*>(data)[offset] : static_cast<const std::uint32_t*>(data)[offset];
  }
};

// An element's key and its number, row-major over the reduced axes; the better of two is the lesser, or of equals the
// first or the last.
template <class Key>
struct argmin_candidate_key {
  Key key = 0;
  std::uint64_t flat = 0;
  bool present = false;  // nothing yet

  GOLDML_INLINE void take(const argmin_candidate_key& other, bool last_of_equals) {
    const bool better = !present || other.key < key ||
                        (other.key == key && (last_of_equals ? other.flat > flat : other.flat < flat));
    if (other.present && better) *this = other;
  }
};

}  // namespace goldml::detail
