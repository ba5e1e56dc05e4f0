#include "core/device/simulated/kernel_model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/check.h"

namespace iosx::simulated {
namespace {

constexpr double kBytes = kFloat32Bytes;

double as_double(std::int64_t value) { return static_cast<double>(value); }
double ceil_div(double a, double b) { return std::ceil(a / b); }

// Part of the activations that the cache between two kernels does not keep.
double missed(const DeviceDescription& device, double activation_bytes) {
  return activation_bytes / (activation_bytes + device.machine.l2_bytes);
}

KernelLoad shaped(const Tile& tile, double blocks) {
  KernelLoad load;
  load.blocks = static_cast<int>(std::clamp(blocks, 1.0, 2e9));
  load.warps = tile.warps;
  load.blocks_per_sm = tile.blocks_per_sm;
  load.parallelism = tile.parallelism;
  load.efficiency = tile.efficiency;
  load.bytes_in_flight = tile.bytes_in_flight;
  return load;
}

struct ConvSizes {
  double pixels = 0;  // of the output, all samples
  double outputs = 0;
  double channels = 0;  // outputs of one group
  double depth = 0;     // length of the reduction
  double weight_bytes = 0;
  double input_bytes = 0;
  double output_bytes = 0;
  double dram_bytes = 0;  // weights, and what the cache misses
};

ConvSizes sizes(const DeviceDescription& device, const ConvProblem& problem) {
  const Conv& conv = problem.attributes;
  const double groups = as_double(conv.groups);
  ConvSizes result;
  result.pixels = as_double(problem.batch * problem.output.height() * problem.output.width());
  result.outputs = result.pixels * as_double(problem.output.channels());
  result.channels = as_double(problem.output.channels()) / groups;
  result.depth = as_double(problem.input.channels()) / groups * as_double(conv.kernel.height * conv.kernel.width);
  result.weight_bytes = as_double(problem.output.channels()) * result.depth * kBytes;
  result.input_bytes = as_double(problem.batch * problem.input.elements()) * kBytes;
  result.output_bytes = result.outputs * kBytes;
  const double activations = result.input_bytes + result.output_bytes;
  result.dram_bytes = result.weight_bytes + activations * missed(device, activations);
  return result;
}

std::vector<KernelLoad> implicit_gemm(const DeviceDescription& device, const ConvSizes& conv, double groups,
                                      const Tile& tile, int split) {
  const double depth = std::ceil(conv.depth / split);
  const double blocks = ceil_div(conv.pixels, tile.pixels) * ceil_div(conv.channels, tile.channels) * groups * split;
  KernelLoad load = shaped(tile, blocks);
  const double outputs = static_cast<double>(tile.pixels) * tile.channels;
  load.flops = 2 * outputs * (depth + device.library.gemm_prologue_depth);
  load.l2_bytes = (tile.pixels + tile.channels) * depth * kBytes + outputs * kBytes;
  load.dram_bytes = conv.dram_bytes / load.blocks;
  std::vector<KernelLoad> loads{load};
  if (split > 1) loads.push_back(elementwise(device, conv.outputs, conv.output_bytes * split, conv.output_bytes));
  return loads;
}

KernelLoad winograd(const DeviceDescription& device, const ConvProblem& problem, const ConvSizes& conv,
                    const Tile& tile) {
  // Outputs are made two by two.
  const double pixels = as_double(problem.batch) * 4 * ceil_div(as_double(problem.output.height()), 2) *
                        ceil_div(as_double(problem.output.width()), 2);
  KernelLoad load = shaped(tile, ceil_div(pixels, tile.pixels) * ceil_div(conv.channels, tile.channels));
  const double outputs = static_cast<double>(tile.pixels) * tile.channels;
  load.flops = 2 * outputs * (conv.depth / device.library.winograd_reduction + device.library.gemm_prologue_depth);
  // Input tiles of 4×4 every 2 pixels, half of which neighbours share; 16 transformed weights for 9.
  const double in_channels = conv.depth / 9;
  load.l2_bytes = (2.0 * tile.pixels + 16.0 * tile.channels) * in_channels * kBytes + outputs * kBytes;
  load.dram_bytes = (conv.dram_bytes + conv.weight_bytes * 7 / 9) / load.blocks;
  return load;
}

KernelLoad direct(const DeviceDescription& device, const ConvSizes& conv) {
  const Tile& tile = device.library.direct;
  KernelLoad load = shaped(tile, ceil_div(conv.outputs, tile.pixels));
  load.flops = 2 * conv.outputs * conv.depth / load.blocks;
  load.l2_bytes = (conv.input_bytes * device.library.direct_traffic + conv.output_bytes) / load.blocks;
  load.dram_bytes = conv.dram_bytes / load.blocks;
  return load;
}

bool suits_winograd(const Conv& conv) {
  return conv.kernel == Extent{3, 3} && conv.stride == Extent{1, 1} && conv.dilation == Extent{1, 1} &&
         conv.groups == 1;
}

double duration(const DeviceDescription& device, const std::vector<KernelLoad>& loads) {
  double sum = 0;
  for (const KernelLoad& load : loads) sum += solo_duration(device.machine, load) + device.machine.start_us;
  return sum;
}

std::vector<KernelLoad> fastest(const DeviceDescription& device, std::vector<std::vector<KernelLoad>> candidates) {
  IOS_CHECK(!candidates.empty());
  std::size_t best = 0;
  double least = duration(device, candidates[0]);
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const double time = duration(device, candidates[i]);
    if (time < least) {
      least = time;
      best = i;
    }
  }
  return std::move(candidates[best]);
}

// Expands one plan kernel.
class Expansion {
 public:
  Expansion(const DeviceDescription& device, const ExecutionPlan& plan, const Kernel& kernel)
      : device_(device), plan_(plan), kernel_(kernel) {}

