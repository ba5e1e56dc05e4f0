#include "core/analysis/compare/compare_options.h"

#include <algorithm>
#include <utility>

#include "core/model/plan/stage_planner.h"

namespace iosx {

Result<ExecutionPlan> plan_on(const DeviceInfo& device, const Graph& graph, const GivenSchedule& given,
                              std::int64_t batch) {
  ExecutionPlan staged = StagePlanner(graph, batch, device.lowering).plan(given.schedule);
  if (!given.lanes) return staged;
  return barrier_free_plan(staged, *given.lanes);
}

GivenSchedule schedule_in_file(Schedule own, std::optional<LaneSchedule> lanes) {
  own.name = row_of(ScheduleKind::kFile).id;
  return {std::move(own), std::move(lanes)};
}

std::vector<BoundOption> options_of(CompareOptions& options, Uses uses) { return bind_options(options, uses); }

std::vector<OptionChange> changed_options(const CompareOptions& options, const CompareOptions& before) {
  CompareOptions was = before;
  CompareOptions is = options;
  return changed_options(options_of(was, use::kCompare), options_of(is, use::kCompare));
}

std::vector<ScheduleKind> kinds_to_optimize(const CompareOptions& options, std::optional<bool> lanes) {
  const StrategySet strategies = options.search.strategies;
  std::vector<ScheduleKind> kinds = schedule_kinds_within(strategies);
  if (options.quick) kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kList};
  if (!lanes.value_or(strategies == StrategySet::kBoth || options.memory_limit > 0)) {
    std::erase_if(kinds, [](ScheduleKind kind) { return row_of(kind).barrier_free; });
  }
  return kinds;
}

Result<void> settle(CompareOptions& options, Uses replayed) {
  if (replayed != 0) {
    for (const OptionChange& change : changed_options(options)) {
      if ((change.info->not_with_replay & replayed) == 0) continue;
      return fail(message("{} does not apply to a replay: it searches stored measurements and runs nothing",
                          change.info->flag()));
    }
  }
  SearchOptions& search = options.search;
  if (search.contradictory()) {
    return fail(message("{}, {} and {} are for a lazy search, not for {} exhaustive",
                        info_of(&SearchEffort::epsilon).flag(), info_of(&SearchEffort::budget).flag(),
                        info_of(&SearchEffort::longer).flag(), info_of(&SearchOptions::method).flag()));
  }
  if (search.method == SearchMethod::kAutomatic && search.effort.lazy()) search.method = SearchMethod::kLazy;
  options.timing.max_repeats = std::max(options.timing.max_repeats, options.timing.repeats);
  return {};
}

}  // namespace iosx
