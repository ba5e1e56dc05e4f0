#include "core/devices/simulated/kernel_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>
#include <utility>

#include "core/base/check.h"
#include "core/devices/simulated/captured_kernels.h"
#include "core/devices/simulated/residuals.h"
#include "core/model/graph/operator_table.h"

namespace iosx::simulated {
namespace {

// Returns the kernels of the fastest way of `ways`(sink).
template <typename Ways>
std::vector<KernelLoad> fastest(const DeviceDescription& device, Ways ways) {
  Fastest best(device.machine);
  ways(std::ref(best));
  return std::move(best).kernels();
}

// Expands one kernel of a plan.
class Expansion {
 public:
  Expansion(const DeviceDescription& device, const KernelForm& kernel) : device_(device), kernel_(kernel) {}

  std::vector<KernelLoad> run() {
    if (device_.kernels.copies_slices) copy_slices();
    if (kernel_.before != Activation::kIdentity) {
      const double read = bytes(kernel_.reads.front());
      stream(read / device_.element_bytes, read);
    }
    visit_kind(*this, kernel_.attributes);
    return std::move(loads_);
  }

  // The same bytes, or nothing to run.
  void operator()(const OneOf<Input, Constant, Reshape> auto& /*view*/) {}
  // A plan copies out of the columns of merged linear layers. Copies of channels are still free: the figures of
  // networks with concatenations are of that.
  void operator()(const Identity& /*identity*/) {
    const KernelForm::Read& from = kernel_.reads.front();
    const bool copied = device_.kernels.copies_slices;  // already
    if (!copied && from.columns) stream(output_elements(), bytes(from));
  }
  void operator()(const Activate& /*activate*/) {
    if (kernel_.reads.size() > 1) return (*this)(Add{});
    stream(output_elements(), bytes(kernel_.reads.front()));
  }
  void operator()(const Mul& /*mul*/) {
    if (kernel_.squeezed == 0) return add_all(2);
    const std::int64_t channels = kernel_.output.channels();  // squeeze and excitation, in steps
    Pool mean;
    mean.kind = PoolKind::kGlobalAverage;
    (*this)(mean);
    append_linear(1, channels, kernel_.squeezed);
    append_linear(1, kernel_.squeezed, channels);
    stream(output_elements(), bytes(kernel_.reads.front()));
  }
  void operator()(const Binary& /*arithmetic*/) { add_all(2); }
  void operator()(const Add& /*add*/) { add_all(static_cast<std::size_t>(device_.kernels.max_addends)); }
  void operator()(const Concat& /*concat*/) {
    if (device_.kernels.concatenates_at_once)
      return stream(output_elements(), output_elements() * device_.element_bytes);
    for (const KernelForm::Read& read : kernel_.reads) {
      stream(as_double(read.shape.elements() * kernel_.batch), bytes(read));
    }
  }

  // The convolution with input and output exchanged.
  void operator()(const ConvTranspose& conv) {
    ConvProblem problem{kernel_.batch, kernel_.output, kernel_.reads.front().shape, {}};
    problem.attributes.out_channels = problem.output.channels();
    problem.attributes.kernel = conv.kernel;
    problem.attributes.stride = conv.stride;
    problem.attributes.dilation = conv.dilation;
    problem.attributes.groups = conv.groups;
    append_convolution(problem);
  }

  // CUDA cores multiply, whatever multiplies in convolutions: the back end's kernel is its own.
  void operator()(const MatMul& /*matmul*/) {
    if (kernel_.reads.size() == 2) return append_matmul(kernel_.reads[0], kernel_.reads[1], kernel_.output);
    const KernelForm::Read& keys = kernel_.reads[1];  // attention, in steps
    KernelForm::Read scores = kernel_.reads[0];
    scores.shape = kernel_.output.with(kernel_.output.rank() - 1, keys.shape[keys.shape.rank() - 1]);
    append_matmul(kernel_.reads[0], keys, scores.shape);
    const double columns = as_double(scores.shape[scores.shape.rank() - 1]);
    const double rows = as_double(scores.shape.elements() * kernel_.batch) / columns;
    loads_.push_back(row_reduction(device_, RowKind::kSoftmax, rows, columns));
    append_matmul(scores, kernel_.reads[2], kernel_.output);
  }

