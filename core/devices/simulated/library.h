#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace iosx::simulated {

// A tile is the part of a matrix product that one block makes: rows × columns sums of products.
struct Tile {
  int rows = 0;
  int columns = 0;
  int warps = 0;          // of one block
  int blocks_per_sm = 0;  // that registers and shared memory allow
  int slices = 1;         // groups of warps that share out the reduction
};

// Says what any tile of a library costs (products.h has the formula).
struct TileCosts {
  double efficiency = 1;               // share of the peak of a tile without end
  double smallest = 0;                 // 1/rows + 1/columns at which nothing is left of that; 0: tiles are all alike
  double parallelism = 1;              // as ThreadKernel's
  double fill_us = 0;                  // until the pipeline is full
  double written_bytes_per_cycle = 0;  // of a multiprocessor, where blocks write their tiles; 0: any
  double l2_traffic = 1;               // bytes over those of the tile's rows and columns
  int depth_step = 1;                  // the reduction is rounded up to these
  int channel_step = 1;                // so are the channels of convolutions
};

// These are the kernels that make matrix products, or convolutions as matrix products of pixels and filters.
struct TileKernels {
  std::vector<Tile> tiles;
  double efficiency = 1;    // times TileCosts::efficiency
  double chain_cycles = 0;  // of one step of the reduction, which waits for the one before; 0: hidden
  int max_split = 1;        // of the reduction among blocks; a second kernel adds their parts
  int least_split_depth = 1;
  bool both_ways = false;  // tiles may also lie with rows and columns exchanged
};

// Holds what multiplies: CUDA cores or tensor cores.
struct Multiplier {
  TileCosts costs;
  TileKernels convolutions;
  TileKernels products;
};

// A block of the Winograd kernel that does all in one makes 32 channels of this many pixels.
struct FusedTile {
  int images = 1;
  int rows = 1;
  int columns = 1;
  int blocks_per_sm = 1;
};

// Holds what a library has for the GPUs from a compute capability on.
struct Generation {
  double from_compute_capability = 0;
  double tile_efficiency = 1;    // times TileKernels::efficiency of float32
  double chain_factor = 1;       // of TileKernels::chain_cycles of float32 convolutions
  double tensor_l2_traffic = 1;  // TileCosts::l2_traffic on tensor cores
  // Both factors of a product may have their rows along the reduction, as a fully connected layer's. Where rows are so
  // long that each of a tile's is on other pages of memory, its arithmetic takes up to 1 + far_row_cost times as long,
  // half of that at rows of far_row_bytes.
  double far_row_bytes = 1;
  double far_row_cost = 0;
  TileKernels batched;  // of several products at once: fewer tiles, always the same way round, never split
  std::vector<FusedTile> fused_tiles;  // both empty: it has no Winograd kernels
  std::vector<Tile> winograd_tiles;
};

struct WinogradCosts {
  double fused_efficiency = 1;  // of the peak
  double fused_fill_us = 0;
  double transform_bandwidth = 1;  // share of the memory's that transforms of data reach
  double filters_again = 0;  // bytes of transformed filters that cross memory again, over those that miss the cache
};

struct StreamCosts {
  int elements = 0;  // of one block
  int warps = 0;
  int blocks_per_sm = 0;
  double efficiency = 1;
  double fixed_us = 0;
};

// Softmax and normalization (row_reductions.h has the formula).
struct RowCosts {
  double fixed_us = 0;
  double pass_us = 0;    // of one pass over 16 bytes a thread
  double l1_kept = 1;    // part of the first-level cache that rows have, from one pass to the next
  double l2_kept = 1;    // and of the second-level one
  double bandwidth = 1;  // share of the memory's
};

// Describes the libraries of NVIDIA, cuDNN and cuBLAS: the fastest of their ways to compute something is taken.
struct LibraryModel {
  std::string source;
  std::uint64_t checksum = 0;
  double cache_kept = 1;     // part of the second-level cache that holds a kernel's data
  double l2_bandwidth = 1;   // share of the second-level cache's
  double launch_gap_us = 0;  // between two kernels of one operator in the measurements that it was fitted to
  Multiplier float32;
  Multiplier tensor;
  Generation generation;                // that of the device
  std::vector<Generation> generations;  // from the oldest on
  WinogradCosts winograd;
  StreamCosts streams;
  RowCosts rows;
};

// Reads the JSON description of a library. Every key is required; unknown keys and values out of range are errors that
// name the key. `origin` leads every message.
Result<LibraryModel> parse_library(std::string_view json, const std::string& origin);

}  // namespace iosx::simulated
