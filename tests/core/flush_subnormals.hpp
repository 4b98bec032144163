// Sets the processor to treat subnormal inputs and results as zero, as programs that test GPUs do. Only on x86-64;
// elsewhere nothing changes.
#pragma once

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#define GOLDML_TESTS_FLUSH_SUBNORMALS 1
#else
#define GOLDML_TESTS_FLUSH_SUBNORMALS 0
#endif

// For the current thread, during the lifetime of the object.
class flush_subnormals {
 public:
#if GOLDML_TESTS_FLUSH_SUBNORMALS
  flush_subnormals() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | 0x8040u);  // flush to zero (bit 15), denormals are zero (bit 6)
  }
  ~flush_subnormals() { _mm_setcsr(before_); }
#else
  flush_subnormals() = default;
  ~flush_subnormals() = default;
#endif
  flush_subnormals(const flush_subnormals&) = delete;
  flush_subnormals& operator=(const flush_subnormals&) = delete;

#if GOLDML_TESTS_FLUSH_SUBNORMALS
 private:
  unsigned before_;
#endif
};
