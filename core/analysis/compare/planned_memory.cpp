#include "core/analysis/compare/planned_memory.h"

namespace iosx {

MemoryBudget memory_budget(const DeviceInfo& device, std::int64_t bytes) {
  constexpr std::int64_t kAlignment = 256;  // of CUDA's allocations
  const bool half = device.precision == "f16" || device.precision == "bf16";
  return {.bytes = bytes, .element_bytes = half ? 2 : 4, .alignment = kAlignment};
}

std::int64_t planned_peak(const ExecutionPlan& plan, const DeviceInfo& device) {
  const MemoryBudget as = memory_budget(device, 0);
  return plan_memory(plan, as.element_bytes, as.alignment).peak_bytes;
}

}  // namespace iosx
