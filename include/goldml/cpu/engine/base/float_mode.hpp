// The modes of the processor that change results of floating-point arithmetic: rounding, flushing of subnormals.
#pragma once

#include <goldml/cpu/engine/base/simd.hpp>

#if !GOLDML_X86_64
#include <cfenv>
#endif

namespace goldml::detail {

// While it lives, this thread rounds to nearest even and keeps subnormals, whatever the program has set (ledger L7).
class ieee_arithmetic {
 public:
  ieee_arithmetic(const ieee_arithmetic&) = delete;
  ieee_arithmetic& operator=(const ieee_arithmetic&) = delete;
#if GOLDML_X86_64
  ieee_arithmetic() : before_(_mm_getcsr()) { _mm_setcsr(ieee); }
  ~ieee_arithmetic() { _mm_setcsr(before_); }

 private:
  static constexpr unsigned ieee = 0x1F80;  // all exceptions masked
  unsigned before_;
#else
  ieee_arithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~ieee_arithmetic() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_;
#endif
};

}  // namespace goldml::detail
