#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/cost/latency.h"
#include "core/plan/execution_plan.h"
#include "core/trace/trace.h"

namespace iosx {

struct DeviceInfo {
  std::string id;           // "tesla-v100": what a user types
  std::string name;         // "Tesla V100-SXM2"
  std::string summary;      // one line: SMs, clock, bandwidth
  std::string fingerprint;  // equal only where latencies are comparable: device, versions, precision
  Origin origin = Origin::kSimulated;
};

struct RunOptions {
  int repeats = 1;     // timed runs; a deterministic device may do one
  bool trace = false;  // also return a trace of one run
};

struct RunResult {
  Latency latency;                       // end to end
  std::vector<Latency> stage_latencies;  // within this run, one a plan stage
  Trace trace;                           // empty unless asked for
};

// Something that runs plans. Requests are coarse and hold only values, so that a device may live in another process.
// One request at a time; may be called from any thread.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;

  // The latency of each plan on its own, in order; on a stop request a prefix.
  virtual Result<std::vector<Latency>> measure(std::span<const ExecutionPlan> plans, const JobContext& job) = 0;
  virtual Result<RunResult> run(const ExecutionPlan& plan, const RunOptions& options, const JobContext& job) = 0;
};

}  // namespace iosx
