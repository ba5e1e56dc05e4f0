#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/devices/device.h"

// These check whether what a device answered is an answer to what it was asked. Every error names the device and says
// that this is a bug of it. Device and LoadedPlan ask this of every answer, so that nobody behind them meets a latency
// that is no number, or fewer answers than questions.
namespace iosx {

// Wants one latency a plan, fewer only if the job was stopped; each is a number, not negative, of the device's own
// origin, or left out.
Result<void> check_latencies(const DeviceInfo& device, std::size_t plans, std::span<const Latency> latencies,
                             bool stopped);

// Wants a trace of this plan's lanes and stages with each kernel once.
Result<void> check_profile(const DeviceInfo& device, const ExecutionPlan& plan, const Profile& profile);

// Wants such latencies, one a stage; a trace, if asked for, of this plan's lanes and stages with each kernel once;
// outputs, if asked for and the device computes, of the right number and dims. Outputs that are not numbers are for
// verification to find.
Result<void> check_run(const DeviceInfo& device, const ExecutionPlan& plan, const RunOptions& options,
                       const RunResult& run);

}  // namespace iosx
