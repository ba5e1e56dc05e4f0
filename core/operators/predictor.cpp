#include "core/operators/predictor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace iosx {
namespace {

constexpr std::array kRegressorKinds{RegressorKind::kRidge, RegressorKind::kTrees};
constexpr double kSecondsInMs = 1e-3;

float log_of(double value) { return static_cast<float>(std::log2(1 + std::max(value, 0.0))); }

// Samples that are the same to a predictor are left out together: it must not have seen one's twin.
std::vector<std::string> groups_of(std::span<const StageSample* const> samples) {
  std::vector<std::string> groups;
  groups.reserve(samples.size());
  for (const StageSample* const sample : samples) {
    groups.push_back(sample->of.empty() ? to_text(sample->stage) : sample->of);
  }
  return groups;
}

bool can_be_left_out(std::span<const StageSample* const> samples) {
  const auto parts = left_out_parts(groups_of(samples));
  return std::ranges::any_of(parts, [](std::size_t part) { return part > 0; });
}

// Returns the least and the most of them.
std::pair<float, float> range_of(std::span<const float> targets) {
  if (targets.empty()) return {0, 0};
  const auto [low, high] = std::ranges::minmax(targets);
  return {low, high};
}

}  // namespace

double quantile_of(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

PredictionErrors errors_of(std::string what, std::span<const double> measured, std::span<const double> predicted) {
  PredictionErrors made{.what = std::move(what)};
  std::vector<double> errors;
  for (std::size_t i = 0; i < measured.size(); ++i) errors.push_back(std::abs(predicted[i] / measured[i] - 1));
  made.rows = std::ssize(errors);
  if (errors.empty()) return made;
  const auto count = static_cast<double>(errors.size());
  made.mean = std::accumulate(errors.begin(), errors.end(), 0.0) / count;
  made.within_10 = static_cast<double>(std::ranges::count_if(errors, [](double e) { return e <= 0.1; })) / count;
  made.median = quantile_of(std::move(errors), 0.5);
  return made;
}

Judged judge(std::span<const PredictedStage> stages) {
  struct Both {
    std::vector<double> measured;
    std::vector<double> predicted;
    void add(const PredictedStage& stage) {
      measured.push_back(stage.measured_ms);
      predicted.push_back(stage.predicted_ms);
    }
  };
  std::map<std::string, Both> all;
  std::map<std::string, Both> kinds;
  std::map<std::size_t, Both> times;
  for (const PredictedStage& each : stages) {
    if (!(each.measured_ms > 0)) continue;  // on a simulated device, what is another view alone
    const StageFeatures& stage = *each.stage;
    const bool alone = is_alone(stage);
    all[alone ? "alone" : stage.size() == 1 ? "in a row" : "side by side"].add(each);
    if (alone) kinds[stage[0][0].kind].add(each);
    times[time_class_of(each.measured_ms)].add(each);
  }
  Judged judged;
  for (const auto& [name, both] : all) judged.all.push_back(errors_of(name, both.measured, both.predicted));
  for (const auto& [name, both] : kinds) judged.kinds.push_back(errors_of(name, both.measured, both.predicted));
  for (const auto& [which, both] : times) {
    judged.times.push_back(errors_of(std::string(time_classes()[which]), both.measured, both.predicted));
  }
  return judged;
}

std::vector<std::size_t> left_out_parts(std::span<const std::string> groups) {
  std::map<std::string_view, std::size_t> parts;
  for (const std::string& group : groups) parts.emplace(group, 0);
  std::size_t next = 0;
  for (auto& [group, part] : parts) part = next++ % kLeftOutParts;
  std::vector<std::size_t> made;
  made.reserve(groups.size());
  for (const std::string& group : groups) made.push_back(parts.find(group)->second);
  return made;
}

std::vector<const StageSample*> OperatorPredictor::part_of(std::span<const StageSample> samples, bool alone) {
  std::vector<const StageSample*> part;
  for (const StageSample& sample : samples) {
    if (!sample.stage.empty() && is_alone(sample.stage) == alone) part.push_back(&sample);
  }
  return part;
}

OperatorPredictor::Scale OperatorPredictor::scale_of(std::span<const StageSample> samples) {
  constexpr double kNearlyAll = 0.95;
  constexpr double kNearlyNone = 0.02;
  std::vector<double> flops;
  std::vector<double> bytes;
  std::vector<double> times;
  for (const StageSample* const sample : part_of(samples, true)) {
    const OperatorFeatures& x = sample->stage.front().front();
    flops.push_back(x.flops / sample->ms);
    bytes.push_back(x.bytes() / sample->ms);
    times.push_back(sample->ms);
  }
  return {.flops_per_ms = std::max(quantile_of(std::move(flops), kNearlyAll), 1.0),
          .bytes_per_ms = std::max(quantile_of(std::move(bytes), kNearlyAll), 1.0),
          .least_ms = quantile_of(std::move(times), kNearlyNone)};
}

// Returns the least that an operator could take.
double OperatorPredictor::floor_ms(const OperatorFeatures& x, const DeviceRates& rates) const {
  const double flops = rates.flops_per_s > 0 ? rates.flops_per_s * kSecondsInMs : scale_.flops_per_ms;
  const double bytes = rates.bytes_per_s > 0 ? rates.bytes_per_s * kSecondsInMs : scale_.bytes_per_ms;
  return std::max(x.flops / flops, x.bytes() / bytes) + scale_.least_ms;
}

std::vector<float> OperatorPredictor::alone_row(const OperatorFeatures& x, const DeviceRates& rates) const {
  std::vector<float> row;
  for (const std::string_view kind : operator_kinds()) row.push_back(x.kind == kind ? 1 : 0);
  for (const FeatureColumn& column : feature_columns()) {
    if (column.name != "function") row.push_back(log_of(column.value(x)));
  }
  // A function costs by the element, so that a large layer hardly notices it: what matters is its part of the FLOPs.
  const auto elements = static_cast<double>(x.batch * x.out_channels * x.out_height * x.out_width);
  row.push_back(log_of(1000 * static_cast<double>(x.function) * elements / std::max(x.flops, 1.0)));
  // As the product of matrices that it is, or would be.
  const auto pixels = static_cast<double>(x.batch * x.out_height * x.out_width);
  const auto groups = static_cast<double>(std::max<std::int64_t>(x.groups, 1));
  row.push_back(log_of(pixels));
  row.push_back(log_of(static_cast<double>(x.out_channels) / groups));
  row.push_back(log_of(static_cast<double>(x.channels * x.kernel_height * x.kernel_width) / groups));
  row.push_back(log_of(x.flops / std::max(x.bytes(), 1.0)));
  // Vectors have 8 or 16 lanes: what channels lack of the next multiple is computed all the same.
  constexpr double kVector = 16;
  for (const std::int64_t channels : {x.channels, x.out_channels}) {
    const double own = std::max(static_cast<double>(channels) / groups, 1.0);
    row.push_back(static_cast<float>(std::ceil(own / kVector) * kVector / own));
  }
  row.push_back(static_cast<float>(std::log2(std::max(floor_ms(x, rates), 1e-9))));
  for (const double rate : {rates.flops_per_s, rates.bytes_per_s, rates.cores}) row.push_back(log_of(rate));
  return row;
}

// How groups share the machine: their number, their balance, and how much of it each one's operators could fill.
std::vector<float> OperatorPredictor::together_row(const StageFeatures& stage, std::span<const double> alone) const {
  constexpr std::size_t kGroups = 4;  // the longest, which stand by themselves
  struct Sum {
    double ms = 0;
    double flops = 0;
    double bytes = 0;
    double kernels = 0;
  };
  std::vector<Sum> groups;
  double sum = 0;
  double flops = 0;
  double bytes = 0;
  double longest_kernel = 0;
  std::array<double, 3> of_class{};  // products, windows and depth-wise, what moves memory
  std::size_t next = 0;
  for (const auto& group : stage) {
    Sum made;
    for (const OperatorFeatures& x : group) {
      const double ms = alone[next++];
      made.ms += ms;
      made.flops += x.flops;
      made.bytes += x.bytes();
      made.kernels += 1;
      longest_kernel = std::max(longest_kernel, ms);
      const bool product = x.kind == "conv" || x.kind == "linear" || x.kind == "matmul" || x.kind == "transposed conv";
      const bool window = x.kind == "depthwise" || x.kind == "max pool" || x.kind == "average pool";
      of_class[product ? 0 : window ? 1 : 2] += ms;
    }
    sum += made.ms;
    flops += made.flops;
    bytes += made.bytes;
    groups.push_back(made);
  }
  std::ranges::stable_sort(groups, [](const Sum& a, const Sum& b) { return a.ms > b.ms; });
  const double whole = std::max(sum, 1e-12);
  std::vector<float> row{static_cast<float>(groups.size()),
                         log_of(static_cast<double>(next)),
                         static_cast<float>(std::log2(whole)),
                         static_cast<float>(longest_kernel / whole),
                         static_cast<float>(groups.front().ms / whole),
                         log_of(flops / std::max(bytes, 1.0)),
                         log_of(bytes),
                         static_cast<float>(std::log2(whole / std::max<double>(1, static_cast<double>(next))))};
  for (const double ms : of_class) row.push_back(static_cast<float>(ms / whole));
  for (std::size_t i = 0; i < kGroups; ++i) {
    const Sum group = i < groups.size() ? groups[i] : Sum{};
    row.push_back(static_cast<float>(group.ms / whole));
    row.push_back(log_of(group.flops / std::max(group.bytes, 1.0)));
    row.push_back(log_of(group.flops));
    row.push_back(static_cast<float>(group.kernels));
  }
  return row;
}

// One call of the regression for all operators of all stages.
std::vector<std::vector<double>> OperatorPredictor::alone_of(std::span<const StageFeatures* const> stages,
                                                             std::span<const DeviceRates> rates) const {
  FeatureMatrix rows;
  std::vector<double> floors;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    for (const auto& group : *stages[i]) {
      for (const OperatorFeatures& x : group) {
        rows.add(alone_row(x, rates[i]));
        floors.push_back(floor_ms(x, rates[i]));
      }
    }
  }
  const std::vector<float> logs = alone_->predict(rows);
  std::vector<std::vector<double>> made(stages.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    for (const auto& group : *stages[i]) {
      for (std::size_t k = 0; k < group.size(); ++k, ++next) {
        const float log = std::clamp(logs[next], scale_.alone_low, scale_.alone_high);
        made[i].push_back(floors[next] * std::exp2(static_cast<double>(log)));
      }
    }
  }
  return made;
}

