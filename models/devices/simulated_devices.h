#pragma once

#include "core/devices/registry.h"

namespace iosx {

// Adds the simulated devices whose descriptions are embedded in the program; tesla-v100, the default, comes first.
void add_simulated_devices(DeviceRegistry& registry);

}  // namespace iosx
