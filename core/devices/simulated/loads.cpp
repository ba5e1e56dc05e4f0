#include "core/devices/simulated/loads.h"

#include <algorithm>

namespace iosx::simulated {

double missed(const DeviceDescription& device, double bytes) {
  const double kept = device.library.cache_kept * device.machine.l2_bytes;
  return bytes > 0 ? bytes * bytes / (bytes * bytes + kept * kept) : 0;
}

int block_count(double blocks) { return static_cast<int>(std::clamp(blocks, 1.0, 2e9)); }

KernelLoad shaped(const ThreadKernel& kernel, double blocks) {
  KernelLoad load;
  load.blocks = block_count(blocks);
  load.warps = kernel.warps;
  load.blocks_per_sm = kernel.blocks_per_sm;
  load.parallelism = kernel.parallelism;
  load.efficiency = kernel.efficiency;
  load.bytes_in_flight = kernel.bytes_in_flight;
  return load;
}

double duration(const Machine& machine, std::span<const KernelLoad> way) {
  double us = 0;
  for (const KernelLoad& load : way) us += machine.start_us + solo_duration(machine, load);
  return us;
}

}  // namespace iosx::simulated
