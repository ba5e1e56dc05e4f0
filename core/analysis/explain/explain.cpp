#include "core/analysis/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "core/model/cost/inter_stage_overhead.h"
#include "core/model/graph/work.h"
#include "core/model/schedule/legality.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

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

}  // namespace iosx
