#include "core/devices/simulated/products.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/devices/simulated/streams.h"

namespace iosx::simulated {
namespace {

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

}  // namespace

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

void matrix_ways(const DeviceDescription& device, const Multiplier& multiplier, const Product& product,
                 const WaySink& sink) {
  const TileKernels& batched = device.library.generation.batched;
  const bool apart = product.count > 1 && &multiplier == &device.library.float32 && !batched.tiles.empty();
  const TileKernels& kernels = apart ? batched : multiplier.products;
  product_ways(device, multiplier, kernels, kernels.max_split, product, sink);
}

}  // namespace iosx::simulated
