#pragma once

#include <filesystem>
#include <vector>

#include "core/devices/registry.h"

namespace iosx {

// Returns where iosx is looked for, which is each local worker: beside the program.
std::filesystem::path worker_program();

// Adds the devices of the user's list of workers, and makes workers of those that are to be isolated. Returns sentences
// for the user: a list that cannot be read.
std::vector<Message> add_listed_workers(DeviceRegistry& registry);

}  // namespace iosx
