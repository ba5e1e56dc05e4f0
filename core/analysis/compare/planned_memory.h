#pragma once

#include <cstdint>

#include "core/devices/device.h"
#include "core/model/plan/lanes/limited_lanes.h"
#include "core/model/plan/memory_plan.h"

namespace iosx {

// What limits and peaks of memory are said in.
inline constexpr double kMegabyte = 1e6;  // bytes
inline double megabytes(std::int64_t bytes) { return static_cast<double>(bytes) / kMegabyte; }

// How tensors lie in a device's memory as far as a plan can know it: elements of its precision, at multiples of what
// GPUs allocate.
MemoryBudget memory_budget(const DeviceInfo& device, std::int64_t bytes);

// The planned peak: bytes that the tensors of a run take at most at once, as plan_memory() lays them out. The network's
// inputs (during the whole run) and outputs count, weights and other constants do not, nor what kernels need for
// themselves. It follows from the plan: nothing was measured, on a device that measures either (RunResult::peak_bytes).
std::int64_t planned_peak(const ExecutionPlan& plan, const DeviceInfo& device);

}  // namespace iosx
