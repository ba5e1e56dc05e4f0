#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "core/device/registry.h"

namespace iosx::test {

// How the fake devices of a test behave; may be changed while they run.
struct FakeBehaviour {
  std::atomic<int> plan_millis{0};  // real time that measuring one plan takes
  std::atomic<bool> flood{false};   // report progress without a pause meanwhile
  std::atomic<bool> broken{false};  // every request is an error
  std::atomic<int> requests{0};     // so far
};

// Every plan stage takes 1 ms a lane's kernel, lanes at once, plus 0.1 ms: parallel stages pay, and the end-to-end
// latency is the sum.
class FakeDevice final : public Device {
 public:
  explicit FakeDevice(std::shared_ptr<FakeBehaviour> behaviour) : behaviour_(std::move(behaviour)) {
    info_ = make_info();
  }

  static DeviceInfo make_info() { return {"fake", "Fake GPU", "for tests", "fake-1", Origin::kSimulated}; }

  const DeviceInfo& info() const override { return info_; }

  Result<std::vector<Latency>> measure(std::span<const ExecutionPlan> plans, const TimingOptions& /*timing*/,
                                       const JobContext& job) override {
    ++behaviour_->requests;
    if (behaviour_->broken) return fail("the device fell over", "fake", "pick it up");
    std::vector<Latency> latencies;
    for (const ExecutionPlan& plan : plans) {
      work(job);
      if (job.stopped()) break;
      latencies.push_back(latency(total(plan)));
    }
    return latencies;
  }

  Result<RunResult> run(const ExecutionPlan& plan, const RunOptions& options, const JobContext& job) override {
    ++behaviour_->requests;
    if (behaviour_->broken) return fail("the device fell over", "fake", "pick it up");
    work(job);
    RunResult result;
    result.latency = latency(total(plan));
    for (const PlanStage& stage : plan.stages) result.stage_latencies.push_back(latency(time_of(stage)));
    if (options.trace) result.trace = trace(plan);
    return result;
  }

 private:
  static Latency latency(Millis value) { return {value, Millis{0}, 1, Origin::kSimulated}; }

  static Millis time_of(const PlanStage& stage) {
    std::size_t longest = 0;
    for (const auto& lane : stage.lanes) longest = std::max(longest, lane.size());
    return Millis(0.1 + static_cast<double>(longest));
  }

  static Millis total(const ExecutionPlan& plan) {
    Millis sum{0};
    for (const PlanStage& stage : plan.stages) sum += time_of(stage);
    return sum;
  }

  // Half of the device's 100 warps are active in every kernel of a stage with one lane, all with more lanes.
  static Trace trace(const ExecutionPlan& plan) {
    Trace trace;
    trace.lanes = plan.lane_count();
    Counter warps{"active warps", "warps", 100, {}, {}};
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
      warps.times.push_back(begin);
      warps.values.push_back(plan.stages[s].lanes.size() > 1 ? 100 : 50);
    }
    trace.counters.push_back(std::move(warps));
    return trace;
  }

  void work(const JobContext& job) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(behaviour_->plan_millis);
    std::int64_t reports = 0;
    while (!job.stopped() && std::chrono::steady_clock::now() < end) {
      if (behaviour_->flood) {
        job.report("measuring", ++reports, 0);
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }

  std::shared_ptr<FakeBehaviour> behaviour_;
  DeviceInfo info_;
};

inline DeviceRegistry fake_registry(const std::shared_ptr<FakeBehaviour>& behaviour) {
  DeviceRegistry registry;
  registry.add({FakeDevice::make_info(),
                [behaviour]() -> Result<std::unique_ptr<Device>> { return std::make_unique<FakeDevice>(behaviour); },
                ""});
  return registry;
}

}  // namespace iosx::test
