#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// The time of one of several networks (core/model/graph/networks.h) in a run of a schedule. Both count from the start
// of the run.
struct NetworkTime {
  std::string name;
  Millis begins{0};  // begin of its first kernel
  Millis ends{0};    // end of its last kernel: the network's own latency
};

// Returns this for every network from the traced run, scaled so that the trace is as long as the latency. Empty
// where the graph is one network, and without a trace.
std::vector<NetworkTime> network_times(const Graph& graph, const ScheduleResult& result);

// Returns every network's time alone: the sum of its stages in the first sequential schedule, each measured by
// itself, with the overhead between them. None for a network without a stage. Empty where the graph is one network,
// without a sequential schedule, and where one of its stages has several networks.
std::vector<std::optional<Millis>> alone_times(const Comparison& comparison);

}  // namespace iosx
