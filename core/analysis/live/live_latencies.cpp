#include "core/analysis/live/live_latencies.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/compare/find_lanes.h"
#include "core/model/schedule/baselines.h"
#include "core/search/baseline.h"
#include "core/search/search.h"

namespace iosx {
namespace {

constexpr std::size_t kMostFound = 24;         // searched versions that are remembered
constexpr std::size_t kMostStages = 1U << 20;  // latencies that are remembered

// Looks in the memory, then asks a deterministic device and remembers the latency. All must outlive it.
class RememberingSource final : public StageLatencySource {
 public:
  RememberingSource(const Graph& graph, Device& device, std::int64_t batch, StageMemory& memory)
      : StageLatencySource(graph, batch, device.info().lowering), device_(device), memory_(memory) {}

  InterStageOverhead overhead() const override { return device_.info().overhead; }

 private:
  std::vector<std::optional<Known>> recall(Asked stages) override {
    std::vector<std::optional<Known>> latencies(stages.size());
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const auto known = memory_.find(stages[i].key);
      if (known != memory_.end()) latencies[i] = Known{known->second};
    }
    return latencies;
  }

  Result<void> measure(Asked stages, Look /*look*/, const JobContext& job, Take take) override {
    const std::size_t at_once = std::max<std::size_t>(device_.info().plans_at_once, 1);
    for (std::size_t done = 0; done < stages.size() && !job.stopped();) {
      const Asked some = stages.subspan(done, std::min(at_once, stages.size() - done));
      IOS_TRY(const auto measured, device_.measure(planner().plans(some), {}, job));
      for (std::size_t i = 0; i < measured.size(); ++i) memory_.insert_or_assign(some[i].key, measured[i]);
      take(measured);
      done += measured.size();
      if (measured.size() < some.size()) break;
    }
    return {};
  }

  Device& device_;
  StageMemory& memory_;
};

tl::unexpected<Error> stopped() { return fail(message("stopped")); }

// Returns the sum of a schedule's stages and overhead, with its spread if stages vary independently.
Result<Latency> sum_of_stages(const Schedule& schedule, LatencySource& latencies, const JobContext& job) {
  IOS_TRY(const auto answers, latencies.stage_latencies(schedule.stages, job));
  if (answers.size() < schedule.stages.size()) return stopped();
  if (Message lacks = left_out_among(answers, schedule.name); !lacks.empty()) return fail(std::move(lacks));
  Latency sum{.value = latencies.overhead().sum(schedule)};
  double variance = 0;
  for (const Latency& stage : answers) {
    sum.value += stage.value;
    sum.origin = stage.origin;
    sum.samples = sum.samples == 0 ? stage.samples : std::min(sum.samples, stage.samples);
    variance += stage.spread.count() * stage.spread.count();
  }
  sum.spread = Millis(std::sqrt(variance));
  return sum;
}

}  // namespace

Result<LiveFigures> measured_figures(const Graph& graph, LatencySource& latencies, const LiveLimits& search,
                                     const JobContext& job) {
  IOS_TRY(const auto prepared, prepare(graph, search.options, search.max_part_size, kPartBudget, job));
  IOS_TRY(const auto found, iosx::search(prepared, latencies, search.options, job));
  const auto refined_sum = [&](const Schedule& schedule) -> Result<Latency> {
    IOS_TRY(latencies.refined_latencies(schedule.stages, job));
    return sum_of_stages(schedule, latencies, job);
  };
  LiveFigures figures;
  IOS_TRY(figures.sequential, refined_sum(made_baseline(ScheduleKind::kSequential, graph)));
  IOS_TRY(figures.greedy, refined_sum(greedy_schedule(graph)));
  IOS_TRY(const Latency ios, refined_sum(found.schedule));
  figures.found = FoundFigures{.ios = ios};
  return figures;
}

const Problem* what_leaves_out(const GraphCheck& check) {
  const auto found = std::ranges::find_if(check.problems, [&](const Problem& problem) {
    return std::ranges::any_of(problem.operators, [&](OperatorKey key) { return !check.valid(key); });
  });
  return found == check.problems.end() ? nullptr : &*found;
}

