// A tensor has at most eight dimensions.
// says: goldml T4
#include <goldml/goldml.hpp>

#ifdef MUST_NOT_COMPILE
const goldml::dimensions sizes{1, 2, 3, 4, 5, 6, 7, 8, 9};
#else
const goldml::dimensions sizes{1, 2, 3, 4, 5, 6, 7, 8};
#endif
