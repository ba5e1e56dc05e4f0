#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>

#include "core/base/function_ref.h"
#include "core/devices/cpu/team.h"
#include "core/devices/cpu/team_signal.h"

namespace iosx {

// Calls function(argument) on this thread while it has `seat`; returns what was thrown, if anything.
std::exception_ptr call_seated(FunctionRef<void(int)> function, int argument, const Seat& seat) noexcept;

// Owns one thread that does a task at a time. start() and finish() alternate; they are called by one thread at a time.
class TeamWorker {
 public:
  static constexpr int kUnpinned = -1;

  // Throws std::system_error if the system gives no thread. `core` says where the thread stays, as in CorePin.
  TeamWorker(const Watch& watch, int core);
  ~TeamWorker();
  TeamWorker(const TeamWorker&) = delete;
  TeamWorker& operator=(const TeamWorker&) = delete;

  // `function` must live until finish().
  void start(FunctionRef<void(int)> function, int argument, const Seat& seat);
  // Waits for the end of the task; returns what it threw, if anything.
  std::exception_ptr finish();

 private:
  struct Task {
    FunctionRef<void(int)> function;
    int argument;
    Seat seat;
    bool last;  // do nothing and end the thread
  };

  void post(const Task& task);
  void work(int core);

  // These are written by whoever gives tasks and read by the thread: they share a cache line.
  alignas(kCacheLinePair) Signal go_;
  std::uint32_t finished_ = 0;  // count of done_ before the current task; for finish() only
  Task task_;
  // These are written by the thread and read by whoever waits for it.
  alignas(kCacheLinePair) Signal done_;
  std::exception_ptr error_;
  const Watch watch_;
  std::thread thread_;
};

}  // namespace iosx
