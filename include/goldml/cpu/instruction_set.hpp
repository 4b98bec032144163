// Which instructions the kernels of `cpu` are compiled for, chosen at run time. This is the one header with what is
// particular to a compiler: target attributes, vectors of a fixed width, streaming stores and prefetching, each with a
// portable form. Nobody needs a flag such as -march.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

// Define GOLDML_PORTABLE to compile the portable forms anywhere.
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__) && !defined(GOLDML_PORTABLE)
#define GOLDML_X86_64 1
#include <immintrin.h>
#define GOLDML_INLINE inline __attribute__((always_inline))
#define GOLDML_INLINE_LAMBDA __attribute__((always_inline))
#define GOLDML_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt,f16c")))
#define GOLDML_TARGET_AVX512 \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi,bmi2,popcnt,lzcnt,f16c")))
#else
#define GOLDML_X86_64 0
#define GOLDML_INLINE inline
#define GOLDML_INLINE_LAMBDA
#endif

namespace goldml {

enum class instruction_set {
  baseline,  // what every processor of the kind has: SSE2 on x86-64
  avx2,      // with BMI 1 and 2
  avx512,    // F, BW, DQ, VL and VBMI2
};

inline constexpr std::array<instruction_set, 3> all_instruction_sets{instruction_set::baseline, instruction_set::avx2,
                                                                     instruction_set::avx512};

// The name as GOLDML_ISA takes it: sse2 (elsewhere than on x86-64: portable), avx2, avx512.
constexpr std::string_view name_of(instruction_set set) {
  constexpr std::array<std::string_view, 3> names{GOLDML_X86_64 ? "sse2" : "portable", "avx2", "avx512"};
  return names[static_cast<std::size_t>(set)];
}

// Whether this processor, under this operating system, executes the set and this build has code for it.
inline bool is_supported(instruction_set set) {
  if (set == instruction_set::baseline) return true;
#if GOLDML_X86_64 && !(defined(__MINGW32__) && !defined(__clang__))
  if (set == instruction_set::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
  return is_supported(instruction_set::avx2) && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
#else
  return false;  // g++ for Windows misaligns vectors of 32 bytes on the stack: GCC bug 54412
#endif
}

namespace detail {

inline void require_supported(instruction_set set, std::string_view asked_by) {
  if (is_supported(set)) return;
  std::string has;
  for (const instruction_set other : all_instruction_sets)
    if (is_supported(other)) has += fmt::format("{}{}", has.empty() ? "" : ", ", name_of(other));
  throw std::invalid_argument(fmt::format(
      "goldml: {} asks for {}, which this processor or build has not; it has {}", asked_by, name_of(set), has));
}

// `text` is the value of GOLDML_ISA, or null.
inline instruction_set choose_instruction_set(const char* text) {
  if (text != nullptr && *text != '\0') {
    for (const instruction_set set : all_instruction_sets)
      if (name_of(set) == text) {
        require_supported(set, "GOLDML_ISA");
        return set;
      }
    throw std::invalid_argument(fmt::format("goldml: GOLDML_ISA is '{}', wanted {}, {} or {}", text,
                                            name_of(instruction_set::baseline), name_of(instruction_set::avx2),
                                            name_of(instruction_set::avx512)));
  }
  for (const instruction_set set : {instruction_set::avx512, instruction_set::avx2})
    if (is_supported(set)) return set;
  return instruction_set::baseline;
}

}  // namespace detail

// The set that the environment variable GOLDML_ISA names, else the best there is; decided at the first call. Throws
// std::invalid_argument for a value that is none, or that the processor lacks.
inline instruction_set default_instruction_set() {
  static const instruction_set chosen = detail::choose_instruction_set(std::getenv("GOLDML_ISA"));
  return chosen;
}

namespace simd {

// A set as a type: how wide its vectors are, in bytes.
template <instruction_set Set>
struct set_constant {
  static constexpr instruction_set value = Set;
  static constexpr std::size_t vector_bytes = Set == instruction_set::baseline ? 16 : 32;
};

namespace detail {

using baseline_set = set_constant<instruction_set::baseline>;

#if GOLDML_X86_64
template <class Body, class... A>
GOLDML_TARGET_AVX2 auto call_avx2(A&... arguments) {
  return Body::run(set_constant<instruction_set::avx2>{}, arguments...);
}
template <class Body, class... A>
GOLDML_TARGET_AVX512 auto call_avx512(A&... arguments) {
  return Body::run(set_constant<instruction_set::avx512>{}, arguments...);
}
#endif

}  // namespace detail

// Body::run(set_constant<Set>{}, arguments...), compiled for `set`, which is supported. Body::run and all that it calls
// are GOLDML_INLINE, or carry the target themselves; intrinsics stand only in functions of the latter kind.
template <class Body, class... A>
auto dispatch(instruction_set set, A&&... arguments) {
#if GOLDML_X86_64
  if (set == instruction_set::avx512) return detail::call_avx512<Body>(arguments...);
  if (set == instruction_set::avx2) return detail::call_avx2<Body>(arguments...);
#endif
  (void)set;
  return Body::run(detail::baseline_set{}, arguments...);
}

// vector<T, N>: N integers, with the operators + - & ^ | << >> < <= == lane by lane; comparisons give a vector of
// signed integers, -1 where true. Passed by reference only: how a vector is passed by value depends on the target.
#if GOLDML_X86_64
template <class T, std::size_t N>
struct vector_type {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, std::size_t N>
using vector = typename vector_type<T, N>::type;

// From and to any address.
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
template <class To, class From>
GOLDML_INLINE void bits_as(To& to, const From& from) {
  to = reinterpret_cast<const To&>(from);  // vectors of GCC may alias anything
}
template <class V>
GOLDML_INLINE void transpose4(V (&v)[4]) {
  const V a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5), b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
  const V c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7), d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
  v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}
#else
template <class T, std::size_t N>
struct vector {
  T lane[N];
  using mask = vector<std::make_signed_t<T>, N>;

  T& operator[](std::size_t i) { return lane[i]; }
  const T& operator[](std::size_t i) const { return lane[i]; }

  template <class R, class F>
  static R each(const vector& a, const vector& b, F&& f) {
    R r;
    for (std::size_t i = 0; i < N; ++i) r.lane[i] = static_cast<std::remove_reference_t<decltype(r[0])>>(f(a[i], b[i]));
    return r;
  }
  friend vector operator+(const vector& a, const vector& b) {
    return each<vector>(a, b, [](T x, T y) { return static_cast<std::make_unsigned_t<T>>(x) + static_cast<std::make_unsigned_t<T>>(y); });
  }
  friend vector operator-(const vector& a, const vector& b) {
    return each<vector>(a, b, [](T x, T y) { return static_cast<std::make_unsigned_t<T>>(x) - static_cast<std::make_unsigned_t<T>>(y); });
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
void transpose4(V (&v)[4]) {
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) std::swap(v[i][j], v[j][i]);
}
template <class To, class From>
void bits_as(To& to, const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  std::memcpy(&to, &from, sizeof(To));
}
#endif

// Through memory: g++ makes poor code of it otherwise where a function without the target is inlined into one with. To
// be done outside of loops.
template <class V, class T>
GOLDML_INLINE void splat(V& v, T value) {
  T lanes[sizeof(V) / sizeof(T)];
  for (T& lane : lanes) lane = value;
  load(v, lanes);
}

// Elements of a tensor, read as integers of their width, whatever their type.
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


// Sixteen bytes past the caches; `to` is a multiple of 16. Before others may read them: streaming_fence().
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

// Asks for the line at `address`, which need not be readable, to be brought near.
GOLDML_INLINE void prefetch(const void* address) {
#if GOLDML_X86_64
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#else
  (void)address;
#endif
}

}  // namespace simd

}  // namespace goldml
