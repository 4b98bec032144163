// Which instructions the kernels of `cpu` are compiled for, chosen at run time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <goldml/cpu/engine/base/simd.hpp>

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
  return set == instruction_set::baseline || (set == instruction_set::avx2 && simd::processor_has_avx2()) ||
         (set == instruction_set::avx512 && simd::processor_has_avx512());
}

// Their names: sse2, avx2
inline std::string supported_instruction_sets() {
  std::string names;
  for (const instruction_set set : all_instruction_sets)
    if (is_supported(set)) names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(set));
  return names;
}

namespace detail {

inline void require_supported(instruction_set set, std::string_view asked_by) {
  if (is_supported(set)) return;
  throw std::invalid_argument(fmt::format("goldml: {} asks for {}, which this processor or build has not; it has {}",
                                          asked_by, name_of(set), supported_instruction_sets()));
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
#ifdef _MSC_VER
#pragma warning(suppress : 4996)  // MSVC suggests _dupenv_s; the environment is not changed here
#endif
  static const instruction_set chosen = detail::choose_instruction_set(std::getenv("GOLDML_ISA"));
  return chosen;
}

namespace simd {

// How wide the vectors of a set are, in bytes.
constexpr std::size_t vector_bytes_of(instruction_set set) { return set == instruction_set::baseline ? 16 : 32; }

// A set as a type.
template <instruction_set Set>
struct set_constant {
  static constexpr instruction_set value = Set;
  static constexpr std::size_t vector_bytes = vector_bytes_of(Set);
};

namespace detail {

using baseline_set = set_constant<instruction_set::baseline>;

#if GOLDML_HAS_WIDE_VECTORS
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

// Body::run(set_constant<Set>{}, arguments...), compiled for `set`, which is supported, or for Highest where that does
// as well: less to compile. Body::run and all that it calls are GOLDML_INLINE, or carry the target themselves;
// intrinsics stand only in functions of the latter kind.
template <class Body, instruction_set Highest = instruction_set::avx512, class... A>
auto dispatch(instruction_set set, A&&... arguments) {
#if GOLDML_HAS_WIDE_VECTORS
  if constexpr (Highest == instruction_set::avx512)
    if (set == instruction_set::avx512) return detail::call_avx512<Body>(arguments...);
  if (set != instruction_set::baseline) return detail::call_avx2<Body>(arguments...);
#endif
  (void)set;
  return Body::run(detail::baseline_set{}, arguments...);
}

}  // namespace simd

}  // namespace goldml
