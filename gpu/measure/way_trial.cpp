#include "gpu/measure/way_trial.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "core/base/check.h"
#include "core/model/graph/activation.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kAligned = 16;   // bytes: what PixelLayout knows of alignment
constexpr std::int64_t kChecked = 500;  // outputs

std::int64_t elements_of(const PixelLayout& layout, const Extent& extent, std::int64_t batch) {
  return batch * extent.height * extent.width * layout.pitch;
}

std::int64_t elements_of(const MatrixLayout& layout, std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  return (batch - 1) * layout.batch + (rows - 1) * layout.row + (columns - 1) * layout.column + 1;
}

double at(const std::vector<float>& numbers, std::int64_t place) {
  return static_cast<double>(numbers[static_cast<std::size_t>(place)]);
}

}  // namespace

const DeviceMemory& WayTrial::random(std::int64_t elements, DataType type) {
  const DeviceMemory& memory = operands_.emplace_back(runtime_, elements * bytes_of(type));
  TensorRef all{.data = memory.data(), .type = type, .rank = 1, .dims = {}, .strides = {}};
  all.dims[0] = elements;
  all.strides[0] = 1;
  runtime_.launch(kOrigin, FillCall{.out = all, .seed = static_cast<std::uint32_t>(operands_.size())});
  return memory;
}

std::byte* WayTrial::random(std::int64_t elements, DataType type, std::int64_t alignment) {
  const std::int64_t offset = alignment < kAligned ? alignment : 0;
  return random(elements + offset / bytes_of(type), type).data() + offset;
}

TensorRef WayTrial::pixels(const ConvProblem& problem, const PixelLayout& layout, std::int64_t channels,
                           const Extent& extent) {
  const DataType type = data_type(problem.math);
  std::byte* const data = random(elements_of(layout, extent, problem.batch), type, layout.alignment);
  TensorRef tensor{.data = data, .type = type, .rank = 4, .dims = {}, .strides = {}};
  tensor.dims = {problem.batch, channels, extent.height, extent.width};
  tensor.strides = {extent.height * extent.width * layout.pitch, 1, extent.width * layout.pitch, layout.pitch};
  return tensor;
}

TensorRef WayTrial::matrices(const MatMulProblem& problem, const MatrixLayout& layout, std::int64_t rows,
                             std::int64_t columns) {
  const DataType type = data_type(problem.math);
  std::byte* const data = random(elements_of(layout, problem.batch, rows, columns), type, layout.alignment);
  TensorRef tensor{.data = data, .type = type, .rank = 3, .dims = {}, .strides = {}};
  tensor.dims = {problem.batch, rows, columns};
  tensor.strides = {layout.batch, layout.row, layout.column};
  return tensor;
}

WayTrial::WayTrial(Runtime& runtime, const Problem& problem, float values) : runtime_(runtime) {
  task_ = std::visit([&](const auto& one) -> Task { return task_of(one); }, problem);
  const auto* const attention = std::get_if<AttentionTask>(&task_);
  if (attention != nullptr && values != 1) multiply(attention->context.b, values);
}

void WayTrial::multiply(const TensorRef& tensor, float factor) {
  const auto channels = static_cast<std::size_t>(tensor.dims[1]);
  std::vector<float> factors(2 * channels, 0);  // then nothing to add
  std::fill_n(factors.begin(), channels, factor);
  const auto bytes = static_cast<std::int64_t>(factors.size() * sizeof(float));
  const DeviceMemory& memory = operands_.emplace_back(runtime_, bytes);
  runtime_.upload(memory.data(), factors.data(), bytes);
  const auto* const scale = reinterpret_cast<const float*>(memory.data());
  runtime_.launch(kOrigin, AffineCall{.in = tensor, .scale = scale, .shift = scale + channels, .out = tensor});
}

MatMulTask WayTrial::task_of(const MatMulProblem& problem) {
  return {.problem = problem,
          .a = matrices(problem, problem.a, problem.rows, problem.depth),
          .b = matrices(problem, problem.b, problem.depth, problem.columns),
          .y = matrices(problem, problem.y, problem.rows, problem.columns)};
}

AttentionTask WayTrial::task_of(const AttentionProblem& problem) {
  const auto unmade = [](const MatMulProblem& product, const MatrixLayout& layout, std::int64_t columns) {
    TensorRef tensor{.data = nullptr, .type = data_type(product.math), .rank = 3, .dims = {}, .strides = {}};
    tensor.dims = {product.batch, product.rows, columns};
    tensor.strides = {layout.batch, layout.row, layout.column};
    return tensor;
  };
  const MatMulProblem& scores = problem.scores;
  const MatMulProblem& context = problem.context;
  return {.problem = problem,
          .scores = {.problem = scores,
                     .a = matrices(scores, scores.a, scores.rows, scores.depth),
                     .b = matrices(scores, scores.b, scores.depth, scores.columns),
                     .y = unmade(scores, scores.y, scores.columns)},
          .context = {.problem = context,
                      .a = unmade(context, context.a, context.depth),
                      .b = matrices(context, context.b, context.depth, context.columns),
                      .y = matrices(context, context.y, context.rows, context.columns)}};
}

