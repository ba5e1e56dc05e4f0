#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/cost/latency.h"
#include "core/graph/tensor.h"
#include "core/plan/lower.h"
#include "core/trace/trace.h"

namespace iosx {

struct DeviceInfo {
  std::string id;           // "tesla-v100": what a user types
  std::string name;         // "Tesla V100-SXM2"
  std::string summary;      // one line: SMs, clock, bandwidth
  std::string fingerprint;  // equal only where latencies are comparable: device, versions, precision
  Origin origin = Origin::kSimulated;
  LowerOptions lowering = {};     // how the plans that it runs should be made
  bool computes = false;          // runs give outputs
  std::string precision = "f32";  // "f32", "tf32" (float32 tensors, products of 10-bit mantissas), "f16", "bf16"
};

// How long to measure. A deterministic device measures once, whatever this says.
struct TimingOptions {
  int warmup = 2;         // untimed runs first
  int repeats = 5;        // timed runs at least
  int max_repeats = 100;  // and at most
  Millis min_time{2};     // timed runs together take at least so long
  // Timing ends when the half width of the median's 95 % confidence interval is below this part of it.
  double precision = 0.02;
  Millis max_time{200};  // timed runs are enough after so long, however noisy; `repeats` of them are made all the same
};

struct RunOptions {
  TimingOptions timing = {};
  bool trace = false;               // also return a trace of one run
  bool outputs = false;             // also return the outputs of one run
  std::vector<Tensor> inputs = {};  // one a plan input, batch × shape; empty: made up (synthetic_inputs())
};

struct RunResult {
  Latency latency;                       // end to end
  std::vector<Latency> stage_latencies;  // within this run, one a plan stage
  Trace trace;                           // empty unless asked for
  std::vector<Tensor> outputs = {};      // one a plan output, batch × shape; empty unless asked for
  std::int64_t peak_bytes = 0;           // of device memory for tensors, weights left out; 0: not known
  double clock_mhz = 0;                  // at which it was measured, the median; 0: not known
  std::int64_t discarded = 0;            // samples thrown away because the clock was low
  bool low_clock = false;                // it stayed low, so that such samples count all the same
};

// What a network is fed when nobody gives inputs: one tensor a plan input, the same numbers everywhere.
std::vector<Tensor> synthetic_inputs(const ExecutionPlan& plan, ParameterInit init = ParameterInit::kScaled);

// Something that runs plans. Requests are coarse and hold only values, so that a device may live in another process.
// One request at a time; may be called from any thread.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;

  // The latency of each plan on its own, in order; on a stop request a prefix.
  virtual Result<std::vector<Latency>> measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                               const JobContext& job) = 0;
  virtual Result<RunResult> run(const ExecutionPlan& plan, const RunOptions& options, const JobContext& job) = 0;
};

}  // namespace iosx
