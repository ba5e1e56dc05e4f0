#pragma once

#include <cstdint>
#include <vector>

#include "core/devices/device.h"
#include "core/devices/store/measurement_store.h"
#include "core/operators/candidates.h"

namespace iosx {

struct OperatorProfileOptions {
  std::int64_t batch = 1;
  TimingOptions timing = {};
  std::size_t most = 500;  // stages that are measured; those that the store knows do not count
  CandidateOptions candidates = {};
  bool anew = false;
};

struct OperatorProfile {
  std::int64_t candidates = 0;  // that there are
  std::int64_t known = 0;       // of these, in the store already
  std::int64_t measured = 0;
  std::int64_t alone = 0;  // of those that are known now
  std::int64_t together = 0;
  std::vector<Message> notices = {};
};

// Measures operators of a graph alone, in a row and side by side, and keeps them in the store with their features.
// First come operators alone, a third of all; then, round after round, the stages where what was learned so far is
// surest to be wrong: where its two kinds of regression differ most. On a stop what was measured is kept. Errors are
// the device's and the store's.
Result<OperatorProfile> profile_operators(const Graph& graph, Device& device, MeasurementStore& store,
                                          const std::string& program, const OperatorProfileOptions& options,
                                          const JobContext& job);

// Returns the stages that a store knows with their features, of one device (its id or fingerprint) in one precision.
struct KnownStage {
  StageKey key;
  MeasurementSet set;
  StageFeatures features;
  Latency latency;
};
Result<std::vector<KnownStage>> known_stages(MeasurementStore& store, const MeasurementFilter& selection);

// Says how much there is to learn from of a device.
struct KnownDevice {
  MeasurementSet set;         // the first of the device's sets
  std::int64_t alone = 0;     // operators
  std::int64_t together = 0;  // stages of several
};
// Returns the devices of which known_stages() has any, in the order of their sets. A stop ends it with what it has.
Result<std::vector<KnownDevice>> known_devices(MeasurementStore& store, const JobContext& job = {});

}  // namespace iosx
