#include "core/devices/simulated/implicit_gemm.h"

#include <algorithm>

#include "core/devices/simulated/products.h"

namespace iosx::simulated {
namespace {

constexpr double kSectorBytes = 32;  // the least that is read of memory

// Returns the part of the input that is read where a stride passes over rows and columns. Passing over columns saves
// what lies in whole sectors: with tensor cores all channels of a pixel lie together, otherwise the pixels of a row do.
double read_part(const DeviceDescription& device, const Conv& conv) {
  const double rows = std::min(1.0, as_double(conv.kernel.height) / as_double(conv.stride.height));
  const double columns = std::min(1.0, as_double(conv.kernel.width) / as_double(conv.stride.width));
  const bool channels_together = &device.multiplier() == &device.library.tensor;
  return rows * (channels_together ? columns : std::min(1.0, columns * kSectorBytes / device.element_bytes));
}

}  // namespace

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
