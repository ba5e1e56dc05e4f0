#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/devices/device.h"
#include "core/operators/features.h"
#include "core/operators/regressor.h"

namespace iosx {

// Says what a device does at most, where it is known: so that what was learned on some devices says something of
// another one. All 0: one device, whose rates are learned.
struct DeviceRates {
  double flops_per_s = 0;
  double bytes_per_s = 0;
  double cores = 0;  // multiprocessors of a GPU
  friend bool operator==(const DeviceRates&, const DeviceRates&) = default;
};

// Is a stage and what it took, by itself.
struct StageSample {
  StageFeatures stage;
  double ms = 0;
  DeviceRates rates = {};
  std::string of = {};  // samples of one name are left out together: of one card, say; empty: those of equal features
};

// Says how far predictions are off. Errors are over what was measured; 0.1 is ten per cent.
struct PredictionErrors {
  std::string what;  // "conv alone", "0.1 to 1 ms", …
  std::int64_t rows = 0;
  double mean = 0;  // of absolute errors
  double median = 0;
  double within_10 = 0;  // part of the rows that are off by at most a tenth
  friend bool operator==(const PredictionErrors&, const PredictionErrors&) = default;
};
PredictionErrors errors_of(std::string what, std::span<const double> measured, std::span<const double> predicted);

// Says how far predictions of stages are off: by how their operators run, and by kind and time.
struct Judged {
  std::vector<PredictionErrors> all = {};    // "alone", "in a row", "side by side"
  std::vector<PredictionErrors> kinds = {};  // of operators alone
  std::vector<PredictionErrors> times = {};  // of all stages, by what they took: time_classes()
};
// Is a stage with what it took and what was predicted, in ms. Stages that took nothing are not judged.
struct PredictedStage {
  const StageFeatures* stage = nullptr;
  double measured_ms = 0;
  double predicted_ms = 0;
};
Judged judge(std::span<const PredictedStage> stages);

// Returns which part of the samples each one is left out with, from 0, below kLeftOutParts. Those of one group are left
// out together; groups are dealt out in the order of their names, so that as many parts as possible have one.
inline constexpr std::size_t kLeftOutParts = 5;
std::vector<std::size_t> left_out_parts(std::span<const std::string> groups);

// Predicts what stages take on a device, learned from those that were measured there: first what an operator takes
// alone, from what it is, then what several together take over the sum of these, from how they share the machine.
//
//   measured          learned
//   conv alone        its time over the least that its FLOPs and bytes could take: "1.9 times"
//   conv | conv       0.62 of the sum of both alone
//
// Where no more than a few stages of several groups were measured, those take the sum. What is predicted is never
// further from the least, and from the sum, than what was measured.
class OperatorPredictor {
 public:
  // Learns from samples; of both parts the kind of regression that is better on samples it did not see is taken, unless
  // one is asked for. Errors: fewer than kLeastSamples operators alone, or all of one group, none of which could be
  // left out; times that are none, the library's, a stop.
  static constexpr std::int64_t kLeastSamples = 20;
  static Result<OperatorPredictor> train(std::span<const StageSample> samples, const JobContext& job = {},
                                         std::optional<RegressorKind> kind = std::nullopt);
  // Does the same with one kind, without finding out how far it is off.
  static Result<OperatorPredictor> fit(std::span<const StageSample> samples, RegressorKind kind,
                                       const JobContext& job = {});

  // Returns ms. Stages without operators take none.
  double stage_ms(const StageFeatures& stage, const DeviceRates& rates = {}) const;
  std::vector<double> stage_ms(std::span<const StageFeatures> stages, const DeviceRates& rates = {}) const;
  // Returns what each operator takes alone, in order of groups.
  std::vector<double> alone_ms(const StageFeatures& stage, const DeviceRates& rates = {}) const;

  bool knows_side_by_side() const { return knows_together() && samples_side_by_side_ >= kLeastSamples; }
  bool knows_together() const { return together_ != nullptr; }
  std::int64_t samples_alone() const { return samples_alone_; }
  std::int64_t samples_together() const { return samples_together_; }
  RegressorKind kind_alone() const { return kind_alone_; }
  RegressorKind kind_together() const { return kind_together_; }
  // Returns how far each kind of regression was off for a fifth of the samples after another that it was not fitted to:
  // "alone, ridge regression", "together, boosted trees", …; of those together the operators were seen alone.
  const std::vector<PredictionErrors>& cross_validation() const { return cross_validation_; }
  // Returns the same of the kinds of regression that were taken: of stages "in a row" and "side by side", of operators
  // alone by their kind, and of all stages by what they took (time_classes()).
  const std::vector<PredictionErrors>& errors_by_kind() const { return errors_by_kind_; }
  const std::vector<PredictionErrors>& errors_by_time() const { return errors_by_time_; }

  // Returns what it is, to be kept; and makes the same one of that. The error is that it is none.
  struct Saved {
    std::int64_t samples_alone = 0;
    std::int64_t samples_together = 0;
    std::int64_t samples_side_by_side = 0;
    std::vector<double> scale;  // see Scale
    RegressorKind kind_alone = RegressorKind::kTrees;
    RegressorKind kind_together = RegressorKind::kTrees;
    std::string alone;
    std::string together;  // empty: there is none
    std::vector<PredictionErrors> cross_validation;
    std::vector<PredictionErrors> errors_by_kind;
    std::vector<PredictionErrors> errors_by_time;
  };
  Saved saved() const;
  static Result<OperatorPredictor> restore(const Saved& saved);

 private:
  // Is what the samples' device did at most.
  struct Scale {
    double flops_per_ms = 1;
    double bytes_per_ms = 1;
    double least_ms = 0;
    // Logarithms of what was learned lie between these, alone and together.
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
  // Predicts a fifth of the samples after another from the others.
  Result<std::vector<double>> predicted_unseen(const std::vector<const StageSample*>& samples, RegressorKind kind,
                                               bool together, const JobContext& job) const;
  struct Choice {
    RegressorKind kind = RegressorKind::kTrees;
    std::vector<double> predictions;  // of samples that it had not seen
  };
  Result<Choice> choose(const std::vector<const StageSample*>& samples, std::optional<RegressorKind> wanted,
                        bool together, const JobContext& job);
  void break_down(std::span<const StageSample* const> samples, std::span<const double> predictions);

  Scale scale_;
  std::shared_ptr<const Regressor> alone_;
  std::shared_ptr<const Regressor> together_;
  RegressorKind kind_alone_ = RegressorKind::kTrees;
  RegressorKind kind_together_ = RegressorKind::kTrees;
  std::int64_t samples_alone_ = 0;
  std::int64_t samples_together_ = 0;
  std::int64_t samples_side_by_side_ = 0;  // of those together
  std::vector<PredictionErrors> cross_validation_;
  std::vector<PredictionErrors> errors_by_kind_;
  std::vector<PredictionErrors> errors_by_time_;
};

}  // namespace iosx
