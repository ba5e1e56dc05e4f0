#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/devices/device.h"

namespace iosx::test {

using RunPlan = std::function<Result<RunResult>(const ExecutionPlan&, const RunOptions&, const JobContext&)>;

// A fake device's loaded plan: `run` answers its requests.
class FakeLoadedPlan final : public LoadedPlan {
 public:
  FakeLoadedPlan(const DeviceInfo& device, ExecutionPlan plan, RunPlan run)
      : LoadedPlan(device, std::move(plan)), run_(std::move(run)) {}

 private:
  Result<RunResult> do_run(const RunOptions& options, const JobContext& job) override {
    return run_(plan(), options, job);
  }
  RunPlan run_;
};

inline std::unique_ptr<LoadedPlan> loaded(const DeviceInfo& device, ExecutionPlan plan, RunPlan run) {
  return std::make_unique<FakeLoadedPlan>(device, std::move(plan), std::move(run));
}

// Returns a trace without durations: every stage, every kernel once.
inline Trace empty_trace(const ExecutionPlan& plan) {
  Trace trace;
  trace.lanes = plan.lane_count();
  trace.stages.resize(plan.stages.size());
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    trace.kernels.push_back({kernel.name, KernelId(k), kernel.lane, kernel.stage, Micros{0}, Micros{0}});
  }
  return trace;
}

}  // namespace iosx::test
