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
  kOff,        // not started yet, or lost just now
  kStarting,   // a launcher may wait in a queue
  kIdle,       // it is there and has nothing to do
  kWaiting,    // for other measurements on the same hardware
  kMeasuring,  // stages
  kRunning,    // a whole schedule
  kLeftAside,  // it is not started again
};

// Is what one worker does at a time.
struct WorkerDoing {
  std::string device;   // its id
  std::string command;  // that starts it
  int number = 1;       // among the device's workers, as messages name it
  WorkerActivity activity = WorkerActivity::kOff;
  std::size_t measured = 0;   // stages that it answered since the device was opened
  std::size_t in_flight = 0;  // stages that it was given and has not answered
  int losses = 0;
};

// Shows what all workers of a program do, to whoever wants to look: each worker has a place on it as long as its device
// is open. Thread-safe.
class WorkerBoard {
 public:
  using Place = std::uint64_t;
  Place add(WorkerDoing doing);
  void change(Place place, const std::function<void(WorkerDoing&)>& change);
  void remove(Place place);
  std::vector<WorkerDoing> now() const;  // in the order in which they were added

 private:
  mutable std::mutex mutex_;
  std::map<Place, WorkerDoing> doings_;
  Place last_ = 0;
};

}  // namespace iosx
