#include "tests/support/fake_device.h"

#include <algorithm>
#include <utility>

#include "tests/support/loaded_plan.h"

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
  RunResult result;
  result.trace = empty_trace(plan);
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

}  // namespace iosx::test
