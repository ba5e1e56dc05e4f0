#include "core/devices/simulated/row_reductions.h"

#include <algorithm>
#include <array>

#include "core/devices/simulated/streams.h"

namespace iosx::simulated {
namespace {

constexpr double kWarpRow = 1024;     // columns that one warp reduces in softmax
constexpr double kLongRow = 2048;     // columns from which softmax has twice the warps
constexpr double kThreadBytes = 512;  // of one warp: 16 a thread

double missed_of(double bytes, double cache) { return bytes * bytes / (bytes * bytes + cache * cache); }

}  // namespace

KernelLoad row_reduction(const DeviceDescription& device, RowKind kind, double rows, double columns) {
  const RowCosts& costs = device.library.rows;
  const Machine& machine = device.machine;
  const bool soft = kind == RowKind::kSoftmax;
  const bool by_warp = soft && columns <= kWarpRow;
  const double rows_of_block = by_warp ? 4 : 1;
  const double passes = by_warp ? 1 : soft ? 3 : 2;
  KernelLoad load;
  load.blocks = block_count(ceil_div(rows, rows_of_block));
  load.warps = !soft || by_warp ? 4 : columns > kLongRow ? 16 : 8;
  load.blocks_per_sm = static_cast<int>(
      std::max(1.0, std::min(std::floor(machine.warp_slots_per_sm / load.warps), machine.blocks_per_sm)));
  const double row_bytes = columns * device.element_bytes;
  const double held =
      std::min<double>(load.blocks_per_sm, ceil_div(load.blocks, machine.sms)) * rows_of_block * row_bytes;
  const double again = passes > 1 ? (passes - 1) * missed_of(held, costs.l1_kept * device.l1_bytes) *
                                        missed_of(machine.sms * held, costs.l2_kept * machine.l2_bytes)
                                  : 0;
  const double bytes = rows * row_bytes;
  load.dram_bytes = bytes * (2 * missed(device, 2 * bytes) + again) / costs.bandwidth / load.blocks;
  load.l2_bytes = 2 * bytes / load.blocks;
  load.fixed_us = costs.fixed_us + costs.pass_us * passes * row_bytes / (load.warps * kThreadBytes);
  return load;
}

void window_ways(const DeviceDescription& device, double outputs, double window, double bytes, int block_outputs,
                 int max_splits, const WaySink& sink) {
  const double number = device.element_bytes;
  for (int split = 1; split <= max_splits && split <= window; split *= 2) {
    KernelLoad load = shaped(device.kernels.pool, ceil_div(outputs, block_outputs) * split);
    load.flops = outputs * window / load.blocks;
    load.l2_bytes = (outputs * window + outputs * split) * number / load.blocks;
    load.dram_bytes = bytes * missed(device, bytes) / load.blocks;
    const std::array way{
        load, split > 1 ? elementwise(device, outputs, outputs * split * number, outputs * number) : KernelLoad{}};
    sink({way.data(), split > 1 ? 2U : 1U});
  }
}

}  // namespace iosx::simulated
