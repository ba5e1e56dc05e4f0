#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/device.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"

// Checks of plans and inputs that every computing device needs, and the dims of its outputs. `device` is its
// name in messages: "CPU device".
namespace iosx {

// Returns batch × shape.
std::vector<std::int64_t> tensor_dims(const Shape& shape, std::int64_t batch);

// Returns the dims of the device's tensor for the output.
std::vector<std::int64_t> output_dims(const ExecutionPlan& plan, const PlanOutput& output);

// Returns the error for a kernel of a kind that the device cannot compute.
tl::unexpected<Error> cannot_execute(const Kernel& kernel, std::string_view device);

// Returns the error for a kernel whose indices the device's number type cannot tell apart.
tl::unexpected<Error> inexact_indices(const Kernel& kernel, std::string_view device);

// Checks that a device can execute the plan's kernels. The error names the first one that no device can (Opaque,
// sources) and its place in the file.
Result<void> check_executable(const ExecutionPlan& plan, std::string_view device);

// Checks for one tensor per plan input, each batch × filled_shape().
Result<void> check_inputs(const ExecutionPlan& plan, std::span<const Tensor> inputs, std::string_view device);

// Checks of a device's replies, made by Device and LoadedPlan for every request, so that no caller meets a latency
// that is not a number or too few replies. Every error names the device and calls the reply a bug of the device.

// Returns whether a plan may have taken so long: one that computes takes some time, which a small spread may hide.
bool is_possible(const ExecutionPlan& plan, const Latency& latency);

// Checks for one latency per plan, or fewer if the job was stopped. Each is a number, not negative and not 0 for a plan
// that computes, of a sample at least and of the device's own origin, or left out.
Result<void> check_latencies(const DeviceInfo& device, std::span<const ExecutionPlan> plans,
                             std::span<const Latency> latencies, bool stopped);

// Checks for a trace of this plan's lanes and stages that has each kernel once.
Result<void> check_profile(const DeviceInfo& device, const ExecutionPlan& plan, const Profile& profile);

// Checks for such latencies, one per stage; if requested, a trace of this plan's lanes and stages with each kernel
// once; if requested and the device computes, outputs of the right number and dims. Verification finds outputs that
// are not numbers.
Result<void> check_run(const DeviceInfo& device, const ExecutionPlan& plan, const RunOptions& options,
                       const RunResult& run);

}  // namespace iosx
