#pragma once

// These macros are for loops that use wide vector units, though the program as a whole is built for any x86-64.
//
// IOS_VECTORISED makes GCC compile a function once for each level of x86-64 and the loader pick the best that the
// processor has. Functions that it calls have to be inlined (IOS_INLINE) to profit. Sanitizers cannot run the loader's
// choice, and Clang 14 does not know the levels; they get the plain function.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define IOS_VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define IOS_VECTORISED
#endif

#define IOS_INLINE inline __attribute__((always_inline))

// Stands before a loop and says that its iterations do not depend on each other, though its arrays may be the same one.
// Clang checks that itself at run time.
#ifdef __clang__
#define IOS_INDEPENDENT
#else
#define IOS_INDEPENDENT _Pragma("GCC ivdep")
#endif
