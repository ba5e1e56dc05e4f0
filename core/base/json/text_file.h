#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/byte_source.h"
#include "core/base/function_ref.h"
#include "core/base/result.h"

namespace iosx {

inline constexpr std::uintmax_t kMaxFileBytes = kMostHeldBytes;

// Returns the bytes of a file. Errors: it is not a regular file, is larger than kMaxFileBytes, or cannot be read.
Result<std::string> read_bytes(const std::filesystem::path& path);
// Returns the content of a text file, decoded by as_utf8().
Result<std::string> read_text_file(const std::filesystem::path& path);

// Passes the lines of a text file of any size, without their ends, to a taker. It holds a small part of the file at a
// time, but all of a UTF-16 file. Errors: those of read_text_file(), a line longer than kMaxLineBytes, and the taker's
// error, which ends the reading.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;
Result<void> read_lines(const std::filesystem::path& path, FunctionRef<Result<void>(std::string_view)> take);

// Appends a character of Unicode.
void append_utf8(std::string& out, std::uint32_t code);

// Returns the text in UTF-8 without a byte order mark. It recognises UTF-16 by its mark, or by zeros in every other
// byte at the start; unpaired surrogates become U+FFFD.
std::string as_utf8(std::string text);

}  // namespace iosx
