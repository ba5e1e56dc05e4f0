#include "gpu/profile/metrics.h"

#include <array>

namespace iosx::gpu {
namespace {

constexpr Metric kGpuAtWork{"gr__cycles_active.sum.pct_of_peak_sustained_elapsed", "GPU at work", "%"};
// Warps in flight on the whole GPU, averaged over the cycles of a sample. Two names of one quantity: "realtime"
// ones are read together in one pass, and plain ones with plain ones.
constexpr Metric kWarpsRealtime{"sm__warps_active_realtime.sum.per_cycle_elapsed", "active warps", "warps", 1,
                                Metric::Peak::kWarpSlots};
constexpr Metric kWarps{"sm__warps_active.sum.per_cycle_elapsed", "active warps", "warps", 1, Metric::Peak::kWarpSlots};
constexpr Metric kBusySms{"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", "busy SMs", "%"};
constexpr Metric kDram{"dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM throughput", "%"};
constexpr Metric kInstructions{"sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed", "instructions", "%"};
constexpr Metric kTensor{"sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed", "tensor cores",
                         "%"};
constexpr Metric kClock{"gpc__cycles_elapsed.avg.per_second", "clock", "MHz", 1e-6, Metric::Peak::kUnknown};

}  // namespace

std::span<const std::vector<Metric>> metric_sets() {
  static const std::array<std::vector<Metric>, 5> kSets{{
      {kGpuAtWork, kWarpsRealtime, kBusySms, kDram, kInstructions, kTensor, kClock},
      {kGpuAtWork, kWarpsRealtime, kBusySms, kDram, kInstructions, kClock},
      {kGpuAtWork, kWarpsRealtime, kBusySms, kInstructions, kClock},
      {kGpuAtWork, kWarps, kBusySms, kDram, kClock},
      {kGpuAtWork, kWarps, kBusySms, kClock},
  }};
  return kSets;
}

}  // namespace iosx::gpu
