#pragma once

#include <string>
#include <string_view>

namespace iosx::gpu {

// Returns the version in the text of /proc/driver/nvidia/version, "580.65.06"; empty if there is none.
std::string version_in(std::string_view text);

// Returns the version of the running driver from /proc, or else from NVML, which it loads for that. Empty if unknown.
std::string driver_version();

}  // namespace iosx::gpu
