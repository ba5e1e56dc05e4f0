#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/cost/latency.h"
#include "gpu/measure/clock_guard.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// A sentinel is a fixed piece of work on memory of its own, timed between batches of measurements: if it takes longer
// or shorter than before, the GPU has drifted (heat, power, somebody else's work), and with it what was measured in
// between. Its kernels are ours, so that it is the same work in every program.
class Sentinel {
 public:
  struct Options {
    double tolerance = 0.03;                        // what the work may change by across a batch
    int repeats = 2;                                // of a batch during which it changed by more
    int samples = 5;                                // replays of a reading; their median counts
    int launches = 64;                              // a replay has so many kernels, one after another
    std::int64_t elements = std::int64_t{1} << 20;  // float32, of each kernel
    // A batch that begins so soon after a reading takes it for its first.
    std::chrono::milliseconds lasts{50};
  };
  // Takes memory at the first reading, 12 bytes an element.
  Sentinel(Runtime& runtime, ClockGuard& guard) : Sentinel(runtime, guard, Options{}) {}
  Sentinel(Runtime& runtime, ClockGuard& guard, const Options& options)
      : runtime_(runtime), guard_(guard), options_(options) {}

  using Batch = FunctionRef<Result<std::vector<Latency>>()>;
  // Returns the batch's latencies. `batch` is called again where the sentinel moved during it, at most options.repeats
  // times; the last time counts then, with the move added to the spreads. What comes back before the job's stop or an
  // error is not looked at. Batches should take some 100 ms: long against a reading, short against what heats a GPU.
  Result<std::vector<Latency>> measure_watched(Batch batch, const JobContext& job);

  // Times the work; returns nothing if stopped. The first reading, after a warm-up, is what drift() compares with.
  std::optional<Millis> read(const JobContext& job);
  // Returns the last reading over the first; 1 before the second.
  double drift() const { return first_ ? *last_ / *first_ : 1; }
  std::int64_t repeated() const { return repeated_; }  // batches measured again, so far
  std::int64_t drifted() const { return drifted_; }    // batches accepted all the same
  // Gives the memory back and forgets the readings, as after an exception or when memory is short.
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