Result<void> OperatorPredictor::fit_alone(std::span<const StageSample* const> samples, RegressorKind kind,
                                          const JobContext& job) {
  FeatureMatrix rows;
  std::vector<float> targets;
  for (const StageSample* const sample : samples) {
    const OperatorFeatures& x = sample->stage.front().front();
    rows.add(alone_row(x, sample->rates));
    targets.push_back(static_cast<float>(std::log2(sample->ms / floor_ms(x, sample->rates))));
  }
  auto regressor = make_regressor(kind);
  IOS_TRY(regressor->fit(rows, targets, job));
  std::tie(scale_.alone_low, scale_.alone_high) = range_of(targets);
  alone_ = std::move(regressor);
  facts_.kind_alone = kind;
  return {};
}

Result<void> OperatorPredictor::fit_together(std::span<const StageSample* const> samples, RegressorKind kind,
                                             const JobContext& job) {
  std::vector<const StageFeatures*> stages;
  std::vector<DeviceRates> rates;
  for (const StageSample* const sample : samples) {
    stages.push_back(&sample->stage);
    rates.push_back(sample->rates);
  }
  const auto alone = alone_of(stages, rates);
  FeatureMatrix rows;
  std::vector<float> targets;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    rows.add(together_row(samples[i]->stage, alone[i]));
    const double sum = std::accumulate(alone[i].begin(), alone[i].end(), 0.0);
    targets.push_back(static_cast<float>(std::log2(samples[i]->ms / std::max(sum, 1e-12))));
  }
  auto regressor = make_regressor(kind);
  IOS_TRY(regressor->fit(rows, targets, job));
  std::tie(scale_.together_low, scale_.together_high) = range_of(targets);
  together_ = std::move(regressor);
  facts_.kind_together = kind;
  return {};
}

