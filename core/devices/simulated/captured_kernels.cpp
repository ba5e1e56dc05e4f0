#include "core/devices/simulated/captured_kernels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/devices/simulated/loads.h"
#include "core/model/graph/operator_table.h"

namespace iosx::simulated {
namespace {

constexpr double kVector = 4;               // numbers that a thread of the back end's kernels takes at once
constexpr double kThreads = 128;            // of a block of these
constexpr double kRowThreads = 256;         // of a block that takes rows
constexpr double kMatrixRows = 4;           // of a thread
constexpr double kAttentionFeatures = 8;    // of which cuDNN's attention takes whole ones
constexpr double kAttentionQueries = 64;    // of a block
constexpr double kExcitedTogether = 8;      // channels of a block of squeeze and excitation, a multiple of it
constexpr double kExcitedPixels = 8;        // that a sum has at least
constexpr double kExciteBlocks = 32;        // of a sample
constexpr double kLightExciteBlocks = 128;  // the same where a block reads few weights
constexpr double kFewWeights = 4096;
constexpr double kFullBatch = 8;        // samples; more of them share as many blocks
constexpr double kMostOwn = 256;        // channels of a block
constexpr double kCudaCoreTile = 32;    // pixels and channels
constexpr double kWideWindow = 9;       // taps of a first layer above which its tensors are converted
constexpr double kGlobalWindow = 256;   // of a global pool, at most, whose time is known
constexpr double kDeepSilu = 1024;      // length of a reduction from which SiLU is a kernel of its own
constexpr double kSplits = 6;           // parts of a linear layer's reduction, at most
constexpr double kLeastSplitSteps = 2;  // of each
constexpr double kPaddingUs = 14;       // of all launches around a padded convolution, and for each MB of weights
constexpr double kPaddingUsPerMb = 0.9;
constexpr int kPaddingLaunches = 4;
constexpr double kFirstCompiled = 8.0;  // compute capability from which cuDNN compiles convolutions
constexpr double kBytesPerMb = 1e6;
constexpr double kBytesPerKb = 1e3;

class CapturedExpansion {
 public:
  CapturedExpansion(const DeviceDescription& device, const KernelForm& kernel)
      : device_(device), model_(*device.launches), kernel_(kernel) {}

  std::optional<std::vector<KernelLoad>> run() {
    visit_kind(*this, kernel_.attributes);
    if (!known_) return std::nullopt;
    return std::move(loads_);
  }

  void operator()(const OneOf<Input, Constant> auto& /*source*/) {}
  // Images lie channels last, everything else in order.
  void operator()(const Reshape& /*reshape*/) {
    const Shape& in = kernel_.reads.front().shape;
    const bool image = in.rank() == 3 && in.height() * in.width() > 1;
    if (image != (kernel_.output.rank() == 3 && kernel_.output.height() * kernel_.output.width() > 1)) copy();
  }
  void operator()(const Identity& /*identity*/) {
    if (kernel_.writes_slice || kernel_.reads.front().slice) stream(1, 2 * output_bytes());
  }
  void operator()(const OneOf<Transpose, Slice> auto& /*order*/) { copy(); }
  void operator()(const Resize& /*resize*/) { add(Family::kResize, elementwise_facts(), each(Family::kResize)); }
  // A kernel adds at most max_addends, its sum so far included. The last one activates the sum.
  void operator()(const OneOf<Add, Activate> auto& /*sum*/) {
    const double most = device_.kernels.max_addends;
    const double inputs = as_double(static_cast<std::int64_t>(kernel_.reads.size()));
    const double launches = inputs <= most ? 1 : std::ceil((inputs - 1) / (most - 1));
    const double bytes = (read_bytes() + output_bytes()) / launches;
    for (double i = 0; i < launches; ++i) stream(std::ceil((inputs + launches - 1) / launches), bytes);
  }

  void operator()(const Pool& pool) {
    if (pool.kind == PoolKind::kGlobalAverage || pool.kind == PoolKind::kGlobalMax) {
      const Shape& in = kernel_.reads.front().shape;
      return global_pool(as_double(in.height() * in.width()));
    }
    LaunchFacts facts = elementwise_facts();
    facts.taps = as_double(pool.kernel.height * pool.kernel.width);
    add(Family::kPool, facts, each(Family::kPool));
  }
  void operator()(const Reduce& /*reduce*/) {
    global_pool(as_double(kernel_.reads.front().shape.elements()) / as_double(kernel_.output.elements()));
  }

