#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Watches the SM clock and never sets it: an idle GPU lowers its clock, a hot one throttles.
class ClockGuard {
 public:
  using Clock = std::chrono::steady_clock;
  struct Options {
    double low = 0.75;                           // a sample counts at this fraction of the settled clock or more
    double settled = 0.01;                       // the clock has settled when it changes by less within a warm-up step
    std::chrono::milliseconds warm_up_min{500};  // minimum warm-up after the GPU was idle
    std::chrono::milliseconds warm_up_max{3000};
    std::chrono::milliseconds step{20};       // of the warm-up, between two clock readings
    std::chrono::milliseconds idle{1000};     // after this time without work it has to warm up again
    std::chrono::milliseconds recovery{500};  // of work after a low clock, enough for an idle GPU to recover
    double steady = 0.05;                 // a low clock that changes by less during the recovery belongs to the work
    std::chrono::milliseconds pause{50};  // after another low clock: the GPU is hot or short of power
    // After this many pauses in a row all samples count, and throttled() says so. A sample that counts cancels half of
    // the earlier pauses.
    int max_pauses = 10;
    int max_discarded = 100;  // the same limit for discarded samples, whether or not work raised the clock
    std::function<Clock::time_point()> now = {};      // null: the clock's
    std::function<void(Clock::duration)> sleep = {};  // null: the thread sleeps
  };
  explicit ClockGuard(Runtime& runtime) : ClockGuard(runtime, Options{}) {}
  ClockGuard(Runtime& runtime, const Options& options);

  // Repeats the work, which leaves the device idle, until the clock has settled; returns at once if the GPU was busy
  // just now. Returns false if stopped.
  bool warm_up(FunctionRef<void()> work, const JobContext& job);
  // Call it after each sample, with the device idle, after the runtime recorded the sample's clock. Returns false where
  // the clock was low and the sample does not count. The work, which leaves the device idle and records its clock, was
  // then repeated until the clock was up. Where the clock stayed low and steady, that is the clock of such work:
  // samples count until it rises, and throttled() says so. Where it was not steady, or the job was stopped, the guard
  // has paused.
  bool sample_counts(FunctionRef<void()> work, const JobContext& job);
  // Returns the median clock of the samples that counted since the last call, 0 if unknown, and resets it.
  double take_clock_mhz();
  // The reference for low clocks: the highest clock to which the GPU settled or rose so far; 0 before the first
  // warm-up.
  double settled_mhz() const { return settled_mhz_; }
  std::int64_t discarded() const { return discarded_; }  // samples so far
  Clock::time_point now() const { return options_.now ? options_.now() : Clock::now(); }
  // Returns whether samples with a low clock had to count since the last call.
  bool take_throttled() { return std::exchange(throttled_, false); }
  bool throttled() const { return throttled_; }  // samples with a low clock had to count

 private:
  double measure();  // 0: unknown
  bool is_below(double clock_mhz, double usual_mhz) const { return clock_mhz < options_.low * usual_mhz; }
  bool is_low(double clock_mhz) const { return is_below(clock_mhz, of_work_mhz_ > 0 ? of_work_mhz_ : settled_mhz_); }
  bool rises(FunctionRef<void()> work, const JobContext& job);
  void work_for_a_step(FunctionRef<void()> work, const JobContext& job);
  void follow(double clock_mhz);

  Runtime& runtime_;
  Options options_;
  double settled_mhz_ = 0;
  double of_work_mhz_ = 0;  // lower than the settled clock, and steady; else 0
  Clock::time_point last_use_{};
  bool used_ = false;
  std::vector<double> clocks_;
  std::size_t next_clock_ = 0;      // in clocks_, once it is full
  std::array<double, 5> recent_{};  // of all samples that counted; a rise shows in most of them, an outlier in one
  std::size_t next_recent_ = 0;
  std::int64_t discarded_ = 0;
  int pauses_in_a_row_ = 0;
  int discarded_in_a_row_ = 0;
  bool throttled_ = false;
};

}  // namespace iosx::gpu
