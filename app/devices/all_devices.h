#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/devices/registry.h"
#include "core/workers/worker_device.h"

namespace iosx {

// Adds every device of both programs: GPUs, simulated GPUs, the processor. So the default, DeviceRegistry::best(), is a
// GPU if there is one and else the simulated V100, on both of which schedules differ. The processor, where one operator
// fills a machine of few cores and measuring takes minutes, must be requested. A device that this build or computer
// lacks is present too, with its requirements. The reference is the CPU in float32.
void add_all_devices(DeviceRegistry& registry);

// Returns the ids of the simulated devices that the IOS paper compares.
std::vector<std::string> paper_devices();

// Adds the devices of the user's list of workers and of the user's predictors, and makes workers of those to isolate;
// the board, if given, shows the workers' activity. Returns sentences for the user about unreadable lists or
// predictors.
std::vector<Message> add_users_devices(DeviceRegistry& registry, const std::shared_ptr<WorkerBoard>& board = nullptr);

}  // namespace iosx
