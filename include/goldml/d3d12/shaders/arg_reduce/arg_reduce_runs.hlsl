// Elements of 32 bits.
#define SIZE_LOG2 2
#include "arg_reduce_runs.hlsli"
