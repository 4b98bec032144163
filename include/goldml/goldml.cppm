// The module goldml: `import goldml;` gives what `#include <goldml/goldml.hpp>` gives, except macros. It is built from the
// headers, so that both can be used in one program. Tested with Clang 22: see docs/module.md.
module;

// Everything that is not goldml's own stays outside the module: the standard library, Eigen, fmt, the processor's headers.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <Eigen/Core>
#include <fmt/format.h>
#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

export module goldml;

// Structured bindings of arrays look for it. Clang drops what the module includes and does not name, and a unit that
// imports goldml need not include <array>.
export namespace std {
using std::get;
}

export extern "C++" {
#include <goldml/goldml.hpp>
}
