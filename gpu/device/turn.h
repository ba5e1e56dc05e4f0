#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "core/base/progress.h"

namespace iosx::gpu {

// Says whose turn it is to use a GPU: two jobs at once would measure one another. There is one for each GPU in the
// process, shared by all its devices; it is thread-safe.
using Turns = std::shared_ptr<std::mutex>;
Turns turns_of(const std::string& gpu_uuid);

// Waits for the turn; owns nothing if the job was stopped before.
std::unique_lock<std::mutex> wait_for_turn(std::mutex& turns, const JobContext& job);

}  // namespace iosx::gpu