std::vector<double> OperatorPredictor::predicted(std::span<const StageSample* const> samples) const {
  std::vector<double> made;
  for (const StageSample* const sample : samples) made.push_back(stage_ms(sample->stage, sample->rates));
  return made;
}

Result<std::vector<double>> OperatorPredictor::predicted_unseen(const std::vector<const StageSample*>& samples,
                                                                RegressorKind kind, bool together,
                                                                const JobContext& job) const {
  std::vector<double> predictions(samples.size());
  const std::vector<std::size_t> parts = left_out_parts(groups_of(samples));
  for (std::size_t part = 0; part < kLeftOutParts; ++part) {
    std::vector<const StageSample*> seen;
    std::vector<const StageSample*> unseen;
    for (std::size_t i = 0; i < samples.size(); ++i) (parts[i] == part ? unseen : seen).push_back(samples[i]);
    if (unseen.empty() || seen.empty()) continue;
    job.report(message("learning"), static_cast<std::int64_t>(part), static_cast<std::int64_t>(kLeftOutParts));
    OperatorPredictor trial = *this;
    IOS_TRY(together ? trial.fit_together(seen, kind, job) : trial.fit_alone(seen, kind, job));
    const auto values = trial.predicted(unseen);
    std::size_t next = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (parts[i] == part) predictions[i] = values[next++];
    }
  }
  return predictions;
}

