#pragma once

#include <cstdint>

// Macros for loops that use wide vector units in a program that is built for any x86-64.
//
// IOS_VECTORISED makes GCC compile a function once per level of x86-64; the loader picks the best one that the
// processor has. Functions that it calls profit only where inlined (IOS_INLINE). Sanitizers cannot run the loader's
// choice and Clang 14 does not know the levels; both get the plain function.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define IOS_VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define IOS_VECTORISED
#endif

#define IOS_INLINE inline __attribute__((always_inline))
#define IOS_FLAT __attribute__((always_inline))  // of a lambda

// Eight floats that are computed together, as many as AVX2 has: GCC takes wider vectors apart than the processor has.
namespace iosx::cpu {
constexpr std::int64_t kLanes = 8;
using Lanes __attribute__((vector_size(kLanes * sizeof(float)))) = float;
}  // namespace iosx::cpu

// Marks a loop whose iterations are independent, though its arrays may be the same one. Clang checks that itself at run
// time.
#ifdef __clang__
#define IOS_INDEPENDENT
#else
#define IOS_INDEPENDENT _Pragma("GCC ivdep")
#endif
