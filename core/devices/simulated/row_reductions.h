#pragma once

#include "core/devices/simulated/loads.h"

// Reduction kernels: rows of softmax and normalization, windows of pools.
namespace iosx::simulated {

enum class RowKind { kSoftmax, kNormalize };

// Returns the load of softmax or a normalization over rows of `columns` numbers.
//
// A block holds whole rows (softmax of up to 1,024 columns: four, one per warp) and reads them once, three times
// (longer softmax) or twice (normalization). Both cache levels keep what fits for the next pass; the rest crosses
// memory again. A pass costs pass_us per 16 bytes of a thread.
//
// Example: softmax of 1,000 rows of 512 floats is 250 blocks of 4 warps and one pass over 2,048 bytes by 128 threads,
// fixed_us + pass_us · 2,048 / (128 · 16) = fixed_us + pass_us.
KernelLoad row_reduction(const DeviceDescription& device, RowKind kind, double rows, double columns);

// Calls `sink` with the ways to compute `outputs` numbers from windows of `window` inputs each. One block of
// `block_outputs` outputs reads a window, or up to `max_splits` blocks do, and a second kernel adds their parts.
// `bytes` counts reads and writes.
//
// Example: a global pool of 32 maps of 256 × 256 pixels is one block of 32 outputs that reads 8 MiB; in 64 parts it is
// 64 blocks that read 128 KiB each, and a kernel that reads 32 · 64 sums.
void window_ways(const DeviceDescription& device, double outputs, double window, double bytes, int block_outputs,
                 int max_splits, const WaySink& sink);

}  // namespace iosx::simulated
