#pragma once

#include <cstdio>
#include <cstdlib>

// Checks an invariant of the program and aborts where it fails. A failure is a bug of the program, never a user's
// mistake (those are Result errors). It stays on in release builds.
#define IOS_CHECK(condition)                                                                 \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: invariant broken: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
