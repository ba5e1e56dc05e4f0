#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>
#include <utility>

#include "tests/support/fake_devices.h"

namespace iosx::test {
namespace {

Millis stage_latency(const PlanStage& stage) {
  std::size_t longest = 0;
  for (const auto& lane : stage.lanes) longest = std::max(longest, lane.size());
  return Millis{0.1 + static_cast<double>(longest)};
}

}  // namespace

FakeDevice::FakeDevice(Origin origin)
    : info_{.id = "fake", .name = "Fake device", .summary = "", .fingerprint = "fake-1", .origin = origin} {
  info_.lowering.free_slices = FreeSlices::kAlways;  // a merged stage is one kernel
}

Result<std::vector<Latency>> FakeDevice::do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                                    const JobContext& job) {
  if (!failure.empty()) return fail(verbatim(failure), info_.id);
  std::vector<Latency> latencies;
  for (const ExecutionPlan& plan : plans) {
    if (before_measure) before_measure();
    if (job.stopped()) break;
    Millis sum{0};
    for (const PlanStage& stage : plan.stages) sum += stage_latency(stage);
    latencies.push_back(latency(noise ? noise(plan, timing) * sum : sum));
    ++plans_measured;
  }
  return latencies;
}

Result<std::unique_ptr<LoadedPlan>> FakeDevice::do_load(ExecutionPlan plan, const LoadOptions& options,
                                                        const JobContext& job) {
  if (!failure.empty()) return fail(verbatim(failure), info_.id);
  if (job.stopped()) return fail(message("stopped"), info_.id);
  loads.push_back(options);
  return loaded(info_, std::move(plan),
                [this, load = loads.size() - 1](const auto&... request) { return run(load, request...); });
}

Result<RunResult> FakeDevice::run(std::size_t load, const ExecutionPlan& plan, const RunOptions& options,
                                  const JobContext& job) {
  if (!failure.empty()) return fail(verbatim(failure), info_.id);
  if (before_run) before_run();
  if (job.stopped()) return fail(message("stopped"), info_.id);
  RunResult result{.trace = empty_trace(plan)};
  result.trace.stages.clear();
  Millis total = drift ? drift(runs.size()) : Millis{0};
  for (const PlanStage& stage : plan.stages) {
    const Millis begin = total;
    total += stage_latency(stage) + end_to_end_penalty * static_cast<double>(stage.lanes.size() - 1);
    result.stage_latencies.push_back(latency(stage_latency(stage)));
    result.trace.stages.push_back({begin, total});
  }
  result.latency = latency(total);
  result.latency.samples = info_.origin == Origin::kSimulated ? 1 : options.timing.repeats;
  if (info_.origin == Origin::kMeasured) {
    result.samples.assign(static_cast<std::size_t>(result.latency.samples), total);
  }
  if (clock_mhz) result.latency.clock_mhz = clock_mhz(runs.size());
  result.trace.duration = total;
  runs.push_back(load);
  run_options.push_back(options);
  return result;
}

namespace {

Tensor output(const ExecutionPlan& plan, const PlanOutput& output, double sum) {
  const Shape& shape = plan.buffers[output.view.buffer.index()].shape;
  std::vector<std::int64_t> dims{plan.batch};
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  std::vector<float> elements(static_cast<std::size_t>(plan.batch * shape.elements()));
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(sum + static_cast<double>(i) + 1);
  return {std::move(dims), std::move(elements)};
}

}  // namespace

ComputingDevice::ComputingDevice(std::string id)
    : info_{.id = std::move(id),
            .name = "Computing",
            .summary = "",
            .fingerprint = "",
            .origin = Origin::kMeasured,
            .computes = true} {}

Result<std::vector<Latency>> ComputingDevice::do_measure(std::span<const ExecutionPlan> plans,
                                                         const TimingOptions& /*timing*/, const JobContext& /*job*/) {
  std::vector<Latency> latencies;
  for (const ExecutionPlan& plan : plans) {
    latencies.push_back({Millis{static_cast<double>(plan.stages.size())}, Millis{0.01}, 10, Origin::kMeasured});
  }
  return latencies;
}

Result<std::unique_ptr<LoadedPlan>> ComputingDevice::do_load(ExecutionPlan plan, const LoadOptions& options,
                                                             const JobContext& /*job*/) {
  loads.push_back(options);
  return loaded(info_, std::move(plan), [this](const auto&... request) { return run(request...); });
}

Result<RunResult> ComputingDevice::run(const ExecutionPlan& plan, const RunOptions& options, const JobContext& job) {
  if (job.stopped()) return fail(message("stopped"), info_.id);
  RunResult result{.latency = {Millis{static_cast<double>(plan.stages.size())}, Millis{0.01}, 10, Origin::kMeasured}};
  result.stage_latencies.assign(plan.stages.size(), {Millis{1}, Millis{0}, 10, Origin::kMeasured});
  result.peak_bytes = 1'500'000;
  if (options.trace) {
    result.trace = empty_trace(plan);
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
      result.trace.stages[i].lane_threads.assign(plan.stages[i].lanes.size(), 2);
    }
  }
  if (!options.outputs) {
    timed.push_back(options);
    return result;
  }
  double sum = 0;
  for (const Tensor& input : options.inputs) {
    sum = std::accumulate(input.elements().begin(), input.elements().end(), sum);
  }
  for (const PlanOutput& each : plan.outputs) result.outputs.push_back(output(plan, each, sum));
  if (change) change(computed.size(), result.outputs);
  computed.push_back(options);
  stages.push_back(plan.stages.size());
  return result;
}

Tensor with(const Tensor& tensor, std::size_t element, float value) {
  std::vector<float> elements(tensor.elements().begin(), tensor.elements().end());
  elements.at(element) = value;
  return {{tensor.dims().begin(), tensor.dims().end()}, std::move(elements)};
}

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
  RunResult result{.latency = latency(total(plan))};
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
  Trace trace{.lanes = plan.lane_count(), .source = behaviour_->trace_source.load()};
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