  std::vector<KernelLoad> run() {
    if (device_.library.copies_slices && plan_.batch > 1) copy_slices();
    std::visit([&](const auto& attributes) { add(attributes); }, kernel_.attributes);
    return std::move(loads_);
  }

 private:
  Shape shape(const TensorView& view) const {
    const Shape& whole = plan_.buffers[view.buffer.index()].shape;
    return whole.rank() == 0 ? whole : whole.with(0, view.end - view.begin);
  }
  double bytes(const TensorView& view) const { return as_double(shape(view).elements() * plan_.batch) * kBytes; }
  double output_elements() const { return as_double(kernel_.output.elements() * plan_.batch); }

  void stream(double elements, double bytes_read) {
    loads_.push_back(elementwise(device_, elements, bytes_read, elements * kBytes));
  }

  void copy_slices() {
    for (const TensorView& view : kernel_.reads) {
      if (shape(view) == plan_.buffers[view.buffer.index()].shape) continue;
      stream(bytes(view) / kBytes, bytes(view));
    }
  }

  void add(const Input&) {}
  void add(const Constant&) {}
  void add(const Identity&) {}
  void add(const Reshape&) {}  // the same bytes
  void add(const Activate&) { stream(output_elements(), bytes(kernel_.reads.front())); }
  void add(const Mul&) { add_all(2); }
  void add(const Add&) { add_all(static_cast<std::size_t>(device_.library.max_addends)); }
  void add(const Concat&) {
    for (const TensorView& view : kernel_.reads) stream(bytes(view) / kBytes, bytes(view));
  }

  void add(const Sub&) { add_all(2); }
  void add(const Div&) { add_all(2); }
  // A transposed convolution is the convolution with input and output exchanged.
  void add(const ConvTranspose& conv) {
    ConvProblem problem{plan_.batch, kernel_.output, shape(kernel_.reads.front()), {}};
    problem.attributes.out_channels = problem.output.channels();
    problem.attributes.kernel = conv.kernel;
    problem.attributes.stride = conv.stride;
    problem.attributes.groups = conv.groups;
    append(fastest_convolution(device_, problem));
  }
  void add(const MatMul&) {
    const Shape left = shape(kernel_.reads.front());
    const std::int64_t columns = kernel_.output[kernel_.output.rank() - 1];
    ConvProblem problem{plan_.batch,
                        Shape{left[left.rank() - 1], kernel_.output.elements() / columns, 1},
                        Shape{columns, kernel_.output.elements() / columns, 1},
                        {}};
    problem.attributes.out_channels = columns;
    append(fastest_convolution(device_, problem));
  }
  // Every other operator reads and writes its tensors once.
  void add(const auto&) {
    double read = 0;
    for (const TensorView& view : kernel_.reads) read += bytes(view);
    stream(output_elements(), read);
  }

  // The library joins at most `at_once` inputs in a kernel; more are added one by one.
  void add_all(std::size_t at_once) {
    const double each = bytes(kernel_.reads.front());
    const std::size_t count = kernel_.reads.size();
    if (count <= at_once) return stream(output_elements(), each * static_cast<double>(count));
    for (std::size_t i = 0; i < count; ++i) stream(output_elements(), each * 2);
  }

  void add(const Pool& pool) {
    const Shape input = shape(kernel_.reads.front());
    const bool global = pool.kind == PoolKind::kGlobalAverage || pool.kind == PoolKind::kGlobalMax;
    const double window = as_double(global ? input.height() * input.width() : pool.kernel.height * pool.kernel.width);
    const double in_bytes = bytes(kernel_.reads.front());
    const double out_bytes = output_elements() * kBytes;
    const Tile& tile = device_.library.pool;
    KernelLoad load = shaped(tile, ceil_div(output_elements(), tile.pixels));
    load.flops = output_elements() * window / load.blocks;
    load.l2_bytes = (output_elements() * window * kBytes + out_bytes) / load.blocks;
    load.dram_bytes = (in_bytes + out_bytes) * missed(device_, in_bytes + out_bytes) / load.blocks;
    loads_.push_back(load);
  }

  void add(const Conv& conv) {
    append(fastest_convolution(device_, ConvProblem{plan_.batch, shape(kernel_.reads.front()), kernel_.output, conv}));
    if (conv.activation == Activation::kIdentity) add_bias();
  }

