#pragma once

#include <filesystem>
#include <vector>

#include "core/devices/registry.h"

namespace iosx {

// Returns where iosx is looked for, which is each local worker: beside the program.
std::filesystem::path worker_program();

// Adds the devices of the user's list of workers and of the user's predictors, and makes workers of those that are to
// be isolated. Returns sentences for the user: a list or a predictor that cannot be read.
std::vector<Message> add_users_devices(DeviceRegistry& registry);

}  // namespace iosx
