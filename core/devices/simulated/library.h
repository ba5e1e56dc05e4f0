#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace iosx::simulated {

// The part of a matrix product that one block computes: rows × columns sums of products.
struct Tile {
  int rows = 0;
  int columns = 0;
  int warps = 0;          // of one block
  int blocks_per_sm = 0;  // limit by registers and shared memory
  int slices = 1;         // groups of warps that share the reduction
};

// The costs that all tiles of a library share (products.h has the formula).
struct TileCosts {
  double efficiency = 1;               // share of the peak for an infinite tile
  double smallest = 0;                 // 1/rows + 1/columns where the efficiency reaches 0; 0: tiles are all alike
  double parallelism = 1;              // as in ThreadKernel
  double fill_us = 0;                  // to fill the pipeline
  double written_bytes_per_cycle = 0;  // of a multiprocessor whose blocks write tiles; 0: any
  double l2_traffic = 1;               // bytes relative to those of the tile's rows and columns
  int depth_step = 1;                  // the reduction is rounded up to its multiples
  int channel_step = 1;                // as are the channels of convolutions
};

// Kernels for matrix products, or for convolutions as products of pixels and filters.
struct TileKernels {
  std::vector<Tile> tiles;
  double efficiency = 1;    // times TileCosts::efficiency
  double chain_cycles = 0;  // of one step of the reduction, which depends on the previous one; 0: hidden
  int max_split = 1;        // blocks that share a reduction; a second kernel adds their parts
  int least_split_depth = 1;
  bool both_ways = false;  // rows and columns of tiles may be exchanged
};

// The multiplying units: CUDA cores or tensor cores.
struct Multiplier {
  TileCosts costs;
  TileKernels convolutions;
  TileKernels products;
};

// A block of the fused Winograd kernel computes 32 channels of this many pixels.
struct FusedTile {
  int images = 1;
  int rows = 1;
  int columns = 1;
  int blocks_per_sm = 1;
};

// A library's figures for GPUs from a compute capability on.
struct Generation {
  double from_compute_capability = 0;
  double tile_efficiency = 1;    // times TileKernels::efficiency of float32
  double chain_factor = 1;       // of TileKernels::chain_cycles of float32 convolutions
  double tensor_l2_traffic = 1;  // TileCosts::l2_traffic on tensor cores
  // Both factors of a product may have rows along the reduction, as in a fully connected layer. Where rows are so long
  // that each row of a tile lies in other memory pages, its arithmetic takes up to 1 + far_row_cost times as long;
  // half of that extra at rows of far_row_bytes.
  double far_row_bytes = 1;
  double far_row_cost = 0;
  TileKernels batched;                 // for several products at once: fewer tiles, one orientation, no split
  std::vector<FusedTile> fused_tiles;  // both empty: no Winograd kernels
  std::vector<Tile> winograd_tiles;
};

struct WinogradCosts {
  double fused_efficiency = 1;  // of the peak
  double fused_fill_us = 0;
  double transform_bandwidth = 1;  // share of memory bandwidth in transforms of data
  double filters_again = 0;        // bytes of transformed filters that cross memory again, relative to cache misses
};

struct StreamCosts {
  int elements = 0;  // of one block
  int warps = 0;
  int blocks_per_sm = 0;
  double efficiency = 1;
  double fixed_us = 0;
};

// The costs of softmax and normalization (row_reductions.h has the formula).
struct RowCosts {
  double fixed_us = 0;
  double pass_us = 0;    // of one pass over 16 bytes per thread
  double l1_kept = 1;    // share of the first-level cache that keeps rows between passes
  double l2_kept = 1;    // and of the second-level cache
  double bandwidth = 1;  // share of memory bandwidth
};

// NVIDIA's libraries, cuDNN and cuBLAS: the model takes their fastest way to compute an operator.
struct LibraryModel {
  std::string source;
  std::uint64_t checksum = 0;
  double cache_kept = 1;     // share of the second-level cache that holds a kernel's data
  double l2_bandwidth = 1;   // share of the second-level cache's bandwidth
  double launch_gap_us = 0;  // between two kernels of one operator in the measurements of the fit
  Multiplier float32;
  Multiplier tensor;
  Generation generation;                // the device's
  std::vector<Generation> generations;  // the oldest first
  WinogradCosts winograd;
  StreamCosts streams;
  RowCosts rows;
};

// Reads the JSON description of a library. All keys are required. Errors name the key: unknown keys and values out of
// range. `origin` begins every message.
Result<LibraryModel> parse_library(std::string_view json, const std::string& origin);

}  // namespace iosx::simulated
