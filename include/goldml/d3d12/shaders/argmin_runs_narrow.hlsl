// Elements of 8 or 16 bits. A shader of its own, as the other needs fewer registers without it.
#define NARROW
#define SIZE_LOG2 size_log2
#include "argmin_runs.hlsli"
