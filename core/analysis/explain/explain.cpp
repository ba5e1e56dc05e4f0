#include "core/analysis/explain/explain.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/model/graph/work.h"
#include "core/model/schedule/merge.h"
#include "core/model/schedule/schedule.h"
#include "core/search/lazy/isomorphic_parts.h"
#include "core/search/search.h"

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

// The costs of stages by themselves. A measuring source is asked for all of them. From another one known latencies
// count; others are predicted from known ones, or bounded where only some unit times are known.
class StageCosts {
 public:
  // The graph and the source must outlive it.
  StageCosts(const Graph& graph, LatencySource& source) : graph_(graph), source_(source) {
    for (std::size_t u = 0; u < graph.units().size(); ++u) add(single_unit_stage(UnitId(u)));
  }

  // Returns its number, equal for equal stages. Single units have their UnitId's.
  std::size_t add(const Stage& stage) {
    const auto [at, is_new] = numbers_.try_emplace(words_of(stage), stages_.size());
    if (is_new) stages_.push_back(stage);
    return at->second;
  }

  // Errors: the source's, or a stop.
  Result<void> find_out(const JobContext& job) {
    costs_.assign(stages_.size(), {});
    IOS_TRY(const auto known, source_.known_latencies(stages_));
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      if (known[i] && !source_.measures()) costs_[i] = cost_of(*known[i], true);
    }
    if (source_.measures()) {
      IOS_TRY(ask(known, job));
    }
    learn();
    return {};
  }

  const StageCost& of(std::size_t stage) const { return costs_[stage]; }
  const StageCost& of(UnitId unit) const { return costs_[unit.index()]; }
  // Returns how many stages of several units the predictions were learned from.
  std::size_t learned() const { return learned_; }
  // Lowered by every known stage of several known units below them.
  const BoundFactors& factors() const { return factors_; }

 private:
  Result<void> ask(std::span<const std::optional<Latency>> known, const JobContext& job) {
    const auto total = static_cast<std::int64_t>(stages_.size());
    IOS_TRY(const auto answers, ask_source(source_, Care::kRefined, stages_, 0, total, job));
    if (answers.size() < stages_.size()) return fail(message("stopped before every stage was measured"));
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      if (answers[i].is_left_out()) continue;  // as one that nobody measured
      costs_[i] = cost_of(answers[i], known[i] && known[i]->value == answers[i].value);
    }
    return {};
  }

  void learn() {
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

  const Graph& graph_;
  LatencySource& source_;
  std::vector<Stage> stages_;
  std::map<std::vector<std::size_t>, std::size_t> numbers_;  // by the stage in words
  std::vector<StageCost> costs_;
  std::size_t learned_ = 0;
  BoundFactors factors_;
};

Basis weakest(std::span<const StageCost> costs) {
  Basis weakest = Basis::kSimulated;
  for (const StageCost& cost : costs) weakest = std::max(weakest, cost.basis);
  return weakest;
}

// For a difference of two sums. A bound is no basis unless the other is known.
Basis basis_of_difference(Basis now, Basis then) {
  if (now == Basis::kUnknown || then == Basis::kUnknown || now == Basis::kBound) return Basis::kUnknown;
  if (then == Basis::kBound && !is_known(now)) return Basis::kUnknown;
  return std::max(now, then);
}

class Explainer {
 public:
  Explainer(const Graph& graph, std::int64_t batch, const Schedule& schedule, LatencySource& source,
            const ExplainOptions& options)
      : graph_(graph),
        batch_(batch),
        schedule_(schedule),
        options_(options),
        overhead_(source.overhead()),
        costs_(graph, source) {}

