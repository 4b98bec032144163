// The vectors of simd.hpp in standard C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace goldml::simd::portable {

// The lanes of a comparison of lanes of type T.
template <class T>
struct mask_lane : std::make_signed<T> {};
template <>
struct mask_lane<float> {
  using type = std::int32_t;
};
template <>
struct mask_lane<double> {
  using type = std::int64_t;
};

template <class T, std::size_t N>
struct vector {
  T lane[N];
  using mask = vector<typename mask_lane<T>::type, N>;

  // Integers wrap.
  static auto wrapping(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return x;
    else
      return static_cast<std::uint64_t>(x);
  }

  T& operator[](std::size_t i) { return lane[i]; }
  const T& operator[](std::size_t i) const { return lane[i]; }

  template <class R, class F>
  static R each(const vector& a, const vector& b, F&& f) {
    R r;
    for (std::size_t i = 0; i < N; ++i) r.lane[i] = static_cast<std::remove_reference_t<decltype(r[0])>>(f(a[i], b[i]));
    return r;
  }
  friend vector operator+(const vector& a, const vector& b) {
    return each<vector>(a, b, [](T x, T y) { return wrapping(x) + wrapping(y); });
  }
  friend vector operator-(const vector& a, const vector& b) {
    return each<vector>(a, b, [](T x, T y) { return wrapping(x) - wrapping(y); });
  }
  friend vector operator*(const vector& a, const vector& b) {
    return each<vector>(a, b, [](T x, T y) { return wrapping(x) * wrapping(y); });
  }
  friend vector operator&(const vector& a, const vector& b) {
    return each<vector>(a, b, [](T x, T y) { return x & y; });
  }
  friend vector operator|(const vector& a, const vector& b) {
    return each<vector>(a, b, [](T x, T y) { return x | y; });
  }
  friend vector operator^(const vector& a, const vector& b) {
    return each<vector>(a, b, [](T x, T y) { return x ^ y; });
  }
  friend vector operator>>(const vector& a, int n) {
    return each<vector>(a, a, [n](T x, T) { return x >> n; });
  }
  friend mask operator<(const vector& a, const vector& b) {
    return each<mask>(a, b, [](T x, T y) { return x < y ? -1 : 0; });
  }
  friend mask operator==(const vector& a, const vector& b) {
    return each<mask>(a, b, [](T x, T y) { return x == y ? -1 : 0; });
  }
  friend mask operator<=(const vector& a, const vector& b) {
    return each<mask>(a, b, [](T x, T y) { return x <= y ? -1 : 0; });
  }
};

template <class V>
void load(V& v, const void* from) {
  std::memcpy(&v, from, sizeof(V));
}
template <class V>
void store(void* to, const V& v) {
  std::memcpy(to, &v, sizeof(V));
}
template <class V, class M>
void select(V& result, const M& mask, const V& yes, const V& no) {
  V r;
  for (std::size_t i = 0; i < sizeof(r.lane) / sizeof(r.lane[0]); ++i) r[i] = mask[i] != 0 ? yes[i] : no[i];
  result = r;
}
template <class V>
void least(V& result, const V& a, const V& b) {
  select(result, a < b, a, b);
}
template <class V>
void greatest(V& result, const V& a, const V& b) {
  select(result, a < b, b, a);
}
template <class V>
void interleave(V& lower, V& upper, const V& a, const V& b) {
  constexpr std::size_t half = 8 / sizeof(a[0]);
  for (std::size_t i = 0; i < sizeof(V) / sizeof(a[0]); ++i) {
    const std::size_t from = i / (2 * half) * (2 * half) + i % (2 * half) / 2;
    lower[i] = i % 2 == 0 ? a[from] : b[from];
    upper[i] = i % 2 == 0 ? a[from + half] : b[from + half];
  }
}
template <class V>
void load_halves(V& v, const void* lower, const void* upper) {
  std::memcpy(&v, lower, sizeof(V) / 2);
  std::memcpy(reinterpret_cast<unsigned char*>(&v) + sizeof(V) / 2, upper, sizeof(V) / 2);
}
template <std::size_t Distance, class V>
void exchange_lanes(V& result, const V& v) {
  for (std::size_t i = 0; i < sizeof(V) / sizeof(v[0]); ++i) result[i] = v[i ^ Distance];
}
template <class V>
void spread(V& v, const void* from) {
  load(v, from);
  for (auto& lane : v.lane) lane = v.lane[0];
}
template <class V>
std::uint64_t byte_mask(const V& mask) {
  constexpr std::size_t lane_bytes = sizeof mask[0];
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(V) / lane_bytes; ++i)
    if (mask[i] != 0) bits |= ((std::uint64_t{1} << lane_bytes) - 1) << (lane_bytes * i);
  return bits;
}
template <class To, class From>
void convert(To& to, const From& from) {
  for (std::size_t i = 0; i < sizeof(to.lane) / sizeof(to.lane[0]); ++i)
    to[i] = static_cast<std::remove_reference_t<decltype(to[0])>>(from[i]);
}
template <class To, class From>
void bits_as(To& to, const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  std::memcpy(&to, &from, sizeof(To));
}

}  // namespace goldml::simd::portable
