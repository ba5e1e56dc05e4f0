#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/function_ref.h"
#include "core/base/result.h"

namespace iosx {

inline constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{256} << 20;

// Returns a regular file's bytes. What is not one, is larger than kMaxFileBytes or cannot be read is an error.
Result<std::string> read_bytes(const std::filesystem::path& path);
// Returns the same of a text, as as_utf8() does.
Result<std::string> read_text_file(const std::filesystem::path& path);

// Hands on one line after another of a text file of any size, without its end, and holds a small part of the file at a
// time; of one in UTF-16, all of it, as read_text_file(). Errors are that function's, a line of more than
// kMaxLineBytes, and the taker's, which ends the reading.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;
Result<void> read_lines(const std::filesystem::path& path, FunctionRef<Result<void>(std::string_view)> take);

// Returns the text in UTF-8 without a byte order mark. UTF-16 is known by its mark, or by zeros in every other byte at
// its begin; half characters in it become U+FFFD.
std::string as_utf8(std::string text);

}  // namespace iosx
