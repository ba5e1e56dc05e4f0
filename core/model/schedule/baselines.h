#pragma once

#include <cstddef>

#include "core/model/schedule/schedule.h"

namespace iosx {

inline constexpr std::size_t kDefaultMaxStreams = 10;

// What one stream does at its best without merging, the baseline of every speed-up: a stage a part, all units of the
// part in one group, in topological order. So kernels are fused as in every other schedule, and nothing waits between
// them. It equals one_by_one_schedule() on engines that fuse nothing across stages and have one stream go on without
// waiting. Of several networks (core/model/graph/networks.h) it runs one after another, a stage each: all units of the
// network in one group, in the order in which the networks were given.
Schedule sequential_schedule(const Graph& graph);
// The stage of that schedule for one part.
Stage sequential_stage(const Part& part);

// One unit per stage, in topological order, of several networks one after another: what the IOS paper calls sequential.
// No kernel is fused across units.
Schedule one_by_one_schedule(const Graph& graph);

// Several networks at once, each on a stream of its own: one stage of one group a network. Of one network it is one
// stage of one group.
Schedule side_by_side_schedule(const Graph& graph);

// Part by part, repeatedly every ready unit at once, each its own group, at most max_streams a stage; what does not fit
// stays ready, ahead of newly ready units. Groups of a stage by unit, as in every schedule that is made here.
Schedule greedy_schedule(const Graph& graph, std::size_t max_streams = kDefaultMaxStreams);

}  // namespace iosx
