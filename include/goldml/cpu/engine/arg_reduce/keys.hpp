// Keys of an arg-reduction: signed integers with the order of the elements, so that every arg-reduction searches for
// the least key (ledger 7.4) and does not depend on the rounding or flushing mode of the program. NaN is ordered after
// all numbers or before them (ledger 7.1). For the greatest element the order of the numbers is reversed, but NaN stays
// where it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

enum class extremum { least, greatest };

// The keys of elements that are as wide as Bits. One class serves all integers of a width and both extrema: flipping
// some bits gives the order of signed integers. IsReversed is true for the greatest float, which is a class of its own
// because flipping costs an instruction that the least float does not need.
template <class Bits, bool IsFloating, bool IsReversed = false>
class order_keys {
 public:
  using bits = Bits;
  using key = std::make_signed_t<Bits>;
  static constexpr bool is_floating = IsFloating;

  // For integers. ~x reverses the order of signed integers; flipping the sign bit turns unsigned order into signed
  // order.
  static order_keys of_integers(extremum wanted, bool is_signed) {
    order_keys keys;
    keys.flip_ = static_cast<Bits>((wanted == extremum::greatest ? ~Bits{0} : Bits{0}) ^ (is_signed ? Bits{0} : sign));
    return keys;
  }

  // For floats; `infinity` is the bit pattern of infinity. Sign and magnitude become one integer from -inf to inf, in
  // which both zeros are equal. NaNs lie beyond the infinities. The offset moves -inf (NaN last) or the first NaN (NaN
  // first) to the least integer. Flipping the sign bit reverses the order of the numbers.
  static order_keys of_floats(Bits infinity, bool nan_first) {
    order_keys keys;
    if (nan_first) {
      keys.offset_ = static_cast<Bits>(sign - infinity - 1);
      keys.lowest_ = static_cast<key>(static_cast<Bits>(keys.offset_ - infinity - 1));  // any NaN
    } else {
      keys.offset_ = static_cast<Bits>(sign + infinity);
      keys.highest_ = static_cast<key>(static_cast<Bits>(infinity + keys.offset_ + 1));  // any NaN
    }
    return keys;
  }

  // The key of an element. All NaNs have the same key.
  GOLDML_INLINE key of(Bits x) const { return clamped(raw(x)); }

  // Maps the raw keys of NaN to the one key of NaN.
  GOLDML_INLINE key clamped(key k) const { return k < lowest_ ? lowest_ : k > highest_ ? highest_ : k; }

  // The highest key: that of NaN if NaN comes last; for integers, the maximum.
  GOLDML_INLINE key highest() const { return highest_; }
  // Whether NaN comes first. Raw keys of NaN must then be clamped before they are compared.
  GOLDML_INLINE bool is_nan_first() const { return lowest_ != (std::numeric_limits<key>::min)(); }

 private:
  template <class Keys, std::size_t N>
  friend class vector_keys;

  static constexpr Bits sign = static_cast<Bits>(Bits{1} << (std::numeric_limits<Bits>::digits - 1));

  order_keys() = default;

  GOLDML_INLINE key raw(Bits x) const {
    if constexpr (!IsFloating) x = static_cast<Bits>(x ^ flip_);
    if constexpr (IsReversed) x = static_cast<Bits>(x ^ sign);
    if constexpr (IsFloating) {
      const Bits negative = (x & sign) != 0 ? static_cast<Bits>(~Bits{0}) : Bits{0};
      return static_cast<key>(static_cast<Bits>((((x & static_cast<Bits>(~sign)) ^ negative) - negative) + offset_));
    } else {
      return static_cast<key>(x);
    }
  }

  static constexpr bool is_reversed = IsReversed;

  Bits flip_ = 0;
  Bits offset_ = 0;
  key lowest_ = (std::numeric_limits<key>::min)();
  key highest_ = (std::numeric_limits<key>::max)();
};

// The keys of vectors of N elements.
template <class Keys, std::size_t N>
class vector_keys {
 public:
  using bits_vector = simd::vector<typename Keys::bits, N>;
  using key_vector = simd::vector<typename Keys::key, N>;

