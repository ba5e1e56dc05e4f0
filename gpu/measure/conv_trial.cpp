#include "gpu/measure/conv_trial.h"

#include <algorithm>
#include <cmath>
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

const DeviceMemory& ConvTrial::random(std::int64_t elements, DataType type) {
  const DeviceMemory& memory = operands_.emplace_back(runtime_, elements * bytes_of(type));
  TensorRef all{.data = memory.data(), .type = type, .rank = 1, .dims = {}, .strides = {}};
  all.dims[0] = elements;
  all.strides[0] = 1;
  runtime_.launch(kOrigin, FillCall{.out = all, .seed = static_cast<std::uint32_t>(operands_.size())});
  return memory;
}

std::byte* ConvTrial::random(std::int64_t elements, DataType type, std::int64_t alignment) {
  const std::int64_t offset = alignment < kAligned ? alignment : 0;
  return random(elements + offset / bytes_of(type), type).data() + offset;
}

TensorRef ConvTrial::pixels(const ConvProblem& problem, const PixelLayout& layout, std::int64_t channels,
                            const Extent& extent) {
  const DataType type = data_type(problem.math);
  std::byte* const data = random(elements_of(layout, extent, problem.batch), type, layout.alignment);
  TensorRef tensor{.data = data, .type = type, .rank = 4, .dims = {}, .strides = {}};
  tensor.dims = {problem.batch, channels, extent.height, extent.width};
  tensor.strides = {extent.height * extent.width * layout.pitch, 1, extent.width * layout.pitch, layout.pitch};
  return tensor;
}

TensorRef ConvTrial::matrices(const MatMulProblem& problem, const MatrixLayout& layout, std::int64_t rows,
                              std::int64_t columns) {
  const DataType type = data_type(problem.math);
  std::byte* const data = random(elements_of(layout, problem.batch, rows, columns), type, layout.alignment);
  TensorRef tensor{.data = data, .type = type, .rank = 3, .dims = {}, .strides = {}};
  tensor.dims = {problem.batch, rows, columns};
  tensor.strides = {layout.batch, layout.row, layout.column};
  return tensor;
}

ConvTrial::ConvTrial(Runtime& runtime, const Problem& problem) : runtime_(runtime) {
  task_ = std::visit([&](const auto& one) -> Task { return task_of(one); }, problem);
}

MatMulTask ConvTrial::task_of(const MatMulProblem& problem) {
  return {.problem = problem,
          .a = matrices(problem, problem.a, problem.rows, problem.depth),
          .b = matrices(problem, problem.b, problem.depth, problem.columns),
          .y = matrices(problem, problem.y, problem.rows, problem.columns)};
}

ConvTask ConvTrial::task_of(const ConvProblem& problem) {
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

std::vector<std::size_t> ConvTrial::make_room(std::span<const ConvWay> ways) {
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

void ConvTrial::enqueue(const ConvWay& way, int copies) {
  void* scratch = scratch_.empty() ? nullptr : scratch_.front().data();
  const std::vector<Step> steps = steps_of(way, task_, scratch);
  for (int copy = 0; copy < copies; ++copy) {
    for (const Step& step : steps) {
      if (const auto* conv = std::get_if<ConvStep>(&step)) {
        runtime_.execute(kOrigin, *conv->plan, conv->operands);
      } else {
        runtime_.launch(kOrigin, std::get<KernelCall>(step));
      }
    }
  }
}

std::vector<float> ConvTrial::download(const void* data, std::int64_t elements) {
  std::vector<float> numbers(static_cast<std::size_t>(elements));
  runtime_.download(numbers.data(), data, elements * bytes_of(DataType::kFloat32));
  return numbers;
}

std::vector<ConvTrial::Output> ConvTrial::expected(const MatMulTask& task) {
  const MatMulProblem& p = task.problem;
  IOS_CHECK(data_type(p.math) == DataType::kFloat32);
  const std::vector<float> a = download(task.a.data, elements_of(p.a, p.batch, p.rows, p.depth));
  const std::vector<float> b = download(task.b.data, elements_of(p.b, p.batch, p.depth, p.columns));
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

std::vector<ConvTrial::Output> ConvTrial::expected(const ConvTask& task) {
  const ConvProblem& p = task.problem;
  IOS_CHECK(data_type(p.math) == DataType::kFloat32 && !p.transposed && (p.groups == 1 || p.groups < p.channels));
  const std::int64_t depth = p.channels / p.groups;
  const std::int64_t taps = p.kernel.height * p.kernel.width;
  const std::vector<float> x = download(task.x.data, elements_of(p.x, p.input, p.batch));
  const std::vector<float> weights = download(task.weights, p.out_channels * taps * depth);
  const std::vector<float> bias = p.bias ? download(task.bias, p.out_channels) : std::vector<float>{};
  const std::vector<float> residual =
      p.residual ? download(task.residual.data, elements_of(p.z, p.output, p.batch)) : std::vector<float>{};
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

double ConvTrial::error(const ConvWay& way) {
  if (expected_.empty()) expected_ = std::visit([&](const auto& task) { return expected(task); }, task_);
  enqueue(way, 1);
  std::int64_t last = 0;
  for (const Output& output : expected_) last = std::max(last, output.place);
  const void* const data = std::visit([](const auto& task) -> const void* { return task.y.data; }, task_);
  const std::vector<float> y = download(data, last + 1);
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
