#include "core/operators/pairs.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "core/devices/simulated/contention_model.h"

namespace iosx {
namespace {

constexpr double kMicrosInMs = 1e3;

double moved_bytes(const OperatorFeatures& x) { return x.bytes_read + x.bytes_written; }

// Returns a kernel that takes that many ms alone on a device of these rates.
simulated::KernelLoad load_of(const OperatorFeatures& x, double ms, const BestRates& rates) {
  simulated::KernelLoad load;
  load.blocks_per_sm = 2;
  load.flops = std::min(x.flops, ms * rates.flops_per_ms);
  load.dram_bytes = std::min(moved_bytes(x), ms * rates.bytes_per_ms);
  load.fixed_us = (ms - load.flops / rates.flops_per_ms) * kMicrosInMs;
  return load;
}

// Returns what a predictor says of each pair that has seen all stages but a fifth of the pairs, this one among them.
Result<std::vector<double>> predicted_unseen(std::span<const KnownStage> stages, std::span<const MeasuredPair> pairs,
                                             const JobContext& job) {
  std::vector<std::string> names;
  std::map<const KnownStage*, std::size_t> part_of;
  for (const MeasuredPair& pair : pairs) names.push_back(to_text(pair.stage->features));
  const std::vector<std::size_t> parts = left_out_parts(names);
  for (std::size_t i = 0; i < pairs.size(); ++i) part_of[pairs[i].stage] = parts[i];
  std::vector<double> predicted(pairs.size());
  for (std::size_t part = 0; part < kLeftOutParts; ++part) {
    std::vector<StageSample> seen;
    for (const KnownStage& stage : stages) {
      const auto found = part_of.find(&stage);
      const bool left_out = found != part_of.end() && found->second == part;
      if (!left_out && stage.latency.value > Millis(0) && !stage.latency.is_left_out()) {
        seen.push_back({stage.features, stage.latency.value.count()});
      }
    }
    job.report(message("learning"), static_cast<std::int64_t>(part), static_cast<std::int64_t>(kLeftOutParts));
    IOS_TRY(const auto predictor, OperatorPredictor::fit(seen, RegressorKind::kTrees, job));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (parts[i] == part) predicted[i] = predictor.stage_ms(pairs[i].stage->features);
    }
  }
  return predicted;
}

}  // namespace

std::vector<MeasuredPair> measured_pairs(std::span<const KnownStage> stages) {
  const auto name_of_one = [](const KnownStage& stage, const OperatorFeatures& x) {
    return std::pair(stage.set.fingerprint, to_text({{x}}));
  };
  std::map<std::pair<std::string, std::string>, double> alone;
  for (const KnownStage& stage : stages) {
    if (is_alone(stage.features) && !stage.latency.is_left_out())
      alone[name_of_one(stage, stage.features[0][0])] = stage.latency.value.count();
  }
  std::vector<MeasuredPair> pairs;
  for (const KnownStage& stage : stages) {
    if (stage.features.size() != 2 || stage.features[0].size() != 1 || stage.features[1].size() != 1) continue;
    if (stage.latency.is_left_out()) continue;
    const OperatorFeatures* one = &stage.features[0][0];
    const OperatorFeatures* other = &stage.features[1][0];
    const auto a = alone.find(name_of_one(stage, *one));
    const auto b = alone.find(name_of_one(stage, *other));
    if (a == alone.end() || b == alone.end()) continue;
    MeasuredPair pair{&stage, one, other, a->second, b->second, stage.latency.value.count()};
    if (pair.longer_ms < pair.shorter_ms) {
      std::swap(pair.longer, pair.shorter);
      std::swap(pair.longer_ms, pair.shorter_ms);
    }
    pairs.push_back(pair);
  }
  return pairs;
}

BestRates best_rates(std::span<const KnownStage> stages) {
  constexpr double kNearlyAll = 0.95;
  std::vector<double> flops;
  std::vector<double> bytes;
  for (const KnownStage& stage : stages) {
    if (!is_alone(stage.features) || stage.latency.value <= Millis(0)) continue;
    const double ms = stage.latency.value.count();
    flops.push_back(stage.features[0][0].flops / ms);
    bytes.push_back(moved_bytes(stage.features[0][0]) / ms);
  }
  const auto nearly_most = [](std::vector<double>& values) {
    if (values.empty()) return 1.0;
    const auto at = static_cast<std::ptrdiff_t>(kNearlyAll * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, values.begin() + at);
    return std::max(values[static_cast<std::size_t>(at)], 1.0);
  };
  return {nearly_most(flops), nearly_most(bytes)};
}

double contention_ms(const MeasuredPair& pair, const BestRates& rates) {
  simulated::Machine machine;
  machine.flops_per_us = rates.flops_per_ms / kMicrosInMs;
  machine.dram_bytes_per_us = rates.bytes_per_ms / kMicrosInMs;
  const std::array launches{simulated::Launch{load_of(*pair.longer, pair.longer_ms, rates), 0},
                            simulated::Launch{load_of(*pair.shorter, pair.shorter_ms, rates), 1}};
  return simulated::simulate(machine, launches).end / kMicrosInMs;
}

Result<JudgedPairs> judge_pairs(std::span<const KnownStage> stages, const JobContext& job) {
  JudgedPairs judged;
  judged.rates = best_rates(stages);
  std::vector<MeasuredPair> pairs = measured_pairs(stages);
  std::erase_if(pairs, [](const MeasuredPair& pair) { return pair.ms <= 0 || pair.shorter_ms <= 0; });
  judged.pairs = std::ssize(pairs);
  std::vector<double> measured;
  std::vector<double> sums;
  std::vector<double> longer;
  std::vector<double> contention;
  for (const MeasuredPair& pair : pairs) {
    measured.push_back(pair.ms);
    sums.push_back(pair.longer_ms + pair.shorter_ms);
    longer.push_back(pair.longer_ms);
    contention.push_back(contention_ms(pair, judged.rates));
  }
  judged.guesses = {errors_of("sum of both", measured, sums), errors_of("the longer one", measured, longer),
                    errors_of("contention model", measured, contention)};
  const auto alone = std::ranges::count_if(stages, [](const KnownStage& stage) { return is_alone(stage.features); });
  if (pairs.empty() || alone < OperatorPredictor::kLeastSamples) return judged;
  IOS_TRY(const auto predicted, predicted_unseen(stages, pairs, job));
  judged.guesses.push_back(errors_of(std::string(name_of(RegressorKind::kTrees)), measured, predicted));
  return judged;
}

}  // namespace iosx