  Result<Explanation> run(const JobContext& job) {
    for (const Stage& stage : schedule_.stages) numbers_.push_back(costs_.add(stage));
    const std::size_t begin = options_.stage.value_or(0);
    const std::size_t end = options_.stage ? begin + 1 : schedule_.stages.size();
    std::vector<Found> found;
    for (std::size_t stage = begin; stage < end; ++stage) {
      if (job.stopped()) return fail(message("stopped before every alternative was listed"));
      job.report(message("listing alternatives"), static_cast<std::int64_t>(stage - begin),
                 static_cast<std::int64_t>(end - begin));
      list(stage, found);
    }
    IOS_TRY(costs_.find_out(job));

    Explanation result;
    add_schedule(result);
    for (std::size_t stage = begin; stage < end; ++stage) result.explained.push_back(stage_explanation(stage));
    for (Found& each : found) {
      StageExplanation& of = result.explained[each.stage - begin];
      of.alternatives.push_back(alternative(std::move(each)));
    }
    for (StageExplanation& each : result.explained) {
      std::ranges::stable_sort(each.alternatives, [](const Alternative& a, const Alternative& b) {
        const bool unknown_a = a.basis == Basis::kUnknown;
        const bool unknown_b = b.basis == Basis::kUnknown;
        return unknown_a != unknown_b ? unknown_b : a.difference < b.difference;
      });
    }
    return result;
  }

 private:
  struct Found {
    std::size_t stage = 0;
    Change change;
    std::vector<std::size_t> numbers;  // of its stages' costs
  };

  void list(std::size_t stage, std::vector<Found>& found) {
    for (Change& change : changes_at(graph_, schedule_, stage)) {
      std::vector<std::size_t> numbers;
      for (const Stage& each : change.stages) numbers.push_back(costs_.add(each));
      found.push_back({stage, std::move(change), std::move(numbers)});
    }
  }

  void add_schedule(Explanation& result) const {
    for (const std::size_t number : numbers_) {
      const StageCost& cost = costs_.of(number);
      result.stages.push_back(cost);
      result.sum += cost.value;
    }
    result.overhead = overhead_.sum(schedule_);
    result.sum += result.overhead;
    result.basis = weakest(result.stages);
    result.learned = costs_.learned();
    for (std::size_t u = 0; u < graph_.units().size(); ++u) {
      result.unknown_units += is_known(costs_.of(UnitId(u)).basis) ? 0 : 1;
    }
    if (result.unknown_units == 0) result.critical_path = critical_path(result.sum);
    if (options_.rates) {
      const Work all = total_work(graph_, batch_, options_.rates->element_bytes);
      result.work = WorkTime{.compute = Seconds(all.flops / options_.rates->flops_per_s),
                             .memory = Seconds(static_cast<double>(all.bytes()) / options_.rates->bytes_per_s)};
    }
  }

  CriticalPath critical_path(Millis sum) const {
    CriticalPath path = longest_path([&](UnitId unit) { return costs_.of(unit).value; });
    path.factors = costs_.factors();
    // The bound of a lazy search for joined parts (Windows::bound). Predicted stages may be below.
    const CriticalPath counted = longest_path([&](UnitId unit) {
      const bool counts = path.factors.light_counts || !is_light(graph_, graph_.unit(unit));
      return counts ? costs_.of(unit).value : Millis(0);
    });
    path.at_least = std::min(sum, path.factors.least() * counted.length);
    return path;
  }

  template <typename Length>
  CriticalPath longest_path(Length length_of) const {
    const std::size_t count = graph_.units().size();
    std::vector<Millis> length(count);  // of the longest chain that ends with the unit
    std::vector<UnitId> before(count);
    UnitId last;
    CriticalPath path{.length = Millis(0), .basis = Basis::kSimulated, .units = {}};
    for (std::size_t u = 0; u < count; ++u) {
      for (const UnitId other : graph_.predecessors(UnitId(u))) {
        if (before[u].valid() && length[other.index()] <= length[before[u].index()]) continue;
        before[u] = other;
      }
      length[u] = length_of(UnitId(u));
      if (before[u].valid()) length[u] += length[before[u].index()];
      if (!last.valid() || length[u] > path.length) {
        last = UnitId(u);
        path.length = length[u];
      }
    }
    for (; last.valid(); last = before[last.index()]) {
      path.units.push_back(last);
      path.basis = std::max(path.basis, costs_.of(last).basis);
    }
    std::ranges::reverse(path.units);
    return path;
  }

