// A1: what only some backends have, misspelt.
// says 1: .write_elements_only = true
// says 2: option_of_backend
#include <goldml/goldml.hpp>

struct small_backend {};

#if MUST_NOT_COMPILE == 1
template <>
inline constexpr goldml::backend_options goldml::options_of_backend<small_backend>{.write_elements_only = true};
#elif MUST_NOT_COMPILE == 2
template <>
inline constexpr goldml::backend_options goldml::option_of_backend<small_backend>{.writes_elements_only = true};
#else
template <>
inline constexpr goldml::backend_options goldml::options_of_backend<small_backend>{.writes_elements_only = true};
#endif

static_assert(goldml::options_of_backend<small_backend>.writes_elements_only);
