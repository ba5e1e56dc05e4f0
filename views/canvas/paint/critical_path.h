#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/duration.h"
#include "core/model/cost/latency.h"
#include "core/model/schedule/schedule.h"

// Finds where time could be gained at all: the longest chain of units that must run one after another, and how late
// each of the others could be without making it longer. Independent of Qt.
namespace iosx::canvas {

// Each unit's own time, as far as known, with its source.
struct UnitCosts {
  enum class Source {
    kUnknown,  // not scheduled: no time here
    kAlone,    // the latency of its own stage
    kShare,    // its share of its stage's latency
  };
  std::vector<Millis> values;   // per unit of the graph
  std::vector<Source> sources;  // per unit
  std::size_t count(Source source) const;
};

// Returns each unit's stage latency if the stage has only this unit, otherwise a share of it. A stage takes as long as
// its slowest group. Within a group, the latency is divided among the steps by their work, FLOPs / 16 + bytes, a step's
// time on devices that compute 16 FLOPs in the time of moving a byte; the other groups take proportionally less. Each
// unit of a merged step takes as long as the step. `stages` has one latency per stage.
UnitCosts unit_costs(const Graph& graph, const Schedule& schedule, std::span<const Latency> stages);

struct CriticalPath {
  Millis length{0};
  std::vector<UnitId> units;  // the longest chain, in order; on a tie the one with the lower ids
  std::vector<Millis> slack;  // per unit: how much later it could end without making the longest chain longer
};

// Returns the path with each unit starting as soon as its inputs exist, with any number at once: its length is a lower
// bound of every schedule, as far as the costs hold.
CriticalPath critical_path(const Graph& graph, std::span<const Millis> costs);

}  // namespace iosx::canvas
