#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/registry.h"

namespace iosx {

// Returns the devices of a back end (backend.h). A loaded library stays until the program ends. Errors name a remedy:
// the file does not exist; it, or a library that it needs, cannot be loaded (with the loader's message); it is no back
// end; it was built for another program (ABI or compiler).
Result<std::vector<DeviceRegistry::Entry>> load_backend(const std::filesystem::path& library);

}  // namespace iosx
