#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace iosx {

// Looks before anything is opened: to open a named pipe waits for somebody who writes, and a device may have no end.
// The error says what stands there instead of a file ("is a named pipe, not a regular file"), or that nothing does.
Result<void> check_regular_file(const std::filesystem::path& path);

}  // namespace iosx
