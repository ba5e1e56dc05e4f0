#include "core/analysis/explain/stage_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "core/search/ask_source.h"
#include "core/search/lazy/isomorphic_parts.h"
#include "core/search/lazy/stage_predictor.h"

namespace iosx {
namespace {

// Units, and separators of steps and groups.
std::vector<std::size_t> words_of(const Stage& stage) {
  constexpr std::size_t kStepEnd = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> words;
  for (const Group& group : stage.groups) {
    for (const Step& step : group.steps) {
      for (const UnitId unit : step.units) words.push_back(unit.index());
      words.push_back(kStepEnd);
    }
    words.push_back(kStepEnd);
  }
  return words;
}

StageCost cost_of(const Latency& latency, bool reused) {
  StageCost cost{.value = latency.value};
  switch (latency.origin) {
    case Origin::kSimulated: cost.basis = Basis::kSimulated; return cost;
    case Origin::kMeasured: cost.basis = reused ? Basis::kReused : Basis::kMeasured; break;
    case Origin::kRecorded: cost.basis = Basis::kRecorded; break;
    case Origin::kPredicted: cost.basis = Basis::kLearned; return cost;
  }
  if (latency.samples > 0) cost.error = error_of_median(latency);
  return cost;
}

// The data for predicting stages: units, kinds and times.
class Predictions {
 public:
  Predictions(const Graph& graph, std::vector<double> unit_ms)
      : graph_(graph),
        times_(unit_times(graph, std::move(unit_ms))),
        kinds_(unit_kinds(graph)),
        of_kind_(kinds_.empty() ? 0 : *std::ranges::max_element(kinds_) + std::size_t{1}),
        predictor_(of_kind_.size(), times_.mean_ms) {}

  void learn(const Stage& stage, Millis latency) {
    const std::vector<UnitId> units = stage.units();
    if (units.size() < 2 || !knows_all(units)) return;
    std::ranges::fill(of_kind_, 0.0F);
    for (const UnitId unit : units) of_kind_[kinds_[unit.index()]] += static_cast<float>(ms(unit));
    predictor_.learn(facts(stage), of_kind_, latency.count());
  }
  void lower(BoundFactors& factors, const Stage& stage, Millis latency) const {
    const std::vector<UnitId> units = stage.units();
    if (units.size() > 1 && knows_all(units)) lower_factors(factors, facts(stage), latency.count());
  }
  void fit() { predictor_.fit(); }
  std::size_t learned() const { return predictor_.learned(); }

  StageCost expected(const Stage& stage, const BoundFactors& factors) const {
    const std::vector<UnitId> units = stage.units();
    const StageFacts known = facts(stage);
    if (known.units == 0) return {};
    if (!knows_all(units)) return {.value = Millis(stage_bound(known, factors)), .basis = Basis::kBound};
    double weighed = 0;
    for (const UnitId unit : units) weighed += predictor_.weight(kinds_[unit.index()]) * ms(unit);
    return {.value = Millis(predictor_.predict(known, weighed)), .basis = Basis::kPredicted};
  }

 private:
  double ms(UnitId unit) const { return times_.ms[unit.index()]; }
  bool knows(UnitId unit) const { return !std::isnan(ms(unit)); }
  bool knows_all(std::span<const UnitId> units) const {
    return std::ranges::all_of(units, [&](UnitId unit) { return knows(unit); });
  }

  // For the known units.
  StageFacts facts(const Stage& stage) const {
    const std::vector<UnitId> all = stage.units();
    std::vector<std::pair<UnitId, UnitFacts>> known;
    std::size_t number = 0;
    for (const Group& group : stage.groups) {
      bool any = false;
      for (const Step& step : group.steps) {
        for (const UnitId unit : step.units) {
          if (!knows(unit)) continue;
          any = true;
          const bool follows = std::ranges::any_of(
              graph_.predecessors(unit), [&](UnitId before) { return std::ranges::binary_search(all, before); });
          known.emplace_back(unit, UnitFacts{.ms = ms(unit),
                                             .flops_ms = times_.flops_ms[unit.index()],
                                             .bytes_ms = times_.bytes_ms[unit.index()],
                                             .group = number,
                                             .follows = follows,
                                             .light = is_light(graph_, graph_.unit(unit))});
        }
      }
      number += any ? 1 : 0;
    }
    std::ranges::sort(known, {}, &std::pair<UnitId, UnitFacts>::first);
    std::vector<UnitFacts> units;
    for (const auto& [id, unit] : known) units.push_back(unit);
    const bool merged = stage.groups.size() == 1 && stage.groups.front().steps.size() == 1 && all.size() > 1;
    return stage_facts(units, merged);
  }

  const Graph& graph_;
  UnitTimes times_;
  std::vector<std::uint32_t> kinds_;
  std::vector<float> of_kind_;
  StagePredictor predictor_;
};

}  // namespace

std::string_view basis_name(Basis basis) {
  switch (basis) {
    case Basis::kSimulated: return "simulated";
    case Basis::kMeasured: return "measured";
    case Basis::kReused: return "reused";
    case Basis::kRecorded: return "recorded";
    case Basis::kLearned:
    case Basis::kPredicted: return "predicted";
    case Basis::kBound: return "bound";
    case Basis::kUnknown: break;
  }
  return "unknown";
}

StageCosts::StageCosts(const Graph& graph, LatencySource& source) : graph_(graph), source_(source) {
  for (std::size_t u = 0; u < graph.units().size(); ++u) add(single_unit_stage(UnitId(u)));
}

std::size_t StageCosts::add(const Stage& stage) {
  const auto [at, is_new] = numbers_.try_emplace(words_of(stage), stages_.size());
  if (is_new) stages_.push_back(stage);
  return at->second;
}

Result<void> StageCosts::find_out(const JobContext& job) {
  costs_.assign(stages_.size(), {});
  if (auto done = source_.measures() ? ask(job) : recall(); !done) return done;
  learn();
  return {};
}

Result<void> StageCosts::ask(const JobContext& job) {
  IOS_TRY(const auto known, source_.known_latencies(stages_));
  const auto total = static_cast<std::int64_t>(stages_.size());
  IOS_TRY(const auto answers, ask_source(source_, Care::kRefined, stages_, 0, total, job));
  if (answers.size() < stages_.size()) return fail(message("stopped before every stage was measured"));
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (answers[i].is_left_out()) continue;  // as one that nobody measured
    const std::optional<Latency>& before = known[i];
    costs_[i] = cost_of(answers[i], before && before->value == answers[i].value);
  }
  return {};
}

Result<void> StageCosts::recall() {
  IOS_TRY(const auto known, source_.known_latencies(stages_));
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (known[i]) costs_[i] = cost_of(*known[i], true);
  }
  return {};
}

void StageCosts::learn() {
  std::vector<double> unit_ms;
  for (std::size_t u = 0; u < graph_.units().size(); ++u) {
    unit_ms.push_back(is_known(costs_[u].basis) ? costs_[u].value.count() : std::numeric_limits<double>::quiet_NaN());
  }
  Predictions predictions(graph_, std::move(unit_ms));
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (is_known(costs_[i].basis)) predictions.lower(factors_, stages_[i], costs_[i].value);
  }
  if (source_.measures()) return;  // nothing is left to predict
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (is_known(costs_[i].basis)) predictions.learn(stages_[i], costs_[i].value);
  }
  predictions.fit();
  learned_ = predictions.learned();
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (costs_[i].basis == Basis::kUnknown) costs_[i] = predictions.expected(stages_[i], factors_);
  }
}

}  // namespace iosx
