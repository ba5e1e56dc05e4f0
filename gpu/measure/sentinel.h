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