LiveLatencies::LiveLatencies(std::unique_ptr<Device> device, std::int64_t batch)
    : device_(std::move(device)), batch_(batch) {}

Result<LiveFigures> LiveLatencies::show(const EditableGraph& graph, const GraphCheck& check, const LiveLimits& search,
                                        const JobContext& job) {
  IOS_TRY(auto built, to_graph(graph, check));
  if (stages_.size() > kMostStages) stages_.clear();
  auto version = std::make_shared<Version>();
  version->graph = std::make_shared<const Graph>(std::move(built.graph));
  version->ids = std::move(built.operators);
  version->operators.resize(version->graph->operators().size());
  for (const auto& [key, id] : version->ids) version->operators[id.index()] = key;
  auto source = std::make_unique<RememberingSource>(*version->graph, *device_, batch_, stages_);
  std::vector<Stage> alone;
  for (std::size_t u = 0; u < version->graph->units().size(); ++u) alone.push_back(single_unit_stage(UnitId(u)));
  for (const auto& stage : source->planner().canonical(alone)) version->units.push_back(stage.key);
  source_ = std::move(source);  // the old one's graph goes with its version
  version_ = std::move(version);

  LiveFigures figures;
  figures.left_out = built.left_out.size();
  IOS_TRY(figures.sequential, run(made_baseline(ScheduleKind::kSequential, *version_->graph), job));
  IOS_TRY(figures.greedy, run(greedy_schedule(*version_->graph), job));
  if (const Found* before = known(search)) figures.found = before->figures;
  return figures;
}

Result<Latency> LiveLatencies::run(const Schedule& schedule, const JobContext& job) {
  if (job.stopped()) return stopped();
  StagePlanner& planner = source_->planner();
  IOS_TRY(const RunResult ran, load_and_run(*device_, planner.plan(planner.canonical(schedule)), {}, job));
  return ran.latency;
}

Result<FoundFigures> LiveLatencies::search(const LiveLimits& search, const JobContext& job) {
  if (!version_) return fail(message("nothing is computed yet"));
  if (const Found* before = known(search)) return before->figures;
  IOS_TRY(auto prepared, prepare(*version_->graph, search.options, search.max_part_size, kPartBudget, job));
  if (job.stopped()) return stopped();
  SearchOptions options = search.options;
  parts_ = searched_parts_ = prepared.parts().size();
  const auto last = std::ranges::find(found_, search, &Found::search);
  if (last != found_.end()) {
    options.pinned_stages = pinned_stages(prepared, *last);
    std::vector<bool> kept(parts_);
    for (const Stage& stage : options.pinned_stages) kept[prepared.unit(stage.units().front()).part.index()] = true;
    searched_parts_ -= static_cast<std::size_t>(std::ranges::count(kept, true));
  }
  IOS_TRY(auto result, iosx::search(prepared, *source_, options, job));
  if (!result.complete || job.stopped()) return stopped();
  FoundFigures figures;
  IOS_TRY(figures.ios, run(result.schedule, job));
  if (device_->info().barrier_free) {
    StagePlanner& planner = source_->planner();
    const Schedule sequential = made_baseline(ScheduleKind::kSequential, *version_->graph);
    IOS_TRY(const LaneSearch lanes, find_lanes(*device_, planner.plan(planner.canonical(sequential)), {}, job));
    if (lanes.best)
      figures.list = Latency{.value = lanes.best->took, .spread = Millis{0}, .origin = figures.ios.origin};
  }
  found_.push_front({version_, search, std::move(prepared), std::move(result.schedule), figures});
  if (found_.size() > kMostFound) found_.pop_back();
  return figures;
}

void LiveLatencies::turn() {
  found_.clear();
  source_.reset();
  version_.reset();
}