  void operator()(const OneOf<Softmax, Normalize> auto& rows) {
    const double columns = as_double(columns_of(rows));
    add_rows(output_elements() / columns, columns);
  }

  void operator()(const MatMul& /*matmul*/) {
    const Shape& left = kernel_.reads.front().shape;
    const double columns = as_double(kernel_.output[kernel_.output.rank() - 1]);
    const double depth = as_double(left[left.rank() - 1]);
    const double rows = output_elements() / columns;
    if (kernel_.reads.size() == 2) return multiply(rows, depth, columns);
    attend(rows, depth, columns);
  }

  void operator()(const Linear& linear) {
    const Shape& in = kernel_.reads.front().shape;
    LaunchFacts facts = elementwise_facts();
    facts.taps = 1;
    facts.channels = as_double(in.elements_from(linear.axis));
    facts.columns = as_double(linear.out_features);
    facts.cold = kernel_.cold;
    if (facts.elements == facts.columns) {
      facts.bytes = facts.channels * facts.columns * device_.element_bytes;
      return add(Family::kVector, facts, ceil_div(facts.columns, kVector));
    }
    if (!tensor_cores()) return unknown();
    const Family family = fastest_family(facts);
    if (family == Family::kSm80) {  // few blocks share a long reduction
      const double steps = std::ceil(facts.channels / model_.step_channels);
      const double blocks = fastest_tile(model_, family, facts).blocks;
      const double parts = std::min({kSplits, std::floor(steps / kLeastSplitSteps), std::floor(model_.sms / blocks)});
      if (parts > 1) {
        facts.channels = std::ceil(facts.channels / parts);
        add(family, facts, blocks * parts);
        add(Family::kSplit, facts, each(Family::kSplit));
        return epilogue(linear.activation, 0);
      }
    }
    add_with_epilogue(family, facts, linear.activation, 0);
  }

  void operator()(const Conv& conv) {
    const Shape& in = kernel_.reads.front().shape;
    LaunchFacts facts = elementwise_facts();
    facts.taps = as_double(conv.kernel.height * conv.kernel.width);
    facts.columns = as_double(conv.out_channels);
    facts.cold = kernel_.cold;
    if (conv.groups > 1 && conv.groups == in.channels() && conv.groups == conv.out_channels) {
      // It applies a function of its input as it reads it. What that takes was not measured.
      const Family family = aligned(facts.columns) ? Family::kDepthwise : Family::kDepthwiseApart;
      return add(family, facts, ceil_div(facts.elements, model_.shape(family).outputs));
    }
    if (!tensor_cores() || conv.groups > 1) return unknown();
    facts.channels = as_double(in.channels());
    if (!aligned(facts.channels) || !aligned(facts.columns)) return unaligned_convolution(facts);
    const Family family = fastest_family(facts);
    if (facts.channels <= kVector && facts.taps > kWideWindow) {
      for (int i = 0; i < 2; ++i) add(Family::kConvert, facts, each(Family::kConvert));
    }
    add_with_epilogue(family, facts, conv.activation, facts.channels * facts.taps);
  }

  // The others read and write their tensors once, where they are of single numbers.
  void operator()(const OneOf<Affine, Mul, Binary, Where, Concat> auto& /*elementwise*/) {
    if (kernel_.squeezed > 0) return excite();
    stream(as_double(static_cast<std::int64_t>(kernel_.reads.size())), read_bytes() + output_bytes());
  }
  void otherwise() { unknown(); }

 private:
  double output_elements() const { return as_double(kernel_.output.elements() * kernel_.batch); }
  double output_bytes() const { return output_elements() * device_.element_bytes; }
  double read_bytes() const {
    double bytes = 0;
    for (const KernelForm::Read& read : kernel_.reads) {
      bytes += as_double(read.shape.elements() * (read.constant ? 1 : kernel_.batch)) * device_.element_bytes;
    }
    return bytes;
  }
  std::int64_t columns_of(const Softmax& softmax) const { return kernel_.reads.front().shape[softmax.axis]; }
  std::int64_t columns_of(const Normalize& normalize) const {
    return kernel_.reads.front().shape.elements_from(normalize.axis);
  }

