#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/duration.h"
#include "core/model/cost/latency.h"
#include "core/model/schedule/schedule.h"

// This finds where a network's time could be won at all: the longest chain of units that must run one after another,
// and how much each of the others could be late without making it longer. It is free of Qt.
namespace iosx::canvas {

// Holds what each unit takes by itself, as far as it is known, and where that is from.
struct UnitCosts {
  enum class Source {
    kUnknown,  // not scheduled: takes no time here
    kAlone,    // the latency of its stage, which it has for itself
    kShare,    // its share of what its stage takes
  };
  std::vector<Millis> values;   // a unit of the graph
  std::vector<Source> sources;  // a unit
  std::size_t count(Source source) const;
};

// Returns of each unit the latency of its stage where that is this unit only, otherwise a share of its stage's latency.
// A stage takes as long as its slowest group: within a group, the latency is shared out among the steps by their work,
// FLOPs / 16 + bytes, which is what a step takes on devices that compute 16 FLOPs in the time of moving a byte; the
// other groups take less in proportion. Each unit of a merged step takes as long as the step. `stages` is one latency a
// stage.
UnitCosts unit_costs(const Graph& graph, const Schedule& schedule, std::span<const Latency> stages);

struct CriticalPath {
  Millis length{0};
  std::vector<UnitId> units;  // the longest chain, in order; of equally long ones the one with the lower ids
  std::vector<Millis> slack;  // a unit: how much later it could end without making the longest chain longer
};

// Returns the path as if a unit started as soon as all that it reads is there, however much runs at once: its length is
// a lower limit for every schedule, as far as the costs hold.
CriticalPath critical_path(const Graph& graph, std::span<const Millis> costs);

}  // namespace iosx::canvas
