#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "core/base/progress.h"

namespace iosx::gpu {

// The lock of a GPU: two jobs at once would disturb each other's measurements. Each GPU has one per process,
// shared by all its devices; it is thread-safe.
using Turns = std::shared_ptr<std::mutex>;
Turns turns_of(const std::string& gpu_uuid);

// Waits for the turn; owns nothing if the job was stopped first.
std::unique_lock<std::mutex> wait_for_turn(std::mutex& turns, const JobContext& job);

}  // namespace iosx::gpu
