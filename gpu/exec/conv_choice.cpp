#include "gpu/exec/conv_choice.h"

#include <cstddef>
#include <utility>

#include "core/base/check.h"
#include "core/model/layout/layout.h"
#include "gpu/exec/conv_ways.h"
#include "gpu/exec/layer_tensors.h"

namespace iosx::gpu {
namespace {

// The bytes of a task's scratch memory, each aligned; in this order.
struct Scratch {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t workspace = 0;

  Scratch(const ConvWay& way, const ConvTask& task)
      : x(way.dense_input ? dense_bytes(task.x) : 0),
        y(way.dense_output ? dense_bytes(task.y) : 0),
        workspace(way.plan == nullptr ? 0 : aligned(way.plan->workspace_bytes())) {}
};

Step depthwise(const ConvTask& task) {
  const ConvProblem& problem = task.problem;
  DepthwiseCall call;
  call.in = task.x;
  call.weights = task.weights;
  call.bias = task.bias;
  call.residual = task.residual;
  call.out = task.y;
  call.kernel = problem.kernel;
  call.stride = problem.stride;
  call.dilation = problem.dilation;
  call.padding = problem.padding;
  call.activation = problem.activation;
  return call;
}

// Returns the steps that the library's plan leaves of the task, from `made` to y: bias, residual and activation in this
// order.
std::vector<Step> rest_of(const ConvTask& task, const ConvProblem& done, const TensorRef& made) {
  const ConvProblem& all = task.problem;
  const bool residual = all.residual && !done.residual;
  const bool bias = all.bias && !done.bias;
  const bool activation = all.activation != done.activation;
  std::vector<Step> steps;
  TensorRef from = made;
  if (bias) {
    const Activation now = residual ? Activation::kIdentity : all.activation;
    steps.emplace_back(
        AffineCall{.in = from, .scale = nullptr, .shift = task.bias_float, .out = task.y, .activation = now});
    from = task.y;
  }
  if (residual || (activation && !bias)) {
    CombineCall call;
    call.count = residual ? 2 : 1;
    call.in = {from, task.residual};
    call.out = task.y;
    call.activation = all.activation;
    steps.emplace_back(call);
    from = task.y;
  }
  if (!same_place(from, task.y)) steps.emplace_back(CopyCall{from, task.y});
  return steps;
}

}  // namespace

std::string name_suffix(const ConvWay& way, const ConvProblem& problem) {
  std::string suffix;
  if (way.dense_input) suffix += ", copied input";
  if (way.dense_output) suffix += ", copied output";
  if (way.kind == ConvWay::Kind::kFused) return suffix;
  return suffix + (problem.residual ? ", activation apart" : problem.bias ? ", only bias fused" : ", nothing fused");
}

std::string ConvWay::name() const {
  if (kind == Kind::kDepthwise) return "own depthwise kernel";
  return plan->name() + name_suffix(*this, plan->problem());
}

std::int64_t scratch_bytes(const ConvWay& way, const ConvTask& task) {
  const Scratch scratch(way, task);
  return scratch.x + scratch.y + scratch.workspace;
}

std::vector<Step> steps_of(const ConvWay& way, const ConvTask& task, void* scratch) {
  if (way.kind == ConvWay::Kind::kDepthwise) return {depthwise(task)};
  const ConvProblem& problem = way.plan->problem();
  const Scratch sizes(way, task);
  auto* const memory = static_cast<std::byte*>(scratch);
  const TensorRef x = way.dense_input ? dense_like(task.x, memory) : task.x;
  const TensorRef y = way.dense_output ? dense_like(task.y, memory + sizes.x) : task.y;
  std::vector<Step> steps;
  if (way.dense_input) steps.emplace_back(CopyCall{task.x, x});
  ConvStep conv{.plan = way.plan, .operands = {}};
  conv.operands.x = x.data;
  conv.operands.weights = task.weights;
  if (problem.bias) conv.operands.bias = task.bias;
  if (problem.residual) conv.operands.residual = task.residual.data;
  conv.operands.y = y.data;
  if (sizes.workspace > 0) conv.operands.workspace = memory + sizes.x + sizes.y;
  steps.emplace_back(std::move(conv));
  for (Step& step : rest_of(task, problem, y)) steps.push_back(std::move(step));
  return steps;
}

const std::vector<ConvWay>& FirstWay::ways(const ConvProblem& problem) {
  std::string key = key_of(problem);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_.emplace(std::move(key), candidate_ways(problem, library_)).first->second;
}

}  // namespace iosx::gpu
