#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/devices/registry.h"
#include "core/workers/worker_board.h"

namespace iosx {

// Returns the path of iosx, which runs local workers: beside the program.
std::filesystem::path worker_program();

// Adds the devices of the user's list of workers and of the user's predictors, and makes workers of those to isolate;
// the board, if given, shows the workers' activity. Returns sentences for the user about unreadable lists or
// predictors.
std::vector<Message> add_users_devices(DeviceRegistry& registry, const std::shared_ptr<WorkerBoard>& board = nullptr);

}  // namespace iosx
