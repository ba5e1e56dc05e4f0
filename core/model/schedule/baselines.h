#pragma once

#include <cstddef>

#include "core/model/schedule/schedule.h"

namespace iosx {

inline constexpr std::size_t kDefaultMaxStreams = 10;

// One unit per stage, in topological order.
Schedule sequential_schedule(const Graph& graph);

// Part by part, repeatedly every ready unit at once, each its own group, at most max_streams a stage; what does not fit
// stays ready, ahead of newly ready units. Groups of a stage by unit, as in every schedule that is made here.
Schedule greedy_schedule(const Graph& graph, std::size_t max_streams = kDefaultMaxStreams);

}  // namespace iosx
