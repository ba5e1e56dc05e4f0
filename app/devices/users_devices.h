#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/devices/registry.h"
#include "core/workers/worker_board.h"

namespace iosx {

// Returns where iosx is looked for, which is each local worker: beside the program.
std::filesystem::path worker_program();

// Adds the devices of the user's list of workers and of the user's predictors, and makes workers of those that are to
// be isolated; what workers do is on the board, where one is given. Returns sentences for the user: a list or a
// predictor that cannot be read.
std::vector<Message> add_users_devices(DeviceRegistry& registry, const std::shared_ptr<WorkerBoard>& board = nullptr);

}  // namespace iosx
