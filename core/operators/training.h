#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/devices/registry.h"
#include "core/operators/predictor_file.h"
#include "core/operators/profiling.h"

namespace iosx {

struct TrainingOptions {
  std::string name;
  // Operators that it must not see, alone or in any stage: to_text({{x}}) of those of the networks `unseen`.
  std::unordered_set<std::string> left_out = {};
  std::vector<std::string> unseen = {};
  std::optional<RegressorKind> kind = {};
  // A card of recorded_operators() that the predictor speaks of, from what the others took: stages are taken as parts
  // of what data sheets promise. Without it the stages must be of one device.
  std::optional<DeviceRates> rates = {};
};

// Trains a predictor from known stages; it speaks of `device`. With rates, stages of devices whose rates are not known
// are left out. Errors: OperatorPredictor::train(), a name that is none, stages of several devices without rates.
Result<KeptPredictor> train_predictor(std::span<const KnownStage> stages, const DeviceInfo& device,
                                      const TrainingOptions& options, const JobContext& job = {});
// Returns the device that stages were measured on: the registry's, or what the store knows of it.
DeviceInfo device_of(const DeviceRegistry& devices, const MeasurementSet& set);
// Says whether an operator of the stage is among these; whether all are.
bool has_one_of(const StageFeatures& stage, const std::unordered_set<std::string>& operators);
bool has_none_but(const StageFeatures& stage, const std::unordered_set<std::string>& operators);

// Says how far a predictor is off for known stages. Those that it learned from are among them unless the caller leaves
// them out.
Judged judge(const OperatorPredictor& predictor, const DeviceRates& rates, std::span<const KnownStage> stages);
std::string judged_table(const Judged& judged);

}  // namespace iosx
