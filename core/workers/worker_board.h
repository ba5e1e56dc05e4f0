#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace iosx {

enum class WorkerActivity {
  kOff,        // not started yet, or just lost
  kStarting,   // its launcher may wait in a queue
  kIdle,       // ready, without work
  kWaiting,    // for other measurements on the same hardware
  kMeasuring,  // stages
  kRunning,    // a whole schedule
  kLeftAside,  // it is not started again
};

// The current activity of one worker.
struct WorkerDoing {
  std::string device;   // its id
  std::string command;  // its start command
  int number = 1;       // among the device's workers, for messages
  WorkerActivity activity = WorkerActivity::kOff;
  std::size_t measured = 0;   // stages completed since the device was opened
  std::size_t in_flight = 0;  // stages sent and not completed
  int losses = 0;
};

// Shows the current activity of all workers of a program. Each worker has a place on it while its device is open. It is
// thread-safe.
class WorkerBoard {
 public:
  using Place = std::uint64_t;
  Place add(WorkerDoing doing);
  void change(Place place, const std::function<void(WorkerDoing&)>& change);
  void remove(Place place);
  std::vector<WorkerDoing> now() const;  // in the order of addition

 private:
  mutable std::mutex mutex_;
  std::map<Place, WorkerDoing> doings_;
  Place last_ = 0;
};

}  // namespace iosx
