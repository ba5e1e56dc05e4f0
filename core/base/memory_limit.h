#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace iosx {

// Returns how many bytes of address space this process may still take (ulimit -v); the largest number where there is no
// limit.
std::int64_t address_space_left();

// Makes the error for who asked for memory and got none: it says what the process holds and may hold, where that is
// known.
Error out_of_memory(std::string where);

// From here on a failed allocation on a thread that does a share of somebody's work (parallel.h), which must not throw,
// ends the process with such a sentence and exit code 1 instead of an abort. Elsewhere it is std::bad_alloc, as ever.
void end_where_memory_is_out();

// Gives the system back what was freed on any thread. The allocator would keep it, hundreds of megabytes after a large
// search, because something small that is still wanted lies behind it. Any thread may call it; it takes milliseconds.
void give_back_memory();

}  // namespace iosx
