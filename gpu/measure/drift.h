#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/cost/latency.h"
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

// A fixed piece of work on its own memory, timed between batches of measurements. If its time changes, the GPU has
// drifted (heat, power, other programs' work), and with it the measurements in between. It uses our own kernels, so
// that it is the same work in every program.
class Sentinel {
 public:
  struct Options {
    double tolerance = 0.03;                        // allowed change of its time over a batch
    int repeats = 2;                                // of a batch with a larger change
    int samples = 5;                                // replays per reading; their median counts
    int launches = 64;                              // kernels per replay, one after another
    std::int64_t elements = std::int64_t{1} << 20;  // float32, per kernel
    // A batch that begins this soon after a reading uses it as its first.
    std::chrono::milliseconds lasts{50};
  };
  // Allocates memory at the first reading, 12 bytes per element.
  Sentinel(Runtime& runtime, ClockGuard& guard) : Sentinel(runtime, guard, Options{}) {}
  Sentinel(Runtime& runtime, ClockGuard& guard, const Options& options)
      : runtime_(runtime), guard_(guard), options_(options) {}

  using Batch = FunctionRef<Result<std::vector<Latency>>()>;
  // Returns the batch's latencies. Calls `batch` again where the sentinel moved during it, at most options.repeats
  // times; the last one then counts, with the move added to the spreads. After the job's stop or an error it takes no
  // reading. Batches should take about 100 ms: long against a reading, short against what heats a GPU.
  Result<std::vector<Latency>> measure_watched(Batch batch, const JobContext& job);

  // Times the work; returns none if stopped. The first reading, after a warm-up, is the reference of drift().
  std::optional<Millis> read(const JobContext& job);
  // Returns the last reading over the first; 1 before the second.
  double drift() const { return first_ ? *last_ / *first_ : 1; }
  std::int64_t repeated() const { return repeated_; }  // batches measured again so far
  std::int64_t drifted() const { return drifted_; }    // batches accepted in spite of a move
  // Frees the memory and forgets the readings, for example after an exception or when memory is short.
  void reset();

 private:
  void prepare();
  Millis replay();

  Runtime& runtime_;
  ClockGuard& guard_;
  Options options_;
  std::vector<DeviceMemory> memory_;
  std::unique_ptr<CapturedGraph> graph_;
  std::optional<Millis> first_;
  std::optional<Millis> last_;
  ClockGuard::Clock::time_point last_at_{};
  std::int64_t repeated_ = 0;
  std::int64_t drifted_ = 0;
};

}  // namespace iosx::gpu
