#include "gpu/device/turn.h"

#include <chrono>
#include <map>
#include <thread>

namespace iosx::gpu {

Turns turns_of(const std::string& gpu_uuid) {
  static std::mutex guard;
  static std::map<std::string, Turns> all;
  const std::scoped_lock lock(guard);
  Turns& turns = all[gpu_uuid];
  if (!turns) turns = std::make_shared<std::mutex>();
  return turns;
}

std::unique_lock<std::mutex> wait_for_turn(std::mutex& turns, const JobContext& job) {
  // Looks again and again, also for a stop. (GCC 12's thread sanitizer does not know timed mutexes.)
  constexpr std::chrono::milliseconds kLook{5};
  std::unique_lock lock(turns, std::defer_lock);
  while (!job.stopped() && !lock.try_lock()) {
    job.report(message("waiting for the GPU"), 0, 0);
    std::this_thread::sleep_for(kLook);
  }
  return lock;
}

}  // namespace iosx::gpu