// Returns the unit with the same operators, attributes and inputs.
std::optional<UnitId> LiveLatencies::same_unit(const Version& now, UnitId unit, const Version& before) {
  const std::vector<OperatorId>& operators = now.graph->unit(unit).operators;
  const OperatorId* const first = before.ids.find(now.operators[operators.front().index()]);
  if (first == nullptr) return std::nullopt;
  const UnitId other = before.graph->op(*first).unit;
  if (!other.valid() || before.units[other.index()] != now.units[unit.index()]) return std::nullopt;
  const std::vector<OperatorId>& others = before.graph->unit(other).operators;
  if (operators.size() != others.size()) return std::nullopt;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (now.operators[operators[i].index()] != before.operators[others[i].index()]) return std::nullopt;
    const auto reads = [&](const Value& a, const Value& b) {
      return now.operators[a.producer.index()] == before.operators[b.producer.index()] && a.begin == b.begin &&
             a.end == b.end;
    };
    if (!std::ranges::equal(now.graph->op(operators[i]).inputs, before.graph->op(others[i]).inputs, reads))
      return std::nullopt;
  }
  return other;
}

bool LiveLatencies::same(const Version& a, const Version& b) {
  if (a.graph == b.graph) return true;
  if (a.units.size() != b.units.size() || a.graph->parts().size() != b.graph->parts().size()) return false;
  for (std::size_t p = 0; p < a.graph->parts().size(); ++p) {
    if (a.graph->parts()[p].units != b.graph->parts()[p].units) return false;
  }
  for (std::size_t u = 0; u < a.units.size(); ++u) {
    if (same_unit(a, UnitId(u), b) != UnitId(u)) return false;
  }
  return true;
}

const LiveLatencies::Found* LiveLatencies::known(const LiveLimits& search) const {
  const auto found = std::ranges::find_if(
      found_, [&](const Found& each) { return each.search == search && same(*version_, *each.version); });
  return found == found_.end() ? nullptr : &*found;
}

// The stages of parts that are what they were, as parts too.
std::vector<Stage> LiveLatencies::pinned_stages(const Graph& prepared, const Found& before) const {
  std::vector<UnitId> now_of(before.version->units.size());  // by unit of before; not valid where it changed
  std::vector<UnitId> before_of(version_->units.size());
  for (std::size_t u = 0; u < before_of.size(); ++u) {
    const auto other = same_unit(*version_, UnitId(u), *before.version);
    if (!other) continue;
    before_of[u] = *other;
    now_of[other->index()] = UnitId(u);
  }
  std::vector<bool> keeps(before.prepared.parts().size());  // parts of before
  for (const Part& part : prepared.parts()) {
    const UnitId first = before_of[part.units.front().index()];
    if (!first.valid() || part.continued) continue;
    const PartId other = before.prepared.unit(first).part;
    const Part& was = before.prepared.part(other);
    if (was.continued || was.units.size() != part.units.size()) continue;
    keeps[other.index()] = std::ranges::all_of(part.units, [&](UnitId unit) {
      const UnitId own = before_of[unit.index()];
      return own.valid() && before.prepared.unit(own).part == other;
    });
  }
  // A stage across parts, of a search that joined them, is none of either.
  for (const Stage& stage : before.schedule.stages) {
    const std::vector<UnitId> units = stage.units();
    const PartId part = before.prepared.unit(units.front()).part;
    const bool across =
        std::ranges::any_of(units, [&](UnitId unit) { return before.prepared.unit(unit).part != part; });
    if (!across) continue;
    for (const UnitId unit : units) keeps[before.prepared.unit(unit).part.index()] = false;
  }
  std::vector<Stage> kept;
  for (const Stage& stage : before.schedule.stages) {
    if (!keeps[before.prepared.unit(stage.units().front()).part.index()]) continue;
    Stage own = stage;
    for (Group& group : own.groups) {
      for (Step& step : group.steps) {
        for (UnitId& unit : step.units) unit = now_of[unit.index()];
      }
    }
    kept.push_back(std::move(own));
  }
  return kept;
}

}  // namespace iosx
