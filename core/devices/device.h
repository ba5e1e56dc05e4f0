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
#include "core/devices/method_keeper.h"
#include "core/model/cost/inter_stage_overhead.h"
#include "core/model/cost/latency.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/lower_options.h"
#include "core/model/trace/trace.h"

namespace iosx {

struct DeviceInfo {
  std::string id;           // "tesla-v100": what a user types
  std::string name;         // "Tesla V100-SXM2"
  std::string summary;      // one line: SMs, clock, bandwidth
  std::string fingerprint;  // equal only where latencies are comparable: device, versions, precision
  Origin origin = Origin::kSimulated;
  LowerOptions lowering = {};        // how the plans that it runs should be made
  InterStageOverhead overhead = {};  // what a run adds to the latencies of the stages
  // So many plans are worth one measure() request. What is asked together is kept together: who wants to lose little
  // asks for few.
  std::size_t plans_at_once = 64;
  bool computes = false;          // runs give outputs
  bool barrier_free = false;      // it runs lanes side by side without stages, so that their latencies mean something
  int threads = 0;                // that it computes with, where it is a processor
  std::string precision = "f32";  // "f32", "tf32" (float32 tensors, products of 10-bit mantissas), "f16", "bf16"
  Message grade = {};             // how far a simulated device was compared with measurements; empty: it measures
  Message caution = {};           // what its figures cannot show, in a sentence for the user; empty: nothing
  friend bool operator==(const DeviceInfo&, const DeviceInfo&) = default;
};

// Says what a device does and holds at most, in its precision.
struct PeakRates {
  double flops_per_s = 0;
  double bytes_per_s = 0;  // of its memory
  std::int64_t element_bytes = 4;
  std::int64_t memory_bytes = 0;  // 0: not known, or the device itself refuses what does not fit
};

// Says how long to measure. A deterministic device measures once, whatever this says.
struct TimingOptions {
  int warmup = 2;         // untimed runs first
  int repeats = 5;        // timed runs at least
  int max_repeats = 100;  // and at most
  Millis min_time{2};     // timed runs together take at least so long
  // Timing ends when the half width of the median's 95 % confidence interval is below this part of it.
  double precision = 0.02;
  Millis max_time{200};  // timed runs are enough after so long, however noisy; `repeats` of them are made all the same
  friend bool operator==(const TimingOptions&, const TimingOptions&) = default;
};

// Returns the options of a quick estimate of something that most likely does not matter: fewer runs, good to some per
// cent.
TimingOptions quick_estimate(const TimingOptions& timing);

struct RunOptions {
  TimingOptions timing = {};
  bool trace = false;    // also return a trace of one run
  bool outputs = false;  // also return the outputs of one run
  // The latency is what the host waits for one run by itself, from its launch on, so that it can be compared with what
  // has no other clock. Else a device with a clock of its own goes by that, without launch and wait.
  bool host_clock = false;
  std::vector<Tensor> inputs = {};  // one a plan input, batch × filled_shape(); empty: made up (synthetic_inputs())
};

struct RunResult {
  Latency latency;                       // end to end
  std::vector<Latency> stage_latencies;  // within this run, one a plan stage; none of a barrier-free plan
  Trace trace;                           // empty unless asked for
  std::vector<Tensor> outputs = {};      // one a plan output, batch × shape; empty unless asked for
  std::int64_t peak_bytes = 0;           // of device memory for tensors, weights left out; 0: not known
  std::int64_t discarded = 0;            // samples thrown away because the clock was low
  bool low_clock = false;                // it stayed low, so that such samples count all the same
  // The latency's samples in the order of the runs, where each is the time of one run; else empty: of a device without
  // noise, and where several runs are timed as one.
  std::vector<Millis> samples = {};
};

// Looking closely costs what is looked at: nothing of a profile is a latency.
struct ProfileOptions {
  Micros interval{5};               // between samples of hardware counters, if the device has them; 1 to 1000
  int replays = 200;                // that are laid over one another, 20 to 5000
  std::vector<Tensor> inputs = {};  // as RunOptions
};

struct Profile {
  Trace trace;
  std::vector<Message> notices = {};  // what could not be seen, why, and what to do about it
};

// Returns what a network is fed when nobody gives inputs: one tensor a plan input, the same numbers everywhere.
std::vector<Tensor> synthetic_inputs(const ExecutionPlan& plan, ParameterInit init = ParameterInit::kScaled);

struct LoadOptions {
  // The device may spend time, minutes even, on finding out how the plan's lanes are computed fastest side by side: for
  // plans whose latency is asked for. Without it the plan is ready as soon as it can be, and computes the same.
  bool tune = false;
};

// A loaded plan is held by a device, ready to run again and again without being prepared anew. Several may be held at
// once; each runs as if it were alone (where memory is short the device prepares one of them again, untimed). It must
// not outlive its device. Its requests, and its end, are requests of the device: see there.
class LoadedPlan {
 public:
  virtual ~LoadedPlan() = default;
  LoadedPlan(const LoadedPlan&) = delete;
  LoadedPlan& operator=(const LoadedPlan&) = delete;

