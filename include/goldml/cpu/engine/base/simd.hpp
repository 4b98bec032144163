// Features of a compiler or a processor, each with a portable fallback: target attributes, fixed-width vectors,
// non-temporal stores, prefetching. No flag such as -march is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <goldml/core/inline.hpp>
#include <goldml/cpu/engine/base/simd_portable.hpp>

#if GOLDML_X86_64
#include <emmintrin.h>
#define GOLDML_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define GOLDML_TARGET_AVX512 \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi,bmi2,popcnt")))
#if defined(__clang__)
#define GOLDML_UNROLL_4 _Pragma("unroll 4")
#else
#define GOLDML_UNROLL_4 _Pragma("GCC unroll 4")
#endif
#else
#define GOLDML_UNROLL_4
#endif

namespace goldml::simd {

// Whether there is code for AVX2 and AVX-512. There is none for Windows with g++, which misaligns wide vectors on the
// stack (GCC bug 54412), or with clang-cl, which cannot link __builtin_cpu_supports (LLVM issue 144630).
#if GOLDML_X86_64 && !defined(_MSC_VER) && !(defined(__MINGW32__) && !defined(__clang__))
#define GOLDML_HAS_WIDE_VECTORS 1
#else
#define GOLDML_HAS_WIDE_VECTORS 0
#endif

// Whether the processor and the operating system support AVX2 with BMI 1 and 2 (and, for the second, AVX-512 F, BW, DQ,
// VL and VBMI2), and this build has code for it.
#if GOLDML_HAS_WIDE_VECTORS
inline bool processor_has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}
inline bool processor_has_avx512() {
  return processor_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi2");
}
#else
inline bool processor_has_avx2() { return false; }
inline bool processor_has_avx512() { return false; }
#endif

// vector<T, N>: N numbers with the lane-wise operators + - * < <= ==, and of integers & ^ | << >>. Comparisons give a
// vector of signed integers, -1 where true. Vectors are passed by reference, because passing them by value depends on
// the target.
#if GOLDML_X86_64
template <class T, std::size_t N>
struct vector_type {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, std::size_t N>
using vector = typename vector_type<T, N>::type;

// Load from and store to any address; no alignment is assumed.
template <class V>
GOLDML_INLINE void load(V& v, const void* from) {
  struct __attribute__((packed, may_alias)) unaligned {
    V v;
  };
  v = static_cast<const unaligned*>(from)->v;
}
template <class V>
GOLDML_INLINE void store(void* to, const V& v) {
  struct __attribute__((packed, may_alias)) unaligned {
    V v;
  };
  static_cast<unaligned*>(to)->v = v;
}
template <class V>
GOLDML_INLINE void select(V& result, const auto& mask, const V& yes, const V& no) {
  result = mask ? yes : no;
}
// The lane-wise minimum and maximum. Not written with select(), for which g++ does not emit the single instruction.
template <class V>
GOLDML_INLINE void least(V& result, const V& a, const V& b) {
  result = a < b ? a : b;
}
template <class V>
GOLDML_INLINE void greatest(V& result, const V& a, const V& b) {
  result = a < b ? b : a;
}
template <class To, class From>
GOLDML_INLINE void bits_as(To& to, const From& from) {
  to = reinterpret_cast<const To&>(from);  // GCC's vector types may alias anything
}
// Each lane as the nearest number of the other type.
template <class To, class From>
GOLDML_INLINE void convert(To& to, const From& from) {
  to = __builtin_convertvector(from, To);
}
// Interleaves the lanes of a and b within each 16 bytes: the lower halves into `lower`, the upper ones into `upper`.
template <class V>
GOLDML_INLINE void interleave(V& lower, V& upper, const V& a, const V& b) {
  constexpr int lanes = sizeof(V) / sizeof(a[0]), square = 16 / sizeof(a[0]);
  [&]<int... I>(std::integer_sequence<int, I...>) GOLDML_INLINE_LAMBDA {
    lower = __builtin_shufflevector(a, b, (I / square * square + I % square / 2 + I % 2 * lanes)...);
    upper = __builtin_shufflevector(a, b, (I / square * square + square / 2 + I % square / 2 + I % 2 * lanes)...);
  }
  (std::make_integer_sequence<int, lanes>{});
}
// The lanes of `lower`, then those of `upper`.
template <class V, class Half>
GOLDML_INLINE void join(V& v, const Half& lower, const Half& upper) {
  [&]<std::size_t... I>(std::index_sequence<I...>) GOLDML_INLINE_LAMBDA {
    v = __builtin_shufflevector(lower, upper, static_cast<int>(I)...);
  }
  (std::make_index_sequence<sizeof(V) / sizeof(v[0])>{});
}
// Loads the lower half of the lanes from one address and the upper half from another.
template <class V>
GOLDML_INLINE void load_halves(V& v, const void* lower, const void* upper) {
  vector<std::remove_cvref_t<decltype(v[0])>, sizeof(V) / sizeof(v[0]) / 2> a, b;
  load(a, lower);
  load(b, upper);
  join(v, a, b);
}
// result[i] = v[i ^ Distance].
template <std::size_t Distance, class V>
GOLDML_INLINE void exchange_lanes(V& result, const V& v) {
  [&]<std::size_t... I>(std::index_sequence<I...>) GOLDML_INLINE_LAMBDA {
    result = __builtin_shufflevector(v, v, static_cast<int>(I ^ Distance)...);
  }
  (std::make_index_sequence<sizeof(V) / sizeof(v[0])>{});
}
// Sets all lanes to the first of as many numbers at an address, also in loops.
template <class V>
GOLDML_INLINE void spread(V& v, const void* from) {
  load(v, from);
  [&]<std::size_t... I>(std::index_sequence<I...>) GOLDML_INLINE_LAMBDA {
    v = __builtin_shufflevector(v, v, static_cast<int>(0 * I)...);
  }
  (std::make_index_sequence<sizeof(V) / sizeof(v[0])>{});
}
// One bit per byte of a comparison's result.
template <class V>
GOLDML_INLINE std::uint64_t byte_mask(const V& mask) {
  __m128i part[sizeof(V) / 16];
  std::memcpy(part, &mask, sizeof(V));
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(V) / 16; ++i)
    bits |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(part[i]))} << (16 * i);
  return bits;
}
#else
using namespace portable;
#endif

