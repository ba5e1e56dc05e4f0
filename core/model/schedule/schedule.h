#pragma once

#include "core/base/result.h"
#include "core/model/graph/graph.h"

namespace iosx {

// What one stream does at once: one unit, or several whose layers are merged into one larger layer (units in
// channel order of the merged output).
struct Step {
  std::vector<UnitId> units;

  bool merged() const { return units.size() > 1; }
  friend bool operator==(const Step&, const Step&) = default;
};

// Steps that run in order on one stream.
struct Group {
  std::vector<Step> steps;
  friend bool operator==(const Group&, const Group&) = default;
};

enum class Strategy { kConcurrent, kMerge };

// Groups that run side by side; a stage starts when the one before it has ended.
struct Stage {
  std::vector<Group> groups;

  std::vector<UnitId> units() const;  // sorted by id
  friend bool operator==(const Stage&, const Stage&) = default;
};

struct Schedule {
  std::string name;  // for display; need not be unique (ScheduleId is, schedule_table.h)
  std::vector<Stage> stages;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// Returns stages with one group of one step.
Stage single_unit_stage(UnitId unit);
Stage merge_stage(std::vector<UnitId> units);

// kMerge: the whole stage is one merged layer, merged by the schedule or already in the graph's file.
// Otherwise kConcurrent.
Strategy strategy_of(const Graph& graph, const Stage& stage);
std::string_view strategy_name(Strategy strategy);  // "concurrent", "merge"

// Checks that every unit of the graph is in exactly one step, that units read values of an earlier stage or of earlier
// in their own group, and that merged steps are legal (merge.h). The error names stage, group and unit.
Result<void> check_legal(const Graph& graph, const Schedule& schedule);

}  // namespace iosx
