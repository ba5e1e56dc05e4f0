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
// size, if the device's terms are known. The error lists the available sets.
Result<MeasurementSet> recorded_set(MeasurementStore& store, const std::string& device, std::int64_t batch);

// Answers from known latencies alone, those of a store and of give(), so that a search repeats without the device: on
// another computer, with other options. Measured latencies get the origin "recorded", unless they were measured here;
// simulated ones stay simulated. Errors: a stage without a known latency, and the store's. The graph and the store must
// outlive it.
class RecordedLatencySource final : public StageLatencySource {
 public:
  enum class Where { kElsewhere, kHere };

  // `set` comes from recorded_set() or measurement_set(). A null store knows nothing.
  RecordedLatencySource(const Graph& graph, MeasurementStore* store, MeasurementSet set,
                        Where where = Where::kElsewhere);

  // Adds a known latency, which takes precedence over the store. Call it before any request.
  void give(const Stage& stage, const Latency& latency);

  InterStageOverhead overhead() const override { return set_.terms->overhead; }
  bool measures() const override { return false; }
  // Returns how many distinct stages known_latencies() was called for and did not know.
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