// Sets all lanes to `value`. Goes through memory, because g++ otherwise generates poor code when a function without the
// target attribute is inlined into one with it. Use outside of loops.
template <class V, class T>
GOLDML_INLINE void splat(V& v, T value) {
  T lanes[sizeof(V) / sizeof(T)];
  for (T& lane : lanes) lane = value;
  load(v, lanes);
}

// Calls f(0), f(1), .., f(N - 1), unrolled at every optimisation level.
template <std::size_t N, class F>
GOLDML_INLINE void unrolled(const F& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) GOLDML_INLINE_LAMBDA { (f(I), ...); }
  (std::make_index_sequence<N>{});
}

// Copies N elements, a power of two of bytes, by vectors: what compilers make of memcpy does not use those of the
// target.
template <std::size_t N, class To, class From>
GOLDML_INLINE void copy_block(To* to, const From* from) {
  static_assert(sizeof(To) == sizeof(From));
  constexpr std::size_t bytes = N * sizeof(To) < 32 ? N * sizeof(To) : 32;
  for (std::size_t i = 0; i < N * sizeof(To); i += bytes) {
    vector<std::uint8_t, bytes> v;
    load(v, reinterpret_cast<const unsigned char*>(from) + i);
    store(reinterpret_cast<unsigned char*>(to) + i, v);
  }
}

// Takes the corresponding 16 bytes of N vectors as an N x N matrix, and transposes each of these matrices.
template <class V, std::size_t N>
GOLDML_INLINE void transpose(V (&v)[N]) {
  static_assert(sizeof(v[0][0]) * N == 16);
  for (std::size_t done = 1; done < N; done *= 2) {
    V from[N];
    unrolled<N>([&](std::size_t i) GOLDML_INLINE_LAMBDA { from[i] = v[i]; });
    unrolled<N / 2>([&](std::size_t i)
                        GOLDML_INLINE_LAMBDA { interleave(v[2 * i], v[2 * i + 1], from[i], from[i + N / 2]); });
  }
}

// The unsigned integer type of that size.
template <std::size_t Bytes>
using bits_of_size = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

// A pointer to elements, which are read as unsigned integers of their width.
template <class Bits>
class bits_pointer {
 public:
  explicit bits_pointer(const void* data) : data_(static_cast<const unsigned char*>(data)) {}

  GOLDML_INLINE Bits operator[](std::uint64_t i) const {
    Bits bits;
    std::memcpy(&bits, data_ + i * sizeof(Bits), sizeof(Bits));
    return bits;
  }
  GOLDML_INLINE bits_pointer operator+(std::uint64_t i) const { return bits_pointer(data_ + i * sizeof(Bits)); }
  GOLDML_INLINE const unsigned char* address(std::uint64_t i) const { return data_ + i * sizeof(Bits); }

 private:
  const unsigned char* data_;
};

// A non-temporal store of 16 bytes; `to` is aligned to 16. Call streaming_fence() before another thread reads them.
GOLDML_INLINE void stream16(void* to, const void* from) {
#if GOLDML_X86_64
  _mm_stream_si128(static_cast<__m128i*>(to), _mm_loadu_si128(static_cast<const __m128i*>(from)));
#else
  std::memcpy(to, from, 16);
#endif
}
GOLDML_INLINE void streaming_fence() {
#if GOLDML_X86_64
  _mm_sfence();
#endif
}

// Prefetches the cache line at `address`, which need not be readable, into the second-level cache. For data that is
// read much later, which in the first-level cache would evict data in use.
GOLDML_INLINE void prefetch(const void* address) {
#if GOLDML_X86_64
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T1);
#else
  (void)address;
#endif
}

// The same into the first-level cache, for data that is read soon.
GOLDML_INLINE void prefetch_near(const void* address) {
#if GOLDML_X86_64
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#else
  (void)address;
#endif
}

}  // namespace goldml::simd
