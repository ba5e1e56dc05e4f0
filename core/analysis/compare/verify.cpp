#include "core/analysis/compare/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {
namespace {

constexpr double kSmallestPart = 0.01;  // of the magnitude: the least that max_rel divides by
constexpr TimingOptions kOneRun{.warmup = 0, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}};

double magnitude_of(std::span<const float> elements) {
  double magnitude = 0;
  for (const float element : elements) {
    if (std::isfinite(element)) magnitude = std::max(magnitude, std::abs(static_cast<double>(element)));
  }
  return magnitude;
}

OutputDifference difference(const std::string& name, const Tensor& output, const Tensor& reference, double tolerance) {
  OutputDifference result{.name = name, .dims = {output.dims().begin(), output.dims().end()}};
  result.magnitude = magnitude_of(reference.elements());
  const auto at = [&](std::size_t i) {
    result.worst = i;
    result.value = output.elements()[i];
    result.reference = reference.elements()[i];
  };
  for (std::size_t i = 0; i < output.elements().size(); ++i) {
    const double value = output.elements()[i];
    const double expected = reference.elements()[i];
    if (!std::isfinite(value) || !std::isfinite(expected)) {
      const bool same = std::isnan(value) ? std::isnan(expected) : value == expected;
      if (!same && std::exchange(result.finite, false)) at(i);
      continue;
    }
    const double apart = std::abs(value - expected);
    if (result.finite && (i == 0 || apart > result.max_abs)) at(i);
    result.max_abs = std::max(result.max_abs, apart);
    if (apart > 0) {  // so the divisor is not 0, unless everything else in the reference is
      const double divisor = std::max(std::abs(expected), kSmallestPart * result.magnitude);
      result.max_rel = std::max(result.max_rel, divisor > 0 ? apart / divisor : 1.0);
    }
  }
  result.passed = result.finite && result.max_abs <= tolerance * result.magnitude;
  return result;
}

}  // namespace

double OutputDifference::scaled() const {
  if (finite && max_abs == 0) return 0;
  return finite && magnitude > 0 ? max_abs / magnitude : std::numeric_limits<double>::infinity();
}

bool Verification::passed() const {
  return std::ranges::all_of(outputs, [](const OutputDifference& output) { return output.passed; });
}

const OutputDifference& Verification::worst() const {
  IOS_CHECK(!outputs.empty());
  return *std::ranges::max_element(outputs, {}, &OutputDifference::scaled);
}

double tolerance_of(std::string_view precision) {
  if (precision == "bf16") return 5e-2;
  return precision == "f16" || precision == "tf32" ? 1e-2 : 1e-4;
}

Result<void> check_computes(const DeviceInfo& device) {
  if (device.computes) return {};
  return fail(message("simulates times but computes no outputs, so there is nothing to verify"), device.id,
              message("choose a device that computes, such as cpu"));
}

Result<std::vector<OutputDifference>> differences(std::span<const std::string> names, std::span<const Tensor> outputs,
                                                  std::span<const Tensor> reference, double tolerance) {
  if (outputs.size() != names.size() || reference.size() != names.size()) {
    return fail(message("the device returned {} outputs, the reference {}; the network has {}", outputs.size(),
                        reference.size(), names.size()),
                "outputs", message("this is a bug of the device"));
  }
  std::vector<OutputDifference> result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (outputs[i].empty() || reference[i].empty() || !std::ranges::equal(outputs[i].dims(), reference[i].dims())) {
      return fail(message("the device returned {}, the reference {}", fmt::join(outputs[i].dims(), " x "),
                          fmt::join(reference[i].dims(), " x ")),
                  "output '" + names[i] + "'", message("this is a bug of the device"));
    }
    result.push_back(difference(names[i], outputs[i], reference[i], tolerance));
  }
  return result;
}

Verifier::Verifier(const Graph& graph, Device& device, std::int64_t batch, std::vector<Tensor> inputs,
                   Device* reference_device)
    : graph_(graph),
      device_(device),
      reference_device_(reference_device == nullptr ? device : *reference_device),
      batch_(batch),
      inputs_(std::move(inputs)) {}

Result<std::vector<Tensor>> Verifier::outputs(LoadedPlan& plan, const JobContext& job) const {
  IOS_TRY(check_computes(plan.device()));
  IOS_TRY(auto run, plan.run({.timing = kOneRun, .outputs = true, .inputs = inputs_}, job));
  return std::move(run.outputs);
}

Result<void> Verifier::run_reference(const JobContext& job) {
  if (reference_) return {};
  ExecutionPlan plan =
      StagePlanner(graph_, batch_, reference_device_.info().lowering).plan(sequential_schedule(graph_));
  if (inputs_.empty()) inputs_ = synthetic_inputs(plan);
  IOS_TRY(const auto loaded, reference_device_.load(std::move(plan), {}, job));
  IOS_TRY(reference_, outputs(*loaded, job));
  return {};
}

Result<Verification> Verifier::verify(LoadedPlan& plan, const JobContext& job) {
  IOS_TRY(run_reference(job));
  IOS_TRY(auto ran, outputs(plan, job));
  const DeviceInfo& info = reference_device_.info();
  Verification result{.reference = std::string(row_of(ScheduleKind::kSequential).id) + " on " + info.name,
                      .tolerance = std::max(tolerance_of(device_.info().precision), tolerance_of(info.precision))};
  std::vector<std::string> names;
  for (const PlanOutput& output : plan.plan().outputs) names.push_back(output.name);
  IOS_TRY(result.outputs, differences(names, ran, *reference_, result.tolerance));
  if (result.outputs.empty()) return fail(message("has no outputs to compare"), graph_.name());
  return result;
}

}  // namespace iosx
