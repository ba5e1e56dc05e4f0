#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/cost/latency.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/lower_options.h"
#include "core/model/trace/trace.h"
#include "core/options/option.h"

namespace iosx {

// Keeps the chosen method of a device per problem, from run to run. Methods round differently and the fastest is found
// by trials: without a keeper two runs could give outputs that differ in their last bits. Problems and methods are
// texts of the device.
class MethodKeeper {
 public:
  virtual ~MethodKeeper() = default;

  // Returns the kept method of the problem; none where there is none or it cannot be read.
  virtual std::optional<std::string> find(const std::string& problem) = 0;
  // Keeps the method, unless another process has kept one since, and returns the valid one.
  virtual std::string keep(const std::string& problem, const std::string& method) = 0;
};

struct DeviceInfo {
  std::string id;           // "tesla-v100", for users to type
  std::string name;         // "Tesla V100-SXM2"
  std::string summary;      // one line: SMs, clock, bandwidth
  std::string fingerprint;  // equal only where latencies are comparable: device, versions, precision
  Origin origin = Origin::kSimulated;
  LowerOptions lowering = {};        // for the plans that it runs
  InterStageOverhead overhead = {};  // time of a run beyond the latencies of its stages
  // Plans worth putting into one measure() request. The replies of one request are stored together, so fewer plans
  // lose less on an interruption.
  std::size_t plans_at_once = 64;
  bool computes = false;          // runs return outputs
  bool barrier_free = false;      // runs lanes concurrently without stages, so that their latencies are meaningful
  int threads = 0;                // of a processor; else 0
  std::string precision = "f32";  // "f32", "tf32" (float32 tensors, products of 10-bit mantissas), "f16", "bf16"
  Message grade = {};             // how far a simulated device was compared with measurements; empty: it measures
  Message caution = {};           // limits of its figures, in a sentence for the user; empty: none
  friend bool operator==(const DeviceInfo&, const DeviceInfo&) = default;
};

// Peak rates and memory of a device, in its precision.
struct PeakRates {
  double flops_per_s = 0;
  double bytes_per_s = 0;  // memory bandwidth
  std::int64_t element_bytes = 4;
  std::int64_t memory_bytes = 0;  // 0: unknown, or the device refuses what does not fit
};

// Lists the uses that measure times.
inline constexpr Uses kTimedUses =
    use::kMeasuredSearches | use::kExperiments | use::kRun | use::kMeasureStages | use::kMeasureOperators;

// How long to measure. A deterministic device measures once, whatever this says.
struct TimingOptions {
  int warmup = 2;         // untimed runs at the start
  int repeats = 5;        // timed runs, at least
  int max_repeats = 100;  // timed runs, at most
  Millis min_time{2};     // total time of the timed runs, at least
  // Timing ends when half the width of the median's 95 % confidence interval is below this fraction of it.
  double precision = 0.02;
  Millis max_time{200};  // timing ends after this, however noisy, once `repeats` runs are made
  friend bool operator==(const TimingOptions&, const TimingOptions&) = default;
};
template <>
inline constexpr auto kOptionTable<TimingOptions> = std::tuple{
    option(&TimingOptions::warmup, {.id = "warmup",
                                    .title = Sentence{"Warm-up runs"},
                                    .help = Sentence{"Untimed runs before the timed ones"},
                                    .bounds = {0, 10'000},
                                    .uses = kTimedUses,
                                    .not_with_replay = use::kAll}),
    option(&TimingOptions::repeats,
           {.id = "repeat",
            .title = Sentence{"Minimum timed runs"},
            .help =
                Sentence{"Time every stage this often, and every schedule this often in each of its rounds, instead of "
                         "until the median is known well; a simulated device runs once"},
            .bounds = {1, 100'000},
            .key = "repeats",
            .uses = kTimedUses,
            .not_with_replay = use::kAll},
           [](TimingOptions& timing, int runs) { timing.repeats = timing.max_repeats = runs; }),
    option(&TimingOptions::max_repeats, {.id = "max_repeats",
                                         .title = Sentence{"Maximum timed runs"},
                                         .help = Sentence{"Timing ends after this many runs, however noisy they are"},
                                         .bounds = {1, 100'000},
                                         .uses = kTimedUses,
                                         .not_with_replay = use::kAll}),
    option(&TimingOptions::min_time,
           {.id = "min_time",
            .title = Sentence{"Minimum time"},
            .help = Sentence{"Time everything for at least this long, with as many runs as that takes"},
            .bounds = {0, 60'000},
            .unit = "ms",
            .key = "min_time_ms",
            .python = "min_time_ms",
            .uses = kTimedUses,
            .not_with_replay = use::kAll},
           [](TimingOptions& timing, Millis time) {
             timing.min_time = time;
             if (time > Millis(0)) timing.max_repeats = 100'000;  // so that short runs fill it
           }),
    option(&TimingOptions::precision,
           {.id = "precision",
            .title = Sentence{"Precision"},
            .help = Sentence{"Timing ends when the 95 % confidence interval of the median is within this part of it"},
            .bounds = {0.1, 50},
            .unit = "%",
            .scale = 0.01,
            .uses = kTimedUses,
            .not_with_replay = use::kAll}),
    option(&TimingOptions::max_time,
           {.id = "max_time",
            .title = Sentence{"Maximum time"},
            .help = Sentence{"Timing ends after this long, however noisy the runs are, but not before the minimum of "
                             "runs is made"},
            .bounds = {0, 3'600'000},
            .unit = "ms",
            .key = "max_time_ms",
            .python = "max_time_ms",
            .uses = kTimedUses,
            .not_with_replay = use::kAll})};

// Returns options for a quick estimate of a latency that most likely does not matter: fewer runs, within a few per
// cent.
TimingOptions quick_estimate(const TimingOptions& timing);

struct RunOptions {
  TimingOptions timing = {};
  bool trace = false;    // also return a trace of one run
  bool outputs = false;  // also return the outputs of one run
  // Measures the host's wait for one run, from its launch on, which is comparable with programs that have no other
  // clock. Otherwise a device with its own clock uses that, without launch and wait.
  bool host_clock = false;
  std::vector<Tensor> inputs = {};  // one per plan input, batch × filled_shape(); empty: made up (synthetic_inputs())
};

struct RunResult {
  Latency latency;                       // end to end
  std::vector<Latency> stage_latencies;  // within this run, one per plan stage; none for a barrier-free plan
  Trace trace;                           // empty unless requested
  std::vector<Tensor> outputs = {};      // one per plan output, batch × shape; empty unless requested
  std::int64_t peak_bytes = 0;           // device memory for tensors without weights; 0: unknown
  std::int64_t discarded = 0;            // samples dropped because the clock was low
  bool low_clock = false;                // the clock stayed low, so such samples count
  // The latency's samples in run order, each the time of one run. Empty for a device without noise, and where several
  // runs are timed as one.
  std::vector<Millis> samples = {};
};

// Profiling slows a run down: its times are never latencies.
struct ProfileOptions {
  Micros interval{5};
  int replays = 200;
  std::vector<Tensor> inputs = {};  // as RunOptions
};
template <>
inline constexpr auto kOptionTable<ProfileOptions> =
    std::tuple{option(&ProfileOptions::interval,
                      {.id = "interval",
                       .title = Sentence{"Interval"},
                       .help = Sentence{"Time between samples of hardware counters, if the device has them"},
                       .bounds = {1, 1000},
                       .unit = "µs",
                       .key = "interval_us",
                       .python = "interval_us",
                       .uses = use::kProfile}),
               option(&ProfileOptions::replays,
                      {.id = "replays",
                       .title = Sentence{"Replays"},
                       .help = Sentence{"Runs that are laid over one another, so that short stages are seen"},
                       .bounds = {20, 5000},
                       .uses = use::kProfile}),
               member("inputs", &ProfileOptions::inputs)};

struct Profile {
  Trace trace;
  std::vector<Message> notices = {};  // what could not be recorded, why, and the remedy
};

// Returns made-up inputs: one tensor per plan input, the same numbers everywhere.
std::vector<Tensor> synthetic_inputs(const ExecutionPlan& plan, ParameterInit init = ParameterInit::kScaled);

struct LoadOptions {
  // The device may spend time, even minutes, to find the fastest way to run the plan's lanes side by side: for plans
  // whose latency is measured. Without it the plan is ready as soon as possible and computes the same.
  bool tune = false;
};

// A plan that a device holds ready to run repeatedly. Several may be loaded at once; each runs as if it were alone
// (where memory is short the device prepares one again, untimed). It must not outlive its device. Its requests and
// its destruction are requests of the device: see there.
class LoadedPlan {
 public:
  virtual ~LoadedPlan() = default;
  LoadedPlan(const LoadedPlan&) = delete;
  LoadedPlan& operator=(const LoadedPlan&) = delete;

  const ExecutionPlan& plan() const { return plan_; }
  const DeviceInfo& device() const { return device_; }
  // Returns the method that computes each kernel, by kernel id; empty where the device does not tell.
  virtual std::vector<std::string> methods() const { return {}; }

  // Runs the plan once more. Errors: inputs that do not fit, a stop, the device's, an invalid reply (checks.h).
  Result<RunResult> run(const RunOptions& options, const JobContext& job);
  // Runs it many times under the device's profiler: timeline(), then counters(). To profile several plans, request all
  // their timelines first: counting may end a device's view of launches. Errors: options out of range, and those of
  // run(). What cannot be recorded is a notice.
  Result<Profile> profile(const ProfileOptions& options, const JobContext& job);
  // Returns the kernels' times with their launches. A device that sees less returns the trace of a run.
  Result<Profile> timeline(const ProfileOptions& options, const JobContext& job);
  // Returns that timeline with hardware counters. A device without counters returns it unchanged. Counters may stay
  // switched on until the device's next other request.
  Result<Profile> counters(Profile timeline, const ProfileOptions& options, const JobContext& job);

 protected:
  // `device` is the device's own info.
  LoadedPlan(const DeviceInfo& device, ExecutionPlan plan) : device_(device), plan_(std::move(plan)) {}

  // By default these return the trace of a run and add no counters.
  virtual Result<Profile> do_timeline(const ProfileOptions& options, const JobContext& job);
  virtual Result<Profile> do_counters(Profile timeline, const ProfileOptions& options, const JobContext& job);

 private:
  virtual Result<RunResult> do_run(const RunOptions& options, const JobContext& job) = 0;

  const DeviceInfo& device_;
  ExecutionPlan plan_;
};

// Runs and measures plans. Requests are coarse and hold only values, so that a device may live in another process. It
// takes one request at a time, including those of its loaded plans, from any thread.
//
// Devices may come from third parties, so replies are checked here, once for all callers: see checks.h. The place of
// an error is the device's id, unless the device names a better one.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;                                   // the same object for the device's life
  virtual std::optional<PeakRates> peak_rates() const { return std::nullopt; }  // none: unknown

  // Returns a text that is equal only where devices may share kept methods; empty: this device keeps none.
  virtual std::string methods_key() const { return {}; }
  // Makes the device use kept methods and keep new ones. Without a keeper a rule decides, so that a second run
  // computes the same.
  virtual void keep_methods(std::unique_ptr<MethodKeeper> /*keeper*/) {}

  // Returns sentences for the user since the last call: faults that were mended.
  virtual std::vector<Message> take_notices() { return {}; }

  // Returns a device that differs from this one as this one may differ from the hardware: the draw gives it errors,
  // spread like the model's. Null for a device that measures.
  virtual std::unique_ptr<Device> redrawn(std::uint64_t /*draw*/) const { return nullptr; }

  // Returns the latency of each plan by itself, in order; on a stop, a prefix. It is for many small plans, which
  // are not kept. A plan that the device always refuses is left out: Latency::left_out().
  Result<std::vector<Latency>> measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                       const JobContext& job);
  // The replies of the last measure() that it did not return: before an error, or after the first plan without a
  // reply because of a stop. Most devices reply all at once.
  struct Answered {
    std::size_t plan = 0;
    Latency latency;
  };
  virtual std::vector<Answered> take_answered() { return {}; }
  // Prepares a plan. Errors: kernels that cannot be executed, too little memory, a stop, the device's.
  Result<std::unique_ptr<LoadedPlan>> load(ExecutionPlan plan, const LoadOptions& options, const JobContext& job);

 private:
  virtual Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                                  const JobContext& job) = 0;
  virtual Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                                      const JobContext& job) = 0;
};

// Loads a plan, runs it once and unloads it.
Result<RunResult> load_and_run(Device& device, ExecutionPlan plan, const RunOptions& options, const JobContext& job,
                               const LoadOptions& load = {});

// An additional interface of devices (core/devices/device.h) that know their piece of this host's hardware.
class OnHardware {
 public:
  virtual ~OnHardware() = default;
  // Returns its name: "GPU-8f2c…". Devices of one name, also in other processes, would disturb each other's
  // measurements.
  virtual std::string hardware() const = 0;
};

}  // namespace iosx
