#include "tests/support/scripted_device.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "tests/support/loaded_plan.h"

namespace iosx::test {
namespace {

Millis time_of(const PlanStage& stage) {
  std::size_t longest = 0;
  for (const auto& lane : stage.lanes) longest = std::max(longest, lane.size());
  return Millis(0.1 + static_cast<double>(longest));
}

Millis total(const ExecutionPlan& plan) {
  Millis sum{0};
  for (const PlanStage& stage : plan.stages) sum += time_of(stage);
  return sum;
}

Tensor ones(const std::vector<std::int64_t>& dims, bool wrong) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  std::vector<float> elements(static_cast<std::size_t>(count), 1.0F);
  if (wrong && !elements.empty()) elements.front() = 2;
  return {dims, std::move(elements)};
}

}  // namespace

DeviceInfo ScriptedDevice::make_info(ScriptedKind kind) {
  if (kind == ScriptedKind::kGpu) return {"fake", "Fake GPU", "for tests", "fake-1", Origin::kSimulated};
  return {.id = "fake-computer",
          .name = "Fake computer",
          .summary = "for tests",
          .fingerprint = "fake-2",
          .origin = Origin::kMeasured,
          .plans_at_once = 1,
          .computes = true};
}

Result<std::vector<Latency>> ScriptedDevice::do_measure(std::span<const ExecutionPlan> plans,
                                                        const TimingOptions& /*timing*/, const JobContext& job) {
  ++behaviour_->requests;
  if (behaviour_->broken) return fail(message("the device fell over"), "fake", message("pick it up"));
  std::vector<Latency> latencies;
  for (const ExecutionPlan& plan : plans) {
    work(job);
    if (job.stopped()) break;
    ++behaviour_->measured;
    latencies.push_back(latency(total(plan)));
  }
  return latencies;
}

Result<std::unique_ptr<LoadedPlan>> ScriptedDevice::do_load(ExecutionPlan plan, const LoadOptions& /*options*/,
                                                            const JobContext& /*job*/) {
  return loaded(info_, std::move(plan), [this](const auto&... request) { return run(request...); });
}

Result<RunResult> ScriptedDevice::run(const ExecutionPlan& plan, const RunOptions& options, const JobContext& job) {
  ++behaviour_->requests;
  if (behaviour_->broken) return fail(message("the device fell over"), "fake", message("pick it up"));
  work(job);
  RunResult result;
  result.latency = latency(total(plan));
  for (int i = 0; kind_ != ScriptedKind::kGpu && i < result.latency.samples; ++i) {
    result.samples.push_back(result.latency.value * (0.98 + 0.002 * i));
  }
  for (const PlanStage& stage : plan.stages) result.stage_latencies.push_back(latency(time_of(stage)));
  if (options.trace) result.trace = trace(plan);
  if (options.outputs) result.outputs = outputs(plan);
  return result;
}

Latency ScriptedDevice::latency(Millis value) const {
  if (kind_ == ScriptedKind::kGpu) return {value, Millis{0}, 1, Origin::kSimulated};
  return {value, value * 0.02, 20, Origin::kMeasured};
}

std::vector<Tensor> ScriptedDevice::outputs(const ExecutionPlan& plan) const {
  const bool side_by_side = std::any_of(plan.stages.begin(), plan.stages.end(),
                                        [](const PlanStage& stage) { return stage.lanes.size() > 1; });
  std::vector<Tensor> outputs;
  for (const PlanOutput& output : plan.outputs) {
    std::vector<std::int64_t> dims{plan.batch};
    const Shape& shape = plan.buffers[output.view.buffer.index()].shape;
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    outputs.push_back(ones(dims, behaviour_->wrong && side_by_side));
  }
  return outputs;
}

Trace ScriptedDevice::trace(const ExecutionPlan& plan) const {
  Trace trace;
  trace.lanes = plan.lane_count();
  trace.source = behaviour_->trace_source.load();
  const bool gpu = kind_ == ScriptedKind::kGpu;
  Counter warps = gpu ? Counter{"active warps", "warps", 100, {}, {}} : Counter{"busy cores", "cores", 2, {}, {}};
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    const Micros begin = trace.duration;
    for (std::size_t lane = 0; lane < plan.stages[s].lanes.size(); ++lane) {
      Micros at = begin;
      for (const KernelId kernel : plan.stages[s].lanes[lane]) {
        trace.kernels.push_back({plan.kernel(kernel).name, kernel, lane, s, at, at + Micros(1000)});
        at += Micros(1000);
      }
    }
    trace.duration = begin + time_of(plan.stages[s]);
    trace.stages.push_back({begin, trace.duration});
    if (!gpu) trace.stages.back().lane_threads.assign(plan.stages[s].lanes.size(), 1);
    warps.times.push_back(begin);
    warps.values.push_back(plan.stages[s].lanes.size() > 1 ? warps.peak : warps.peak / 2);
  }
  std::ranges::stable_sort(trace.kernels, {}, &KernelSpan::begin);
  trace.counters.push_back(std::move(warps));
  return trace;
}

void ScriptedDevice::work(const JobContext& job) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(behaviour_->plan_millis);
  std::int64_t reports = 0;
  while (!job.stopped() && std::chrono::steady_clock::now() < end) {
    if (behaviour_->flood) {
      job.report(message("measuring"), ++reports, 0);
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

DeviceRegistry scripted_registry(const std::shared_ptr<ScriptedBehaviour>& behaviour) {
  DeviceRegistry registry;
  for (const ScriptedKind kind : {ScriptedKind::kGpu, ScriptedKind::kComputer}) {
    registry.add({ScriptedDevice::make_info(kind),
                  [behaviour, kind]() -> Result<std::unique_ptr<Device>> {
                    return std::make_unique<ScriptedDevice>(behaviour, kind);
                  },
                  {}});
  }
  return registry;
}

}  // namespace iosx::test