  StageExplanation stage_explanation(std::size_t stage) const {
    const Stage& value = schedule_.stages[stage];
    StageExplanation result{.stage = stage,
                            .cost = costs_.of(numbers_[stage]),
                            .excluded = exclusions(graph_, value, options_.search),
                            .no_merge = {},
                            .alternatives = {}};
    const auto merged = merge(graph_, value.units());
    if (!merged) result.no_merge = text(merged.error());
    return result;
  }

  Alternative alternative(Found found) const {
    Alternative result{.change = std::move(found.change), .costs = {}};
    const Change& change = result.change;
    for (const std::size_t number : found.numbers) result.costs.push_back(costs_.of(number));
    std::vector<StageCost> before;
    for (std::size_t i = change.begin; i < change.end; ++i) before.push_back(costs_.of(numbers_[i]));
    const auto replaced = std::span(schedule_.stages).subspan(change.begin, change.end - change.begin);
    result.basis = basis_of_difference(weakest(before), weakest(result.costs));
    if (result.basis != Basis::kUnknown) {
      result.difference = overhead_around(change, change.stages) - overhead_around(change, replaced);
      double squares = 0;
      for (const StageCost& cost : result.costs) {
        result.difference += cost.value;
        squares += std::pow(cost.error.count(), 2);
      }
      for (const StageCost& cost : before) {
        result.difference -= cost.value;
        squares += std::pow(cost.error.count(), 2);
      }
      if (is_known(result.basis)) result.error = Millis(std::sqrt(squares));
    }
    for (const Stage& stage : change.stages) {
      for (Exclusion& why : exclusions(graph_, stage, options_.search)) {
        if (std::ranges::find(result.excluded, why) == result.excluded.end()) result.excluded.push_back(std::move(why));
      }
    }
    return result;
  }

  // Before the first of these stages, between them, and before the one that follows what is replaced.
  Millis overhead_around(const Change& change, std::span<const Stage> stages) const {
    Millis sum{0};
    std::optional<StageWidth> last;
    if (change.begin > 0) last = width_of(schedule_.stages[change.begin - 1]);
    const auto add = [&](const Stage& stage) {
      sum += overhead_.before(last, width_of(stage));
      last = width_of(stage);
    };
    std::ranges::for_each(stages, add);
    if (change.end < schedule_.stages.size()) add(schedule_.stages[change.end]);
    return sum;
  }

  const Graph& graph_;
  std::int64_t batch_;
  const Schedule& schedule_;
  const ExplainOptions& options_;
  const InterStageOverhead overhead_;
  StageCosts costs_;
  std::vector<std::size_t> numbers_;  // of the schedule's stages
};

}  // namespace

std::string_view basis_name(Basis basis) {
  constexpr std::array<std::string_view, 8> kNames{"simulated", "predicted", "measured", "reused",
                                                   "recorded",  "predicted", "bound",    "unknown"};
  return kNames.at(static_cast<std::size_t>(basis));
}

const Alternative* StageExplanation::next_best() const {
  const auto first = [&](auto is_wanted) {
    return std::ranges::find_if(alternatives,
                                [&](const Alternative& each) { return each.excluded.empty() && is_wanted(each); });
  };
  auto at = first([](const Alternative& each) { return each.is_better(); });
  if (at == alternatives.end()) at = first([](const Alternative& each) { return each.basis != Basis::kUnknown; });
  return at == alternatives.end() ? nullptr : &*at;
}

Message no_such_stage(std::size_t stage) { return message("there is no stage {}", stage + 1); }

Result<Explanation> explain(const Graph& graph, std::int64_t batch, const Schedule& schedule, LatencySource& source,
                            const ExplainOptions& options, const JobContext& job) {
  IOS_TRY(check_legal(graph, schedule));
  if (options.stage && *options.stage >= schedule.stages.size()) {
    return fail(no_such_stage(*options.stage), fmt::format("schedule {}", schedule.name),
                message("give 1 to {}", schedule.stages.size()));
  }
  return Explainer(graph, batch, schedule, source, options).run(job);
}

