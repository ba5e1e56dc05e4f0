#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/devices/measure/stage_latency_source.h"
#include "core/devices/store/measurement_store.h"

namespace iosx {

// Returns the one set of the store that was measured on this device (its id or fingerprint; empty: any) with this batch
// size, if the terms of its device are known. The error says what there is instead.
Result<MeasurementSet> recorded_set(MeasurementStore& store, const std::string& device, std::int64_t batch);

// Answers from what is known alone, a store and what give() was given, so that a search is repeated without the device:
// on another computer, with other options. What was measured is of origin "recorded" then, unless it was measured here;
// what was simulated stays simulated. To ask for a stage that was never measured there is an error, as is the store's.
// The graph and the store must outlive it.
class RecordedLatencySource final : public StageLatencySource {
 public:
  enum class Where { kElsewhere, kHere };

  // `set` is as recorded_set() answers it, or measurement_set(). A null store knows nothing.
  RecordedLatencySource(const Graph& graph, MeasurementStore* store, MeasurementSet set,
                        Where where = Where::kElsewhere);

  // Adds what is known from elsewhere, whatever the store has; it is called before anything is asked.
  void give(const Stage& stage, const Latency& latency);

  InterStageOverhead overhead() const override { return set_.terms->overhead; }
  bool measures() const override { return false; }
  // Counts the distinct stages that known_latencies() was asked for and of which nothing is known.
  std::int64_t lacking() const { return static_cast<std::int64_t>(lacking_.size()); }
  std::int64_t asked() const { return static_cast<std::int64_t>(asked_.size()); }

 private:
  std::vector<std::optional<Known>> recall(Asked stages) override;
  Result<void> measure(Asked stages, Look look, const JobContext& job, Take take) override;

  MeasurementStore* store_;
  MeasurementSet set_;
  Where where_;
  std::unordered_map<StageKey, Latency> given_;
  std::optional<Error> store_error_;
  std::unordered_set<StageKey> asked_;
  std::unordered_set<StageKey> lacking_;
};

}  // namespace iosx
