#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/check.h"
#include "core/base/function_ref.h"
#include "core/model/layout/layout.h"
#include "gpu/exec/problem_of.h"
#include "gpu/exec/way.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

// The bytes of a task's scratch memory, each aligned; in this order.
struct Scratch {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t workspace = 0;

  Scratch(const Way& way, const ConvTask& task)
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
  call.before = problem.before;
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

// Which tensors that are not dense are copied around the library's plan. An input is activated as it is copied.
struct Copies {
  bool dense_input = false;
  bool dense_output = false;
};

bool is_depthwise(const ConvProblem& problem) {
  return !problem.transposed && problem.groups == problem.channels && problem.channels == problem.out_channels;
}

bool worth_a_copy(const PixelLayout& layout, const PixelLayout& dense) {
  return layout.pitch != dense.pitch || layout.alignment < dense.alignment;
}

std::vector<Copies> copies_for(const ConvProblem& problem) {
  const bool input =
      problem.before != Activation::kIdentity || worth_a_copy(problem.x, dense_layout(problem.channels, problem.math));
  const bool output = worth_a_copy(problem.y, dense_layout(problem.out_channels, problem.math));
  std::vector<Copies> kinds{{}};
  if (input || output) kinds.push_back({input, output});
  if (input && output) {
    kinds.push_back({true, false});
    kinds.push_back({false, true});
  }
  return kinds;
}

ConvProblem with(const Copies& copies, const ConvProblem& problem) {
  ConvProblem other = problem;
  if (copies.dense_input) {
    other.x = dense_layout(problem.channels, problem.math);
    other.before = Activation::kIdentity;
  }
  if (copies.dense_output) other.y = dense_layout(problem.out_channels, problem.math);
  return other;
}

// Returns what the library may be left with, the most first: all, or something of ours comes after it.
std::vector<ConvProblem> remainders_of(const ConvProblem& problem, const KernelLibrary& library) {
  std::vector<ConvProblem> remainders;
  if (library.fuses(problem.activation)) remainders.push_back(problem);
  ConvProblem rest = problem;
  const auto add = [&] {
    if (!(rest == problem)) remainders.push_back(rest);
  };
  rest.activation = Activation::kIdentity;
  add();
  if (rest.residual) {
    rest.residual = false;
    rest.z = {};
    add();
  }
  if (rest.bias) {
    rest.bias = false;
    add();
  }
  return remainders;
}

// Returns the way without its plan, which is for the remainder.
Way way_of(const ConvProblem& whole, const Copies& copies, const ConvProblem& remainder) {
  return {.kind = remainder == whole ? Way::Kind::kFused : Way::Kind::kSeparate,
          .plan = nullptr,
          .dense_input = copies.dense_input,
          .dense_output = copies.dense_output};
}

Way own_kernel() { return {.kind = Way::Kind::kDepthwise, .plan = nullptr}; }
Way own_product() { return {.kind = Way::Kind::kProduct, .plan = nullptr}; }

// Lets the library spend this effort while it lives.
class EffortGuard {
 public:
  EffortGuard(KernelLibrary& library, Effort effort) : library_(library), before_(library.effort()) {
    library_.set_effort(effort);
  }
  ~EffortGuard() { library_.set_effort(before_); }
  EffortGuard(const EffortGuard&) = delete;
  EffortGuard& operator=(const EffortGuard&) = delete;

