// Elements of 8 or 16 bits. A separate shader, because the other one needs fewer registers without this case.
#define NARROW
#define SIZE_LOG2 size_log2
#include "arg_reduce_runs.hlsli"
