#pragma once

#include "core/device/registry.h"

namespace iosx {

// Every device of both programs, the best first: what is measured before what is simulated. A device that this build or
// this machine does not have is there too and says what it needs. DeviceRegistry::best() is the default device;
// the reference is the CPU in float32.
void add_all_devices(DeviceRegistry& registry);

}  // namespace iosx