  // Tensor cores take 16 bytes at once.
  bool aligned(double channels) const { return std::fmod(channels * device_.element_bytes, 16) == 0; }
  bool tensor_cores() const { return device_.format != NumberFormat::kFloat32; }
  void unknown() { known_ = false; }

  LaunchFacts elementwise_facts() const {
    return {.columns = 1, .elements = output_elements(), .bytes = read_bytes() + output_bytes()};
  }
  // Blocks of a kernel in which each thread has separate outputs.
  double each(Family family) const {
    const bool single = kernel_.output.rank() == 3 && !aligned(as_double(kernel_.output.channels()));
    return ceil_div(output_elements(), model_.shape(family).outputs / (single ? kVector : 1));
  }

  Family fastest_family(const LaunchFacts& facts) const {
    if (model_.shape(Family::kSm90).tiles.empty()) return Family::kSm80;
    const auto us = [&](Family family) { return alone_us(model_, family, facts, 1); };
    return us(Family::kSm80) < us(Family::kSm90) ? Family::kSm80 : Family::kSm90;
  }

  // The launch moves its bytes at no more than the memory's rate, and takes no less than `at_least_us_`.
  void add(Family family, const LaunchFacts& facts, double blocks) {
    const FamilyShape& shape = model_.shape(family);
    double us = std::max(alone_us(model_, family, facts, blocks), std::exchange(at_least_us_, 0.0));
    if (model_.draw) us *= kernel_factor(model_.figures, family, operator_seed(kernel_), *model_.draw);
    const int limit = shape.tiles.empty() ? shape.blocks_per_sm : fastest_tile(model_, family, facts).blocks_per_sm;
    KernelLoad load = timed_load(device_.machine, model_.figures, family, us, block_count(blocks), shape.warps, limit);
    const double moved = read_bytes() + output_bytes();
    const double weights = facts.channels * facts.taps * facts.columns * device_.element_bytes;
    load.dram_bytes = (moved * missed(device_, moved) + (facts.cold ? weights : 0)) / load.blocks;
    loads_.push_back(load);
  }

  // Squeeze and excitation: sums of the pixels as a global pool's, of which a block takes some; then blocks that each
  // read the first layer's weights, and their own channels of the second one's and of some pixels. Not measured.
  void excite() {
    const double channels = as_double(kernel_.output.channels());
    const double weights = channels * as_double(kernel_.squeezed);
    const double samples = as_double(kernel_.batch);
    const double pixels = output_elements() / channels / samples;
    const double megabyte =
        model_.figures.us[static_cast<std::size_t>(Family::kStream)][static_cast<std::size_t>(Term::kMegabyte)];
    const double sums = ceil_div(channels * samples, model_.shape(Family::kGlobalPool).outputs);
    const double parts = std::clamp(std::floor(2 * model_.sms / sums), 2.0, std::max(2.0, pixels / kExcitedPixels));
    at_least_us_ = alone_us(model_, Family::kGlobalPool, {.columns = 1, .elements = channels}, sums) +
                   megabyte * read_bytes() / kBytesPerMb;
    add(Family::kGlobalPool, {.columns = 1, .elements = channels}, sums * parts);
    const double of_one = weights > kFewWeights ? kExciteBlocks : kLightExciteBlocks;
    const double most = std::max(std::floor(of_one * kFullBatch / std::max(samples, kFullBatch)), 1.0);
    const double each = std::min(ceil_div(channels, std::min(most, kExciteBlocks)), kMostOwn);
    const double own = ceil_div(each, kExcitedTogether) * kExcitedTogether;
    const double columns = ceil_div(channels, own);
    const double blocks = columns * std::clamp(std::floor(most / columns), 1.0, ceil_div(pixels, kExcitedTogether));
    const double read = weights + weights / columns + 2 * channels * pixels / blocks;
    const double at_once = model_.sms * model_.shape(Family::kExcitation).blocks_per_sm;
    const double waves = ceil_div(blocks * samples, at_once);
    add(Family::kExcitation, {.channels = waves * read * device_.element_bytes / kBytesPerKb, .columns = 1},
        blocks * samples);
  }

