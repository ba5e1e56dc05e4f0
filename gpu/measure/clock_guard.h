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

// Keeps an eye on the SM clock, which it never sets: an idle GPU clocks down, a hot one throttles.
class ClockGuard {
 public:
  using Clock = std::chrono::steady_clock;
  struct Options {
    double low = 0.75;      // a sample counts if the clock is at least this part of the settled one
    double settled = 0.01;  // the clock has settled when it changes by less within a warm-up step
    std::chrono::milliseconds warm_up_min{500};  // at least so long after the GPU was idle
    std::chrono::milliseconds warm_up_max{3000};
    std::chrono::milliseconds step{20};       // of the warm-up, between two looks at the clock
    std::chrono::milliseconds idle{1000};     // after so long without work it has to warm up again
    std::chrono::milliseconds recovery{500};  // of work after a low clock: an idle GPU is back by then
    double steady = 0.05;                     // a low clock that changes by less during the recovery is the work's
    std::chrono::milliseconds pause{50};      // after a low clock that is not: the GPU is hot, or short of power
    // After so many pauses in a row samples count all the same, and throttled() says so. A sample that counts makes up
    // for half of those before it.
    int max_pauses = 10;
    int max_discarded = 100;  // the same for samples that were discarded, whether or not work raised the clock
    std::function<Clock::time_point()> now = {};      // null: the clock's
    std::function<void(Clock::duration)> sleep = {};  // null: the thread sleeps
  };
  explicit ClockGuard(Runtime& runtime) : ClockGuard(runtime, Options{}) {}
  ClockGuard(Runtime& runtime, const Options& options);

  // Runs the work, which leaves the device idle, again and again until the clock has settled; returns at once if the
  // GPU was busy just now. False if stopped.
  bool warm_up(FunctionRef<void()> work, const JobContext& job);
  // Call after each sample, with the device idle, whose clock the runtime noted. False: it was low, and the sample does
  // not count. Then the work, which leaves the device idle and has its clock noted, has run again and again until the
  // clock was up. Where it stayed low and steady, that is the clock of such work, with which samples count until it is
  // up again, and throttled() says so; where it did not, or the job was stopped, this has paused.
  bool sample_counts(FunctionRef<void()> work, const JobContext& job);
  // Returns the median of the clocks with samples that counted since the last call, 0 if none is known; starts anew.
  double take_clock_mhz();
  // Low clocks are compared with this one: the highest to which the GPU settled or rose since; 0 before the first
  // warm-up.
  double settled_mhz() const { return settled_mhz_; }
  std::int64_t discarded() const { return discarded_; }  // samples, so far
  Clock::time_point now() const { return options_.now ? options_.now() : Clock::now(); }
  // Says whether samples with a low clock had to count since the last call.
  bool take_throttled() { return std::exchange(throttled_, false); }
  bool throttled() const { return throttled_; }  // samples with a low clock had to count

 private:
  double measure();  // 0: not known
  bool is_below(double clock_mhz, double usual_mhz) const { return clock_mhz < options_.low * usual_mhz; }
  bool is_low(double clock_mhz) const { return is_below(clock_mhz, of_work_mhz_ > 0 ? of_work_mhz_ : settled_mhz_); }
  bool rises(FunctionRef<void()> work, const JobContext& job);
  void work_for_a_step(FunctionRef<void()> work, const JobContext& job);
  void follow(double clock_mhz);

  Runtime& runtime_;
  Options options_;
  double settled_mhz_ = 0;
  double of_work_mhz_ = 0;  // where it is lower and stands still, 0 where it is not
  Clock::time_point last_use_{};
  bool used_ = false;
  std::vector<double> clocks_;
  std::size_t next_clock_ = 0;      // in clocks_, once it is full
  std::array<double, 5> recent_{};  // whatever counted; a rise shows in most of them, an outlier in one
  std::size_t next_recent_ = 0;
  std::int64_t discarded_ = 0;
  int pauses_in_a_row_ = 0;
  int discarded_in_a_row_ = 0;
  bool throttled_ = false;
};

}  // namespace iosx::gpu
