#include "tests/support/computing_device.h"

#include <numeric>
#include <utility>

#include "tests/support/loaded_plan.h"

namespace iosx::test {
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
  RunResult result;
  result.latency = {Millis{static_cast<double>(plan.stages.size())}, Millis{0.01}, 10, Origin::kMeasured};
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

}  // namespace iosx::test
