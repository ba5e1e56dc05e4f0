#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "core/devices/registry.h"

namespace iosx::test {

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
