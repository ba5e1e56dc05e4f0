#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/devices/device.h"

namespace iosx::test {

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

}  // namespace iosx::test
