#pragma once

#include <unordered_set>

#include "core/devices/registry.h"
#include "core/operators/kept_predictor.h"
#include "core/operators/profiling.h"

namespace iosx {

struct TrainingOptions {
  std::string name;
  // Operators to exclude, alone and in stages: to_text({{x}}) of those of the networks `unseen`.
  std::unordered_set<std::string> left_out = {};
  std::vector<std::string> unseen = {};
  std::optional<RegressorKind> kind = {};
  // The rates of the predicted card, one of recorded_operators(), for training on other cards: times are relative to
  // data sheet rates. Without it all stages must be of one device.
  std::optional<DeviceRates> rates = {};
};

// Trains a predictor of `device` from known stages. With rates, it skips stages of devices with unknown rates. Errors:
// OperatorPredictor::train(), an invalid name, stages of several devices without rates.
Result<KeptPredictor> train_predictor(std::span<const KnownStage> stages, const DeviceInfo& device,
                                      const TrainingOptions& options, const JobContext& job = {});
// Returns the device of the measurements: from the registry, else from the store.
DeviceInfo device_of(const DeviceRegistry& devices, const MeasurementSet& set);
// Returns whether every operator of the stage is in the set.
bool has_none_but(const StageFeatures& stage, const std::unordered_set<std::string>& operators);

// Returns a predictor's errors for known stages. The caller leaves out training stages, if it wants to.
Judged judge(const OperatorPredictor& predictor, const DeviceRates& rates, std::span<const KnownStage> stages);
std::string judged_table(const Judged& judged);

}  // namespace iosx
