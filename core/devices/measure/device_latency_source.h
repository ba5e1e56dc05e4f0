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

// Says where latencies are kept from run to run, and by which program version they are made. The store must outlive who
// uses it; without one they are kept as long as their source lives.
struct Keeping {
  MeasurementStore* store = nullptr;
  std::string program = {};
  bool anew = false;  // what is kept is not asked for, only replaced: after measuring on a busy machine, say
};

// Returns what a store calls the measurements of a device.
MeasurementSet measurement_set(const DeviceInfo& device, std::int64_t batch);

// Asks the store, then the device, once for every stage key. The graph and the device must outlive it.
//
// What a device measures is a quick estimate (quick_estimate()) until somebody asks for it refined. A stored latency
// serves only if it was measured as thoroughly as this source would. What the device answers is stored before anything
// else is asked of it. A store that fails is told of in take_notices() and not asked again; measuring goes on.
class DeviceLatencySource final : public StageLatencySource {
 public:
  DeviceLatencySource(const Graph& graph, Device& device, std::int64_t batch, const TimingOptions& timing = {},
                      Keeping keeping = {});

  InterStageOverhead overhead() const override { return device_.info().overhead; }
  bool estimates_quickly() const override { return !is_modelled(set_.origin); }
  // Says how to time what is not known yet; what is known stays.
  void set_timing(const TimingOptions& timing) { timing_ = timing; }
  // From here on guesses() are what this device answers, which must outlive the source: one that predicts, and runs
  // stages in the same form. Another one guesses nothing.
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
