#include "core/devices/simulated/loads.h"

#include <algorithm>
#include <array>
#include <utility>

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
  for (const KernelLoad& load : way) us += machine.start_us + load.dead_us + solo_duration(machine, load);
  return us;
}

namespace {

void add_traffic(const DeviceDescription& device, KernelLoad& load, double elements, double bytes) {
  load.flops = elements / load.blocks;
  load.l2_bytes = bytes / load.blocks;
  load.dram_bytes = bytes * missed(device, bytes) / load.blocks;
}

constexpr double kWarpRow = 1024;     // columns that one warp reduces in softmax
constexpr double kLongRow = 2048;     // columns from which softmax has twice the warps
constexpr double kThreadBytes = 512;  // of one warp: 16 a thread

double missed_of(double bytes, double cache) { return bytes * bytes / (bytes * bytes + cache * cache); }

constexpr double kLeastEfficiency = 0.05;  // tiles too small for the formula

double tile_efficiency(const TileCosts& costs, const Tile& tile) {
  const double sides = 1.0 / tile.rows + 1.0 / tile.columns;
  const double lost = costs.smallest > 0 ? sides / costs.smallest : 0;
  return std::max(kLeastEfficiency, costs.efficiency * (1 - lost * lost));
}

double far_row_factor(const Generation& generation, double row_bytes) {
  const double rows = row_bytes / generation.far_row_bytes;
  const double far = rows * rows * rows;
  return 1 + generation.far_row_cost * far / (1 + far);
}

constexpr double kSectorBytes = 32;  // the least that is read of memory

// Returns the part of the input that is read where a stride passes over rows and columns. Passing over columns saves
// what lies in whole sectors: with tensor cores all channels of a pixel lie together, otherwise the pixels of a row do.
double read_part(const DeviceDescription& device, const Conv& conv) {
  const double rows = std::min(1.0, as_double(conv.kernel.height) / as_double(conv.stride.height));
  const double columns = std::min(1.0, as_double(conv.kernel.width) / as_double(conv.stride.width));
  const bool channels_together = &device.multiplier() == &device.library.tensor;
  return rows * (channels_together ? columns : std::min(1.0, columns * kSectorBytes / device.element_bytes));
}

// Calls `sink` for every tile, in both orientations where possible, and every split up to `max_split`; a split adds
// a second kernel that sums the parts.
void product_ways(const DeviceDescription& device, const Multiplier& multiplier, const TileKernels& kernels,
                  int max_split, const Product& product, const WaySink& sink) {
  const double outputs = product.rows * product.columns * product.count;
  const double bytes = outputs * device.element_bytes;
  for (const Tile& tile : kernels.tiles) {
    Tile exchanged = tile;
    std::swap(exchanged.rows, exchanged.columns);
    const bool both = kernels.both_ways && tile.rows != tile.columns;
    for (int split = 1; split <= max_split && (split == 1 || product.depth / split >= kernels.least_split_depth);
         split *= 2) {
      std::array<KernelLoad, 2> way;
      if (split > 1) way[1] = stream(device, outputs, bytes * split, bytes);
      for (const Tile& each : {tile, exchanged}) {
        way[0] = tile_load(device, multiplier, kernels, each, split, product);
        sink({way.data(), split > 1 ? 2U : 1U});
        if (!both) break;
      }
    }
  }
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

double epilogue_us(const DeviceDescription& device, const TileCosts& costs, double bytes) {
  return costs.written_bytes_per_cycle > 0 ? bytes / (costs.written_bytes_per_cycle * device.cycles_per_us()) : 0;
}

KernelLoad tile_load(const DeviceDescription& device, const Multiplier& multiplier, const TileKernels& kernels,
                     const Tile& tile, int split, const Product& product) {
  const TileCosts& costs = multiplier.costs;
  const double rows = tile.rows;
  const double columns = tile.columns;
  const double steps = ceil_div(std::ceil(product.depth / split), costs.depth_step);
  const double depth = steps * costs.depth_step;
  const double outputs = rows * columns;
  // Work counts against the CUDA cores' peak in the contention model.
  const bool tensor = &multiplier == &device.library.tensor;
  const double speedup = tensor ? device.multiply_flops_per_us() / device.machine.flops_per_us : 1;
  KernelLoad load;
  load.blocks = block_count(ceil_div(product.rows, rows) * ceil_div(product.columns, columns) * product.count * split);
  load.warps = tile.warps;
  load.blocks_per_sm = tile.blocks_per_sm;
  load.parallelism = costs.parallelism;
  load.efficiency = tile_efficiency(costs, tile) * kernels.efficiency;
  load.flops = 2 * outputs * depth / speedup * far_row_factor(device.library.generation, product.row_bytes);
  load.l2_bytes = ((rows + columns) * depth + outputs) * device.element_bytes * costs.l2_traffic;
  const double parts = product.rows * product.columns * product.count * device.element_bytes * (split - 1);
  const double warm = product.warm_bytes + parts;
  load.dram_bytes = (product.cold_bytes + warm * missed(device, warm)) / load.blocks;
  load.chain_us = kernels.chain_cycles * steps / tile.slices / device.boost_cycles_per_us();
  load.fixed_us = costs.fill_us;
  load.epilogue_us = epilogue_us(device, costs, outputs * device.element_bytes);
  return load;
}

void matrix_ways(const DeviceDescription& device, const Multiplier& multiplier, const Product& product,
                 const WaySink& sink) {
  const TileKernels& batched = device.library.generation.batched;
  const bool apart = product.count > 1 && &multiplier == &device.library.float32 && !batched.tiles.empty();
  const TileKernels& kernels = apart ? batched : multiplier.products;
  product_ways(device, multiplier, kernels, kernels.max_split, product, sink);
}

ConvSizes sizes(const DeviceDescription& device, const ConvProblem& problem) {
  const Conv& conv = problem.attributes;
  const double groups = as_double(conv.groups);
  ConvSizes result;
  result.pixels = as_double(problem.batch * problem.output.height() * problem.output.width());
  result.outputs = result.pixels * as_double(problem.output.channels());
  result.channels = as_double(problem.output.channels()) / groups;
  result.depth = as_double(problem.input.channels()) / groups * as_double(conv.kernel.height * conv.kernel.width);
  result.weight_bytes = as_double(problem.output.channels()) * result.depth * device.element_bytes;
  result.input_bytes =
      as_double(problem.batch * problem.input.elements()) * device.element_bytes * read_part(device, conv);
  result.output_bytes = result.outputs * device.element_bytes;
  result.warm_bytes = result.input_bytes + result.output_bytes;
  (problem.repeated ? result.warm_bytes : result.cold_bytes) += result.weight_bytes;
  return result;
}

void implicit_gemm_ways(const DeviceDescription& device, const ConvProblem& problem, const WaySink& sink) {
  const ConvSizes conv = sizes(device, problem);
  const Multiplier& multiplier = device.multiplier();
  const double step = multiplier.costs.channel_step;
  const double groups = as_double(problem.attributes.groups);
  const double taps = as_double(problem.attributes.kernel.height * problem.attributes.kernel.width);
  Product product;
  product.rows = conv.pixels;
  product.columns = ceil_div(conv.channels, step) * step;
  product.depth = ceil_div(conv.depth / taps, step) * step * taps;
  product.count = groups;
  product.cold_bytes = conv.cold_bytes;
  product.warm_bytes = conv.warm_bytes;
  product_ways(device, multiplier, multiplier.convolutions, device.kernels.max_split, product, sink);
}

KernelLoad direct_convolution(const DeviceDescription& device, const ConvProblem& problem) {
  const ConvSizes conv = sizes(device, problem);
  const ThreadKernel& kernel = device.kernels.direct;
  KernelLoad load = shaped(kernel, ceil_div(conv.outputs, kernel.outputs));
  load.flops = 2 * conv.outputs * conv.depth / load.blocks;
  load.l2_bytes = (conv.input_bytes * device.kernels.direct_traffic + conv.output_bytes) / load.blocks;
  load.dram_bytes = (conv.cold_bytes + conv.warm_bytes * missed(device, conv.warm_bytes)) / load.blocks;
  return load;
}

}  // namespace iosx::simulated
