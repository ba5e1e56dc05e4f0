#include "core/analysis/difference/stage_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/check.h"
#include "core/model/schedule/components.h"

namespace iosx {
namespace {

constexpr std::size_t kNoStage = std::numeric_limits<std::size_t>::max();

// One a unit; kNoStage where the schedule lacks it.
std::vector<std::size_t> stage_of_units(const Graph& graph, const Schedule& schedule) {
  std::vector<std::size_t> stages(graph.units().size(), kNoStage);
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    for (const UnitId unit : schedule.stages[s].units()) stages[unit.index()] = s;
  }
  return stages;
}

using UnitList = std::vector<UnitId>;
using StepsOfUnits = std::vector<UnitList>;

// A stage such that two are equal where they run the same: units of each step by id, groups by their first unit.
std::vector<StepsOfUnits> canonical(const Stage& stage, const std::vector<UnitId>* told) {
  std::vector<StepsOfUnits> groups;
  for (const Group& group : stage.groups) {
    StepsOfUnits steps;
    for (const Step& step : group.steps) {
      UnitList units;
      for (const UnitId unit : step.units) units.push_back(told != nullptr ? (*told)[unit.index()] : unit);
      std::ranges::sort(units);
      steps.push_back(std::move(units));
    }
    groups.push_back(std::move(steps));
  }
  std::ranges::sort(groups);
  return groups;
}

// Returns whether nothing runs side by side, so that stages are only cuts.
bool one_stream(const std::vector<Stage>& stages) {
  return std::ranges::all_of(stages, [](const Stage& stage) { return stage.groups.size() == 1; });
}

// Returns the same with every merged layer as single steps.
std::vector<StepsOfUnits> unmerged(std::vector<StepsOfUnits> groups) {
  for (StepsOfUnits& steps : groups) {
    StepsOfUnits single;
    for (const UnitList& units : steps) {
      for (const UnitId unit : units) single.push_back({unit});
    }
    steps = std::move(single);
  }
  return groups;
}

class StageComparer {
 public:
  StageComparer(const Subject& a, const Subject& b, const GraphMatch& match, Per per)
      : a_(a),
        b_(b),
        match_(match),
        stages_a_(a.schedule().schedule.stages),
        stages_b_(b.schedule().schedule.stages),
        stage_of_a_(stage_of_units(a.graph(), a.schedule().schedule)),
        stage_of_b_(stage_of_units(b.graph(), b.schedule().schedule)),
        times_a_(stage_times(a)),
        times_b_(stage_times(b)) {
    difference_.per = per;
  }

  StageDifference run() && {
    difference_.has_latencies = !times_a_.empty() && !times_b_.empty();
    difference_.traced = difference_.has_latencies && !(a_.has_stages() && b_.has_stages());
    difference_.whole = whole_difference(a_, b_, difference_.per);
    difference_.units_a.assign(a_.graph().units().size(), UnitChange::kSame);
    difference_.units_b.assign(b_.graph().units().size(), UnitChange::kSame);
    find_overlaps();
    make_rows();
    for (StageRow& row : difference_.rows) {
      add_latencies(row);
      row.kernels_a = kernels_of(a_, row.a);
      row.kernels_b = kernels_of(b_, row.b);
      find_missing(row);
      find_merges(row);
      find_moves(row);
      mark_units(row);
    }
    add_rest();
    return std::move(difference_);
  }

 private:
  // Counts the common operators of each stage of A and of B.
  void find_overlaps() {
    for (std::size_t i = 0; i < match_.operators_in_b.size(); ++i) {
      const OperatorId other = match_.operators_in_b[i];
      const UnitId unit = a_.graph().operators()[i].unit;
      if (!unit.valid() || !other.valid() || !b_.graph().op(other).unit.valid()) continue;
      const std::size_t from = stage_of_a_[unit.index()];
      const std::size_t to = stage_of_b_[b_.graph().op(other).unit.index()];
      if (from != kNoStage && to != kNoStage) ++overlaps_[{from, to}];
    }
  }

