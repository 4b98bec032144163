// Functions that compilers are made to inline, so that they are compiled for the instruction set of their caller.
#pragma once

// Define GOLDML_PORTABLE to compile the portable fallbacks on every platform.
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__) && !defined(GOLDML_PORTABLE)
#define GOLDML_X86_64 1
#define GOLDML_INLINE inline __attribute__((always_inline))
#define GOLDML_INLINE_LAMBDA __attribute__((always_inline))
#else
#define GOLDML_X86_64 0
#define GOLDML_INLINE inline
#define GOLDML_INLINE_LAMBDA
#endif
