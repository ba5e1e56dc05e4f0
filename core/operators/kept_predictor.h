#pragma once

#include <filesystem>

#include "core/devices/registry.h"
#include "core/operators/predictor.h"

namespace iosx {

// Describes a predictor and the data that trained it.
struct PredictorFacts {
  std::string name;   // "cpu": the device is "predicted:cpu"
  DeviceInfo device;  // source of the stages
  DeviceRates rates;  // of the predicted device; all 0: the measured device's
  // The hash of all samples, which identifies the training data: predictors of one device with other
  // samples are different devices.
  std::string samples;
  std::string model;                // hash of the trained model, which is in another file
  std::string date;                 // "2026-03-01T12:00:00Z"
  std::vector<std::string> unseen;  // networks whose operators were left out, for judging
  std::int64_t samples_alone = 0;
  std::int64_t samples_together = 0;
  bool side_by_side = false;  // enough samples ran side by side
  std::string kind_alone;     // "alone, boosted trees": its name in `errors`
  std::string kind_together;  // empty: too few samples
  // Errors on unseen samples, see OperatorPredictor.
  std::vector<PredictionErrors> errors;
  std::vector<PredictionErrors> errors_by_kind;
  std::vector<PredictionErrors> errors_by_time;
};

// A stored predictor: its facts in NAME.json and its model in NAME.model, in the folder ios-explorer/predictors
// of $XDG_DATA_HOME or ~/.local/share.
struct KeptPredictor {
  PredictorFacts facts;
  OperatorPredictor predictor;
};

// Returns an error where no such folder is known.
Result<std::filesystem::path> predictor_folder();

// Returns why a name is invalid, or nothing. Valid: letters, digits, '.', '_' and '-', at most 60.
Message why_no_name(std::string_view name);

// `file` is NAME.json here. A model that does not match these facts is an error.
Result<void> write_predictor(const std::filesystem::path& file, const KeptPredictor& kept);
Result<PredictorFacts> read_predictor_facts(const std::filesystem::path& file);
Result<KeptPredictor> read_predictor(const std::filesystem::path& file);

// Returns the NAME.json files of a folder's predictors, sorted by name; none for a missing folder.
std::vector<std::filesystem::path> predictor_files(const std::filesystem::path& folder);

// Makes the device "predicted:NAME": each stage takes the predicted time, deterministic and without noise, with stages
// in the form of the device that it learned from. Its traces spread a stage's operators over that time.
std::unique_ptr<Device> make_predicted_device(std::shared_ptr<const KeptPredictor> kept);

// Adds the devices of a folder's predictors. Returns sentences for the user about invalid files.
std::vector<Message> add_predicted_devices(DeviceRegistry& registry, const std::filesystem::path& folder);

}  // namespace iosx
