#pragma once

#include "core/devices/device.h"
#include "core/operators/features.h"
#include "core/operators/regressor.h"

namespace iosx {

// The peak rates of a device, where known, so that training on some devices applies to another. All 0: one
// device, whose rates are learned.
struct DeviceRates {
  double flops_per_s = 0;
  double bytes_per_s = 0;
  double cores = 0;  // multiprocessors of a GPU
  friend bool operator==(const DeviceRates&, const DeviceRates&) = default;
};

// A stage with its own latency.
struct StageSample {
  StageFeatures stage;
  double ms = 0;
  DeviceRates rates = {};
  std::string of = {};  // samples of one name are left out together, as of one card; empty: those of equal features
};

// Prediction errors, relative to the measured value; 0.1 is ten per cent.
struct PredictionErrors {
  std::string what;  // "conv alone", "0.1 to 1 ms", …
  std::int64_t rows = 0;
  double mean = 0;  // of absolute errors
  double median = 0;
  double within_10 = 0;  // share of rows with an error of at most a tenth
  friend bool operator==(const PredictionErrors&, const PredictionErrors&) = default;
};
// Returns the value that this part of them is below; 0 of none.
double quantile_of(std::vector<double> values, double part);
PredictionErrors errors_of(std::string what, std::span<const double> measured, std::span<const double> predicted);

// Prediction errors of stages, by the arrangement of their operators, by kind and by time.
struct Judged {
  std::vector<PredictionErrors> all = {};    // "alone", "in a row", "side by side"
  std::vector<PredictionErrors> kinds = {};  // for operators alone
  std::vector<PredictionErrors> times = {};  // of all stages, by their time: time_classes()
};
// A stage with its measured and predicted time in ms. Stages that took no time are not judged.
struct PredictedStage {
  const StageFeatures* stage = nullptr;
  double measured_ms = 0;
  double predicted_ms = 0;
};
Judged judge(std::span<const PredictedStage> stages);

// Returns for each sample the part that it is left out with, from 0, below kLeftOutParts. Samples of one group share a
// part. Groups are dealt out by name, so that as many parts as possible have one.
inline constexpr std::size_t kLeftOutParts = 5;
std::vector<std::size_t> left_out_parts(std::span<const std::string> groups);

// Predicts the latency of stages on a device from measurements there: first the time of each operator alone, from
// its features, then the time of several together over the sum of these, from how they share the machine.
//
//   measured          learned
//   conv alone        its time over the least that its FLOPs and bytes could take: "1.9 times"
//   conv | conv       0.62 of the sum of both alone
//
// Where stages of only a few groups were measured, the prediction is the sum. No prediction is further from the
// least time, or from the sum, than a measurement was.
class OperatorPredictor {
 public:
  // Trains on samples. For both parts it takes the kind of regression that is better on unseen samples, unless one is
  // given. Errors: fewer than kLeastSamples operators alone, or all of one group, so that none can be left out; invalid
  // times, the library's, a stop.
  static constexpr std::int64_t kLeastSamples = 20;
  static Result<OperatorPredictor> train(std::span<const StageSample> samples, const JobContext& job = {},
                                         std::optional<RegressorKind> kind = std::nullopt);
  // Does the same with one kind, without estimating its error.
  static Result<OperatorPredictor> fit(std::span<const StageSample> samples, RegressorKind kind,
                                       const JobContext& job = {});

  // Returns ms; 0 for a stage without operators.
  double stage_ms(const StageFeatures& stage, const DeviceRates& rates = {}) const;
  std::vector<double> stage_ms(std::span<const StageFeatures> stages, const DeviceRates& rates = {}) const;
  // Returns each operator's time alone, in order of groups.
  std::vector<double> alone_ms(const StageFeatures& stage, const DeviceRates& rates = {}) const;

  bool knows_side_by_side() const { return knows_together() && facts_.samples_side_by_side >= kLeastSamples; }
  bool knows_together() const { return together_ != nullptr; }

  struct Saved {
    std::int64_t samples_alone = 0;
    std::int64_t samples_together = 0;
    std::int64_t samples_side_by_side = 0;  // of the samples together
    std::vector<double> scale;              // see Scale
    RegressorKind kind_alone = RegressorKind::kTrees;
    RegressorKind kind_together = RegressorKind::kTrees;
    std::string alone;
    std::string together;  // empty: none
    // The errors of each kind of regression for each fifth of the samples, trained on the others: "alone, ridge
    // regression", "together, boosted trees", …; for samples together, the operators alone were known.
    std::vector<PredictionErrors> cross_validation;
    // The same for the chosen kinds of regression: for stages "in a row" and "side by side", for operators alone by
    // kind, and for all stages by their time (time_classes()).
    std::vector<PredictionErrors> errors_by_kind;
    std::vector<PredictionErrors> errors_by_time;
  };
  // Returns what is saved, without scale and regressors.
  const Saved& facts() const { return facts_; }
  // Return the predictor for storage, and the predictor made from it. Invalid data is an error.
  Saved saved() const;
  static Result<OperatorPredictor> restore(const Saved& saved);

 private:
  // The best rates in the samples.
  struct Scale {
    double flops_per_ms = 1;
    double bytes_per_ms = 1;
    double least_ms = 0;
    // Range of the logarithms in training, alone and together.
    float alone_low = 0, alone_high = 0;
    float together_low = 0, together_high = 0;
  };
  OperatorPredictor() = default;
  static Scale scale_of(std::span<const StageSample> samples);
  static std::vector<const StageSample*> part_of(std::span<const StageSample> samples, bool alone);
  double floor_ms(const OperatorFeatures& x, const DeviceRates& rates) const;
  std::vector<float> alone_row(const OperatorFeatures& x, const DeviceRates& rates) const;
  std::vector<float> together_row(const StageFeatures& stage, std::span<const double> alone) const;
  std::vector<std::vector<double>> alone_of(std::span<const StageFeatures* const> stages,
                                            std::span<const DeviceRates> rates) const;
  Result<void> fit_alone(std::span<const StageSample* const> samples, RegressorKind kind, const JobContext& job);
  Result<void> fit_together(std::span<const StageSample* const> samples, RegressorKind kind, const JobContext& job);
  Result<void> begin(std::span<const StageSample> samples);
  std::vector<double> predicted(std::span<const StageSample* const> samples) const;
  // Predicts each fifth of the samples from the others.
  Result<std::vector<double>> predicted_unseen(const std::vector<const StageSample*>& samples, RegressorKind kind,
                                               bool together, const JobContext& job) const;
  struct Choice {
    RegressorKind kind = RegressorKind::kTrees;
    std::vector<double> predictions;  // of unseen samples
  };
  Result<Choice> choose(const std::vector<const StageSample*>& samples, std::optional<RegressorKind> wanted,
                        bool together, const JobContext& job);
  void break_down(std::span<const StageSample* const> samples, std::span<const double> predictions);

  Scale scale_;
  std::shared_ptr<const Regressor> alone_;
  std::shared_ptr<const Regressor> together_;
  Saved facts_;  // see facts()
};

}  // namespace iosx
