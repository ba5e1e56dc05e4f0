#include "gpu/exec/problem_of.h"

#include <algorithm>
#include <bit>
#include <span>

#include "core/base/check.h"
#include "core/model/graph/operator_table.h"
#include "core/model/layout/layout.h"
#include "core/model/layout/views.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kMostAlignment = 16;

std::int64_t alignment_of(std::uintptr_t address, std::int64_t pitch_bytes) {
  const auto bits = static_cast<std::uint64_t>(address) | static_cast<std::uint64_t>(pitch_bytes) | kMostAlignment;
  return std::int64_t{1} << std::countr_zero(bits);
}

// The stride of `axis` leads from pixel to pixel. The only pixel of a tensor lies in no larger one.
PixelLayout layout_of(const TensorRef& tensor, std::size_t axis) {
  const bool one_pixel = tensor.elements() == tensor.dims[1];
  PixelLayout layout;
  layout.pitch = one_pixel ? tensor.dims[1] : tensor.strides[axis];
  layout.alignment = alignment_of(reinterpret_cast<std::uintptr_t>(tensor.data), layout.pitch * bytes_of(tensor.type));
  return layout;
}

Extent sum(const Extent& a, const Extent& b) { return {a.height + b.height, a.width + b.width}; }
Extent difference(const Extent& a, const Extent& b) { return {a.height - b.height, a.width - b.width}; }

// Returns what all kinds have in common. `pixels` is the axis of the strides between pixels.
ConvProblem common(const TensorRef& x, const TensorRef& y, const TensorRef* residual, std::size_t pixels, Math math) {
  IOS_CHECK(x.dims[0] == y.dims[0] && x.type == data_type(math) && y.type == x.type);
  ConvProblem problem;
  problem.math = math;
  problem.batch = y.dims[0];
  problem.channels = x.dims[1];
  problem.out_channels = y.dims[1];
  problem.x = layout_of(x, pixels);
  problem.y = layout_of(y, pixels);
  problem.bias = true;
  if (residual != nullptr) {
    problem.residual = true;
    problem.z = layout_of(*residual, pixels);
  }
  return problem;
}

constexpr std::size_t kWidthAxis = 3;

Extent pixels_of(const TensorRef& tensor) {
  IOS_CHECK(tensor.rank == kWidthAxis + 1);
  return {tensor.dims[2], tensor.dims[3]};
}

template <OneOf<Conv, ConvTranspose> Layer>
ConvProblem problem_of_windows(const Layer& layer, const TensorRef& x, const TensorRef& y, const TensorRef* residual,
                               Math math) {
  ConvProblem problem = common(x, y, residual, kWidthAxis, math);
  problem.input = pixels_of(x);
  problem.output = pixels_of(y);
  problem.kernel = layer.kernel;
  problem.stride = layer.stride;
  problem.dilation = layer.dilation;
  problem.padding = layer.padding;
  problem.padding_end = sum(layer.padding, layer.end_padding);
  problem.groups = layer.groups;
  problem.activation = layer.activation;
  return problem;
}

struct ProblemOf {
  const TensorRef& x;
  const TensorRef& y;
  const TensorRef* residual;
  Math math;

  std::optional<ConvProblem> operator()(const OneOf<Conv, Linear> auto& layer) const {
    return problem_of(layer, x, y, residual, math);
  }
  std::optional<ConvProblem> operator()(const ConvTranspose& conv) const {
    IOS_CHECK(residual == nullptr);
    return problem_of(conv, x, y, math);
  }
  std::optional<ConvProblem> otherwise() const { return std::nullopt; }
};

// Returns how matrices of the last two axes lie, none where the axes before them have no common stride.
std::optional<MatrixLayout> matrices_of(const TensorRef& tensor) {
  const std::size_t down = tensor.rank - 2;
  MatrixLayout layout{.batch = 0, .row = tensor.strides[down], .column = tensor.strides[down + 1]};
  std::int64_t matrices = 1;  // of the axes so far
  for (std::size_t axis = down; axis-- > 0;) {
    if (tensor.dims[axis] == 1) continue;
    if (matrices == 1) layout.batch = tensor.strides[axis];
    if (tensor.strides[axis] != layout.batch * matrices) return std::nullopt;
    matrices *= tensor.dims[axis];
  }
  std::int64_t pitches = layout.batch;
  for (const std::int64_t stride : {layout.row, layout.column}) pitches |= stride == 1 ? 0 : stride;
  layout.alignment = alignment_of(reinterpret_cast<std::uintptr_t>(tensor.data), pitches * bytes_of(tensor.type));
  return layout;
}

}  // namespace

ConvProblem problem_of(const Conv& conv, const TensorRef& x, const TensorRef& y, const TensorRef* residual, Math math) {
  return problem_of_windows(conv, x, y, residual, math);
}

ConvProblem problem_of(const ConvTranspose& conv, const TensorRef& x, const TensorRef& y, Math math) {
  ConvProblem problem = problem_of_windows(conv, x, y, nullptr, math);
  problem.transposed = true;
  problem.padding_end = difference(problem.padding_end, conv.output_padding);
  return problem;
}

ConvProblem problem_of(const Linear& linear, const TensorRef& x, const TensorRef& y, const TensorRef* residual,
                       Math math) {
  IOS_CHECK(x.rank == 2 && y.rank == 2);
  ConvProblem problem = common(x, y, residual, 0, math);
  problem.activation = linear.activation;
  return problem;
}

TensorRef factor_of(const TensorRef& in, const TensorRef& products) {
  TensorRef wanted = products;
  for (std::size_t from_end = 1; from_end <= 2; ++from_end) {
    wanted.dims[products.rank - from_end] = in.dims[in.rank - from_end];
  }
  return broadcast(in, std::span(wanted.dims.data(), wanted.rank));
}

