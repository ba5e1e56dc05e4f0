#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/devices/device.h"
#include "core/devices/registry.h"

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
  Trace trace{.lanes = plan.lane_count()};
  trace.stages.resize(plan.stages.size());
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    trace.kernels.push_back({kernel.name, KernelId(k), kernel.lane, kernel.stage, Micros{0}, Micros{0}});
  }
  return trace;
}

// A device whose latencies follow from the plan alone: a stage takes 0.1 ms and its longest lane, a kernel 1 ms.
// end_to_end_penalty is added to a whole run for every lane of a stage after the first, which stages measured alone do
// not show.
class FakeDevice final : public Device {
 public:
  explicit FakeDevice(Origin origin = Origin::kSimulated);

  const DeviceInfo& info() const override { return info_; }

  Millis end_to_end_penalty{0};
  // Multiplies the latency of a plan measured alone, by its timing options; null: 1.
  std::function<double(const ExecutionPlan& plan, const TimingOptions& timing)> noise;
  std::function<void()> before_measure;  // called for every plan, if set
  std::function<void()> before_run;      // called for every run request, if set
  std::string failure;                   // if not empty, the error of every request
  std::size_t plans_measured = 0;
  std::vector<LoadOptions> loads;                    // one per loaded plan
  std::vector<std::size_t> runs;                     // one per run request: the index of its load
  std::vector<RunOptions> run_options;               // likewise
  std::function<double(std::size_t run)> clock_mhz;  // of the n-th run request; null: unknown
  std::function<Millis(std::size_t run)> drift;      // added to the latency of the n-th run request

 private:
  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override;
  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                              const JobContext& job) override;
  Result<RunResult> run(std::size_t load, const ExecutionPlan& plan, const RunOptions& options, const JobContext& job);
  Latency latency(Millis value) const { return {.value = value, .samples = 1, .origin = info_.origin}; }
  DeviceInfo info_;
};

// A device whose outputs depend on the inputs alone, for any plan: element i of an output is the sum of all inputs
// and i + 1. `change` may spoil the outputs of a run; runs count from 0.
class ComputingDevice final : public Device {
 public:
  explicit ComputingDevice(std::string id = "computing");

  const DeviceInfo& info() const override { return info_; }

  std::function<void(std::size_t run, std::vector<Tensor>& outputs)> change;
  std::vector<RunOptions> computed;  // requests with outputs
  std::vector<std::size_t> stages;   // of their plans
  std::vector<RunOptions> timed;     // other run requests
  std::vector<LoadOptions> loads;    // one per loaded plan
  DeviceInfo info_;

 private:
  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override;
  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                              const JobContext& job) override;
  Result<RunResult> run(const ExecutionPlan& plan, const RunOptions& options, const JobContext& job);
};

// Returns the tensor with one element changed.
Tensor with(const Tensor& tensor, std::size_t element, float value);

// The behaviour of a test's fake devices; may be changed while they run.
struct ScriptedBehaviour {
  std::atomic<int> plan_millis{0};  // real time for measuring one plan
  std::atomic<bool> flood{false};   // reports progress without pauses meanwhile
  std::atomic<bool> broken{false};  // every measurement and run is an error
  std::atomic<bool> wrong{false};   // a schedule with groups side by side has other outputs than the rest
  std::atomic<const char*> trace_source{""};
  std::atomic<int> requests{0};  // measurements and runs so far
  std::atomic<int> measured{0};  // plans of single stages so far
};

// A simulated GPU with 100 warps, or a computer with two cores that measures and computes.
enum class ScriptedKind { kGpu, kComputer };

// A plan's stage takes 1 ms per kernel of a lane, lanes at once, plus 0.1 ms: parallel stages pay, and the
// end-to-end latency is the sum. The computer's latencies have a spread of 2 %.
class ScriptedDevice final : public Device {
 public:
  explicit ScriptedDevice(std::shared_ptr<ScriptedBehaviour> behaviour, ScriptedKind kind = ScriptedKind::kGpu)
      : behaviour_(std::move(behaviour)), kind_(kind), info_(make_info(kind)) {}

  static DeviceInfo make_info(ScriptedKind kind = ScriptedKind::kGpu);

  const DeviceInfo& info() const override { return info_; }

 private:
  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override;
  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                              const JobContext& job) override;
  Result<RunResult> run(const ExecutionPlan& plan, const RunOptions& options, const JobContext& job);
  Latency latency(Millis value) const;
  // Returns ones of the right shapes; the first is 2 where the fake computes wrongly.
  std::vector<Tensor> outputs(const ExecutionPlan& plan) const;
  // Half of the device (50 warps, one core) is in use in every kernel of a stage with one lane, all with more lanes.
  Trace trace(const ExecutionPlan& plan) const;
  void work(const JobContext& job) const;

  std::shared_ptr<ScriptedBehaviour> behaviour_;
  ScriptedKind kind_;
  DeviceInfo info_;
};

// Both kinds.
DeviceRegistry scripted_registry(const std::shared_ptr<ScriptedBehaviour>& behaviour);

}  // namespace iosx::test
