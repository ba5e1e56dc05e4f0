#include "tests/gpu/cuda_runtime/plan_check.h"

#include <stdexcept>

#include "gpu/ops/conv/plan_store.h"
#include "tests/gpu/support/host_convolutions.h"

namespace iosx::gpu::test {
namespace {

constexpr StreamId kStreams[] = {StreamId(0), StreamId(1)};
constexpr std::byte kUnwritten{0xFF};  // bytes of a number that is none, in every type

using Bytes = std::vector<std::byte>;

// Part of the largest value. Sums are float32 everywhere; what is left is the rounding of factors (kTf32, whose engines
// may also transform them) or of y.
double tolerance(Math math) {
  switch (math) {
    case Math::kTf32: return 1e-2;
    case Math::kStrict: return 1e-5;
    case Math::kHalf: return 2e-3;
    case Math::kBfloat16: return 1e-2;
  }
  return 0;
}

// Numbers in (-1, 1), the same at every call with the same salt.
Bytes numbers(std::int64_t elements, DataType type, std::uint32_t salt) {
  Bytes bytes(static_cast<std::size_t>(elements * bytes_of(type)));
  std::uint32_t state = salt * 2654435761U + 1;
  for (std::int64_t i = 0; i < elements; ++i) {
    state = state * 1664525U + 1013904223U;
    store(bytes.data(), type, i, (static_cast<float>(state >> 8U) + 0.5F) / static_cast<float>(1U << 23U) - 1);
  }
  return bytes;
}

// A problem's operands on the host, and what plain loops make of them.
struct Example {
  explicit Example(const ConvProblem& problem)
      : type(data_type(problem.math)),
        y_first((problem.y.pitch - problem.out_channels) * bytes_of(type)),
        x(numbers(problem.batch * problem.input.height * problem.input.width * problem.x.pitch, type, 1)),
        weights(
            numbers(problem.channels * problem.out_channels * problem.kernel.height * problem.kernel.width, type, 2)),
        bias(numbers(problem.out_channels, type, 3)) {
    const std::int64_t pixels = problem.batch * problem.output.height * problem.output.width;
    if (problem.residual) residual = numbers(pixels * problem.z.pitch, type, 4);
    unwritten.assign(static_cast<std::size_t>(pixels * problem.y.pitch * bytes_of(type)), kUnwritten);
    right = unwritten;
    convolve(problem, {.x = x.data(),
                       .weights = weights.data(),
                       .bias = bias.data(),
                       .residual = problem.residual ? residual.data() : nullptr,
                       .y = right.data() + y_first});
  }

  DataType type;
  std::int64_t y_first;  // bytes from the buffer to y: y are its last channels
  Bytes x;
  Bytes weights;
  Bytes bias;
  Bytes residual;
  Bytes unwritten;  // y's buffer before
  Bytes right;      // and after
};

struct Difference {
  double worst = 0;  // part of the largest value
  std::string failure;
};

Difference difference(const Example& example, const Bytes& y, double tolerance) {
  const auto elements = static_cast<std::int64_t>(y.size()) / bytes_of(example.type);
  double largest = 0;
  double worst = 0;
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < elements; ++i) {
    const double right = load(example.right.data(), example.type, i);
    const double value = load(y.data(), example.type, i);
    if (std::isnan(right)) {
      const auto from = static_cast<std::size_t>(i * bytes_of(example.type));
      if (std::memcmp(&y[from], &example.right[from], static_cast<std::size_t>(bytes_of(example.type))) == 0) continue;
      return {.worst = INFINITY, .failure = fmt::format("element {} of the buffer, not y's, became {}", i, value)};
    }
    if (!std::isfinite(value))
      return {.worst = INFINITY, .failure = fmt::format("element {} was not written, or is no finite number", i)};
    largest = std::max(largest, std::fabs(right));
    if (std::fabs(value - right) > worst) {
      worst = std::fabs(value - right);
      at = i;
    }
  }
  Difference found{.worst = worst / largest, .failure = {}};
  if (found.worst > tolerance) {
    found.failure = fmt::format("element {} is {}, expected {}; {:.2g} of the largest value, allowed {:.2g}", at,
                                load(y.data(), example.type, at), load(example.right.data(), example.type, at),
                                found.worst, tolerance);
  }
  return found;
}

class Check {
 public:
  Check(Runtime& runtime, KernelLibrary& library, const ConvProblem& problem)
      : runtime_(runtime), library_(library), problem_(problem), example_(problem) {
    put(example_.x);
    put(example_.weights);
    put(example_.bias);
    put(example_.residual);
    for ([[maybe_unused]] const StreamId stream : kStreams) put(example_.unwritten);
  }

  PlanReport run() {
    const std::vector<LibraryPlanPtr> plans = library_.plans(problem_);
    if (plans.empty()) report_.failures.emplace_back("no plans");
    for (const LibraryPlanPtr& plan : plans) {
      if (!try_plan(*plan, plan->name())) break;
      const std::string text = plan->serialised();
      if (text.empty()) {
        report_.text += fmt::format("  {} cannot be kept\n", plan->name());
        continue;
      }
      const LibraryPlanPtr restored = library_.restore(problem_, text);
      if (restored == nullptr) {
        report_.failures.push_back(plan->name() + " cannot be restored");
      } else if (restored->name() != plan->name() || restored->workspace_bytes() != plan->workspace_bytes()) {
        report_.failures.push_back(fmt::format("{} was restored as {}, with {} bytes of workspace for {}", plan->name(),
                                               restored->name(), restored->workspace_bytes(), plan->workspace_bytes()));
      } else if (!try_plan(*restored, plan->name() + ", restored")) {
        break;
      }
    }
    return std::move(report_);
  }

