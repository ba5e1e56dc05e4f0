#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace iosx {

// Checks a path before it is opened: opening a named pipe waits for a writer, and a device may have no end. The
// error names the kind ("is a named pipe, not a regular file") or says that nothing exists there.
Result<void> check_regular_file(const std::filesystem::path& path);

}  // namespace iosx
