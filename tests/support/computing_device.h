#pragma once

#include <functional>

#include "core/devices/device.h"

namespace iosx::test {

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

}  // namespace iosx::test