  // A kernel that reads and writes its tensors once, or a matrix product of as many FLOPs, whichever is faster: what is
  // known of the operator does not tell the factors. Its weights come from memory.
  void operator()(const Opaque& opaque) {
    if (!opaque.costed) return otherwise();
    const double written = output_elements() * device_.element_bytes;
    double read = as_double(opaque.weight_bytes);
    for (const KernelForm::Read& each : kernel_.reads) read += bytes(each);
    const std::int64_t elements = kernel_.output.elements();
    const std::int64_t columns = columns_of_output();
    Product product;
    product.rows = as_double(elements / columns) * as_double(kernel_.batch);
    product.columns = as_double(columns);
    product.depth = as_double(opaque.flops) / 2 / as_double(elements);
    product.cold_bytes = as_double(opaque.weight_bytes);
    product.warm_bytes = read - product.cold_bytes + written;
    KernelLoad once = elementwise(device_, std::max(read, written) / device_.element_bytes, read, written);
    once.flops += as_double(opaque.flops) * as_double(kernel_.batch) / once.blocks;
    once.dram_bytes = (product.cold_bytes + product.warm_bytes * missed(device_, product.warm_bytes)) / once.blocks;
    append(fastest(device_, [&](const WaySink& sink) {
      sink(std::array{once});
      if (product.depth <= 1) return;
      matrix_ways(device_, device_.multiplier(), product, sink);
      sink(std::array{matrix_vector(product)});
    }));
  }

  // The others read and write their tensors once.
  void otherwise() {
    double read = 0;
    for (const KernelForm::Read& each : kernel_.reads) read += bytes(each);
    stream(output_elements(), read);
  }

  void operator()(const Softmax& softmax) {
    const Shape& in = kernel_.reads.front().shape;
    append_rows(RowKind::kSoftmax, as_double(in[softmax.axis]));
  }

  // Weights and bias are read with the row.
  void operator()(const Normalize& normalize) {
    append_rows(RowKind::kNormalize, as_double(kernel_.reads.front().shape.elements_from(normalize.axis)));
  }

  void operator()(const Reduce& /*reduce*/) {
    const double read = bytes(kernel_.reads.front()) / device_.element_bytes;
    append_windows(output_elements(), read / output_elements(), device_.kernels.pool.outputs, true);
  }

  // A product with the features of all positions, then one with the hidden state for each position in order:
  // dependent steps are one long kernel of few blocks.
  void operator()(const Recurrent& recurrent) {
    const Shape& in = kernel_.reads.front().shape;
    const double rows = as_double(directions_of(recurrent.direction) * gates_of(recurrent.kind) * recurrent.hidden);
    const double positions = as_double(in[0]);
    const double samples = as_double(kernel_.batch * in[1]);
    append_product(features_by_weights(samples * positions, as_double(in[2]), rows));
    KernelLoad step = matrix_vector(features_by_weights(samples, as_double(recurrent.hidden), rows));
    step.flops *= positions;
    step.dram_bytes *= positions;
    step.l2_bytes *= positions;
    loads_.push_back(step);
  }

  // Reads the looked-up entries of the table, and the indices.
  void operator()(const Gather& /*gather*/) {
    stream(output_elements(), output_elements() * device_.element_bytes + bytes(kernel_.reads[1]));
  }

  void operator()(const Pool& pool) {
    const Shape& input = kernel_.reads.front().shape;
    const bool global = pool.kind == PoolKind::kGlobalAverage || pool.kind == PoolKind::kGlobalMax;
    const double window = as_double(global ? input.height() * input.width() : pool.kernel.height * pool.kernel.width);
    append_windows(output_elements(), window,
                   global ? device_.kernels.global_pool_outputs : device_.kernels.pool.outputs, global);
  }

  void operator()(const Conv& conv) {
    append_convolution(ConvProblem{kernel_.batch, kernel_.reads.front().shape, kernel_.output, conv});
    add_residual();
    if (conv.activation == Activation::kIdentity) add_bias();
  }

  void operator()(const Linear& linear) {
    const Shape& in = kernel_.reads.front().shape;
    const std::int64_t features = in.elements_from(linear.axis);
    append_linear(in.elements() / features, features, linear.out_features);
    add_residual();
    if (linear.activation == Activation::kIdentity) add_bias();
  }

 private:
  double bytes(const KernelForm::Read& read) const {
    return as_double(read.shape.elements() * (read.constant ? 1 : kernel_.batch)) * device_.element_bytes;
  }
  double output_elements() const { return as_double(kernel_.output.elements() * kernel_.batch); }

