#include "core/devices/simulated/kernel_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>

#include "core/base/check.h"
#include "core/model/graph/operator_table.h"

namespace iosx::simulated {
namespace {

double as_double(std::int64_t value) { return static_cast<double>(value); }
double ceil_div(double a, double b) { return std::ceil(a / b); }

// Returns the part of the activations that the cache between two kernels does not keep.
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
  result.weight_bytes = as_double(problem.output.channels()) * result.depth * device.element_bytes;
  result.input_bytes = as_double(problem.batch * problem.input.elements()) * device.element_bytes;
  result.output_bytes = result.outputs * device.element_bytes;
  const double activations = result.input_bytes + result.output_bytes;
  result.dram_bytes = result.weight_bytes + activations * missed(device, activations);
  return result;
}

// `speedup` is that of its multiplications.
std::vector<KernelLoad> implicit_gemm(const DeviceDescription& device, const ConvSizes& conv, double groups,
                                      const Tile& tile, int split, double speedup) {
  const double depth = std::ceil(conv.depth / split);
  const double blocks = ceil_div(conv.pixels, tile.pixels) * ceil_div(conv.channels, tile.channels) * groups * split;
  KernelLoad load = shaped(tile, blocks);
  const double outputs = static_cast<double>(tile.pixels) * tile.channels;
  load.flops = 2 * outputs * (depth + device.library.gemm_prologue_depth) / speedup;
  load.l2_bytes = ((tile.pixels + tile.channels) * depth + outputs) * device.element_bytes;
  load.dram_bytes = conv.dram_bytes / load.blocks;
  std::vector<KernelLoad> loads{load};
  if (split > 1) loads.push_back(elementwise(device, conv.outputs, conv.output_bytes * split, conv.output_bytes));
  return loads;
}

// Returns the loads for every tile and split.
std::vector<std::vector<KernelLoad>> gemm_candidates(const DeviceDescription& device, const ConvProblem& problem,
                                                     double speedup) {
  const ConvSizes conv = sizes(device, problem);
  std::vector<std::vector<KernelLoad>> candidates;
  for (const Tile& tile : device.library.gemm_tiles) {
    for (int split = 1; split <= device.library.max_split_k && split <= conv.depth; split *= 2) {
      candidates.push_back(implicit_gemm(device, conv, as_double(problem.attributes.groups), tile, split, speedup));
    }
  }
  return candidates;
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
  load.l2_bytes = ((2.0 * tile.pixels + 16.0 * tile.channels) * in_channels + outputs) * device.element_bytes;
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
  Expansion(const DeviceDescription& device, const KernelForm& kernel) : device_(device), kernel_(kernel) {}

  std::vector<KernelLoad> run() {
    if (device_.library.copies_slices && kernel_.batch > 1) copy_slices();
    visit_kind(*this, kernel_.attributes);
    return std::move(loads_);
  }

  // These are the same bytes, or nothing to run.
  void operator()(const OneOf<Input, Constant, Identity, Reshape> auto& /*view*/) {}
  void operator()(const Activate& /*activate*/) { stream(output_elements(), bytes(kernel_.reads.front())); }
  void operator()(const OneOf<Mul, Binary> auto& /*arithmetic*/) { add_all(2); }
  void operator()(const Add& /*add*/) { add_all(static_cast<std::size_t>(device_.library.max_addends)); }
  void operator()(const Concat& /*concat*/) {
    if (device_.library.concatenates_at_once)
      return stream(output_elements(), output_elements() * device_.element_bytes);
    for (const KernelForm::Read& read : kernel_.reads) {
      stream(as_double(read.shape.elements() * kernel_.batch), bytes(read));
    }
  }

  // This is the convolution with input and output exchanged.
  void operator()(const ConvTranspose& conv) {
    ConvProblem problem{kernel_.batch, kernel_.output, kernel_.reads.front().shape, {}};
    problem.attributes.out_channels = problem.output.channels();
    problem.attributes.kernel = conv.kernel;
    problem.attributes.stride = conv.stride;
    problem.attributes.dilation = conv.dilation;
    problem.attributes.groups = conv.groups;
    append(fastest_convolution(device_, problem));
  }

  // This is a 1×1 convolution with the right factor as weights; where there are several right factors, it has a group
  // for each.
  void operator()(const MatMul& /*matmul*/) {
    const Shape& left = kernel_.reads[0].shape;
    const KernelForm::Read& right = kernel_.reads[1];
    const std::int64_t depth = left[left.rank() - 1];
    const std::int64_t columns = kernel_.output[kernel_.output.rank() - 1];
    const std::int64_t factors = right.shape.elements() / (depth * columns) * (right.constant ? 1 : kernel_.batch);
    const std::int64_t rows = kernel_.output.elements() / columns * kernel_.batch / factors;
    ConvProblem problem{1, Shape{depth * factors, rows, 1}, Shape{columns * factors, rows, 1}, {}};
    problem.attributes.out_channels = columns * factors;
    problem.attributes.groups = factors;
    append(fastest(device_, gemm_candidates(device_, problem, 1)));
  }

  // These read and write their tensors once.
  void operator()(const OneOf<Where, Affine, Expand, Transpose, Slice, Pad, Resize, Softmax, Normalize, Lrn, Reduce,
                              Opaque> auto& /*streams*/) {
    double read = 0;
    for (const KernelForm::Read& each : kernel_.reads) read += bytes(each);
    stream(output_elements(), read);
  }

  void operator()(const OneOf<TopK, GridSample> auto& /*streams*/) {
    double read = 0;
    for (const KernelForm::Read& each : kernel_.reads) read += bytes(each);
    stream(output_elements(), read);
  }

  // This is a product with the features of all positions, then one with the hidden state for each position after the
  // other: what waits for each other is one long kernel of few blocks.
  void operator()(const Recurrent& recurrent) {
    const Shape& in = kernel_.reads.front().shape;
    const std::int64_t rows = directions_of(recurrent.direction) * gates_of(recurrent.kind) * recurrent.hidden;
    ConvProblem inputs{kernel_.batch, Shape{in[2], in[0] * in[1], 1}, Shape{rows, in[0] * in[1], 1}, {}};
    inputs.attributes.out_channels = rows;
    append(fastest(device_, gemm_candidates(device_, inputs, 1)));
    ConvProblem states{kernel_.batch, Shape{recurrent.hidden, in[1], 1}, Shape{rows, in[1], 1}, {}};
    states.attributes.out_channels = rows;
    KernelLoad step = matrix_vector(states);
    const double positions = as_double(in[0]);
    step.flops *= positions;
    step.dram_bytes *= positions;
    step.l2_bytes *= positions;
    loads_.push_back(step);
  }

  // This reads of the table what is looked up, and the indices.
  void operator()(const Gather& /*gather*/) {
    stream(output_elements(), output_elements() * device_.element_bytes + bytes(kernel_.reads[1]));
  }

  void operator()(const Pool& pool) {
    const Shape& input = kernel_.reads.front().shape;
    const bool global = pool.kind == PoolKind::kGlobalAverage || pool.kind == PoolKind::kGlobalMax;
    const double window = as_double(global ? input.height() * input.width() : pool.kernel.height * pool.kernel.width);
    const double in_bytes = bytes(kernel_.reads.front());
    const double out_bytes = output_elements() * device_.element_bytes;
    Tile tile = device_.library.pool;
    if (global) tile.pixels = device_.library.global_pool_outputs;
    KernelLoad load = shaped(tile, ceil_div(output_elements(), tile.pixels));
    load.flops = output_elements() * window / load.blocks;
    load.l2_bytes = (output_elements() * window * device_.element_bytes + out_bytes) / load.blocks;
    load.dram_bytes = (in_bytes + out_bytes) * missed(device_, in_bytes + out_bytes) / load.blocks;
    loads_.push_back(load);
  }

  void operator()(const Conv& conv) {
    append(fastest_convolution(device_, ConvProblem{kernel_.batch, kernel_.reads.front().shape, kernel_.output, conv}));
    add_residual();
    if (conv.activation == Activation::kIdentity) add_bias();
  }

  // This is a 1×1 convolution of an image with a pixel for every vector of features.
  void operator()(const Linear& linear) {
    const Shape& in = kernel_.reads.front().shape;
    const std::int64_t features = in.elements_from(linear.axis);
    const std::int64_t pixels = in.elements() / features;
    ConvProblem problem{kernel_.batch, Shape{features, pixels, 1}, Shape{linear.out_features, pixels, 1}, {}};
    problem.attributes.out_channels = linear.out_features;
    auto candidates = convolution_candidates(device_, problem);
    candidates.push_back({matrix_vector(problem)});
    append(fastest(device_, std::move(candidates)));
    add_residual();
    if (linear.activation == Activation::kIdentity) add_bias();
  }

 private:
  double bytes(const KernelForm::Read& read) const {
    return as_double(read.shape.elements() * (read.constant ? 1 : kernel_.batch)) * device_.element_bytes;
  }
  double output_elements() const { return as_double(kernel_.output.elements() * kernel_.batch); }

  void stream(double elements, double bytes_read) {
    loads_.push_back(elementwise(device_, elements, bytes_read, elements * device_.element_bytes));
  }

  void copy_slices() {
    for (const KernelForm::Read& read : kernel_.reads) {
      if (read.slice) stream(bytes(read) / device_.element_bytes, bytes(read));
    }
  }

  // The library joins at most `at_once` inputs in a kernel; more are added one by one to what there is so far, the
  // largest first, so that the order in which they are written does not matter.
  void add_all(std::size_t at_once) {
    std::vector<double> inputs;
    for (const KernelForm::Read& read : kernel_.reads) inputs.push_back(bytes(read));
    if (inputs.size() <= at_once) {
      return stream(output_elements(), std::accumulate(inputs.begin(), inputs.end(), 0.0));
    }
    std::sort(inputs.begin(), inputs.end(), std::greater<>());
    for (const double input : inputs) stream(output_elements(), input + output_elements() * device_.element_bytes);
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

  // Residuals are read where the result is written.
  void add_residual() {
    for (std::size_t i = 1; i < kernel_.reads.size(); ++i)
      loads_.back().l2_bytes += bytes(kernel_.reads[i]) / loads_.back().blocks;
  }

  void add_bias() {
    if (device_.library.bias_apart_without_activation)
      stream(output_elements(), output_elements() * device_.element_bytes);
  }

  void append(const std::vector<KernelLoad>& more) { loads_.insert(loads_.end(), more.begin(), more.end()); }

  const DeviceDescription& device_;
  const KernelForm& kernel_;
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
  std::vector<std::vector<KernelLoad>> candidates = gemm_candidates(device, problem, device.convolution_speedup);
  if (suits_winograd(problem.attributes)) {
    for (const Tile& tile : device.library.winograd_tiles) {
      candidates.push_back({winograd(device, problem, conv, tile)});
    }
  }
  if (problem.attributes.groups > 1) candidates.push_back({direct(device, conv)});
  return candidates;
}

std::vector<KernelLoad> fastest_convolution(const DeviceDescription& device, const ConvProblem& problem) {
  return fastest(device, convolution_candidates(device, problem));
}

std::size_t KernelModel::Hash::operator()(const KernelForm& form) const noexcept {
  std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
  const auto add = [&](std::int64_t part) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0xFF51AFD7ED558CCDULL;
    hash ^= hash >> 32;
  };
  add(static_cast<std::int64_t>(form.attributes.index()));
  add(form.batch);
  for (const std::int64_t size : form.output.dims()) add(size);
  for (const KernelForm::Read& read : form.reads) {
    for (const std::int64_t size : read.shape.dims()) add(size);
  }
  if (const auto* conv = std::get_if<Conv>(&form.attributes)) {  // many differ in their kernels alone
    add(conv->kernel.height);
    add(conv->kernel.width);
  }
  return static_cast<std::size_t>(hash);
}

const std::vector<KernelLoad>& KernelModel::loads(const ExecutionPlan& plan, const Kernel& kernel) {
  static thread_local KernelForm form;  // kept for its memory
  form.attributes = kernel.attributes;
  if (auto* conv = std::get_if<Conv>(&form.attributes)) conv->merged_from.clear();
  form.batch = plan.batch;
  form.output = kernel.output;
  form.reads.clear();
  for (const TensorView& view : kernel.reads) {
    const Buffer& buffer = plan.buffers[view.buffer.index()];
    const std::int64_t channels = view.end - view.begin;
    const bool slice = channels != buffer.shape.channels();
    form.reads.push_back({slice ? buffer.shape.with(0, channels) : buffer.shape, slice, buffer.constant});
  }
  {
    const std::shared_lock lock(mutex_);
    const auto known = known_.find(form);
    if (known != known_.end()) return known->second;
  }
  std::vector<KernelLoad> made = Expansion(device_, form).run();
  const std::unique_lock lock(mutex_);
  return known_.try_emplace(form, std::move(made)).first->second;  // another thread's, if it was faster: the same
}

}  // namespace iosx::simulated
