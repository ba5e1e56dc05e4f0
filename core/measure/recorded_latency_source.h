#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/measure/stage_latency_source.h"
#include "core/measure/store/measurement_store.h"

namespace iosx {

// The one set of the store that was measured on this device (its id or fingerprint; empty: any) with this batch size,
// if the terms of its device are known. The error says what there is instead.
Result<MeasurementSet> recorded_set(MeasurementStore& store, const std::string& device, std::int64_t batch);

// Answers from a store alone, so that a search is repeated without the device: on another computer, with other options.
// What was measured is of origin "recorded" then; what was simulated stays simulated. To ask for a stage that was never
// measured there is an error, as is the store's. The graph and the store must outlive it.
class RecordedLatencySource final : public StageLatencySource {
 public:
  // `set` as recorded_set() answers it.
  RecordedLatencySource(const Graph& graph, MeasurementStore& store, MeasurementSet set);

  StageGaps gaps() const override { return set_.terms->gaps; }
  bool measures() const override { return false; }
  // Of how many of the distinct stages that known_latencies() was asked for nothing is known.
  std::int64_t lacking() const { return static_cast<std::int64_t>(lacking_.size()); }
  std::int64_t asked() const { return static_cast<std::int64_t>(asked_.size()); }

 private:
  std::vector<std::optional<Known>> recall(Asked stages) override;
  Result<void> measure(Asked stages, Look look, const JobContext& job, Take take) override;

  MeasurementStore& store_;
  MeasurementSet set_;
  std::optional<Error> store_error_;
  std::unordered_set<StageKey> asked_;
  std::unordered_set<StageKey> lacking_;
};

}  // namespace iosx
