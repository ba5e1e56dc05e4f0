#pragma once

#include <filesystem>
#include <iosfwd>
#include <string_view>

#include "core/base/files.h"
#include "core/base/function_ref.h"
#include "core/base/result.h"

namespace iosx {

// The name for standard output in commands. Commands that write one text file handle it themselves; the
// functions below refuse it, so that no file gets that name.
inline constexpr const char* kStandardOutput = "-";

// Writes the whole file or leaves the old one unchanged.
Result<void> write_file(const std::filesystem::path& path, std::string_view text, Readers readers = Readers::kUsual);
// Does the same for content too large for memory. `write` writes to the stream and need not check it for errors.
Result<void> write_file(const std::filesystem::path& path, FunctionRef<void(std::ostream&)> write,
                        Readers readers = Readers::kUsual);

// Returns an error if write_file() would certainly fail, so that it shows before a long job. It protects a
// measurement store, whose content cannot be restored.
Result<void> check_writable(const std::filesystem::path& path);

// Makes the folder and its parents.
Result<void> make_folder(const std::filesystem::path& path);

}  // namespace iosx