Result<OperatorPredictor::Choice> OperatorPredictor::choose(const std::vector<const StageSample*>& samples,
                                                            std::optional<RegressorKind> wanted, bool together,
                                                            const JobContext& job) {
  std::vector<double> measured;
  measured.reserve(samples.size());
  for (const StageSample* const sample : samples) measured.push_back(sample->ms);
  Choice best;
  double least = std::numeric_limits<double>::infinity();
  for (const RegressorKind each : kRegressorKinds) {
    IOS_TRY(auto predictions, predicted_unseen(samples, each, together, job));
    const PredictionErrors errors =
        errors_of(fmt::format("{}, {}", together ? "together" : "alone", name_of(each)), measured, predictions);
    if (wanted ? each == *wanted : errors.mean < least) {
      best = {each, std::move(predictions)};
      least = errors.mean;
    }
    facts_.cross_validation.push_back(errors);
  }
  return best;
}

void OperatorPredictor::break_down(std::span<const StageSample* const> samples, std::span<const double> predictions) {
  std::vector<PredictedStage> stages;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    stages.push_back({&samples[i]->stage, samples[i]->ms, predictions[i]});
  }
  Judged judged = judge(stages);
  // The total for operators alone is in facts_.cross_validation.
  std::erase_if(judged.all, [](const PredictionErrors& each) { return each.what == "alone"; });
  facts_.errors_by_kind = std::move(judged.all);
  facts_.errors_by_kind.insert(facts_.errors_by_kind.end(), judged.kinds.begin(), judged.kinds.end());
  facts_.errors_by_time = std::move(judged.times);
}

// Takes what can be learned from, and the scale.
Result<void> OperatorPredictor::begin(std::span<const StageSample> samples) {
  for (const StageSample& sample : samples) {
    if (!std::isfinite(sample.ms) || sample.ms <= 0) return fail(message("a time of {} ms", sample.ms));
    const bool side_by_side = sample.stage.size() > 1;
    facts_.samples_side_by_side += side_by_side ? 1 : 0;
    if (!sample.stage.empty()) ++(is_alone(sample.stage) ? facts_.samples_alone : facts_.samples_together);
  }
  if (facts_.samples_alone < kLeastSamples) {
    return fail(message("{} single operators are too few to learn from; at least {} are needed", facts_.samples_alone,
                        kLeastSamples),
                {}, message("measure more: iosx profile-operators"));
  }
  scale_ = scale_of(samples);
  return {};
}

Result<OperatorPredictor> OperatorPredictor::train(std::span<const StageSample> samples, const JobContext& job,
                                                   std::optional<RegressorKind> kind) {
  OperatorPredictor made;
  IOS_TRY(made.begin(samples));
  std::vector<const StageSample*> alone = part_of(samples, true);
  const std::vector<const StageSample*> together = part_of(samples, false);
  if (!can_be_left_out(alone)) {
    return fail(message("all single operators are of one kind or card, so none can be left out for the test"), {},
                message("measure other operators too: iosx profile-operators"));
  }
  IOS_TRY(auto chosen, made.choose(alone, kind, false, job));
  IOS_TRY(made.fit_alone(alone, chosen.kind, job));
  if (made.facts_.samples_together >= kLeastSamples && can_be_left_out(together)) {
    IOS_TRY(const auto chosen_together, made.choose(together, kind, true, job));
    IOS_TRY(made.fit_together(together, chosen_together.kind, job));
    alone.insert(alone.end(), together.begin(), together.end());
    chosen.predictions.insert(chosen.predictions.end(), chosen_together.predictions.begin(),
                              chosen_together.predictions.end());
  }
  made.break_down(alone, chosen.predictions);
  return made;
}

