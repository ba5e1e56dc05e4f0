#pragma once

#include "core/devices/simulated/loads.h"

// Matrix products in tiles, on CUDA cores or tensor cores.
namespace iosx::simulated {

// `count` products of rows × depth by depth × columns.
struct Product {
  double rows = 0;
  double columns = 0;
  double depth = 0;
  double count = 1;
  double row_bytes = 0;  // between rows along the reduction, where both factors have such rows; else 0
  // Bytes of all products: `cold_bytes` always come from memory, `warm_bytes` only where the cache misses.
  double cold_bytes = 0;
  double warm_bytes = 0;
};

// Returns the load of the kernel that cuts the products into tiles and each reduction into `split` parts.
//
// A tile of r × c does 2·r·c·d FLOPs, where d is the depth of its part rounded up to depth_step, at
//   e = efficiency · (1 - ((1/r + 1/c) / smallest)²)
// of the peak (less where rows are far apart: Generation), reads (r + c)·d numbers and writes r·c. Its steps depend
// on one another: each depth_step takes chain_cycles, shared among `slices`.
//
// Example: 1,000 × 100 by 100 × 200 in tiles of 128 × 64 are 8 · 4 = 32 blocks. With steps of 8, d is 104, and a
// block does 2 · 128 · 64 · 104 = 1,703,936 FLOPs.
KernelLoad tile_load(const DeviceDescription& device, const Multiplier& multiplier, const TileKernels& kernels,
                     const Tile& tile, int split, const Product& product);

// Returns KernelLoad::epilogue_us for blocks that write that many bytes each.
double epilogue_us(const DeviceDescription& device, const TileCosts& costs, double bytes);

// Calls `sink` for every tile, in both orientations where possible, and every split up to `max_split`; a split adds
// a second kernel that sums the parts.
void product_ways(const DeviceDescription& device, const Multiplier& multiplier, const TileKernels& kernels,
                  int max_split, const Product& product, const WaySink& sink);

// Calls `sink` with the library's ways to multiply matrices on CUDA cores, or like convolutions, by `multiplier`.
void matrix_ways(const DeviceDescription& device, const Multiplier& multiplier, const Product& product,
                 const WaySink& sink);

}  // namespace iosx::simulated