std::optional<MatMulTask> product_of(const TensorRef& a, const TensorRef& b, const TensorRef& y, Math math) {
  if (y.elements() == 0) return std::nullopt;
  MatMulTask task{.problem = {}, .a = factor_of(a, y), .b = factor_of(b, y), .y = y};
  task.problem.math = math;
  const auto layouts = {std::pair(&task.a, &task.problem.a), std::pair(&task.b, &task.problem.b),
                        std::pair(&task.y, &task.problem.y)};
  for (const auto& [tensor, layout] : layouts) {
    const auto found = matrices_of(*tensor);
    if (!found) return std::nullopt;
    *layout = *found;
  }
  const std::size_t down = y.rank - 2;
  task.problem.batch = y.elements() / (y.dims[down] * y.dims[down + 1]);
  task.problem.rows = y.dims[down];
  task.problem.columns = y.dims[down + 1];
  task.problem.depth = task.a.dims[down + 1];
  return task;
}

TensorRef scores_of(const TensorRef& k, const TensorRef& y, void* data) {
  const std::size_t across = y.rank - 1;
  TensorRef scores = y;
  scores.data = data;
  scores.dims[across] = k.dims[k.rank - 1];
  const std::int64_t vector = kMostAlignment / bytes_of(y.type);
  std::int64_t stride = 1;
  for (std::size_t axis = y.rank; axis-- > 0;) {
    scores.strides[axis] = stride;
    stride *= axis == across ? (scores.dims[axis] + vector - 1) / vector * vector : scores.dims[axis];
  }
  return scores;
}

std::optional<AttentionTask> attention_of(const TensorRef& q, const TensorRef& k, const TensorRef& v,
                                          const TensorRef& y, float scale, Math math) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): any aligned address; nothing is read there
  void* const aligned = reinterpret_cast<void*>(static_cast<std::uintptr_t>(kAlignment));
  const TensorRef made = scores_of(k, y, aligned);
  auto scores = product_of(q, k, made, math);
  auto context = product_of(made, v, y, math);
  if (!scores || !context) return std::nullopt;
  AttentionProblem problem{scores->problem, scale, context->problem};
  return AttentionTask{problem, *std::move(scores), *std::move(context)};
}

std::vector<std::optional<Problem>> problems_by_kernel(const ExecutionPlan& plan, Math math) {
  // Any address does that is aligned as a buffer's.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read there
  void* const aligned = reinterpret_cast<void*>(static_cast<std::uintptr_t>(kAlignment));
  const auto view = [&](const TensorView& seen) {
    return view_ref(plan.buffers[seen.buffer.index()], seen, plan.batch, data_type(math), aligned);
  };
  std::vector<std::optional<Problem>> problems(plan.kernels.size());
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    const auto factors = [&](std::size_t i) { return repeated(view(kernel.reads[i]), plan.batch); };
    if (kernel.is_attention()) {
      const auto task = attention_of(factors(0), factors(1), factors(2), view(kernel.writes), kernel.scale, math);
      if (task) problems[k] = task->problem;
    } else if (std::holds_alternative<MatMul>(kernel.attributes)) {
      if (auto task = product_of(factors(0), factors(1), view(kernel.writes), math)) problems[k] = task->problem;
    }
    if (!is_layer(kernel)) continue;
    const auto tensor = [&](const TensorView& seen) {
      return layer_tensor(kernel, view(seen), plan.batch, aligned).tensor;
    };
    const TensorRef x = tensor(kernel.reads[0]);
    const TensorRef y = tensor(kernel.writes);
    std::optional<TensorRef> residual;
    if (kernel.reads.size() > 1) residual = tensor(kernel.reads[1]);
    const ProblemOf problem_for{x, y, residual ? &*residual : nullptr, math};
    if (auto problem = visit_kind(problem_for, kernel.attributes)) {
      problem->before = kernel.before;
      problems[k] = *problem;
    }
  }
  return problems;
}

std::vector<ConvProblem> conv_problems(const ExecutionPlan& plan, Math math) {
  std::vector<ConvProblem> problems;
  for (const auto& problem : problems_by_kernel(plan, math)) {
    if (!problem) continue;
    if (const auto* const conv = std::get_if<ConvProblem>(&*problem)) problems.push_back(*conv);
  }
  return problems;
}

PixelLayout dense_layout(std::int64_t channels, Math math) {
  return {channels, alignment_of(0, channels * bytes_of(data_type(math)))};
}

TensorRef repeated(const TensorRef& tensor, std::int64_t batch) {
  TensorRef all = tensor;
  all.dims[0] = batch;
  return broadcast(tensor, std::span(all.dims.data(), all.rank));
}

bool is_layer(const Kernel& kernel) { return operator_row(kernel.attributes).role == OperatorRole::kLayer; }

LayerTensor layer_tensor(const Kernel& kernel, const TensorRef& tensor, std::int64_t batch, void* place) {
  const Linear* const linear = std::get_if<Linear>(&kernel.attributes);
  if (tensor.dims[0] == batch) {
    if (linear == nullptr) return {tensor, {}};
    if (const auto rows = feature_rows(tensor, linear->axis)) return {*rows, {}};
  }
  const TensorRef from = repeated(tensor, batch);
  if (linear == nullptr) {
    const TensorRef dense = dense_like(from, place);
    return {dense, Detour{from, dense}};
  }
  const TensorRef dense = dense_feature_rows(from, linear->axis, place);
  return {feature_rows(dense, linear->axis).value(), Detour{from, dense}};
}

std::int64_t dense_bytes(const TensorRef& tensor) { return aligned(tensor.elements() * bytes_of(tensor.type)); }

}  // namespace iosx::gpu
