// Marks functions that run seldom, as where something is refused, or whose own instructions take little of the time.
// They are not inlined, and are compiled for size, as is what leads to them alone. Calls of operators compile faster.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define GOLDML_COLD [[gnu::cold, gnu::noinline]]
#else
#define GOLDML_COLD
#endif
