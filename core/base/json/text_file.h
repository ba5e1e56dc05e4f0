#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace iosx {

inline constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{256} << 20;

// Returns a regular file's bytes. What is not one, is larger than kMaxFileBytes or cannot be read is an error.
Result<std::string> read_bytes(const std::filesystem::path& path);
// Returns the same of a text, as as_utf8() does.
Result<std::string> read_text_file(const std::filesystem::path& path);

// Returns the text in UTF-8 without a byte order mark. UTF-16 is known by its mark, or by zeros in every other byte at
// its begin; half characters in it become U+FFFD.
std::string as_utf8(std::string text);

}  // namespace iosx