  GOLDML_INLINE explicit vector_keys(const Keys& keys) {
    simd::splat(flip_, Keys::is_reversed ? Keys::sign : keys.flip_);
    simd::splat(offset_, keys.offset_);
    simd::splat(magnitude_, static_cast<typename Keys::bits>(~Keys::sign));
    simd::splat(lowest_, keys.lowest_);
    simd::splat(highest_, keys.highest_);
    simd::splat(greatest_, (std::numeric_limits<typename Keys::key>::max)());
  }

  // The unclamped keys: NaNs may have different keys, all beyond those of the numbers.
  GOLDML_INLINE void of(key_vector& k, const bits_vector& x) const {
    if constexpr (Keys::is_reversed) {
      bits_vector reversed = x;
      reverse(reversed);
      of_reversed(k, reversed);
    } else {
      of_reversed(k, x);
    }
  }

  // Reverses the order of floats if the greatest is wanted.
  GOLDML_INLINE void reverse(bits_vector& x) const {
    if constexpr (Keys::is_reversed) x = x ^ flip_;
  }
  // The unclamped keys of elements to which reverse() has been applied.
  GOLDML_INLINE void of_reversed(key_vector& k, const bits_vector& x) const {
    if constexpr (Keys::is_floating) {
      key_vector sign;
      simd::bits_as(sign, x);
      sign = sign >> std::numeric_limits<typename Keys::key>::digits;
      bits_vector negative;
      simd::bits_as(negative, sign);
      const bits_vector sum = (((x & magnitude_) ^ negative) - negative) + offset_;
      simd::bits_as(k, sum);
    } else {
      const bits_vector flipped = x ^ flip_;
      simd::bits_as(k, flipped);
    }
  }

  GOLDML_INLINE bool is_nan_first() const { return lowest_[0] != (std::numeric_limits<typename Keys::key>::min)(); }

  // Which elements are NaN with the sign bit set, after reverse(). Only if NaN comes last: offset_ is then -inf.
  GOLDML_INLINE void negative_nan(key_vector& which, const bits_vector& x) const { which = offset_ < x; }

  // Maps NaNs that come first to their one key.
  GOLDML_INLINE void clamp_lowest(key_vector& k) const { simd::greatest(k, k, lowest_); }

  GOLDML_INLINE void clamp(key_vector& k) const {
    if constexpr (Keys::is_floating) {
      clamp_lowest(k);
      simd::least(k, k, highest_);
    }
  }

  // Turns the least of some unclamped keys into a bound: the elements with an unclamped key up to the bound are exactly
  // those with the least clamped key.
  GOLDML_INLINE void to_bound(key_vector& k) const {
    if constexpr (Keys::is_floating) {
      clamp_lowest(k);
      simd::select(k, highest_ <= k, greatest_, k);
    }
  }

 private:
  bits_vector flip_, offset_, magnitude_;
  key_vector lowest_, highest_, greatest_;
};

// The keys for elements of type T. nan_first: NaN wins over every number; otherwise every number wins over NaN.
template <extremum Wanted, class T>
auto order_keys_for(bool nan_first) {
  using bits = simd::bits_of_size<element_size_in_bytes(data_type_of<T>)>;
  if constexpr (is_floating_type<T>)
    return order_keys<bits, true, Wanted == extremum::greatest>::of_floats(float_bits<T>::infinity, nan_first);
  else
    return order_keys<bits, false>::of_integers(Wanted, std::is_signed_v<T>);
}

// The key of an element and its flat index, row-major over the reduced axes. The lesser key is better; of equal keys
// the first or the last.
template <class Key>
struct candidate_key {
  Key key = 0;
  std::uint64_t flat = 0;
  bool present = false;  // whether there is an element

  GOLDML_INLINE void take(const candidate_key& other, bool last_of_equals) {
    const bool better =
        !present || other.key < key || (other.key == key && (last_of_equals ? other.flat > flat : other.flat < flat));
    if (other.present && better) *this = other;
  }
};

}  // namespace goldml::detail