  // Returns the product of the last sizes of the output that leaves rows and columns most alike.
  std::int64_t columns_of_output() const {
    const std::int64_t elements = kernel_.output.elements();
    const auto shorter = [&](std::int64_t columns) { return std::min(columns, elements / columns); };
    std::int64_t best = 1;
    std::int64_t columns = 1;
    for (std::size_t axis = kernel_.output.rank(); axis-- > 0;) {
      columns *= kernel_.output[axis];
      if (shorter(columns) >= shorter(best)) best = columns;
    }
    return best;
  }

  void stream(double elements, double bytes_read) {
    loads_.push_back(elementwise(device_, elements, bytes_read, elements * device_.element_bytes));
  }

  void copy_slices() {
    for (const KernelForm::Read& read : kernel_.reads) {
      const bool dense = !read.slice || (kernel_.batch == 1 && !read.columns);
      if (!dense) stream(bytes(read) / device_.element_bytes, bytes(read));
    }
  }

  // A kernel joins at most `at_once` inputs. Of more, the sum so far is one of the next kernel's, which takes as many
  // as it can or one more only; the largest come first, so that the order in which they are written does not matter.
  void add_all(std::size_t at_once) {
    std::vector<double> inputs;
    for (const KernelForm::Read& read : kernel_.reads) inputs.push_back(bytes(read));
    if (inputs.size() <= at_once) {
      return stream(output_elements(), std::accumulate(inputs.begin(), inputs.end(), 0.0));
    }
    std::sort(inputs.begin(), inputs.end(), std::greater<>());
    const double so_far = output_elements() * device_.element_bytes;
    if (!device_.kernels.adds_in_turns) {
      for (const double input : inputs) stream(output_elements(), input + so_far);
      return;
    }
    for (std::size_t first = 0; first < inputs.size();) {
      const std::size_t last = std::min(inputs.size(), first + at_once - (first > 0 ? 1 : 0));
      const auto at = [&](std::size_t i) { return inputs.begin() + static_cast<std::ptrdiff_t>(i); };
      stream(output_elements(), std::accumulate(at(first), at(last), first > 0 ? so_far : 0.0));
      first = last;
    }
  }

  // Returns the product of vectors of features with weights, which come from memory.
  Product features_by_weights(double vectors, double features, double outputs) const {
    Product product;
    product.rows = vectors;
    product.columns = outputs;
    product.depth = features;
    product.row_bytes = features * device_.element_bytes;
    product.cold_bytes = features * outputs * device_.element_bytes;
    product.warm_bytes = vectors * (features + outputs) * device_.element_bytes;
    return product;
  }

  // Multiplies so many vectors of a sample with weights. On CUDA cores it is a matrix product; otherwise a 1 × 1
  // convolution of an image with a pixel per vector.
  void append_linear(std::int64_t vectors, std::int64_t features, std::int64_t outputs) {
    const Product product =
        features_by_weights(as_double(kernel_.batch * vectors), as_double(features), as_double(outputs));
    ConvProblem problem{kernel_.batch, Shape{features, vectors, 1}, Shape{outputs, vectors, 1}, {}};
    problem.attributes.out_channels = outputs;
    append(fastest(device_, [&](const WaySink& sink) {
      if (device_.format == NumberFormat::kFloat32) {
        matrix_ways(device_, device_.library.float32, product, sink);
      } else {
        implicit_gemm_ways(device_, problem, sink);
      }
      sink(std::array{matrix_vector(product)});
    }));
  }

  void append_matmul(const KernelForm::Read& left, const KernelForm::Read& right, const Shape& output) {
    const std::int64_t depth = left.shape[left.shape.rank() - 1];
    const std::int64_t columns = output[output.rank() - 1];
    const std::int64_t factors = right.shape.elements() / (depth * columns) * (right.constant ? 1 : kernel_.batch);
    Product product;
    product.rows = as_double(output.elements() / columns * kernel_.batch / factors);
    product.columns = as_double(columns);
    product.depth = as_double(depth);
    product.count = as_double(factors);
    product.warm_bytes = as_double(output.elements() * kernel_.batch) * device_.element_bytes + bytes(left);
    (right.constant ? product.cold_bytes : product.warm_bytes) += bytes(right);
    append_product(product);
  }

  void append_product(const Product& product) {
    append(
        fastest(device_, [&](const WaySink& sink) { matrix_ways(device_, device_.library.float32, product, sink); }));
  }

