#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/devices/device.h"
#include "core/devices/simulated/contention_model.h"
#include "core/devices/simulated/description.h"
#include "core/devices/simulated/kernel_model.h"

namespace iosx::simulated {

DeviceInfo device_info(const DeviceDescription& description);

// Runs plans on the contention model. It is deterministic: one sample, no spread.
//
// The host launches a stage's kernels lane by lane and goes on without waiting. It synchronises with the device only
// where a stage waits for several lanes, or several lanes for a stage. A run starts on an idle device and ends with
// the last kernel. A plan of one lane is measured back to back with itself, as in a measuring loop: the host's work
// ahead costs nothing there. DeviceInfo::overhead has the synchronisations and the launches that nothing hides.
//
// Captured launches (DeviceDescription::captured) need no host: a kernel starts when those that it waits for have
// ended, a little later where a stage waits across lanes. A stage is measured as if the same stage ran before it, so
// its lanes wait for one another.
class SimulatedDevice final : public Device {
 public:
  // With a draw, its kernels have error factors: kernel_model.h.
  explicit SimulatedDevice(DeviceDescription description, std::optional<std::uint64_t> draw = {});
  SimulatedDevice(const SimulatedDevice&) = delete;  // the kernel model refers to the description
  SimulatedDevice& operator=(const SimulatedDevice&) = delete;
  SimulatedDevice(SimulatedDevice&&) = delete;
  SimulatedDevice& operator=(SimulatedDevice&&) = delete;
  ~SimulatedDevice() override = default;

  const DeviceInfo& info() const override { return info_; }
  std::optional<PeakRates> peak_rates() const override;
  std::unique_ptr<Device> redrawn(std::uint64_t draw) const override;
  const DeviceDescription& description() const { return description_; }

 private:
  class Loaded;
  // The launches of a plan, in the host's order. Kernel k made launches [first[k], first[k + 1]).
  struct Program {
    std::vector<Launch> launches;
    std::vector<std::size_t> first;
  };
  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override;
  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                              const JobContext& job) override;
  Program program(const ExecutionPlan& plan);
  double latency_us(const ExecutionPlan& plan);
  double back_to_back_us(const Program& program) const;

  DeviceDescription description_;
  DeviceInfo info_;
  KernelModel model_;
};

}  // namespace iosx::simulated
