#pragma once

#include <string>
#include <vector>

#include "core/devices/registry.h"

namespace iosx {

// Adds every device of both programs: GPUs, simulated GPUs, the processor. So the default, DeviceRegistry::best(), is a
// GPU where there is one and else the simulated V100, on both of which schedules differ; the processor, where one
// operator fills a machine of few cores and measuring takes minutes, is for those who ask for it. A device that this
// build or this machine does not have is there too and says what it needs. The reference is the CPU in float32.
void add_all_devices(DeviceRegistry& registry);

// Returns the ids of the devices that the IOS paper compares, as we simulate them.
std::vector<std::string> paper_devices();

}  // namespace iosx
