#include "core/devices/simulated/winograd.h"

#include <array>
#include <utility>

#include "core/devices/simulated/products.h"
#include "core/devices/simulated/streams.h"

namespace iosx::simulated {
namespace {

constexpr double kFusedPixels = 128;   // of one block of the kernel that does all in one
constexpr double kFusedChannels = 32;  // of it
constexpr double kTile = 36;           // numbers of a transformed tile of 6 × 6

double steps_of_8(double depth) { return 8 * std::ceil(depth / 8); }

void fused(const DeviceDescription& device, const ConvProblem& problem, const ConvSizes& conv, const FusedTile& tile,
           const WaySink& sink) {
  const WinogradCosts& costs = device.library.winograd;
  const double bytes = device.element_bytes;
  const double depth = steps_of_8(as_double(problem.input.channels()));
  const double filters = as_double(problem.input.channels() * problem.output.channels());
  const double outputs = kFusedPixels * kFusedChannels;
  KernelLoad load;
  load.blocks = block_count(
      ceil_div(as_double(problem.batch), tile.images) * ceil_div(as_double(problem.output.height()), tile.rows) *
      ceil_div(as_double(problem.output.width()), tile.columns) * ceil_div(conv.channels, kFusedChannels));
  load.warps = 8;
  load.blocks_per_sm = tile.blocks_per_sm;
  load.efficiency = costs.fused_efficiency;
  load.flops = 2 * outputs * 4 * depth;
  load.l2_bytes = ((2 * kFusedPixels + 16 * kFusedChannels) * depth + outputs) * bytes;
  const double transformed = 16 * filters * bytes;
  const double cold = problem.repeated ? 0 : transformed;
  const double warm = conv.input_bytes + conv.output_bytes + (transformed - cold);
  load.dram_bytes = (cold + warm * missed(device, warm)) / load.blocks;
  load.fixed_us = costs.fused_fill_us;
  load.epilogue_us = epilogue_us(device, device.library.float32.costs, outputs * bytes);
  sink(std::array{stream(device, 25 * filters, 9 * filters * bytes, transformed), load});
}

void apart(const DeviceDescription& device, const ConvProblem& problem, const ConvSizes& conv, const WaySink& sink) {
  const WinogradCosts& costs = device.library.winograd;
  const double bytes = device.element_bytes;
  const double taps = as_double(problem.attributes.kernel.height * problem.attributes.kernel.width);
  const double side = problem.attributes.kernel.height == 3 ? 4 : 2;
  Product product;
  product.rows = 16 * ceil_div(as_double(problem.batch), 16) * ceil_div(as_double(problem.output.height()), side) *
                 ceil_div(as_double(problem.output.width()), side);
  product.columns = as_double(problem.output.channels());
  product.depth = as_double(problem.input.channels());
  product.count = kTile;
  const double input = kTile * product.depth * product.rows * bytes;
  const double filters = kTile * product.depth * product.columns * bytes;
  const double output = kTile * product.columns * product.rows * bytes;
  product.warm_bytes = input + filters + output;
  KernelLoad data = stream(device, input / bytes, conv.input_bytes, input);
  data.dram_bytes /= costs.transform_bandwidth;
  KernelLoad filter = stream(device, filters / bytes, filters * taps / kTile, filters);
  const double far = missed(device, filters);
  filter.dram_bytes = (filters * taps / kTile + filters * far * (1 + costs.filters_again * far)) / filter.blocks;
  KernelLoad back = stream(device, conv.outputs, output, conv.output_bytes);
  back.dram_bytes /= costs.transform_bandwidth;
  TileKernels kernels = device.library.float32.products;
  kernels.chain_cycles = 0;
  for (const Tile& tile : device.library.generation.winograd_tiles) {
    sink(std::array{data, filter, tile_load(device, device.library.float32, kernels, tile, 1, product), back});
  }
}

}  // namespace

void winograd_ways(const DeviceDescription& device, const ConvProblem& problem, const WaySink& sink) {
  const Conv& conv = problem.attributes;
  const Extent kernel = conv.kernel;
  const bool square = kernel == Extent{3, 3} || kernel == Extent{5, 5};
  if (device.format != NumberFormat::kFloat32 || !square || conv.stride != Extent{1, 1} ||
      conv.dilation != Extent{1, 1} || conv.groups != 1) {
    return;
  }
  const ConvSizes size = sizes(device, problem);
  if (kernel == Extent{3, 3}) {
    for (const FusedTile& tile : device.library.generation.fused_tiles) fused(device, problem, size, tile, sink);
  }
  if (!device.library.generation.winograd_tiles.empty()) apart(device, problem, size, sink);
}

}  // namespace iosx::simulated
