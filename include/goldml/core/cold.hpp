// Marks functions that run only where something is refused: they are not inlined, and what leads to them is compiled
// for size. Calls of operators compile faster for it, and smaller.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define GOLDML_COLD [[gnu::cold, gnu::noinline]]
#else
#define GOLDML_COLD
#endif
