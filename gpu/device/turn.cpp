#include "gpu/device/turn.h"

#include <chrono>
#include <map>

namespace iosx::gpu {

Turns turns_of(const std::string& gpu_uuid) {
  static std::mutex guard;
  static std::map<std::string, Turns> all;
  const std::scoped_lock lock(guard);
  Turns& turns = all[gpu_uuid];
  if (!turns) turns = std::make_shared<std::timed_mutex>();
  return turns;
}

std::unique_lock<std::timed_mutex> wait_for_turn(std::timed_mutex& turns, const JobContext& job) {
  constexpr std::chrono::milliseconds kLook{20};  // after a stop
  std::unique_lock lock(turns, std::defer_lock);
  while (!job.stopped() && !lock.try_lock_for(kLook)) job.report("waiting for the GPU", 0, 0);
  return lock;
}

}  // namespace iosx::gpu
