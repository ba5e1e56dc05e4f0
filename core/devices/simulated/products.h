#pragma once

#include "core/devices/simulated/loads.h"

// Matrix products in tiles, on CUDA cores or tensor cores.
namespace iosx::simulated {

// Describes `count` products of rows × depth by depth × columns.
struct Product {
  double rows = 0;
  double columns = 0;
  double depth = 0;
  double count = 1;
  double row_bytes = 0;  // from row to row along the reduction, where both factors have theirs that way; else 0
  // Bytes of all of them: `cold_bytes` come from memory in any case, of `warm_bytes` what the cache misses.
  double cold_bytes = 0;
  double warm_bytes = 0;
};

// Returns the load of the kernel that cuts the products into tiles and each reduction into `split` parts.
//
// A tile of r × c makes 2·r·c·d FLOPs, d being the depth of its part rounded up to depth_step, at
//   e = efficiency · (1 - ((1/r + 1/c) / smallest)²)
// of the peak, less where rows are far apart (Generation), reads (r + c)·d numbers and writes r·c of them. Its steps
// wait for one another: chain_cycles for each depth_step, shared out among `slices`.
//
// Example: 1,000 × 100 by 100 × 200 in tiles of 128 × 64 are 8 · 4 = 32 blocks; with steps of 8, d is 104 and a block
// makes 2 · 128 · 64 · 104 = 1,703,936 FLOPs.
KernelLoad tile_load(const DeviceDescription& device, const Multiplier& multiplier, const TileKernels& kernels,
                     const Tile& tile, int split, const Product& product);

// Returns KernelLoad::epilogue_us of blocks that write so many bytes each.
double epilogue_us(const DeviceDescription& device, const TileCosts& costs, double bytes);

// Calls `sink` for every tile, both ways round where they can be, and every split up to `max_split`; a split needs a
// second kernel that adds the parts.
void product_ways(const DeviceDescription& device, const Multiplier& multiplier, const TileKernels& kernels,
                  int max_split, const Product& product, const WaySink& sink);

// Calls `sink` with the library's ways to multiply matrices on CUDA cores, or as convolutions are, by `multiplier`.
void matrix_ways(const DeviceDescription& device, const Multiplier& multiplier, const Product& product,
                 const WaySink& sink);

}  // namespace iosx::simulated
