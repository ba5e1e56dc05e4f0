#include "gpu/exec/conv_ways.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/exec/conv_problem_of.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

// Which tensors that are not dense are copied around the library's plan.
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
  const bool input = worth_a_copy(problem.x, dense_layout(problem.channels, problem.math));
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
  if (copies.dense_input) other.x = dense_layout(problem.channels, problem.math);
  if (copies.dense_output) other.y = dense_layout(problem.out_channels, problem.math);
  return other;
}

// Returns what the library may be left with, the most first: all, or something of ours comes after it.
std::vector<ConvProblem> remainders_of(const ConvProblem& problem, const ConvLibrary& library) {
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

// Libraries fuse a rectifier into their fastest plans; they fuse other functions often only into general ones, so that
// a kernel of ours after a fast plan may win.
bool fuses_well(const Activation& activation) {
  return activation.kind == ActivationKind::kIdentity || activation.kind == ActivationKind::kRelu;
}

// Returns the way without its plan, which is for the remainder.
ConvWay way_of(const ConvProblem& whole, const Copies& copies, const ConvProblem& remainder) {
  return {.kind = remainder == whole ? ConvWay::Kind::kFused : ConvWay::Kind::kSeparate,
          .plan = nullptr,
          .dense_input = copies.dense_input,
          .dense_output = copies.dense_output};
}

ConvWay own_kernel() { return {.kind = ConvWay::Kind::kDepthwise, .plan = nullptr}; }

// Returns the ways that are found with the library's effort as it is.
std::vector<ConvWay> found_ways(const ConvProblem& problem, ConvLibrary& library) {
  std::vector<ConvWay> ways;
  if (is_depthwise(problem)) ways.push_back(own_kernel());
  for (const Copies& copies : copies_for(problem)) {
    const ConvProblem whole = with(copies, problem);
    for (const ConvProblem& remainder : remainders_of(whole, library)) {
      std::vector<ConvPlanPtr> plans = library.plans(remainder);
      const bool precompiled = std::ranges::any_of(plans, [](const ConvPlanPtr& plan) { return !plan->compiled(); });
      for (ConvPlanPtr& plan : plans) ways.emplace_back(way_of(whole, copies, remainder)).plan = std::move(plan);
      if (precompiled && fuses_well(remainder.activation)) break;
    }
  }
  return ways;
}

// Lets the library spend all effort while it lives.
class AllEffort {
 public:
  explicit AllEffort(ConvLibrary& library) : library_(library), before_(library.effort()) {
    library_.set_effort(Effort::kAll);
  }
  ~AllEffort() { library_.set_effort(before_); }
  AllEffort(const AllEffort&) = delete;
  AllEffort& operator=(const AllEffort&) = delete;

 private:
  ConvLibrary& library_;
  Effort before_;
};

}  // namespace

std::vector<ConvWay> candidate_ways(const ConvProblem& problem, ConvLibrary& library) {
  std::vector<ConvWay> ways = found_ways(problem, library);
  if (ways.empty() && library.effort() != Effort::kAll) {
    const AllEffort all(library);
    ways = found_ways(problem, library);
  }
  if (!ways.empty()) return ways;
  const std::string& words = library.refusal();
  const Message none = message("{} has no plan for the convolution {}", library.version(), key_of(problem));
  throw Unsupported(words.empty() ? none : message("{}; its last message: {}", none, words));
}

std::optional<ConvWay> restored_way(const ConvProblem& problem, std::string_view name, const std::string& plan,
                                    ConvLibrary& library) {
  if (plan.empty()) {
    if (is_depthwise(problem) && name == own_kernel().name()) return own_kernel();
    return std::nullopt;
  }
  for (const Copies& copies : copies_for(problem)) {
    const ConvProblem whole = with(copies, problem);
    for (const ConvProblem& remainder : remainders_of(whole, library)) {
      ConvWay way = way_of(whole, copies, remainder);
      if (!name.ends_with(name_suffix(way, remainder))) continue;
      way.plan = library.restore(remainder, plan);
      if (way.plan != nullptr && way.name() == name) return way;
    }
  }
  return std::nullopt;
}

}  // namespace iosx::gpu