ConvTask WayTrial::task_of(const ConvProblem& problem) {
  const DataType type = data_type(problem.math);
  ConvTask task;
  task.problem = problem;
  task.x = pixels(problem, problem.x, problem.channels, problem.input);
  task.y = pixels(problem, problem.y, problem.out_channels, problem.output);
  if (problem.residual) task.residual = pixels(problem, problem.z, problem.out_channels, problem.output);
  const std::int64_t weights =
      problem.channels * problem.out_channels / problem.groups * problem.kernel.height * problem.kernel.width;
  task.weights = random(weights, type).data();
  if (!problem.bias) return task;
  task.bias = random(problem.out_channels, type).data();
  task.bias_float = reinterpret_cast<const float*>(random(problem.out_channels, DataType::kFloat32).data());
  return task;
}

std::vector<std::size_t> WayTrial::make_room(std::span<const Way> ways) {
  scratch_.clear();
  std::vector<std::size_t> fit(ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i) fit[i] = i;
  const auto bytes = [&](std::size_t i) { return scratch_bytes(ways[i], task_); };
  while (!fit.empty()) {
    std::int64_t most = 0;
    for (const std::size_t i : fit) most = std::max(most, bytes(i));
    if (most == 0) break;
    try {
      scratch_.emplace_back(runtime_, most);
      break;
    } catch (const OutOfMemory&) {
      std::erase_if(fit, [&](std::size_t i) { return bytes(i) == most; });
    }
  }
  return fit;
}

void WayTrial::enqueue(const Way& way, int copies) {
  void* scratch = scratch_.empty() ? nullptr : scratch_.front().data();
  const std::vector<Step> steps = steps_of(way, task_, scratch);
  for (int copy = 0; copy < copies; ++copy) {
    for (const Step& step : steps) {
      if (const auto* conv = std::get_if<LibraryStep>(&step)) {
        runtime_.execute(kOrigin, *conv->plan, conv->operands);
      } else {
        runtime_.launch(kOrigin, std::get<KernelCall>(step));
      }
    }
  }
}

// Other types are converted first.
std::vector<float> WayTrial::download(const void* data, DataType type, std::int64_t elements) {
  std::vector<float> numbers(static_cast<std::size_t>(elements));
  std::optional<DeviceMemory> converted;
  if (type != DataType::kFloat32) {
    TensorRef from{.data = const_cast<void*>(data), .type = type, .rank = 1, .dims = {}, .strides = {}};
    from.dims[0] = elements;
    from.strides[0] = 1;
    TensorRef to = from;
    to.data = converted.emplace(runtime_, elements * bytes_of(DataType::kFloat32)).data();
    to.type = DataType::kFloat32;
    runtime_.launch(kOrigin, CopyCall{from, to});
    data = to.data;
  }
  runtime_.download(numbers.data(), data, elements * bytes_of(DataType::kFloat32));
  return numbers;
}

std::vector<WayTrial::Output> WayTrial::expected(const MatMulTask& task) {
  const MatMulProblem& p = task.problem;
  const DataType type = data_type(p.math);
  const std::vector<float> a = download(task.a.data, type, elements_of(p.a, p.batch, p.rows, p.depth));
  const std::vector<float> b = download(task.b.data, type, elements_of(p.b, p.batch, p.depth, p.columns));
  std::vector<Output> outputs;
  const std::int64_t all = p.batch * p.rows * p.columns;
  for (std::int64_t i = 0; i < all; i += std::max<std::int64_t>(all / kChecked, 1)) {
    const std::int64_t column = i % p.columns;
    const std::int64_t row = i / p.columns % p.rows;
    const std::int64_t n = i / p.columns / p.rows;
    double sum = 0;
    for (std::int64_t k = 0; k < p.depth; ++k) {
      sum += at(a, n * p.a.batch + row * p.a.row + k * p.a.column) *
             at(b, n * p.b.batch + k * p.b.row + column * p.b.column);
    }
    outputs.push_back({n * p.y.batch + row * p.y.row + column * p.y.column, sum});
  }
  return outputs;
}

