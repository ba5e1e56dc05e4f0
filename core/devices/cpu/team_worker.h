#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>

#include "core/base/function_ref.h"
#include "core/devices/cpu/team.h"
#include "core/devices/cpu/team_signal.h"

namespace iosx {

// Calls function(argument) on this thread in `seat`; returns the exception that it threw, if any.
std::exception_ptr call_seated(FunctionRef<void(int)> function, int argument, const Seat& seat) noexcept;

// Owns one thread that does one task at a time. start() and finish() alternate; one thread at a time calls them.
class TeamWorker {
 public:
  static constexpr int kUnpinned = -1;

  // Throws std::system_error where the system gives no thread. `core` is the thread's processor, as in CorePin.
  TeamWorker(const Watch& watch, int core);
  ~TeamWorker();
  TeamWorker(const TeamWorker&) = delete;
  TeamWorker& operator=(const TeamWorker&) = delete;

  // `function` must live until finish().
  void start(FunctionRef<void(int)> function, int argument, const Seat& seat);
  // Waits for the end of the task; returns the exception that it threw, if any.
  std::exception_ptr finish();

 private:
  struct Task {
    FunctionRef<void(int)> function;
    int argument;
    Seat seat;
    bool last;  // ends the thread
  };

  void post(const Task& task);
  void work(int core);

  // The caller writes these and the thread reads them: they share a cache line.
  alignas(kCacheLinePair) Signal go_;
  std::uint32_t finished_ = 0;  // count of done_ before the current task; for finish() only
  Task task_;
  // The thread writes these and the waiting caller reads them.
  alignas(kCacheLinePair) Signal done_;
  std::exception_ptr error_;
  const Watch watch_;
  std::thread thread_;
};

}  // namespace iosx
