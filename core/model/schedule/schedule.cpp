#include "core/model/schedule/schedule.h"

#include <algorithm>
#include <limits>

#include "core/model/schedule/merge.h"

namespace iosx {

std::vector<UnitId> Stage::units() const {
  std::vector<UnitId> all;
  for (const Group& group : groups) {
    for (const Step& step : group.steps) all.insert(all.end(), step.units.begin(), step.units.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

Stage single_unit_stage(UnitId unit) { return Stage{{Group{{Step{{unit}}}}}}; }

Stage merge_stage(std::vector<UnitId> units) { return Stage{{Group{{Step{std::move(units)}}}}}; }

Strategy strategy_of(const Graph& graph, const Stage& stage) {
  if (stage.groups.size() != 1 || stage.groups.front().steps.size() != 1) return Strategy::kConcurrent;
  const Step& step = stage.groups.front().steps.front();
  if (step.merged()) return Strategy::kMerge;
  if (step.units.empty()) return Strategy::kConcurrent;
  const Unit& unit = graph.unit(step.units.front());
  if (unit.operators.size() != 1) return Strategy::kConcurrent;
  const Conv* conv = graph.op(unit.operators.front()).as<Conv>();
  return conv != nullptr && conv->merged_from.size() > 1 ? Strategy::kMerge : Strategy::kConcurrent;
}

std::string_view strategy_name(Strategy strategy) { return strategy == Strategy::kMerge ? "merge" : "concurrent"; }

namespace {

// Where a unit runs, counted from 0.
struct Position {
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  std::size_t stage = kNowhere;
  std::size_t group = 0;
  std::size_t step = 0;
};

std::string where(const Position& place) { return fmt::format("stage {}, group {}", place.stage + 1, place.group + 1); }

class Checker {
 public:
  Checker(const Graph& graph, const Schedule& schedule)
      : graph_(graph), schedule_(schedule), places_(graph.units().size()) {}

  Result<void> run() {
    return place_units()
        .and_then([&] { return check_complete(); })
        .and_then([&] { return check_order(); })
        .and_then([&] { return check_merges(); });
  }

 private:
  template <typename Visit>
  Result<void> for_each_step(Visit&& visit) const {
    for (std::size_t s = 0; s < schedule_.stages.size(); ++s) {
      const auto& groups = schedule_.stages[s].groups;
      if (groups.empty())
        return fail(message("the stage is empty"), fmt::format("stage {}", s + 1), message("remove it"));
      for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].steps.empty()) return fail(message("the group is empty"), where({s, g, 0}), message("remove it"));
        for (std::size_t i = 0; i < groups[g].steps.size(); ++i) {
          if (auto done = visit(groups[g].steps[i], Position{s, g, i}); !done) return done;
        }
      }
    }
    return {};
  }

  Result<void> place_units() {
    return for_each_step([&](const Step& step, const Position& here) -> Result<void> {
      if (step.units.empty()) return fail(message("a step has no unit"), where(here), message("remove it"));
      for (const UnitId unit : step.units) {
        if (!unit.valid() || unit.index() >= places_.size()) {
          return fail(message("names a unit that the graph does not have"), where(here),
                      message("use a schedule made for this graph"));
        }
        Position& place = places_[unit.index()];
        if (place.stage != Position::kNowhere) {
          return fail(message("unit '{}' already runs in {}", name(unit), where(place)), where(here),
                      message("every unit runs once"));
        }
        place = here;
      }
      return {};
    });
  }

  Result<void> check_complete() const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].stage == Position::kNowhere) {
        return fail(message("unit '{}' is in no stage", name(UnitId(i))), "schedule", message("every unit runs once"));
      }
    }
    return {};
  }

  Result<void> check_order() const {
    return for_each_step([&](const Step& step, const Position& here) -> Result<void> {
      for (const UnitId unit : step.units) {
        for (const UnitId before : graph_.predecessors(unit)) {
          const Position& made = places_[before.index()];
          if (made.stage < here.stage) continue;
          if (made.stage == here.stage && made.group == here.group && made.step < here.step) continue;
          return fail(message("unit '{}' reads '{}', which runs in {}", name(unit), name(before), where(made)),
                      where(here),
                      message("a unit must come after what it reads: in a later stage, or later in the same group"));
        }
      }
      return {};
    });
  }

  Result<void> check_merges() const {
    return for_each_step([&](const Step& step, const Position& here) -> Result<void> {
      if (!step.merged()) return {};
      const auto merged = merge(graph_, step.units);
      if (merged) return {};
      std::string names;
      for (const UnitId unit : step.units) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name(unit));
      return fail(message("units {} cannot be merged: {}", names, text(merged.error())), where(here),
                  message("run them in parallel instead"));
    });
  }

  const std::string& name(UnitId unit) const { return graph_.unit(unit).name; }

  const Graph& graph_;
  const Schedule& schedule_;
  std::vector<Position> places_;  // by unit
};

}  // namespace

Result<void> check_legal(const Graph& graph, const Schedule& schedule) { return Checker(graph, schedule).run(); }

}  // namespace iosx
