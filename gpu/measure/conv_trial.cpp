#include "gpu/measure/conv_trial.h"

#include <algorithm>

#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kAligned = 16;  // bytes: what PixelLayout knows of alignment

}  // namespace

const DeviceMemory& ConvTrial::random(std::int64_t elements, DataType type) {
  const DeviceMemory& memory = operands_.emplace_back(runtime_, elements * bytes_of(type));
  TensorRef all{.data = memory.data(), .type = type, .rank = 1, .dims = {}, .strides = {}};
  all.dims[0] = elements;
  all.strides[0] = 1;
  runtime_.launch(kOrigin, FillCall{.out = all, .seed = static_cast<std::uint32_t>(operands_.size())});
  return memory;
}

TensorRef ConvTrial::pixels(const PixelLayout& layout, std::int64_t channels, const Extent& extent) {
  const ConvProblem& problem = task_.problem;
  const DataType type = data_type(problem.math);
  // There is room for an address that is aligned as badly as the problem's.
  const std::int64_t elements = problem.batch * extent.height * extent.width * layout.pitch;
  const std::int64_t offset = layout.alignment < kAligned ? layout.alignment : 0;
  const DeviceMemory& memory = random(elements + offset / bytes_of(type), type);
  TensorRef tensor{.data = memory.data() + offset, .type = type, .rank = 4, .dims = {}, .strides = {}};
  tensor.dims = {problem.batch, channels, extent.height, extent.width};
  tensor.strides = {extent.height * extent.width * layout.pitch, 1, extent.width * layout.pitch, layout.pitch};
  return tensor;
}

ConvTrial::ConvTrial(Runtime& runtime, const ConvProblem& problem) : runtime_(runtime) {
  const DataType type = data_type(problem.math);
  task_.problem = problem;
  task_.x = pixels(problem.x, problem.channels, problem.input);
  task_.y = pixels(problem.y, problem.out_channels, problem.output);
  if (problem.residual) task_.residual = pixels(problem.z, problem.out_channels, problem.output);
  const std::int64_t weights =
      problem.channels * problem.out_channels / problem.groups * problem.kernel.height * problem.kernel.width;
  task_.weights = random(weights, type).data();
  if (!problem.bias) return;
  task_.bias = random(problem.out_channels, type).data();
  task_.bias_float = reinterpret_cast<const float*>(random(problem.out_channels, DataType::kFloat32).data());
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

}  // namespace iosx::gpu
