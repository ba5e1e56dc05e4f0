#pragma once

#include <string>

#include "tests/gpu/driver/machine.h"

// cuDNN's descriptions of GPUs, from their data sheets.
namespace iosx::gpu::test {

std::string description(const Chip& chip);

inline std::string h200() { return description(chip("H200")); }
inline std::string a100() { return description(chip("A100")); }
inline std::string t4() { return description(chip("T4")); }

// cuDNN's proposals depend on its version; tests of such facts skip with other versions.
inline constexpr const char* kKnownVersion = "cuDNN 9.19.0";

}  // namespace iosx::gpu::test