 private:
  KernelLibrary& library_;
  Effort before_;
};

// Returns the ways that are found with the library's effort as it is. Once a plan was compiled, no others are for the
// copies and remainders that follow: compiled engines read slices of any alignment and fuse what follows. None is for a
// depthwise problem, which leaves most of their tiles empty.
std::vector<Way> found_ways(const ConvProblem& problem, KernelLibrary& library) {
  std::vector<Way> ways;
  if (is_depthwise(problem)) ways.push_back(own_kernel());
  bool compiled = is_depthwise(problem);  // or not worth it
  for (const Copies& copies : copies_for(problem)) {
    const ConvProblem whole = with(copies, problem);
    for (const ConvProblem& remainder : remainders_of(whole, library)) {
      const EffortGuard guard(library, compiled ? std::min(library.effort(), Effort::kPrecompiled) : library.effort());
      std::vector<LibraryPlanPtr> plans = library.plans(remainder);
      const bool precompiled = std::ranges::any_of(plans, [](const LibraryPlanPtr& plan) { return !plan->compiled(); });
      compiled = compiled || std::ranges::any_of(plans, [](const LibraryPlanPtr& plan) { return plan->compiled(); });
      for (LibraryPlanPtr& plan : plans) ways.emplace_back(way_of(whole, copies, remainder)).plan = std::move(plan);
      if (precompiled && fuses_well(remainder.activation)) break;
    }
  }
  return ways;
}

// Returns the part of Way::name() after the name of the library's plan, which is for `problem`; it ignores
// way.plan.
std::string name_suffix(const Way& way, const ConvProblem& problem) {
  std::string suffix;
  if (way.dense_input) suffix += ", copied input";
  if (way.dense_output) suffix += ", copied output";
  if (way.kind == Way::Kind::kFused) return suffix;
  return suffix + (problem.residual ? ", activation apart" : problem.bias ? ", only bias fused" : ", nothing fused");
}

Step dense_input_of(const ConvTask& task, const TensorRef& x) {
  if (task.problem.before == Activation::kIdentity) return CopyCall{task.x, x};
  CombineCall call;
  call.count = 1;
  call.in = {task.x};
  call.out = x;
  call.activation = task.problem.before;
  return call;
}

std::vector<Step> steps(const Way& way, const ConvTask& task, void* scratch) {
  if (way.kind == Way::Kind::kDepthwise) return {depthwise(task)};
  const auto& problem = std::get<ConvProblem>(way.plan->problem());
  const Scratch sizes(way, task);
  auto* const memory = static_cast<std::byte*>(scratch);
  const TensorRef x = way.dense_input ? dense_like(task.x, memory) : task.x;
  const TensorRef y = way.dense_output ? dense_like(task.y, memory + sizes.x) : task.y;
  std::vector<Step> steps;
  if (way.dense_input) steps.push_back(dense_input_of(task, x));
  LibraryStep conv{.plan = way.plan, .operands = {}};
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

std::vector<Step> steps(const Way& way, const MatMulTask& task, void* scratch) {
  if (way.kind == Way::Kind::kProduct) return {MatMulCall{task.a, task.b, task.y}};
  LibraryStep step{.plan = way.plan, .operands = {.x = task.a.data, .weights = task.b.data, .y = task.y.data}};
  if (way.plan->workspace_bytes() > 0) step.operands.workspace = scratch;
  return {std::move(step)};
}

// The scratch memory of attention in steps: the scores, then that of a product.
std::int64_t score_bytes(const MatMulTask& scores) {
  return aligned(scores.y.dims[0] * scores.y.strides[0] * bytes_of(scores.y.type));
}

std::vector<Step> steps(const Way& way, const AttentionTask& task, void* scratch) {
  if (way.kind != Way::Kind::kSteps) {
    LibraryStep step{.plan = way.plan,
                     .operands = {.x = task.scores.a.data, .weights = task.scores.b.data, .y = task.context.y.data}};
    step.operands.values = task.context.b.data;
    if (way.plan->workspace_bytes() > 0) step.operands.workspace = scratch;
    return {std::move(step)};
  }
  MatMulTask scores = task.scores;
  MatMulTask context = task.context;
  scores.y.data = context.a.data = scratch;
  void* const rest = static_cast<std::byte*>(scratch) + score_bytes(scores);
  const bool own = way.parts[0].kind == Way::Kind::kProduct;
  std::vector<Step> all;
  if (own) {
    all.emplace_back(MatMulCall{scores.a, scores.b, scores.y, task.problem.scale});
  } else {
    all = steps(way.parts[0], scores, rest);
  }
  all.emplace_back(
      SoftmaxCall{.in = scores.y, .out = scores.y, .axis = scores.y.rank - 1, .scale = own ? 1 : task.problem.scale});
  for (Step& step : steps(way.parts[1], context, rest)) all.push_back(std::move(step));
  return all;
}

std::vector<Way> found_plans(const Problem& problem, KernelLibrary& library) {
  std::vector<Way> ways;
  for (LibraryPlanPtr& plan : library.plans(problem)) {
    ways.push_back({.kind = Way::Kind::kFused, .plan = std::move(plan)});
  }
  return ways;
}

// Scores that the scale makes smaller may be too large for float16 before, so our own kernel scales what it stores.
Way in_steps(const AttentionProblem& problem, WayChooser& chooser) {
  const bool large = problem.scores.math == Math::kHalf && std::abs(problem.scale) < 1;
  return {
      .kind = Way::Kind::kSteps,
      .plan = nullptr,
      .parts = {large ? own_product() : chooser.ways(problem.scores).front(), chooser.ways(problem.context).front()}};
}

// Makes the ways of a problem.
struct Finder {
  KernelLibrary& library;
  WayChooser& chooser;

  std::vector<Way> operator()(const ConvProblem& problem) const { return found_ways(problem, library); }
  std::vector<Way> operator()(const MatMulProblem& problem) const {
    std::vector<Way> ways = found_plans(problem, library);
    ways.push_back(own_product());
    return ways;
  }
  std::vector<Way> operator()(const AttentionProblem& problem) const {
    std::vector<Way> ways = found_plans(problem, library);
    ways.push_back(in_steps(problem, chooser));
    return ways;
  }
};

// `without` is the way that has no plan of the library.
std::optional<Way> restored(const Problem& problem, std::string_view name, const std::string& plan,
                            KernelLibrary& library, FunctionRef<Way()> without) {
  Way way{.kind = Way::Kind::kFused, .plan = plan.empty() ? nullptr : library.restore(problem, plan)};
  if (plan.empty()) way = without();
  const bool same = (plan.empty() || way.plan != nullptr) && way.name() == name;
  return same ? std::optional(std::move(way)) : std::nullopt;
}

std::optional<Way> restored(const ConvProblem& problem, std::string_view name, const std::string& plan,
                            KernelLibrary& library) {
  if (plan.empty()) {
    if (is_depthwise(problem) && name == own_kernel().name()) return own_kernel();
    return std::nullopt;
  }
  for (const Copies& copies : copies_for(problem)) {
    const ConvProblem whole = with(copies, problem);
    for (const ConvProblem& remainder : remainders_of(whole, library)) {
      Way way = way_of(whole, copies, remainder);
      if (!name.ends_with(name_suffix(way, remainder))) continue;
      way.plan = library.restore(remainder, plan);
      if (way.plan != nullptr && way.name() == name) return way;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string Way::name() const {
  if (kind == Kind::kDepthwise) return "own depthwise kernel";
  if (kind == Kind::kProduct) return "own matrix kernel";
  if (kind == Kind::kSteps) return fmt::format("{}; softmax; {}", parts[0].name(), parts[1].name());
  const auto* const conv = std::get_if<ConvProblem>(&plan->problem());
  return conv == nullptr ? plan->name() : plan->name() + name_suffix(*this, *conv);
}

std::int64_t scratch_bytes(const Way& way, const Task& task) {
  const auto* const conv = std::get_if<ConvTask>(&task);
  if (way.kind == Way::Kind::kSteps) {
    const auto& attention = std::get<AttentionTask>(task);
    const std::int64_t rest =
        std::max(scratch_bytes(way.parts[0], attention.scores), scratch_bytes(way.parts[1], attention.context));
    return score_bytes(attention.scores) + rest;
  }
  if (conv == nullptr) return way.plan == nullptr ? 0 : aligned(way.plan->workspace_bytes());
  const Scratch scratch(way, *conv);
  return scratch.x + scratch.y + scratch.workspace;
}

std::vector<Step> steps_of(const Way& way, const Task& task, void* scratch) {
  return std::visit([&](const auto& one) { return steps(way, one, scratch); }, task);
}

const std::vector<Way>& FirstWay::ways(const Problem& problem) {
  std::string key = key_of(problem);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_.emplace(std::move(key), candidate_ways(problem, library_, *this)).first->second;
}

std::vector<Way> candidate_ways(const Problem& problem, KernelLibrary& library, WayChooser& chooser) {
  const auto found = [&] { return std::visit(Finder{library, chooser}, problem); };
  std::vector<Way> ways = found();
  if (ways.empty() && library.effort() != Effort::kAll) {
    const EffortGuard all(library, Effort::kAll);
    ways = found();
  }
  if (!ways.empty()) return ways;
  const std::string& words = library.refusal();
  const Message none = message("{} has no plan for the convolution {}", library.version(), key_of(problem));
  throw Unsupported(words.empty() ? none : message("{}; its last message: {}", none, words));
}

std::optional<Way> restored_way(const Problem& problem, std::string_view name, const std::string& plan,
                                KernelLibrary& library, WayChooser& chooser) {
  if (const auto* const conv = std::get_if<ConvProblem>(&problem)) return restored(*conv, name, plan, library);
  const auto* const attention = std::get_if<AttentionProblem>(&problem);
  return restored(problem, name, plan, library,
                  [&] { return attention == nullptr ? own_product() : in_steps(*attention, chooser); });
}

}  // namespace iosx::gpu
