#pragma once

#include <filesystem>
#include <iosfwd>
#include <string_view>

#include "core/base/function_ref.h"
#include "core/base/result.h"

namespace iosx {

// This is the name that a command's user gives for standard output. Commands that write one file of text know it
// themselves; what follows refuses it, so that nobody finds a file of that name.
inline constexpr const char* kStandardOutput = "-";

// Writes the whole file or leaves the old one as it was.
Result<void> write_file(const std::filesystem::path& path, std::string_view text);
// Does the same for what should not stand in memory whole. The caller's function writes to the stream, which may fail
// on the way: it need not look.
Result<void> write_file(const std::filesystem::path& path, FunctionRef<void(std::ostream&)> write);

// Returns an error if write_file() would certainly fail: it is said before a long job instead of after it. A
// measurement store is never written over: what is in it cannot be had back.
Result<void> check_writable(const std::filesystem::path& path);

// Makes the folder and its parents.
Result<void> make_folder(const std::filesystem::path& path);

}  // namespace iosx