 private:
  void put(const Bytes& bytes) {
    memory_.emplace_back(runtime_, static_cast<std::int64_t>(bytes.size()));
    if (!bytes.empty()) runtime_.upload(memory_.back().data(), bytes.data(), memory_.back().bytes());
  }
  DeviceMemory& y(std::size_t side) { return memory_[4 + side]; }

  void execute(const LibraryPlan& plan, std::size_t side, std::byte* workspace) {
    runtime_.execute(kStreams[side], plan,
                     {.x = memory_[0].data(),
                      .weights = memory_[1].data(),
                      .bias = memory_[2].data(),
                      .residual = problem_.residual ? memory_[3].data() : nullptr,
                      .y = y(side).data() + example_.y_first,
                      .workspace = workspace});
  }

  void forked(const std::function<void(std::size_t side)>& work) {
    runtime_.record(EventId(0), kStreams[0]);
    runtime_.wait(kStreams[1], EventId(0));
    work(0);
    work(1);
    runtime_.record(EventId(1), kStreams[1]);
    runtime_.wait(kStreams[0], EventId(1));
  }

  // Both y anew, by `work`; compared.
  double compare(const std::string& what, const std::function<void()>& work) {
    for (const std::size_t side : {0, 1}) {
      runtime_.upload(y(side).data(), example_.unwritten.data(), y(side).bytes());
    }
    work();
    runtime_.synchronize(kStreams[0]);
    double worst = 0;
    for (const std::size_t side : {0, 1}) {
      Bytes bytes(example_.unwritten.size());
      runtime_.download(bytes.data(), y(side).data(), y(side).bytes());
      const Difference found = difference(example_, bytes, tolerance(problem_.math));
      worst = std::max(worst, found.worst);
      if (!found.failure.empty()) {
        report_.failures.push_back(fmt::format("{}, stream {}: {}", what, side, found.failure));
      }
    }
    return worst;
  }

  double all_ways(const LibraryPlan& plan, const std::string& name) {
    std::vector<DeviceMemory> workspaces;
    if (plan.workspace_bytes() > 0) {
      for (const std::size_t side : {0, 1}) {
        workspaces.emplace_back(runtime_, plan.workspace_bytes());
        const Bytes rubbish(static_cast<std::size_t>(plan.workspace_bytes()), kUnwritten);
        runtime_.upload(workspaces[side].data(), rubbish.data(), plan.workspace_bytes());
      }
    }
    const auto work = [&](std::size_t side) {
      execute(plan, side, workspaces.empty() ? nullptr : workspaces[side].data());
    };
    double worst = compare(name + ", eager", [&] { forked(work); });
    runtime_.begin_capture(kStreams[0]);
    forked(work);
    const auto graph = runtime_.end_capture(kStreams[0]);
    for (const char* const replay : {"captured", "captured, again"}) {
      const auto launch = [&] { runtime_.launch(kStreams[0], *graph); };
      worst = std::max(worst, compare(fmt::format("{}, {}", name, replay), launch));
    }
    return worst;
  }

  // False where nothing can go on.
  bool try_plan(const LibraryPlan& plan, const std::string& name) {
    try {
      attempt(plan, name);
      return true;
    } catch (const std::runtime_error& error) {
      report_.failures.push_back(fmt::format("nothing works any more: {}", error.what()));
      return false;
    }
  }

  // Throws where the GPU is lost: then the plan stays written down as what was tried.
  void attempt(const LibraryPlan& plan, const std::string& name) {
    const Trial trial(library_.trials(), fmt::format("check {}: {}", key_of(problem_), name));
    if (trial.ended_a_process()) {
      report_.text += fmt::format("  {}: left out, it ended an earlier run\n", name);
      return;
    }
    try {
      const double worst = all_ways(plan, name);
      report_.text += fmt::format("  {}, {} bytes of workspace: {:.2g}\n", name, plan.workspace_bytes(), worst);
      return;
    } catch (const std::runtime_error& error) {
      runtime_.abandon_capture(kStreams[0]);
      report_.text += fmt::format("  {}, {} bytes of workspace: failed\n", name, plan.workspace_bytes());
      report_.failures.push_back(fmt::format("{}: {}", name, error.what()));
    }
    for (const StreamId stream : kStreams) runtime_.synchronize(stream);
  }

  Runtime& runtime_;
  KernelLibrary& library_;
  ConvProblem problem_;
  Example example_;
  std::vector<DeviceMemory> memory_;  // x, weights, bias, residual, y of each stream
  PlanReport report_;
};

}  // namespace

PlanReport check_plans(Runtime& runtime, KernelLibrary& library, const ConvProblem& problem) {
  return Check(runtime, library, problem).run();
}

ConvProblem small_conv(Math math) {
  ConvProblem problem{.math = math, .batch = 2, .channels = 32};
  problem.input = problem.output = {9, 7};
  problem.out_channels = 64;
  problem.kernel = {3, 3};
  problem.padding = problem.padding_end = {1, 1};
  problem.x = {32, 16};
  problem.y = {64, 16};
  problem.bias = true;
  problem.activation = Activation::kRelu;
  return problem;
}

ConvProblem small_conv_with_residual(Math math) {
  ConvProblem problem = small_conv(math);
  problem.residual = true;
  problem.z = problem.y;
  return problem;
}

ConvProblem small_conv_into_slice(Math math) {
  ConvProblem problem = small_conv(math);
  problem.y.pitch = 128;
  return problem;
}

}  // namespace iosx::gpu::test