KernelWait::For KernelWait::what() const {
  if (!need && !before) return For::kNothing;
  // A kernel on the same lane may be needed: then its lane is not what it waited for.
  return need && needs_ended >= lane_free ? For::kNeed : For::kLane;
}

std::optional<KernelId> KernelWait::last() const {
  switch (what()) {
    case For::kNeed: return need;
    case For::kLane: return before;
    case For::kNothing: break;
  }
  return std::nullopt;
}

KernelWaits::KernelWaits(const ExecutionPlan& plan, const Trace& trace)
    : plan_(plan), needs_(needs_of(plan)), lanes_(plan.lane_count()), spans_(plan.kernels.size(), nullptr) {
  IOS_CHECK(plan.barrier_free);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    std::vector<KernelId>& lane = lanes_[plan.kernels[k].lane];
    places_.push_back(lane.size());
    lane.emplace_back(k);
  }
  for (const KernelSpan& span : trace.kernels) spans_[span.kernel.index()] = &span;
}

Micros KernelWaits::end_of(KernelId kernel) const {
  const KernelSpan* const span = spans_[kernel.index()];
  return span == nullptr ? Micros{0} : span->end;
}

std::optional<KernelWait> KernelWaits::of(KernelId kernel) const {
  const KernelSpan* const span = spans_[kernel.index()];
  if (span == nullptr) return std::nullopt;
  KernelWait wait{.kernel = kernel, .begin = span->begin, .need = {}, .before = {}, .earlier = {}};
  for (const KernelId need : needs_[kernel.index()]) {
    if (wait.need && end_of(need) <= wait.needs_ended) continue;
    wait.need = need;
    wait.needs_ended = end_of(need);
  }
  if (const std::size_t place = places_[kernel.index()]; place > 0) {
    wait.before = lanes_[plan_.kernel(kernel).lane][place - 1];
    wait.lane_free = end_of(*wait.before);
  }
  if (wait.what() == KernelWait::For::kNeed) add_need_earlier(wait);
  if (wait.what() == KernelWait::For::kLane) add_lane_earlier(wait);
  return wait;
}

// It would then wait for what else it needs, or for its lane.
void KernelWaits::add_need_earlier(KernelWait& wait) const {
  Micros next = wait.before == wait.need ? Micros{0} : wait.lane_free;
  for (const KernelId need : needs_[wait.kernel.index()]) {
    if (need != *wait.need) next = std::max(next, end_of(need));
  }
  if (next >= wait.needs_ended) return;
  wait.earlier.push_back({.by = EarlierStart::By::kNeed, .kernel = *wait.need, .most = wait.needs_ended - next});
}

void KernelWaits::add_lane_earlier(KernelWait& wait) const {
  const std::size_t own = plan_.kernel(wait.kernel).lane;
  const KernelSpan& span = *spans_[wait.kernel.index()];
  const Micros takes = span.end - span.begin;
  EarlierStart other{.by = EarlierStart::By::kLane, .most = Micros{0}};
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (lane == own) continue;
    Micros free{0};
    const auto look_until = [&](Micros next) {  // the lane is idle from `free` on
      const Micros start = std::max(free, wait.needs_ended);
      const Micros earlier = wait.lane_free - start;
      if (start + takes > next || earlier <= other.most) return;
      other.lane = lane;
      other.most = earlier;
    };
    for (const KernelId each : lanes_[lane]) {
      if (spans_[each.index()] == nullptr) continue;
      look_until(spans_[each.index()]->begin);
      free = std::max(free, spans_[each.index()]->end);
    }
    look_until(Micros{std::numeric_limits<double>::infinity()});
  }
  if (other.most > Micros{0}) wait.earlier.push_back(other);
  const std::size_t place = places_[wait.before->index()];
  const Micros start = std::max(wait.needs_ended, place > 0 ? end_of(lanes_[own][place - 1]) : Micros{0});
  if (start >= wait.lane_free) return;
  wait.earlier.push_back({.by = EarlierStart::By::kOrder, .kernel = *wait.before, .most = wait.lane_free - start});
}

}  // namespace iosx