  void add(const Linear& linear) {
    ConvProblem problem{plan_.batch, shape(kernel_.reads.front()), kernel_.output, {}};
    problem.input = Shape{problem.input.elements(), 1, 1};
    problem.attributes.out_channels = linear.out_features;
    auto candidates = convolution_candidates(device_, problem);
    candidates.push_back({matrix_vector(problem)});
    append(fastest(device_, std::move(candidates)));
    if (linear.activation == Activation::kIdentity) add_bias();
  }

  // Reads every weight once for each sample.
  KernelLoad matrix_vector(const ConvProblem& problem) const {
    const ConvSizes size = sizes(device_, problem);
    const Tile& tile = device_.library.linear;
    KernelLoad load = shaped(tile, ceil_div(size.channels, tile.channels) * size.pixels);
    load.flops = 2 * size.outputs * size.depth / load.blocks;
    load.dram_bytes = size.dram_bytes / load.blocks;
    load.l2_bytes = (size.weight_bytes * size.pixels + size.output_bytes) / load.blocks;
    return load;
  }

  void add_bias() {
    if (device_.library.bias_apart_without_activation) stream(output_elements(), output_elements() * kBytes);
  }

  void append(const std::vector<KernelLoad>& more) { loads_.insert(loads_.end(), more.begin(), more.end()); }

  const DeviceDescription& device_;
  const ExecutionPlan& plan_;
  const Kernel& kernel_;
  std::vector<KernelLoad> loads_;
};

}  // namespace

KernelLoad elementwise(const DeviceDescription& device, double elements, double bytes_read, double bytes_written) {
  const Tile& tile = device.library.elementwise;
  KernelLoad load = shaped(tile, ceil_div(elements, tile.pixels));
  const double bytes = bytes_read + bytes_written;
  load.flops = elements / load.blocks;
  load.l2_bytes = bytes / load.blocks;
  load.dram_bytes = bytes * missed(device, bytes) / load.blocks;
  return load;
}

std::vector<std::vector<KernelLoad>> convolution_candidates(const DeviceDescription& device,
                                                            const ConvProblem& problem) {
  const ConvSizes conv = sizes(device, problem);
  const double groups = as_double(problem.attributes.groups);
  std::vector<std::vector<KernelLoad>> candidates;
  for (const Tile& tile : device.library.gemm_tiles) {
    for (int split = 1; split <= device.library.max_split_k && split <= conv.depth; split *= 2) {
      candidates.push_back(implicit_gemm(device, conv, groups, tile, split));
    }
  }
  if (suits_winograd(problem.attributes)) {
    for (const Tile& tile : device.library.winograd_tiles) {
      candidates.push_back({winograd(device, problem, conv, tile)});
    }
  }
  if (groups > 1) candidates.push_back({direct(device, conv)});
  return candidates;
}

std::vector<KernelLoad> fastest_convolution(const DeviceDescription& device, const ConvProblem& problem) {
  return fastest(device, convolution_candidates(device, problem));
}

std::size_t KernelModel::Hash::operator()(const Key& key) const {
  std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
  for (const std::int64_t part : key) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0xFF51AFD7ED558CCDULL;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash);
}

void KernelModel::make_key(const ExecutionPlan& plan, const Kernel& kernel, Key& key) {
  key.clear();
  const auto add = [&](std::int64_t part) { key.push_back(part); };
  add(static_cast<std::int64_t>(kernel.attributes.index()));
  add(plan.batch);
  add(kernel.output.channels());
  add(kernel.output.height());
  add(kernel.output.width());
  if (!kernel.reads.empty()) {
    const Shape& input = plan.buffers[kernel.reads.front().buffer.index()].shape;
    add(input.height());
    add(input.width());
  }
  // Inputs differ only in their channels; whether they are slices matters for copies.
  add(static_cast<std::int64_t>(kernel.reads.size()));
  for (const TensorView& view : kernel.reads) {
    const bool slice = view.end - view.begin != plan.buffers[view.buffer.index()].shape.channels();
    add((view.end - view.begin) * 2 + (slice ? 1 : 0));
  }
  if (const auto* conv = std::get_if<Conv>(&kernel.attributes)) {
    for (const Extent& extent : {conv->kernel, conv->stride, conv->dilation}) {
      add(extent.height);
      add(extent.width);
    }
    add(conv->groups);
    add(conv->activation == Activation::kIdentity ? 1 : 0);
  } else if (const auto* pool = std::get_if<Pool>(&kernel.attributes)) {
    add(static_cast<std::int64_t>(pool->kind));
    add(pool->kernel.height);
    add(pool->kernel.width);
  } else if (const auto* linear = std::get_if<Linear>(&kernel.attributes)) {
    add(linear->activation == Activation::kIdentity ? 1 : 0);
  }
}

const std::vector<KernelLoad>& KernelModel::loads(const ExecutionPlan& plan, const Kernel& kernel) {
  make_key(plan, kernel, key_);
  const auto at = known_.find(key_);
  if (at != known_.end()) return at->second;
  return known_.emplace(key_, Expansion(device_, plan, kernel).run()).first->second;
}

}  // namespace iosx::simulated
