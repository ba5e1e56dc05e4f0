#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/devices/device.h"
#include "core/devices/measure/stage_latency_source.h"
#include "core/devices/store/measurement_store.h"

namespace iosx {

// Where latencies are kept between runs, and the program version that makes them. The store must outlive its users;
// without one, latencies live as long as their source.
struct Keeping {
  MeasurementStore* store = nullptr;
  std::string program = {};
  bool anew = false;  // replaces kept latencies without using them, for example after measuring on a busy machine
};

// Returns the set of a device's measurements in a store.
MeasurementSet measurement_set(const DeviceInfo& device, std::int64_t batch);

// Looks each stage key up in the store, then measures it on the device, once. The graph and the device must outlive it.
//
// A device's latency is a quick estimate (quick_estimate()) until the refined one is requested. A stored latency
// serves only if it was measured as thoroughly as this source would. Each reply of the device is stored before the
// next request. After an error of the store, take_notices() reports it, and measuring goes on without the store.
class DeviceLatencySource final : public StageLatencySource {
 public:
  DeviceLatencySource(const Graph& graph, Device& device, std::int64_t batch, const TimingOptions& timing = {},
                      Keeping keeping = {});

  InterStageOverhead overhead() const override { return device_.info().overhead; }
  bool estimates_quickly() const override { return !is_modelled(set_.origin); }
  // Sets how to time unknown stages; known latencies stay.
  void set_timing(const TimingOptions& timing) { timing_ = timing; }
  // Makes guesses() return predictions of this device, which must outlive the source and runs stages in the same
  // form. With another device there are no guesses.
  void set_guesser(Device* guesser) { guesser_ = guesser; }
  std::vector<double> guesses(std::span<const Stage> stages) override;
  // Returns sentences for the user about the store since the last call.
  std::vector<Message> take_notices();

 private:
  std::vector<std::optional<Known>> recall(Asked stages) override;
  Result<void> measure(Asked stages, Look look, const JobContext& job, Take take) override;
  std::optional<std::int64_t> recall_search(const StageKey& search) override;
  void keep_search(const StageKey& search, std::int64_t stages) override;
  std::string thoroughness() const override;
  void keep(Asked stages, std::span<const Latency> latencies, const TimingOptions& timing);
  void give_up_store(const Error& error);

  Device& device_;
  TimingOptions timing_;
  Keeping keeping_;
  MeasurementSet set_;
  Device* guesser_ = nullptr;
  std::vector<Message> notices_;
};

}  // namespace iosx