  void add_rows(double rows, double columns) {
    const double threads = aligned(columns) ? kRowThreads * kVector : kRowThreads;
    const double rows_of_block = std::max(1.0, std::floor(threads / columns));
    add(Family::kRows, {.columns = 1, .elements = rows * columns}, ceil_div(rows, rows_of_block));
  }

  // A product of matrices, all of a batch together.
  void multiply(double rows, double depth, double columns) {
    LaunchFacts facts{.channels = depth, .columns = columns, .elements = rows * columns};
    facts.taps = aligned(columns) ? kVector : 1;
    const double blocks = ceil_div(ceil_div(rows, kMatrixRows) * ceil_div(columns, facts.taps), kThreads);
    const double least_us = 2 * facts.elements * facts.channels / device_.machine.flops_per_us;
    LaunchFacts compiled = facts;
    compiled.taps = 1;
    if (tensor_cores() && add_compiled(compiled, std::max(least_us, alone_us(model_, Family::kMatrix, facts, blocks))))
      return;
    at_least_us_ = least_us;
    add(Family::kMatrix, facts, blocks);
  }

  // Attention in steps, or in one kernel of cuDNN's where that is faster.
  void attend(double rows, double depth, double columns) {
    const KernelForm::Read& key = kernel_.reads[1];
    const double keys = as_double(key.shape[key.shape.rank() - 1]);
    multiply(rows, depth, keys);
    add_rows(rows, keys);
    multiply(rows, keys, columns);
    const double odd = std::fmod(depth, kAttentionFeatures) + std::fmod(columns, kAttentionFeatures);
    if (!key.turned || odd > 0 || !compiles_convolutions()) return;
    const bool tf32 = device_.format == NumberFormat::kTf32;
    const Family family = tf32 ? Family::kAttention : Family::kSm80;
    const LaunchFacts facts{
        .taps = tf32 ? depth + columns : 1, .channels = keys, .columns = columns, .elements = rows * columns};
    const double queries = as_double(kernel_.output[kernel_.output.rank() - 2]);
    double blocks = rows / queries * ceil_div(queries, kAttentionQueries);
    double us = alone_us(model_, family, facts, blocks);
    if (tf32) {
      us = std::max(us, 2 * rows * keys * (depth + columns) / device_.machine.flops_per_us);
    } else {  // the product of queries and keys, in the same launch
      us += fastest_tile(model_, family, {.taps = 1, .channels = depth, .columns = keys, .elements = rows * keys}).us;
      blocks = fastest_tile(model_, family, facts).blocks;
    }
    if (us >= duration(device_.machine, loads_) + 2 * model_.figures.gap_us) return;
    loads_.clear();
    at_least_us_ = us;
    add(family, facts, blocks);
  }

  void stream(double inputs, double bytes) {
    add(Family::kStream, {.taps = inputs, .elements = output_elements(), .bytes = bytes}, each(Family::kStream));
  }
  void copy() {
    LaunchFacts facts = elementwise_facts();
    facts.bytes = 2 * output_bytes();
    add(Family::kCopy, facts, each(Family::kCopy));
  }

  // Where no convolution takes the function of its input, that is a launch before it.
  LaunchFacts facts_before() const {
    const double elements = as_double(kernel_.reads.front().shape.elements() * kernel_.batch);
    return {.taps = 1, .elements = elements, .bytes = 2 * elements * device_.element_bytes};
  }
  double blocks_before() const { return ceil_div(facts_before().elements, model_.shape(Family::kStream).outputs); }
  double before_us() const {
    if (kernel_.before == Activation::kIdentity) return 0;
    return model_.figures.gap_us + alone_us(model_, Family::kStream, facts_before(), blocks_before());
  }
  void apply_before() {
    if (kernel_.before != Activation::kIdentity) add(Family::kStream, facts_before(), blocks_before());
  }

  void global_pool(double window) {
    if (window > kGlobalWindow) return unknown();
    add(Family::kGlobalPool, elementwise_facts(),
        ceil_div(output_elements(), model_.shape(Family::kGlobalPool).outputs));
  }

