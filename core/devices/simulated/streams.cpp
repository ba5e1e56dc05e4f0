#include "core/devices/simulated/streams.h"

namespace iosx::simulated {
namespace {

void add_traffic(const DeviceDescription& device, KernelLoad& load, double elements, double bytes) {
  load.flops = elements / load.blocks;
  load.l2_bytes = bytes / load.blocks;
  load.dram_bytes = bytes * missed(device, bytes) / load.blocks;
}

}  // namespace

KernelLoad stream(const DeviceDescription& device, double elements, double bytes_read, double bytes_written) {
  const StreamCosts& costs = device.library.streams;
  KernelLoad load;
  load.blocks = block_count(ceil_div(elements, costs.elements));
  load.warps = costs.warps;
  load.blocks_per_sm = costs.blocks_per_sm;
  load.efficiency = costs.efficiency;
  load.fixed_us = costs.fixed_us;
  add_traffic(device, load, elements, bytes_read + bytes_written);
  return load;
}

KernelLoad elementwise(const DeviceDescription& device, double elements, double bytes_read, double bytes_written) {
  if (!device.kernels.elementwise) return stream(device, elements, bytes_read, bytes_written);
  const ThreadKernel& kernel = *device.kernels.elementwise;
  KernelLoad load = shaped(kernel, ceil_div(elements, kernel.outputs));
  add_traffic(device, load, elements, bytes_read + bytes_written);
  return load;
}

}  // namespace iosx::simulated
