// Elements of 32 bits.
#define SIZE_LOG2 2
#include "argmin_runs.hlsli"