  // A 1 × 1 convolution of one pixel is a matrix times a vector.
  void append_convolution(const ConvProblem& problem) {
    const bool pixel = problem.input.height() * problem.input.width() == 1;
    append(fastest(device_, [&](const WaySink& sink) {
      convolution_ways(device_, problem, sink);
      if (!pixel || problem.attributes.groups > 1) return;
      sink(std::array{matrix_vector(features_by_weights(as_double(problem.batch), as_double(problem.input.channels()),
                                                        as_double(problem.output.channels())))});
    }));
  }

  void append_rows(RowKind kind, double columns) {
    loads_.push_back(row_reduction(device_, kind, output_elements() / columns, columns));
  }

  void append_windows(double outputs, double window, int block_outputs, bool may_split) {
    const double bytes_moved = bytes(kernel_.reads.front()) + outputs * device_.element_bytes;
    const int splits = may_split ? device_.kernels.max_window_splits : 1;
    append(fastest(device_, [&](const WaySink& sink) {
      window_ways(device_, outputs, window, bytes_moved, block_outputs, splits, sink);
    }));
  }

  // Reads every weight once for each vector.
  KernelLoad matrix_vector(const Product& product) const {
    const ThreadKernel& kernel = device_.kernels.linear;
    KernelLoad load = shaped(kernel, ceil_div(product.columns, kernel.outputs) * product.rows);
    const double outputs = product.rows * product.columns;
    load.flops = 2 * outputs * product.depth / load.blocks;
    load.dram_bytes = (product.cold_bytes + product.warm_bytes * missed(device_, product.warm_bytes)) / load.blocks;
    load.l2_bytes = (product.cold_bytes * product.rows + outputs * device_.element_bytes) / load.blocks;
    return load;
  }

  // Residuals are read where the result is written.
  void add_residual() {
    for (std::size_t i = 1; i < kernel_.reads.size(); ++i)
      loads_.back().l2_bytes += bytes(kernel_.reads[i]) / loads_.back().blocks;
  }

  void add_bias() {
    if (device_.kernels.bias_apart_without_activation)
      stream(output_elements(), output_elements() * device_.element_bytes);
  }

  void append(const std::vector<KernelLoad>& more) { loads_.insert(loads_.end(), more.begin(), more.end()); }

  const DeviceDescription& device_;
  const KernelForm& kernel_;
  std::vector<KernelLoad> loads_;
};

constexpr double kFusedPixels = 128;   // of one block of the kernel that does all in one
constexpr double kFusedChannels = 32;  // of it
constexpr double kWinogradTile = 36;   // numbers of a transformed tile of 6 × 6

double steps_of_8(double depth) { return 8 * std::ceil(depth / 8); }

void fused_winograd(const DeviceDescription& device, const ConvProblem& problem, const ConvSizes& conv,
                    const FusedTile& tile, const WaySink& sink) {
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

void winograd_apart(const DeviceDescription& device, const ConvProblem& problem, const ConvSizes& conv,
                    const WaySink& sink) {
  const WinogradCosts& costs = device.library.winograd;
  const double bytes = device.element_bytes;
  const double taps = as_double(problem.attributes.kernel.height * problem.attributes.kernel.width);
  const double side = problem.attributes.kernel.height == 3 ? 4 : 2;
  Product product;
  product.rows = 16 * ceil_div(as_double(problem.batch), 16) * ceil_div(as_double(problem.output.height()), side) *
                 ceil_div(as_double(problem.output.width()), side);
  product.columns = as_double(problem.output.channels());
  product.depth = as_double(problem.input.channels());
  product.count = kWinogradTile;
  const double input = kWinogradTile * product.depth * product.rows * bytes;
  const double filters = kWinogradTile * product.depth * product.columns * bytes;
  const double output = kWinogradTile * product.columns * product.rows * bytes;
  product.warm_bytes = input + filters + output;
  KernelLoad data = stream(device, input / bytes, conv.input_bytes, input);
  data.dram_bytes /= costs.transform_bandwidth;
  KernelLoad filter = stream(device, filters / bytes, filters * taps / kWinogradTile, filters);
  const double far = missed(device, filters);
  filter.dram_bytes =
      (filters * taps / kWinogradTile + filters * far * (1 + costs.filters_again * far)) / filter.blocks;
  KernelLoad back = stream(device, conv.outputs, output, conv.output_bytes);
  back.dram_bytes /= costs.transform_bandwidth;
  TileKernels kernels = device.library.float32.products;
  kernels.chain_cycles = 0;
  for (const Tile& tile : device.library.generation.winograd_tiles) {
    sink(std::array{data, filter, tile_load(device, device.library.float32, kernels, tile, 1, product), back});
  }
}

// Calls `sink` with the Winograd convolutions that suit, of stride 1 on CUDA cores: fewer multiplications, but more
// sums and traffic. None where the library has none for the device.
//
// F(2×2, 3×3) in one kernel: a block computes 32 channels of 128 pixels, with 16 products per 4 outputs (36
// without Winograd); a stream transforms the filters first, 16 numbers for 9.
//
// F(4×4, 3×3) and F(2×2, 5×5) in four: one stream transforms the input into tiles of 6 × 6, another the filters, 36
// matrix products follow, and a third stream writes the outputs. Example: a 3 × 3 convolution of 64 to 128 channels of
// 28 × 28 pixels, one image: 16 · 7 · 7 tiles, because the kernels take 16 images at a time, so 36 products of 784 ×
// 64 by 64 × 128.
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
    for (const FusedTile& tile : device.library.generation.fused_tiles)
      fused_winograd(device, problem, size, tile, sink);
  }
  if (!device.library.generation.winograd_tiles.empty()) winograd_apart(device, problem, size, sink);
}

}  // namespace