std::vector<WayTrial::Output> WayTrial::expected(const AttentionTask& task) {
  const MatMulProblem& s = task.problem.scores;
  const MatMulProblem& c = task.problem.context;
  const DataType type = data_type(s.math);
  const std::vector<float> q = download(task.scores.a.data, type, elements_of(s.a, s.batch, s.rows, s.depth));
  const std::vector<float> k = download(task.scores.b.data, type, elements_of(s.b, s.batch, s.depth, s.columns));
  const std::vector<float> v = download(task.context.b.data, type, elements_of(c.b, c.batch, c.depth, c.columns));
  std::vector<Output> outputs;
  const std::int64_t all = c.batch * c.rows * c.columns;
  for (std::int64_t i = 0; i < all; i += std::max<std::int64_t>(all / kChecked, 1)) {
    const std::int64_t column = i % c.columns;
    const std::int64_t row = i / c.columns % c.rows;
    const std::int64_t n = i / c.columns / c.rows;
    std::vector<double> scores;
    for (std::int64_t key = 0; key < s.columns; ++key) {
      double sum = 0;
      for (std::int64_t f = 0; f < s.depth; ++f) {
        sum += at(q, n * s.a.batch + row * s.a.row + f * s.a.column) *
               at(k, n * s.b.batch + f * s.b.row + key * s.b.column);
      }
      scores.push_back(static_cast<double>(task.problem.scale) * sum);
    }
    const double most = *std::ranges::max_element(scores);
    double total = 0;
    double made = 0;
    for (std::int64_t key = 0; key < s.columns; ++key) {
      const double share = std::exp(scores[static_cast<std::size_t>(key)] - most);
      total += share;
      made += share * at(v, n * c.b.batch + key * c.b.row + column * c.b.column);
    }
    outputs.push_back({n * c.y.batch + row * c.y.row + column * c.y.column, made / total});
  }
  return outputs;
}

std::vector<WayTrial::Output> WayTrial::expected(const ConvTask& task) {
  const ConvProblem& p = task.problem;
  IOS_CHECK(!p.transposed && (p.groups == 1 || p.groups < p.channels));
  const DataType type = data_type(p.math);
  const std::int64_t depth = p.channels / p.groups;
  const std::int64_t taps = p.kernel.height * p.kernel.width;
  const std::vector<float> x = download(task.x.data, type, elements_of(p.x, p.input, p.batch));
  const std::vector<float> weights = download(task.weights, type, p.out_channels * taps * depth);
  const std::vector<float> bias = p.bias ? download(task.bias, type, p.out_channels) : std::vector<float>{};
  const std::vector<float> residual =
      p.residual ? download(task.residual.data, type, elements_of(p.z, p.output, p.batch)) : std::vector<float>{};
  std::vector<Output> outputs;
  const std::int64_t all = p.batch * p.output.height * p.output.width * p.out_channels;
  for (std::int64_t i = 0; i < all; i += std::max<std::int64_t>(all / kChecked, 1)) {
    const std::int64_t channel = i % p.out_channels;
    const std::int64_t pixel = i / p.out_channels;
    const std::int64_t column = pixel % p.output.width;
    const std::int64_t row = pixel / p.output.width % p.output.height;
    const std::int64_t image = pixel / p.output.width / p.output.height;
    const std::int64_t first = channel / (p.out_channels / p.groups) * depth;
    double sum = p.bias ? at(bias, channel) : 0;
    if (p.residual) sum += at(residual, pixel * p.z.pitch + channel);
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::int64_t h = row * p.stride.height - p.padding.height + tap / p.kernel.width * p.dilation.height;
      const std::int64_t w = column * p.stride.width - p.padding.width + tap % p.kernel.width * p.dilation.width;
      if (h < 0 || h >= p.input.height || w < 0 || w >= p.input.width) continue;
      const std::int64_t from = ((image * p.input.height + h) * p.input.width + w) * p.x.pitch + first;
      const std::int64_t factors = (channel * taps + tap) * depth;
      for (std::int64_t c = 0; c < depth; ++c) {
        const double activated = apply(p.before, x[static_cast<std::size_t>(from + c)]);
        sum += activated * at(weights, factors + c);
      }
    }
    outputs.push_back({pixel * p.y.pitch + channel, apply(p.activation, static_cast<float>(sum))});
  }
  return outputs;
}

double WayTrial::error(const Way& way) {
  if (expected_.empty()) expected_ = std::visit([&](const auto& task) { return expected(task); }, task_);
  enqueue(way, 1);
  std::int64_t last = 0;
  for (const Output& output : expected_) last = std::max(last, output.place);
  const auto* const attention = std::get_if<AttentionTask>(&task_);
  const auto* const product = std::get_if<MatMulTask>(&task_);
  const TensorRef& to = attention != nullptr ? attention->context.y
                        : product != nullptr ? product->y
                                             : std::get<ConvTask>(task_).y;
  const void* const data = to.data;
  const std::vector<float> y = download(data, to.type, last + 1);
  double largest = 0;
  double error = 0;
  for (const Output& output : expected_) {
    largest = std::max(largest, std::abs(output.value));
    const double difference = std::abs(y[static_cast<std::size_t>(output.place)] - output.value);
    error = std::isnan(difference) ? difference : std::max(error, difference);
    if (std::isnan(error)) break;
  }
  return largest > 0 ? error / largest : error;
}

}  // namespace iosx::gpu