  const ExecutionPlan& plan() const { return plan_; }
  const DeviceInfo& device() const { return device_; }
  // Names the method that computes each of the plan's kernels, by kernel id; empty where the device does not say.
  virtual std::vector<std::string> methods() const { return {}; }

  // Runs the plan once more. Errors are inputs that do not fit, a stop, the device's, an answer that is none to this
  // request (answers.h).
  Result<RunResult> run(const RunOptions& options, const JobContext& job);
  // Runs it many times under what the device has to look at itself with: timeline(), then counters(). Who profiles
  // several plans asks for the timelines of all of them first: a device may lose sight of launches once it has counted.
  // Errors are options out of range, and those of run(); what cannot be seen is a notice.
  Result<Profile> profile(const ProfileOptions& options, const JobContext& job);
  // Returns when its kernels ran, with their launches. A device that sees no more answers with the trace of a run.
  Result<Profile> timeline(const ProfileOptions& options, const JobContext& job);
  // Returns that timeline with the hardware's counters over it. A device without any gives it back. What it counts with
  // may stay switched on until its next other request.
  Result<Profile> counters(Profile timeline, const ProfileOptions& options, const JobContext& job);

 protected:
  // The info is the device's own.
  LoadedPlan(const DeviceInfo& device, ExecutionPlan plan) : device_(device), plan_(std::move(plan)) {}

  // Here they return the trace of a run, and add no counters.
  virtual Result<Profile> do_timeline(const ProfileOptions& options, const JobContext& job);
  virtual Result<Profile> do_counters(Profile timeline, const ProfileOptions& options, const JobContext& job);

 private:
  virtual Result<RunResult> do_run(const RunOptions& options, const JobContext& job) = 0;

  const DeviceInfo& device_;
  ExecutionPlan plan_;
};

// A device runs plans. Requests are coarse and hold only values, so that a device may live in another process. It takes
// one request at a time, those of its loaded plans included; they may come from any thread.
//
// A device may be anybody's, so what it answers is checked here, once for all who ask: see answers.h. Every error has
// the device's id as its place, unless the device names a better one.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;  // the same object as long as the device lives
  virtual std::optional<PeakRates> peak_rates() const { return std::nullopt; }  // where they are known

  // Returns a text that is equal only where methods may be kept from one device to another; empty: this one keeps none.
  virtual std::string methods_key() const { return {}; }
  // From here on the device computes by the methods that are kept, and keeps those that it finds out. Without a keeper
  // a rule decides, so that a second run computes the same.
  virtual void keep_methods(std::unique_ptr<MethodKeeper> /*keeper*/) {}

  // Returns sentences for the user since the last call: what went wrong and was mended.
  virtual std::vector<Message> take_notices() { return {}; }

  // Returns a device that is to this one as this one may be to the hardware: each kernel is off by a factor of its own,
  // which the draw decides, of the spread that the model's errors have. Null of a device that measures.
  virtual std::unique_ptr<Device> redrawn(std::uint64_t /*draw*/) const { return nullptr; }

  // Returns the latency of each plan on its own, in order; on a stop request a prefix. It is for many small plans:
  // nothing is kept of them. One that the device refuses for good is left out: Latency::left_out().
  Result<std::vector<Latency>> measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                       const JobContext& job);
  // Returns what the last measure() had answered beyond what it returned: before an error, or behind the first plan
  // that a stop left without an answer. Most devices answer all at once.
  struct Answered {
    std::size_t plan = 0;
    Latency latency;
  };
  virtual std::vector<Answered> take_answered() { return {}; }
  // Prepares a plan. Errors are what cannot be executed, not enough memory, a stop, the device's.
  Result<std::unique_ptr<LoadedPlan>> load(ExecutionPlan plan, const LoadOptions& options, const JobContext& job);

 private:
  virtual Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                                  const JobContext& job) = 0;
  virtual Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                                      const JobContext& job) = 0;
};

// Loads a plan, runs it and gives it up again, for who makes one request of it.
Result<RunResult> load_and_run(Device& device, ExecutionPlan plan, const RunOptions& options, const JobContext& job,
                               const LoadOptions& load = {});

}  // namespace iosx
