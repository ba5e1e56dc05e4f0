#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/devices/device.h"

// Checks of a device's replies, made by Device and LoadedPlan for every request, so that no caller meets a latency
// that is not a number or too few replies. Every error names the device and calls the reply a bug of the device.
namespace iosx {

// Checks for one latency per plan, or fewer if the job was stopped. Each is a number, not negative, of the
// device's own origin, or left out.
Result<void> check_latencies(const DeviceInfo& device, std::size_t plans, std::span<const Latency> latencies,
                             bool stopped);

// Checks for a trace of this plan's lanes and stages that has each kernel once.
Result<void> check_profile(const DeviceInfo& device, const ExecutionPlan& plan, const Profile& profile);

// Checks for such latencies, one per stage; if requested, a trace of this plan's lanes and stages with each kernel
// once; if requested and the device computes, outputs of the right number and dims. Verification finds outputs that
// are not numbers.
Result<void> check_run(const DeviceInfo& device, const ExecutionPlan& plan, const RunOptions& options,
                       const RunResult& run);

}  // namespace iosx
