#pragma once

#include <cstdint>

#include "core/base/function_ref.h"
#include "core/base/result.h"

namespace iosx {

// Returns the bytes of address space that this process may still allocate (ulimit -v); the largest number where there
// is no limit.
std::int64_t address_space_left();

// Returns the error for a failed allocation. It says how much memory the process holds and may hold, where known.
Error out_of_memory(std::string where);

// After this call, a failed allocation on a thread of parallel.h, whose work must not throw, ends the process with such
// an error and exit code 1 instead of an abort. Other threads still get std::bad_alloc.
void end_where_memory_is_out();

// Runs the work of a program and returns its exit code. Where memory or threads run out on any thread, or a library
// throws, it writes one line to standard error and returns 1 instead of aborting. Both programs run inside it.
int run_to_its_end(const char* program, FunctionRef<int()> work);
// Ends the process in the same way, for callers that notice a lack of threads without an exception.
[[noreturn]] void end_where_threads_are_out(const char* program);

// Returns freed memory of all threads to the system. The allocator would keep it (hundreds of megabytes after a large
// search) because small live blocks lie behind it. Any thread may call it; it takes milliseconds.
void give_back_memory();

}  // namespace iosx