  // Returns how many launches do what a convolution or a linear layer with a reduction of that length cannot do as it
  // writes.
  int launches_after(const Activation& activation, double depth) const {
    const bool plain = activation == Activation::kIdentity || activation == Activation::kRelu;
    const bool copies = kernel_.writes_slice && kernel_.reads.size() == 1 && plain && depth > 0;
    const bool silu = activation.kind == ActivationKind::kSwish && depth >= kDeepSilu;
    return (copies ? 1 : 0) + (silu || activation.kind == ActivationKind::kGelu ? 1 : 0);
  }
  void epilogue(const Activation& activation, double depth) {
    for (int i = launches_after(activation, depth); i > 0; --i) stream(1, 2 * output_bytes());
  }
  void add_with_epilogue(Family family, const LaunchFacts& facts, const Activation& activation, double depth) {
    const double after = launches_after(activation, depth);
    const LaunchFacts one{.taps = 1, .elements = output_elements(), .bytes = 2 * output_bytes()};
    const double stream_us = model_.figures.gap_us + alone_us(model_, Family::kStream, one, each(Family::kStream));
    const double around_us = before_us() + after * stream_us;
    if (around_us > 0 && compiles_convolutions() && add_compiled(facts, alone_us(model_, family, facts, 1) + around_us))
      return;
    apply_before();
    add(family, facts, fastest_tile(model_, family, facts).blocks);
    epilogue(activation, depth);
  }

  // cuDNN compiles tensor kernels that take any channels, write slices and fuse every activation, of the input too.
  bool compiles_convolutions() const { return tensor_cores() && device_.compute_capability >= kFirstCompiled; }

  // Adds a compiled tensor kernel and returns true if it takes less than `other_us`. Its time was not measured: it has
  // the figures of the precompiled ones of its kind.
  bool add_compiled(const LaunchFacts& facts, double other_us) {
    if (alone_us(model_, Family::kSm80, facts, 1) >= other_us) return false;
    add(Family::kSm80, facts, fastest_tile(model_, Family::kSm80, facts).blocks);
    return true;
  }

  // CUDA cores, or kernels that pad before and after tensor cores, whichever is faster.
  void unaligned_convolution(const LaunchFacts& facts) {
    const double pixels = facts.elements / facts.columns;
    const double blocks = ceil_div(pixels, kCudaCoreTile) * ceil_div(facts.columns, kCudaCoreTile);
    const double flops = 2 * facts.elements * facts.channels * facts.taps;
    const double cuda_us =
        std::max(alone_us(model_, Family::kCudaCore, facts, blocks), flops / device_.machine.flops_per_us);
    LaunchFacts padded = facts;
    const double step = 16 / device_.element_bytes;
    padded.channels = ceil_div(facts.channels, step) * step;
    padded.columns = ceil_div(facts.columns, step) * step;
    padded.elements = pixels * padded.columns;
    const Family family = fastest_family(padded);
    const double weights = facts.channels * facts.taps * facts.columns * device_.element_bytes;
    const double around_us = kPaddingUs + kPaddingUsPerMb * weights / kBytesPerMb;
    const double padded_us = around_us + alone_us(model_, family, padded, 1);
    if (compiles_convolutions() && add_compiled(facts, std::min(cuda_us, padded_us) + before_us())) return;
    apply_before();
    if (padded_us >= cuda_us) {
      at_least_us_ = cuda_us;
      return add(Family::kCudaCore, facts, blocks);
    }
    for (int i = 0; i < kPaddingLaunches; ++i) {
      at_least_us_ = around_us / kPaddingLaunches;
      add(Family::kPadding, {}, 2 * model_.sms);
    }
    add(family, padded, fastest_tile(model_, family, padded).blocks);
  }

  const DeviceDescription& device_;
  const CapturedModel& model_;
  const KernelForm& kernel_;
  std::vector<KernelLoad> loads_;
  double at_least_us_ = 0;  // that the next launch takes
  bool known_ = true;
};

}  // namespace

std::optional<std::vector<KernelLoad>> captured_loads(const DeviceDescription& device, const KernelForm& kernel) {
  return CapturedExpansion(device, kernel).run();
}

}  // namespace iosx::simulated