  void make_rows() {
    const std::size_t of_a = stages_a_.size();
    Components components(of_a + stages_b_.size());
    for (const auto& [stages, count] : overlaps_) components.connect(stages.first, of_a + stages.second);
    std::map<std::size_t, std::size_t> row_of;
    std::size_t before = 0;  // A's stage that B has passed, for what B alone has
    std::vector<std::pair<std::tuple<std::size_t, bool, std::size_t>, StageRow>> rows;
    for (std::size_t s = 0; s < of_a; ++s) {
      const auto [at, fresh] = row_of.emplace(components.lowest(s), rows.size());
      if (fresh) rows.push_back({{s, false, 0}, {}});
      rows[at->second].second.a.push_back(s);
    }
    for (std::size_t s = 0; s < stages_b_.size(); ++s) {
      const auto [at, fresh] = row_of.emplace(components.lowest(of_a + s), rows.size());
      if (fresh) rows.push_back({{before, true, s}, {}});
      StageRow& row = rows[at->second].second;
      row.b.push_back(s);
      if (!row.a.empty()) before = row.a.back();
    }
    std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.first; });
    for (auto& [key, row] : rows) {
      for (const std::size_t s : row.a) append(row.units_a, stages_a_[s].units());
      for (const std::size_t s : row.b) append(row.units_b, stages_b_[s].units());
      std::ranges::sort(row.units_a);
      std::ranges::sort(row.units_b);
      difference_.rows.push_back(std::move(row));
    }
  }

  static void append(UnitList& list, const UnitList& more) { list.insert(list.end(), more.begin(), more.end()); }

  void add_latencies(StageRow& row) const {
    if (!difference_.has_latencies) return;
    DeltaSum sum;
    for (const std::size_t s : row.a) {
      const Latency latency = told(a_, times_a_[s], difference_.per);
      row.latency_a += latency.value;
      sum.add(latency, -1);
    }
    for (const std::size_t s : row.b) {
      const Latency latency = told(b_, times_b_[s], difference_.per);
      row.latency_b += latency.value;
      sum.add(latency);
    }
    row.delta = sum.delta();
    row.delta.value = row.latency_b - row.latency_a;
  }

  RowKernels kernels_of(const Subject& subject, const std::vector<std::size_t>& stages) const {
    const ScheduleResult& result = subject.schedule();
    RowKernels sum;
    for (const std::size_t s : stages) {
      if (s >= result.plan.stages.size()) continue;
      const PlanStage& stage = result.plan.stages[s];
      sum.lanes = std::max(sum.lanes, stage.lanes.size());
      for (const auto& lane : stage.lanes) sum.kernels += lane.size();
    }
    if (result.trace.kernels.empty()) return sum;
    sum.kernels = 0;
    Micros busy{0};
    for (const KernelSpan& span : result.trace.kernels) {
      if (!std::ranges::binary_search(stages, span.stage) || span.end <= span.begin) continue;
      ++sum.kernels;  // others are only another view of what is there
      busy += span.end - span.begin;
    }
    sum.busy = Millis(busy) * share(subject, difference_.per);
    return sum;
  }

  void find_missing(StageRow& row) const {
    for (const UnitId unit : row.units_a) {
      if (!match_.units_in_b[unit.index()].valid()) row.missing.push_back(unit);
    }
    for (const UnitId unit : row.units_b) {
      if (!match_.units_in_a[unit.index()].valid()) row.added.push_back(unit);
    }
  }

  // Merged convolutions of one side, as units of B; units without a counterpart there are invalid, and so different.
  std::set<UnitList> merges(const std::vector<Stage>& stages, const std::vector<std::size_t>& which,
                            const std::vector<UnitId>* told) const {
    std::set<UnitList> sets;
    for (const std::size_t s : which) {
      for (const StepsOfUnits& steps : canonical(stages[s], told)) {
        for (const UnitList& units : steps) {
          if (units.size() > 1) sets.insert(units);
        }
      }
    }
    return sets;
  }

  void find_merges(StageRow& row) const {
    const auto of_a = merges(stages_a_, row.a, &match_.units_in_b);
    const auto of_b = merges(stages_b_, row.b, nullptr);
    std::ranges::set_difference(of_b, of_a, std::back_inserter(row.merged));
    for (const std::size_t s : row.a) {
      for (const Group& group : stages_a_[s].groups) {
        for (const Step& step : group.steps) {
          UnitList told;
          for (const UnitId unit : step.units) told.push_back(match_.units_in_b[unit.index()]);
          std::ranges::sort(told);
          if (step.merged() && !of_b.contains(told)) row.unmerged.push_back(step.units);
        }
      }
    }
  }

  // Returns the stage of B that each of the row's stages of A became: those with most in common, each once.
  std::map<std::size_t, std::size_t> counterparts(const StageRow& row) const {
    std::vector<std::tuple<int, std::size_t, std::size_t>> pairs;
    for (const std::size_t s : row.a) {
      for (const std::size_t t : row.b) {
        const auto at = overlaps_.find({s, t});
        if (at != overlaps_.end()) pairs.emplace_back(-at->second, s, t);
      }
    }
    std::ranges::sort(pairs);
    std::map<std::size_t, std::size_t> became;
    std::set<std::size_t> taken;
    for (const auto& [common, s, t] : pairs) {
      if (became.contains(s) || taken.contains(t)) continue;
      became.emplace(s, t);
      taken.insert(t);
    }
    return became;
  }

  void find_moves(StageRow& row) const {
    if (row.a.empty() || row.b.empty()) return;
    row.joined = row.b.size() < row.a.size();
    row.split = row.b.size() > row.a.size();
    if (row.a.size() == 1 && row.b.size() == 1) {
      const Stage& one = stages_a_[row.a.front()];
      const Stage& other = stages_b_[row.b.front()];
      if (!row.missing.empty() || !row.added.empty()) return;
      row.regrouped =
          unmerged(canonical(one, &match_.units_in_b)) != unmerged(canonical(other, nullptr)) && !only_merges(row);
      return;
    }
    if (row.a.size() == 1 || row.b.size() == 1) return;  // joined or split says it all
    const auto became = counterparts(row);
    std::map<std::pair<std::size_t, std::size_t>, UnitList> moved;
    for (const UnitId unit : row.units_a) {
      const UnitId other = match_.units_in_b[unit.index()];
      if (!other.valid()) continue;
      const std::size_t from = stage_of_a_[unit.index()];
      const std::size_t to = stage_of_b_[other.index()];
      const auto at = became.find(from);
      if (to != kNoStage && (at == became.end() || at->second != to)) moved[{from, to}].push_back(unit);
    }
    for (auto& [stages, units] : moved) row.moves.push_back({std::move(units), stages.first, stages.second});
  }

  // Returns whether the stages differ only in which groups were merged: units that are merged on either side
  // are left out of both.
  bool only_merges(const StageRow& row) const {
    if (row.merged.empty() && row.unmerged.empty()) return false;
    std::set<UnitId> merged;
    for (const UnitList& units : row.merged) merged.insert(units.begin(), units.end());
    for (const UnitList& units : row.unmerged) {
      for (const UnitId unit : units) merged.insert(match_.units_in_b[unit.index()]);
    }
    const auto rest = [&](std::vector<StepsOfUnits> groups) {
      for (StepsOfUnits& steps : groups) {
        for (UnitList& units : steps) std::erase_if(units, [&](UnitId unit) { return merged.contains(unit); });
        std::erase_if(steps, [](const UnitList& units) { return units.empty(); });
      }
      std::erase_if(groups, [](const StepsOfUnits& steps) { return steps.empty(); });
      std::ranges::sort(groups);
      return groups;
    };
    return rest(canonical(stages_a_[row.a.front()], &match_.units_in_b)) ==
           rest(canonical(stages_b_[row.b.front()], nullptr));
  }

  // Mark units of one side with their counterparts.
  void mark_a(const UnitList& units, UnitChange change) {
    mark(units, change, difference_.units_a, match_.units_in_b, difference_.units_b);
  }
  void mark_b(const UnitList& units, UnitChange change) {
    mark(units, change, difference_.units_b, match_.units_in_a, difference_.units_a);
  }
  static void mark(const UnitList& units, UnitChange change, std::vector<UnitChange>& own, const UnitList& counterparts,
                   std::vector<UnitChange>& others) {
    for (const UnitId unit : units) {
      own[unit.index()] = change;
      if (const UnitId other = counterparts[unit.index()]; other.valid()) others[other.index()] = change;
    }
  }

  // The most important change of a unit is set last.
  void mark_units(const StageRow& row) {
    if (row.regrouped) mark_regrouped(row);
    // Cuts of a one-stream schedule into stages are no change of its units.
    if (row.joined && row.b.size() == 1 && !one_stream(stages_b_)) mark_a(row.units_a, UnitChange::kJoined);
    if (row.split && row.a.size() == 1 && !one_stream(stages_a_)) mark_a(row.units_a, UnitChange::kSplit);
    for (const UnitMove& move : row.moves) mark_a(move.units, UnitChange::kMoved);
    for (const UnitList& units : row.unmerged) mark_a(units, UnitChange::kMerged);
    for (const UnitList& units : row.merged) mark_b(units, UnitChange::kMerged);
    for (const UnitId unit : row.missing) difference_.units_a[unit.index()] = UnitChange::kMissing;
    for (const UnitId unit : row.added) difference_.units_b[unit.index()] = UnitChange::kAdded;
  }

  // The units of groups that the other schedule does not have.
  void mark_regrouped(const StageRow& row) {
    const auto of_a = canonical(stages_a_[row.a.front()], &match_.units_in_b);
    const auto of_b = canonical(stages_b_[row.b.front()], nullptr);
    for (const StepsOfUnits& group : of_b) {
      if (std::ranges::binary_search(of_a, group)) continue;
      for (const UnitList& units : group) mark_b(units, UnitChange::kRegrouped);
    }
  }

  Millis between_stages(const Subject& subject) const {
    return subject.has_stages() ? subject.schedule().between_stages * share(subject, difference_.per) : Millis{0};
  }

  void add_rest() {
    difference_.rest = {.value = difference_.whole.delta.value, .noise = difference_.whole.delta.noise};
    if (!difference_.has_latencies) return;
    difference_.between_stages = {.value = between_stages(b_) - between_stages(a_), .noise = Millis{0}};
    DeltaSum stages;
    Millis sum = difference_.between_stages.value;
    for (const StageRow& row : difference_.rows) sum += row.delta.value;
    for (const Latency& latency : times_a_) stages.add(told(a_, latency, difference_.per), -1);
    for (const Latency& latency : times_b_) stages.add(told(b_, latency, difference_.per));
    difference_.rest.value = difference_.whole.delta.value - sum;
    const auto& noise = stages.delta().noise;
    if (noise && difference_.rest.noise) {
      difference_.rest.noise = Millis(std::hypot(noise->count(), difference_.rest.noise->count()));
    } else {
      difference_.rest.noise.reset();
    }
  }

  const Subject& a_;
  const Subject& b_;
  const GraphMatch& match_;
  const std::vector<Stage>& stages_a_;
  const std::vector<Stage>& stages_b_;
  std::vector<std::size_t> stage_of_a_;
  std::vector<std::size_t> stage_of_b_;
  std::vector<Latency> times_a_;
  std::vector<Latency> times_b_;
  std::map<std::pair<std::size_t, std::size_t>, int> overlaps_;
  StageDifference difference_;
};

}  // namespace

std::optional<double> StageRow::relative() const {
  if (a.empty() || latency_a <= Millis{0}) return std::nullopt;
  return delta.value / latency_a;
}

StageDifference compare_stages(const Subject& a, const Subject& b, const GraphMatch& match, Per per) {
  IOS_CHECK(a.valid() && b.valid());
  return StageComparer(a, b, match, per).run();
}

StageDifference compare_stages(const Subject& a, const Subject& b) {
  return compare_stages(a, b, match_graphs(a.graph(), b.graph()), Per::kBatch);
}

}  // namespace iosx
