#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace iosx {

inline constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{256} << 20;

// Returns a regular file's bytes. What is not one, is larger than kMaxFileBytes or cannot be read is an error.
Result<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace iosx
