#pragma once

#include <cstdint>

#include "core/devices/device.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/plan/memory_plan.h"

namespace iosx {

// The unit of memory limits and peaks.
inline constexpr double kMegabyte = 1e6;  // bytes
inline double megabytes(std::int64_t bytes) { return static_cast<double>(bytes) / kMegabyte; }

// Returns the layout of tensors in a device's memory as far as a plan can know it: elements of its precision, at
// multiples of GPUs' allocation unit.
MemoryBudget memory_budget(const DeviceInfo& device, std::int64_t bytes);

// Returns the planned peak: the most bytes that a run's tensors take at once in the layout of plan_memory(). The
// network's inputs (during the whole run) and outputs count; weights, other constants and the kernels' own memory do
// not. It follows from the plan and is not measured, also on a measuring device (RunResult::peak_bytes).
std::int64_t planned_peak(const ExecutionPlan& plan, const DeviceInfo& device);

}  // namespace iosx
