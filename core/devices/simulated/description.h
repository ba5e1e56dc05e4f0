#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/devices/simulated/captured.h"
#include "core/devices/simulated/contention_model.h"

namespace iosx::simulated {

// The part of a matrix product that one block computes: rows × columns sums of products.
struct Tile {
  int rows = 0;
  int columns = 0;
  int warps = 0;          // of one block
  int blocks_per_sm = 0;  // limit by registers and shared memory
  int slices = 1;         // groups of warps that share the reduction
};

// The costs that all tiles of a library share (loads.h has the formula).
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

// The costs of softmax and normalization (loads.h has the formula).
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

// An engine's own kernel in which each thread computes separate outputs.
struct ThreadKernel {
  int outputs = 0;               // of one block
  int warps = 0;                 // of one block
  int blocks_per_sm = 0;         // limit by registers and shared memory
  double parallelism = 1;        // independent instructions of one warp, relative to Machine::half_issue_warps
  double efficiency = 1;         // share of the peak on a full multiprocessor
  double bytes_in_flight = 512;  // open memory requests of one warp; 0: as many as needed
};

// An engine's own kernels, and how it splits operators into kernels.
struct EngineKernels {
  int max_split = 1;                        // of the reduction of a convolution
  ThreadKernel direct;                      // depthwise convolutions and other narrow groups
  double direct_traffic = 1;                // bytes that a direct convolution reads, relative to its input
  std::optional<ThreadKernel> elementwise;  // none: as the library's streams
  ThreadKernel pool;
  int global_pool_outputs = 256;  // of one block of a global pool; fewer where threads share an output
  int max_window_splits = 1;      // blocks that share a pool's window, at most; a second kernel adds their parts
  ThreadKernel linear;
  bool bias_apart_without_activation = false;  // a convolution without activation adds its bias in a second kernel
  bool copies_slices = false;                  // with several samples, copies a slice of channels before it is read
  bool concatenates_at_once = false;           // one kernel copies all inputs of a concatenation
  int max_addends = 2;                         // of one addition kernel
  bool adds_in_turns = false;  // longer sums take max_addends per kernel, the sum so far included; else one each
};

// The numbers that convolutions multiply: float32, float32 with 10-bit mantissas, or 16 bits. All but the first use
// tensor cores.
enum class NumberFormat { kFloat32, kTf32, kFloat16, kBfloat16 };

// Returns the name, as in DeviceInfo::precision.
std::string_view name_of(NumberFormat format);

// What the figures of a number format were compared with, and their error.
struct Grade {
  enum class Use {
    kFitted,             // the model's constants were fitted to measured operators of the device
    kPredicted,          // compared with measured operators of the device, not fitted to them
    kNetworks,           // fitted to published latencies of networks
    kPredictedNetworks,  // compared with measured latencies of networks, not fitted to them
  };
  Use use = Use::kFitted;
  int count = 0;  // operators or latencies
  // Mean absolute error on data outside the fit: of convolutions for operators, of latencies for networks.
  std::optional<double> error_percent = {};
};

// A device description file; after with_engine() also its library and engine.
struct DeviceDescription {
  std::string id;
  std::string name;
  std::string source;          // source of the figures
  std::uint64_t checksum = 0;  // of the files: a changed description is another device
  double fp32_tflops = 0;
  double clock_ghz = 0;  // boost clock, at which fp32_tflops holds
  // Clocks under dense float32 and tensor core load, relative to the boost clock.
  double sustained_clock = 1;
  double sustained_tensor_clock = 1;
  double memory_gb = 0;  // of 10^9 bytes
  double memory_bandwidth_gb_per_s = 0;
  double memory_share = 1;           // of that bandwidth, reached by streams
  double l2_bandwidth_gb_per_s = 0;  // at the boost clock
  double l1_bytes = 0;               // first-level cache of a multiprocessor
  double compute_capability = 0;
  std::map<NumberFormat, double> tensor_tflops;  // dense; the formats of its tensor cores
  std::map<NumberFormat, Grade> grades;          // formats without one have data sheet figures only
  Machine machine;
  LibraryModel library;
  EngineKernels kernels;
  // Launches are captured in a graph, with plans in the form of the GPU back end; else the host makes them one by
  // one, like the paper's engine.
  bool captured = false;
  std::optional<CapturedModel> launches;  // what captured ones take
  NumberFormat format = NumberFormat::kFloat32;
  double element_bytes = 4;
  double convolution_speedup = 1;  // of its multiplications, relative to fp32_tflops

  // Return sustained rates: FLOPs per µs of CUDA cores and of the units that multiply in convolutions, and cycles per
  // µs.
  double multiply_flops_per_us() const;
  double cycles_per_us() const { return clock_ghz * sustained_clock * 1e3; }
  // Returns the cycles per µs of work that mostly waits and leaves power for a higher clock.
  double boost_cycles_per_us() const { return clock_ghz * std::max(1.0, sustained_clock) * 1e3; }
  const Multiplier& multiplier() const { return format == NumberFormat::kFloat32 ? library.float32 : library.tensor; }
};

// An engine file: how launches reach a device, and the engine's own kernels.
struct EngineDescription {
  std::string source;
  std::uint64_t checksum = 0;
  bool captured = false;
  std::optional<CapturedEngine> launches;  // of a captured one, set by who reads it
  // The figures of the same names in Machine: memory latency for captured launches, the others for launches by the
  // host.
  double memory_latency_us = 0;
  double start_us = 0;
  double launch_us = 0;
  double sync_us = 0;
  EngineKernels kernels;
};

// Read JSON descriptions. All keys are required except those of tensor_tflops and measured, and elementwise. Errors
// name the key: unknown keys and values out of range. `origin` begins every message.
Result<DeviceDescription> parse_description(std::string_view json, const std::string& origin);
Result<EngineDescription> parse_engine(std::string_view json, const std::string& origin);

// Returns the formats of captured graphs on the device, the GPU back end's default first; none where the device is
// older than it supports.
std::vector<NumberFormat> captured_formats(const DeviceDescription& device);

// Returns the device with the library and the engine. Captured devices have the GPU back end's ids and names: "h200"
// for the first of captured_formats(), "h200-f16", …. With launches by the host the format is float32, and the id
// "h200-streams" where captured formats exist too. A captured engine needs its launches.
DeviceDescription with_engine(DeviceDescription device, const LibraryModel& library, const EngineDescription& engine,
                              NumberFormat format = NumberFormat::kFloat32);

// Returns the device's grade for its format in words: "fitted to 4000 operators, others off by 7.4 %", …, "data
// sheet only". Captured launches without a grade are scaled from those of a measured device or format.
Message grade_words(const DeviceDescription& device);

// Sets the derived figures of Machine: peak and bandwidths. Call it after changing their inputs.
void derive_machine(DeviceDescription& device);

// Returns the device with errors of its captured launches drawn; the same device where these have no fitted figures.
DeviceDescription redrawn(DeviceDescription device, std::uint64_t draw);

}  // namespace iosx::simulated
