// Keys of an arg-reduction: signed integers that order as the elements do, so that every arg-reduction looks for the
// least key (ledger 7.4), whatever the rounding or flushing mode of the program. NaN orders after all numbers or before
// them (ledger 7.1). Where the greatest element is wanted, the order of the numbers is reversed, but not that of NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <goldml/core/number.hpp>
#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml::detail {

enum class extremum { least, greatest };

// The keys of elements that are `Bits` wide. One class serves all integers of a width, whichever extremum is wanted:
// some bits are flipped, and the order is that of signed integers. Floats of which the greatest is wanted have a class of
// their own: flipping takes an instruction that the least of them needs not.
template <class Bits, bool IsFloating, bool IsReversed = false>
class order_keys {
 public:
  using bits = Bits;
  using key = std::make_signed_t<Bits>;
  static constexpr bool is_floating = IsFloating;

  // Integers. ~x reverses the order of signed integers; the sign bit turns unsigned order into signed.
  static order_keys of_integers(extremum wanted, bool is_signed) {
    order_keys keys;
    keys.flip_ = static_cast<Bits>((wanted == extremum::greatest ? ~Bits{0} : Bits{0}) ^ (is_signed ? Bits{0} : sign));
    return keys;
  }

  // Floats, of which these bits are infinity. Sign and magnitude become one number, -inf .. inf, which both zeros share;
  // NaN is what wraps round beyond the infinities. The offset puts -inf (NaN last) or the first NaN (NaN first) at the
  // least integer. Flipping the sign bit reverses the order of the numbers.
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

// The keys of N elements at a time.
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

  // NaNs may have several keys, all beyond the numbers'.
  GOLDML_INLINE void of(key_vector& k, const bits_vector& x) const {
    if constexpr (Keys::is_reversed) {
      bits_vector reversed = x;
      reverse(reversed);
      of_reversed(k, reversed);
    } else {
      of_reversed(k, x);
    }
  }

  // Reverses the order of floats where the greatest is wanted.
  GOLDML_INLINE void reverse(bits_vector& x) const {
    if constexpr (Keys::is_reversed) x = x ^ flip_;
  }
  // The keys of what reverse() has been applied to.
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

  // Which are NaN with the sign set (after reverse()), where NaN comes last: the offset is then what -inf is.
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
  bits_vector flip_, offset_, magnitude_;
  key_vector lowest_, highest_, greatest_;
};

// Those for elements of type T. nan_first: NaN is found before any number, else after all numbers.
template <extremum Wanted, class T>
auto order_keys_for(bool nan_first) {
  using bits = simd::bits_of_size<sizeof(T)>;
  if constexpr (is_floating_type<T>)
    return order_keys<bits, true, Wanted == extremum::greatest>::of_floats(float_bits<T>::infinity, nan_first);
  else
    return order_keys<bits, false>::of_integers(Wanted, std::is_signed_v<T>);
}

// An element's key and its number, row-major over the reduced axes; the better of two is the lesser, or of equals the
// first or the last.
template <class Key>
struct candidate_key {
  Key key = 0;
  std::uint64_t flat = 0;
  bool present = false;  // nothing yet

  GOLDML_INLINE void take(const candidate_key& other, bool last_of_equals) {
    const bool better = !present || other.key < key ||
                        (other.key == key && (last_of_equals ? other.flat > flat : other.flat < flat));
    if (other.present && better) *this = other;
  }
};

}  // namespace goldml::detail
