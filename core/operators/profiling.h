#pragma once

#include "core/devices/device.h"
#include "core/devices/store/measurement_store.h"
#include "core/operators/candidates.h"

namespace iosx {

struct OperatorProfileOptions {
  std::int64_t batch = 1;
  TimingOptions timing = {};
  std::size_t most = 500;  // stages to measure; stages known to the store do not count
  CandidateOptions candidates = {};
  bool anew = false;
};

struct OperatorProfile {
  std::int64_t candidates = 0;  // in total
  std::int64_t known = 0;       // of these, already in the store
  std::int64_t measured = 0;
  std::int64_t alone = 0;  // of those now known
  std::int64_t together = 0;
  std::vector<Message> notices = {};
};

// Measures operators of a graph alone, in a row and side by side, and stores them with their features. Operators
// alone come first, as a third of all. Then each round takes the stages whose prediction is least certain: where the
// two kinds of regression differ most. A stop keeps the measured ones. Errors are the device's and the store's.
Result<OperatorProfile> profile_operators(const Graph& graph, Device& device, MeasurementStore& store,
                                          const std::string& program, const OperatorProfileOptions& options,
                                          const JobContext& job);

// Return the stages with features in a store, of one device (its id or fingerprint) in one precision.
struct KnownStage {
  StageKey key;
  MeasurementSet set;
  StageFeatures features;
  Latency latency;
};
Result<std::vector<KnownStage>> known_stages(MeasurementStore& store, const MeasurementFilter& selection);

// How much training data of a device exists.
struct KnownDevice {
  MeasurementSet set;         // the first of the device's sets
  std::int64_t alone = 0;     // operators
  std::int64_t together = 0;  // stages of several operators
};
// Returns the devices for which known_stages() has stages, in the order of their sets. After a stop it returns
// those found.
Result<std::vector<KnownDevice>> known_devices(MeasurementStore& store, const JobContext& job = {});

}  // namespace iosx
