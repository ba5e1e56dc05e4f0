#pragma once

#include <cstddef>

#include "core/base/progress.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {

// Returns the schedule of a baseline's kind as everything that compares runs it, so that one name means one schedule:
// sequential in the parts that a search with default options has, whatever the options of a search beside it, of
// several networks one after another, each in the parts that it has alone; the others in the graph's own parts. The
// parts that prepare() cuts keep the stages of a schedule comparable, and in the zoo nothing is fused across their
// borders that they part (tests/models).
Schedule made_baseline(ScheduleKind kind, const Graph& graph, std::size_t max_streams = kDefaultMaxStreams,
                       const JobContext& job = {});

}  // namespace iosx
