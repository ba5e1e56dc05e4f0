#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// What one of several networks (core/model/graph/networks.h) takes in a run of a schedule. Both count from the start of
// the run.
struct NetworkTime {
  std::string name;
  Millis begins{0};  // when its first kernel begins
  Millis ends{0};    // when its last kernel ends: the network's own latency
};

// Returns this for every network, by the traced run, scaled so that the trace is as long as the latency. Empty where
// the graph is one network, and where there is no trace.
std::vector<NetworkTime> network_times(const Graph& graph, const ScheduleResult& result);

// Returns for every network what it takes alone: the sum of the first sequential schedule's stages of that network,
// each measured by itself, with what a run adds between them. None of what has no stage. Empty where the graph is one
// network, where there is no sequential schedule, and where a stage of it is of several networks.
std::vector<std::optional<Millis>> alone_times(const Comparison& comparison);

}  // namespace iosx