void convolution_ways(const DeviceDescription& device, const ConvProblem& problem, const WaySink& sink) {
  implicit_gemm_ways(device, problem, sink);
  winograd_ways(device, problem, sink);
  if (problem.attributes.groups > 1) sink(std::array{direct_convolution(device, problem)});
}

void Fastest::operator()(std::span<const KernelLoad> way) {
  double us = 0;
  for (const KernelLoad& load : way) {
    us += duration(machine_, {&load, 1});
    if (us >= least_us_) return;
  }
  least_us_ = us;
  kernels_.assign(way.begin(), way.end());
}

std::vector<KernelLoad> Fastest::kernels() && {
  IOS_CHECK(!kernels_.empty());
  return std::move(kernels_);
}

namespace {

bool turned(const Buffer& buffer, const TensorView& view) {
  const std::size_t rank = buffer.shape.rank();
  const std::size_t together = rank == 3 && !buffer.row_major ? 0 : rank - 1;
  if (view.seen.size() < 2) return false;
  const SeenAxis& before_last = view.seen[view.seen.size() - 2];
  return before_last.axis == together && before_last.step == 1 && before_last.size > 1;
}

}  // namespace

std::vector<KernelLoad> KernelModel::made(const KernelForm& form) const {
  if (device_.launches) {
    if (auto loads = captured_loads(device_, form)) return *std::move(loads);
  }
  std::vector<KernelLoad> loads = Expansion(device_, form).run();
  if (device_.launches) {
    for (KernelLoad& load : loads) load.dead_us = device_.launches->figures.dead_us;
  }
  if (!draw_) return loads;
  const double factor = residual_factor(form, duration(device_.machine, loads), *draw_);
  for (KernelLoad& load : loads) {
    for (double KernelLoad::*part :
         {&KernelLoad::flops, &KernelLoad::dram_bytes, &KernelLoad::l2_bytes, &KernelLoad::chain_us,
          &KernelLoad::fixed_us, &KernelLoad::epilogue_us, &KernelLoad::dead_us}) {
      load.*part *= factor;
    }
  }
  return loads;
}

const std::vector<KernelLoad>& KernelModel::loads(const ExecutionPlan& plan, const Kernel& kernel) {
  static thread_local KernelForm form;  // kept for its memory
  form.attributes = kernel.attributes;
  if (auto* conv = std::get_if<Conv>(&form.attributes)) conv->merged_from.clear();
  form.batch = plan.batch;
  form.output = kernel.output;
  form.writes_slice = !is_whole(plan.buffers[kernel.writes.buffer.index()], kernel.writes);
  form.cold = plan.cold_weights;
  form.before = kernel.before;
  form.squeezed = kernel.excitation.squeezed;
  form.reads.clear();
  for (const TensorView& view : kernel.reads) {
    const Buffer& buffer = plan.buffers[view.buffer.index()];
    const bool slice = !is_whole(buffer, view);
    form.reads.push_back(
        {shape_of(buffer, view), slice, slice && buffer.axis > 0, buffer.constant, turned(buffer, view)});
  }
  {
    const std::shared_lock lock(mutex_);
    const auto known = known_.find(form);
    if (known != known_.end()) return known->second;
  }
  std::vector<KernelLoad> loads = made(form);
  const std::unique_lock lock(mutex_);
  return known_.try_emplace(form, std::move(loads)).first->second;  // another thread's, if it was faster: the same
}

}  // namespace iosx::simulated