Result<OperatorPredictor> OperatorPredictor::fit(std::span<const StageSample> samples, RegressorKind kind,
                                                 const JobContext& job) {
  OperatorPredictor made;
  IOS_TRY(made.begin(samples));
  IOS_TRY(made.fit_alone(part_of(samples, true), kind, job));
  if (made.facts_.samples_together >= kLeastSamples) IOS_TRY(made.fit_together(part_of(samples, false), kind, job));
  return made;
}

std::vector<double> OperatorPredictor::alone_ms(const StageFeatures& stage, const DeviceRates& rates) const {
  const StageFeatures* const one = &stage;
  return alone_of(std::span(&one, 1), std::span(&rates, 1)).front();
}

double OperatorPredictor::stage_ms(const StageFeatures& stage, const DeviceRates& rates) const {
  return stage_ms(std::span(&stage, 1), rates).front();
}

std::vector<double> OperatorPredictor::stage_ms(std::span<const StageFeatures> stages, const DeviceRates& rates) const {
  std::vector<const StageFeatures*> all;
  for (const StageFeatures& stage : stages) all.push_back(&stage);
  const std::vector<DeviceRates> same(stages.size(), rates);
  const auto alone = alone_of(all, same);
  std::vector<double> made;
  FeatureMatrix rows;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    made.push_back(std::accumulate(alone[i].begin(), alone[i].end(), 0.0));
    if (together_ == nullptr || alone[i].size() < 2) continue;
    if (stages[i].size() > 1 && !knows_side_by_side()) continue;
    rows.add(together_row(stages[i], alone[i]));
    asked.push_back(i);
  }
  if (asked.empty()) return made;
  const std::vector<float> logs = together_->predict(rows);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    made[asked[k]] *= std::exp2(static_cast<double>(std::clamp(logs[k], scale_.together_low, scale_.together_high)));
  }
  return made;
}

OperatorPredictor::Saved OperatorPredictor::saved() const {
  Saved saved = facts_;
  saved.scale = {scale_.flops_per_ms,
                 scale_.bytes_per_ms,
                 scale_.least_ms,
                 static_cast<double>(scale_.alone_low),
                 static_cast<double>(scale_.alone_high),
                 static_cast<double>(scale_.together_low),
                 static_cast<double>(scale_.together_high)};
  saved.alone = alone_->saved();
  if (together_ != nullptr) saved.together = together_->saved();
  return saved;
}

Result<OperatorPredictor> OperatorPredictor::restore(const Saved& saved) {
  OperatorPredictor made;
  constexpr double kFarthest = 60;  // of a logarithm
  const auto& scale = saved.scale;
  bool possible = scale.size() == 7 && scale[0] > 0 && scale[1] > 0 && scale[2] >= 0 &&
                  std::ranges::all_of(scale, [](double value) { return std::isfinite(value); });
  for (std::size_t i = 3; possible && i < 7; i += 2) {
    possible = scale[i] <= scale[i + 1] && scale[i] >= -kFarthest && scale[i + 1] <= kFarthest;
  }
  if (!possible) return fail(message("has no scale"));
  made.scale_ = {scale[0],
                 scale[1],
                 scale[2],
                 static_cast<float>(scale[3]),
                 static_cast<float>(scale[4]),
                 static_cast<float>(scale[5]),
                 static_cast<float>(scale[6])};
  made.facts_ = saved;
  made.facts_.scale.clear();
  made.facts_.alone.clear();
  made.facts_.together.clear();
  IOS_TRY(auto alone, make_regressor(saved.kind_alone, saved.alone));
  if (alone->columns() != made.alone_row({}, {}).size()) return fail(message("was fitted to other features"));
  made.alone_ = std::move(alone);
  if (!saved.together.empty()) {
    IOS_TRY(auto together, make_regressor(saved.kind_together, saved.together));
    const double none = 1;
    if (together->columns() != made.together_row({{{}}}, std::span(&none, 1)).size()) {
      return fail(message("was fitted to other features"));
    }
    made.together_ = std::move(together);
  }
  return made;
}

}  // namespace iosx
