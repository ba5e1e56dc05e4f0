#pragma once

#include <cstdint>
#include <string>

#include "core/base/function_ref.h"
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

// Does the work of a program and returns its exit code. Where memory or threads run out on any thread, or a library
// throws, one line on standard error says so and the exit code is 1, instead of an abort. Both programs do all within
// it.
int run_to_its_end(const char* program, FunctionRef<int()> work);
// Ends the process so, for who learns of the lack of a thread by other means than an exception.
[[noreturn]] void end_where_threads_are_out(const char* program);

// Gives the system back what was freed on any thread. The allocator would keep it, hundreds of megabytes after a large
// search, because something small that is still wanted lies behind it. Any thread may call it; it takes milliseconds.
void give_back_memory();

}  // namespace iosx
