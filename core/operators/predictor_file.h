#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/operators/predictor.h"

namespace iosx {

// Says what a predictor is and what it was learned from.
struct PredictorFacts {
  std::string name;   // "cpu": the device is "predicted:cpu"
  DeviceInfo device;  // whose stages it learned from
  DeviceRates rates;  // of the device that it speaks of; all 0: the device's own
  // The hash of all samples: two predictors of one device with another one learned from other samples.
  std::string samples;
  std::string model;                // the hash of what it learned, which is in another file
  std::string date;                 // "2026-03-01T12:00:00Z"
  std::vector<std::string> unseen;  // networks whose operators were left out, so that they can judge
  std::int64_t samples_alone = 0;
  std::int64_t samples_together = 0;
  bool side_by_side = false;  // enough of them ran side by side
  std::string kind_alone;     // "alone, boosted trees": what its errors are called in `errors`
  std::string kind_together;  // empty: there was too little
  // How far it was off for samples that it had not seen, see OperatorPredictor.
  std::vector<PredictionErrors> errors;
  std::vector<PredictionErrors> errors_by_kind;
  std::vector<PredictionErrors> errors_by_time;
};

// Is a predictor as it is kept: what it is in NAME.json, what it learned in NAME.model beside it, in the folder
// ios-explorer/predictors of $XDG_DATA_HOME or ~/.local/share.
struct KeptPredictor {
  PredictorFacts facts;
  OperatorPredictor predictor;
};

// The error is that there is no such folder.
Result<std::filesystem::path> predictor_folder();

// Says why a predictor cannot have this name; nothing where it can: letters, digits, '.', '_' and '-', at most 60.
Message why_no_name(std::string_view name);

// `file` is NAME.json here. A model that is not of these facts is an error.
Result<void> write_predictor(const std::filesystem::path& file, const KeptPredictor& kept);
Result<PredictorFacts> read_predictor_facts(const std::filesystem::path& file);
Result<KeptPredictor> read_predictor(const std::filesystem::path& file);

// Returns the NAME.json of a folder's predictors, by name. A folder that is not there has none.
std::vector<std::filesystem::path> predictor_files(const std::filesystem::path& folder);

}  // namespace iosx
