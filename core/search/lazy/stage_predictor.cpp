#include "core/search/lazy/stage_predictor.h"

#include <cmath>

#include "core/base/check.h"
#include "core/base/solve_positive.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/work.h"

namespace iosx {
namespace {

void add_groups(std::span<const UnitFacts> units, StageFacts& facts) {
  struct Sums {
    float all = 0;
    float heavy = 0;
  };
  std::vector<Sums> groups;
  for (const UnitFacts& unit : units) {
    if (unit.group >= groups.size()) groups.resize(unit.group + 1);
    const auto time = static_cast<float>(unit.ms);
    groups[unit.group].all += time;
    if (!unit.light || !unit.follows) groups[unit.group].heavy += time;
  }
  facts.groups = static_cast<std::uint16_t>(groups.size());
  for (const Sums& group : groups) {
    facts.heavy = std::max(facts.heavy, group.heavy);
    facts.second = std::max(facts.second, std::min(facts.longest, group.all));
    facts.longest = std::max(facts.longest, group.all);
  }
}

constexpr double kRidge = 0.02;       // pull towards the first guess, in measurements
constexpr std::size_t kGuessed = 15;  // the feature that the first guess is: max(longest, 0.6 × sum)
constexpr std::size_t kGuessMerged = 11;

}  // namespace

UnitTimes unit_times(const Graph& graph, std::vector<double> ms) {
  UnitTimes times{.ms = std::move(ms), .flops_ms = {}, .bytes_ms = {}};
  double sum = 0;
  double flops = 0;
  double bytes = 0;
  std::size_t known = 0;
  for (std::size_t u = 0; u < times.ms.size(); ++u) {
    const Work of_unit = work(graph, UnitId(u), 1);
    times.flops_ms.push_back(of_unit.flops);
    times.bytes_ms.push_back(static_cast<double>(of_unit.bytes()));
    if (std::isnan(times.ms[u])) continue;
    sum += times.ms[u];
    flops += times.flops_ms[u];
    bytes += times.bytes_ms[u];
    ++known;
  }
  for (double& each : times.flops_ms) each *= flops > 0 ? sum / flops : 0;
  for (double& each : times.bytes_ms) each *= bytes > 0 ? sum / bytes : 0;
  times.mean_ms = sum / static_cast<double>(std::max<std::size_t>(known, 1));
  return times;
}

StageFacts stage_facts(std::span<const UnitFacts> units, bool merged) {
  StageFacts facts;
  double squares = 0;
  facts.units = static_cast<std::uint16_t>(units.size());
  for (const UnitFacts& unit : units) {
    const auto time = static_cast<float>(unit.ms);
    facts.sum += time;
    facts.largest = std::max(facts.largest, time);
    squares += unit.ms * unit.ms;
    facts.flops += static_cast<float>(unit.flops_ms);
    facts.bytes += static_cast<float>(unit.bytes_ms);
    if (!unit.follows) continue;
    facts.chained += time;
    if (unit.light) facts.light += time;
  }
  facts.root = static_cast<float>(std::sqrt(squares));
  facts.merged = merged;
  if (merged) {
    facts.groups = 1;
    facts.longest = facts.heavy = facts.sum;
  } else {
    add_groups(units, facts);
  }
  return facts;
}

bool is_light(const Graph& graph, const Unit& unit) {
  return std::ranges::all_of(unit.operators, [&](OperatorId id) {
    switch (operator_row(graph.op(id).attributes).drawn) {
      case OperatorClass::kConcat:
      case OperatorClass::kArithmetic:
      case OperatorClass::kActivation: return true;
      default: return false;
    }
  });
}

double stage_bound(const StageFacts& facts, const BoundFactors& factors) {
  if (facts.units == 1) return facts.sum;
  if (facts.merged) return factors.merged * facts.largest;
  const double longest = factors.light_counts ? facts.longest : std::max(facts.heavy, facts.largest);
  if (facts.groups == 1) return factors.chain * longest;
  return std::max(factors.concurrent * longest, factors.concurrent * facts.largest);
}

double lower_factors(BoundFactors& factors, const StageFacts& facts, double ms) {
  const double bound = stage_bound(facts, factors);
  if (!(ms < bound * (1 - 1e-9))) return 1;
  if (!facts.merged && facts.light > 0 && factors.light_counts) {
    factors.light_counts = false;
    if (ms >= stage_bound(facts, factors)) return ms / bound;
  }
  double& factor = facts.merged ? factors.merged : facts.groups == 1 ? factors.chain : factors.concurrent;
  factor *= ms / stage_bound(facts, factors);
  return ms / bound;
}

StagePredictor::StagePredictor(std::size_t kinds, double mean_unit_ms)
    : mean_unit_ms_(mean_unit_ms),
      size_(kOwn + kinds),
      products_(size_ * size_, 0.0),
      targets_(size_, 0.0),
      weights_(size_, 0.0) {
  reset(weights_);
}

void StagePredictor::reset(std::vector<double>& weights) const {
  std::ranges::fill(weights, 0.0);
  weights[kGuessed] = 1;
  weights[kGuessMerged] = -0.4;  // hope, so that some are tried
}

StagePredictor::Own StagePredictor::own_features(const StageFacts& facts) const {
  const double sum = facts.sum;
  const auto part = [&](double value) { return value / sum; };
  const double longest = part(facts.longest);
  const double flops = part(facts.flops);
  const double bytes = part(facts.bytes);
  const double merged = facts.merged ? 1 : 0;
  return {1,
          longest,
          part(facts.second),
          part(facts.largest),
          part(facts.root),
          part(mean_unit_ms_) * facts.units,
          flops,
          bytes,
          part(facts.chained),
          part(facts.light),
          part(mean_unit_ms_) * facts.groups,
          merged,
          merged * part(facts.largest),
          merged * flops,
          std::max(longest, 0.4),
          std::max(longest, 0.6),
          std::max(longest, 0.8),
          std::max(longest, 0.3 * flops),
          std::max(longest, 0.6 * flops),
          std::max(longest, flops),
          std::max(longest, 0.3 * bytes),
          std::max(longest, 0.6 * bytes),
          std::max(longest, bytes),
          facts.groups > 1 ? 1.0 : 0.0,
          facts.groups > 1 ? part(facts.sum - facts.longest - facts.second) : 0.0};
}

void StagePredictor::learn(const StageFacts& facts, std::span<const float> of_kind, double latency_ms, double weight) {
  IOS_CHECK(of_kind.size() + kOwn == size_);
  if (!(facts.sum > 0) || !(latency_ms > 0)) return;
  const double target = latency_ms / facts.sum;
  std::vector<double> features(size_);
  const Own own = own_features(facts);
  std::ranges::copy(own, features.begin());
  for (std::size_t k = 0; k < of_kind.size(); ++k) features[kOwn + k] = of_kind[k] / facts.sum;
  weight /= target * target;
  std::vector<std::size_t> used;  // few kinds are in a stage
  for (std::size_t i = 0; i < size_; ++i) {
    if (features[i] != 0) used.push_back(i);
  }
  for (const std::size_t i : used) {
    for (const std::size_t k : used) {
      if (k > i) break;
      products_[i * size_ + k] += weight * features[i] * features[k];
    }
    targets_[i] += weight * features[i] * target;
  }
  ++learned_;
}

void StagePredictor::fit() {
  std::vector<double> right = targets_;
  std::vector<double> guess(size_);
  reset(guess);
  for (std::size_t i = 0; i < size_; ++i) right[i] += kRidge * guess[i];
  std::vector<double> matrix = products_;
  for (std::size_t i = 0; i < size_; ++i) matrix[i * size_ + i] += kRidge;
  weights_ = solve_positive(std::move(matrix), std::move(right));
}

double StagePredictor::predict(const StageFacts& facts, double weighed) const {
  if (!(facts.sum > 0)) return 0;
  const Own own = own_features(facts);
  double over_sum = weighed / facts.sum;
  for (std::size_t i = 0; i < kOwn; ++i) over_sum += weights_[i] * own[i];
  const double least = facts.merged || facts.groups == 1 ? facts.largest : std::max(facts.heavy, facts.largest);
  return std::clamp(over_sum * facts.sum, std::min<double>(least, facts.sum), 2.0 * facts.sum);
}

}  // namespace iosx
