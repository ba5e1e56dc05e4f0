#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>

#include "core/devices/simulated/contention_model.h"
#include "core/devices/simulated/description.h"
#include "core/model/graph/attributes.h"
#include "core/model/graph/tensor.h"

// A way to compute an operator is a list of kernels in order. The pure functions below make their
// loads from sizes.
namespace iosx::simulated {

// Receives the kernels of one way, which are valid during the call only.
using WaySink = std::function<void(std::span<const KernelLoad>)>;

inline double as_double(std::int64_t value) { return static_cast<double>(value); }
inline double ceil_div(double a, double b) { return std::ceil(a / b); }

// Returns how much of a kernel's data comes from memory: the second-level cache holds the older part of it, less
// where there is more data. With kept = cache_kept · (bytes of that cache): x² / (x² + kept²), so a half at x =
// kept, and a fifth at half of that.
double missed(const DeviceDescription& device, double bytes);

// Returns the load of an engine's own kernel without its work.
KernelLoad shaped(const ThreadKernel& kernel, double blocks);

// Returns the number of blocks, limited to the range of KernelLoad::blocks.
int block_count(double blocks);

// Returns the µs of the kernels one after another, with Machine::start_us before each.
double duration(const Machine& machine, std::span<const KernelLoad> way);

// Kernels that read and write all data once: copies, sums, activations.

// Returns the load of the library's kernel, with 1,024 elements per block. Bytes are of the whole kernel.
//
// Example: relu of 2²⁰ floats reads and writes 4 MiB each. With 900 GB/s, 0.92 of it reached, and a cache that
// keeps nothing, it takes 8,388,608 / 828,000 = 10.1 µs in 1,024 blocks.
KernelLoad stream(const DeviceDescription& device, double elements, double bytes_read, double bytes_written);

// Returns the load of the engine's own kernel, else of the library's.
KernelLoad elementwise(const DeviceDescription& device, double elements, double bytes_read, double bytes_written);

// These kernels reduce rows (softmax and normalization) or windows (pools).
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

// Matrix products in tiles, on CUDA cores or tensor cores.

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

// Calls `sink` with the library's ways to multiply matrices on CUDA cores, or like convolutions, by `multiplier`.
void matrix_ways(const DeviceDescription& device, const Multiplier& multiplier, const Product& product,
                 const WaySink& sink);

// Convolutions from the library's view, and those computed as matrix products.

// A convolution, with its groups and batch.
struct ConvProblem {
  std::int64_t batch = 1;
  Shape input;
  Shape output;
  Conv attributes;
  // The same convolution ran just before, as in a measuring loop: its weights are in the cache like other data. In a
  // network they come from memory.
  bool repeated = false;
};

// All are totals over the groups, but `channels` and `depth` are of one group.
struct ConvSizes {
  double pixels = 0;  // of the output, all samples
  double outputs = 0;
  double channels = 0;  // outputs of one group
  double depth = 0;     // length of the reduction
  double weight_bytes = 0;
  double input_bytes = 0;  // read by the kernel: a 1 × 1 kernel of stride 2 skips every second row
  double output_bytes = 0;
  double cold_bytes = 0;  // as in Product
  double warm_bytes = 0;
};

ConvSizes sizes(const DeviceDescription& device, const ConvProblem& problem);

// Calls `sink` with one matrix product of pixels × filters per group, in every tile: a 3 × 3 convolution of 64
// channels has the depth 576. The input is never written as a matrix, so its bytes count once.
void implicit_gemm_ways(const DeviceDescription& device, const ConvProblem& problem, const WaySink& sink);

// Returns the kernel of a convolution that is depthwise or has narrow groups: one thread per output.
KernelLoad direct_convolution(const DeviceDescription& device, const ConvProblem& problem);

}  // namespace iosx::simulated
