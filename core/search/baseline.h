#pragma once

#include "core/base/progress.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {

// Returns a baseline as every comparison runs it, so that one name means one schedule. Sequential uses the parts of a
// search with default options, whatever the options of the compared search; for several networks it runs one after
// another, each in the parts that it has alone. Other baselines use the graph's own parts. The parts of prepare()
// keep stages comparable, and in the zoo nothing is fused across the borders of these parts (tests/models).
Schedule made_baseline(ScheduleKind kind, const Graph& graph, std::size_t max_streams = kDefaultMaxStreams,
                       const JobContext& job = {});

}  // namespace iosx
