#include "core/analysis/difference/saving.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/difference/stage_times.h"

namespace iosx {
namespace {

using StageTimes = std::vector<std::optional<std::vector<Latency>>>;

// Returns the baseline's time for the units of each stage of the schedule; none for a stage with units that it lacks.
StageTimes baseline_of_stages(const Subject& baseline, const Subject& schedule, const GraphMatch& match) {
  const std::vector<Stage>& stages = schedule.schedule().schedule.stages;
  std::vector<std::optional<std::size_t>> stage_of(schedule.graph().units().size());
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (const UnitId unit : stages[s].units()) stage_of[unit.index()] = s;
  }
  std::vector<std::optional<std::size_t>> set_of_unit(baseline.graph().units().size());
  for (std::size_t u = 0; u < set_of_unit.size(); ++u) {
    if (const UnitId own = match.units_in_b[u]; own.valid()) set_of_unit[u] = stage_of[own.index()];
  }
  StageTimes times = times_of_sets(baseline, set_of_unit, stages.size());
  for (std::size_t u = 0; u < stage_of.size(); ++u) {
    if (stage_of[u] && !match.units_in_a[u].valid()) times[*stage_of[u]].reset();
  }
  return times;
}

std::vector<std::optional<Delta>> deltas_of(const Subject& baseline, const StageTimes& before, const Subject& schedule,
                                            const std::vector<Latency>& after, Per per) {
  std::vector<std::optional<Delta>> deltas;
  for (std::size_t s = 0; s < after.size(); ++s) {
    if (!before[s]) {
      deltas.emplace_back();
      continue;
    }
    DeltaSum sum;
    for (const Latency& latency : *before[s]) sum.add(told(baseline, latency, per), -1);
    sum.add(told(schedule, after[s], per));
    deltas.emplace_back(sum.delta());
  }
  return deltas;
}

// One step a stage; those that are not known are left to the last step.
std::vector<SavingStep> steps_by_stage(const Subject& baseline, const StageTimes& before, const Subject& schedule,
                                       const std::vector<Latency>& after, Per per,
                                       const std::vector<std::optional<Delta>>& deltas) {
  std::vector<SavingStep> steps;
  for (std::size_t s = 0; s < deltas.size(); ++s) {
    if (!deltas[s]) continue;
    SavingStep& step = steps.emplace_back();
    step.stage = s;
    step.units = schedule.schedule().schedule.stages[s].units();
    std::ranges::sort(step.units);
    for (const Latency& latency : *before[s]) step.before += told(baseline, latency, per).value;
    step.after = told(schedule, after[s], per).value;
    step.delta = *deltas[s];
  }
  return steps;
}

std::vector<SavingStep> steps_by_part(const PartMatrix& matrix) {
  std::vector<SavingStep> steps;
  for (const PartRow& row : matrix.rows) {
    SavingStep& step = steps.emplace_back();
    step.name = row.name;
    step.units = row.cells[1].units;
    step.before = row.cells[0].latency;
    step.after = row.cells[1].latency;
    step.delta = row.cells[1].delta;
  }
  return steps;
}

// The rest, which no other step has.
SavingStep last_step(const WholeDifference& whole, const std::vector<SavingStep>& steps) {
  SavingStep last{.before = whole.a, .after = whole.b, .delta = whole.delta};
  for (const SavingStep& step : steps) {
    last.before -= step.before;
    last.after -= step.after;
    last.delta.value -= step.delta.value;
    // Its noise is that of a difference of everything: where anything errs it is not told.
    if (step.delta.noise != Millis{0}) last.delta.noise.reset();
  }
  return last;
}

}  // namespace

std::vector<std::optional<Delta>> stage_savings(const Subject& baseline, const Subject& schedule,
                                                const GraphMatch& match, Per per) {
  const std::vector<Latency> after = stage_times(schedule);
  if (after.empty() || stage_times(baseline).empty()) return {};
  return deltas_of(baseline, baseline_of_stages(baseline, schedule, match), schedule, after, per);
}

std::optional<SavingSteps> saving_steps(const Subject& baseline, const Subject& schedule) {
  const std::vector<Latency> after = stage_times(schedule);
  if (after.empty() || stage_times(baseline).empty()) return std::nullopt;
  const std::array subjects{baseline, schedule};
  const std::vector<GraphMatch> matches = match_with_all(subjects, 0);
  const PartMatrix matrix = part_matrix(subjects, 0, matches);
  SavingSteps found{.per = matrix.per, .whole = matrix.whole[1]};
  found.traced = !baseline.has_stages() || !schedule.has_stages();
  const StageTimes before = baseline_of_stages(baseline, schedule, matches[1]);
  found.stages = deltas_of(baseline, before, schedule, after, matrix.per);
  if (matrix.rows.size() == 1)
    found.steps = steps_by_stage(baseline, before, schedule, after, matrix.per, found.stages);
  if (found.steps.empty()) found.steps = steps_by_part(matrix);
  found.steps.push_back(last_step(found.whole, found.steps));
  return found;
}

}  // namespace iosx
