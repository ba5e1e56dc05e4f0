#pragma once

#include "core/model/schedule/schedule.h"

namespace iosx {

inline constexpr std::size_t kDefaultMaxStreams = 10;

// The best schedule of one stream without merging, the baseline of every speed-up: a stage per part, with all units of
// the part in one group in topological order. So kernels are fused as in every other schedule, and nothing waits
// between them. It equals one_by_one_schedule() on engines that fuse nothing across stages and let one stream go on
// without waiting. Several networks (core/model/graph/networks.h) run one after another, in the given order: a stage
// per network with all its units in one group.
Schedule sequential_schedule(const Graph& graph);
// Returns the stage of that schedule for one part.
Stage sequential_stage(const Part& part);

// Returns one unit per stage, in topological order, with several networks one after another: the IOS paper's
// sequential. No kernel is fused across units.
Schedule one_by_one_schedule(const Graph& graph);

// Returns several networks at once, each on its own stream: one stage with a group per network. One network is one
// stage of one group.
Schedule side_by_side_schedule(const Graph& graph);

// Runs, part by part, every ready unit at once, each in its own group, with at most max_streams per stage; the rest
// stays ready, ahead of newly ready units. Groups of a stage are sorted by unit, as in every schedule made here.
Schedule greedy_schedule(const Graph& graph, std::size_t max_streams = kDefaultMaxStreams);

}  // namespace iosx
