// The instruction sets that kernels of `cpu` are compiled for. One is chosen at run time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include <goldml/core/cold.hpp>
#include <goldml/cpu/engine/base/simd.hpp>

namespace goldml {

enum class instruction_set {
  baseline,  // what every processor of the architecture has: SSE2 on x86-64
  avx2,      // with BMI 1 and 2
  avx512,    // F, BW, DQ, VL and VBMI2
};

inline constexpr std::array<instruction_set, 3> all_instruction_sets{instruction_set::baseline, instruction_set::avx2,
                                                                     instruction_set::avx512};

// The name as in GOLDML_ISA: sse2 (`portable` on other architectures than x86-64), avx2, avx512.
constexpr std::string_view name_of(instruction_set set) {
  constexpr std::array<std::string_view, 3> names{GOLDML_X86_64 ? "sse2" : "portable", "avx2", "avx512"};
  return names[static_cast<std::size_t>(set)];
}

// Whether the processor and the operating system support the set, and this build has code for it.
inline bool is_supported(instruction_set set) {
  return set == instruction_set::baseline || (set == instruction_set::avx2 && simd::processor_has_avx2()) ||
         (set == instruction_set::avx512 && simd::processor_has_avx512());
}

// Their names, for example "sse2, avx2".
GOLDML_COLD inline std::string supported_instruction_sets() {
  std::string names;
  for (const instruction_set set : all_instruction_sets)
    if (is_supported(set)) names.append(names.empty() ? "" : ", ").append(name_of(set));
  return names;
}

namespace detail {

[[noreturn]] GOLDML_COLD inline void refuse_instruction_set(std::initializer_list<std::string_view> texts) {
  std::string message;
  for (const std::string_view text : texts) message.append(text);
  throw std::invalid_argument(message);
}

GOLDML_COLD inline void require_supported(instruction_set set, std::string_view asked_by) {
  if (is_supported(set)) return;
  refuse_instruction_set({"goldml: ", asked_by, " asks for ", name_of(set),
                          ", which this processor or build has not; it has ", supported_instruction_sets()});
}

// `text` is the value of GOLDML_ISA, or null.
GOLDML_COLD inline instruction_set choose_instruction_set(const char* text) {
  if (text != nullptr && *text != '\0') {
    for (const instruction_set set : all_instruction_sets)
      if (name_of(set) == text) {
        require_supported(set, "GOLDML_ISA");
        return set;
      }
    refuse_instruction_set(
        {"goldml: GOLDML_ISA is '", text, "', wanted ", name_of(instruction_set::baseline), ", avx2 or avx512"});
  }
  for (const instruction_set set : {instruction_set::avx512, instruction_set::avx2})
    if (is_supported(set)) return set;
  return instruction_set::baseline;
}

}  // namespace detail

// The set that the environment variable GOLDML_ISA names, or the best supported one if it is unset or empty. Read once,
// at the first call. Throws std::invalid_argument if the value is unknown or the set is not supported.
inline instruction_set default_instruction_set() {
#ifdef _MSC_VER
#pragma warning(suppress : 4996)  // MSVC suggests _dupenv_s; the environment is not changed here
#endif
  static const instruction_set chosen = detail::choose_instruction_set(std::getenv("GOLDML_ISA"));
  return chosen;
}

namespace simd {

// The width of the vectors of a set, in bytes.
constexpr std::size_t vector_bytes_of(instruction_set set) { return set == instruction_set::baseline ? 16 : 32; }

// An instruction set as a type.
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

// Calls Body::run(set_constant<Set>{}, arguments...), compiled for the lower of `set`, which must be supported, and
// Highest. A lower Highest saves compile time where a higher set is no faster. Body::run and everything that it calls
// must be GOLDML_INLINE or have the target attribute. Intrinsics are allowed only in functions with the attribute.
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
