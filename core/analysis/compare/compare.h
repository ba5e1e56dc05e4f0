#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Makes the schedules, then runs all of them end to end, interleaved, so that drift of the device affects each alike.
// All searches share one latency source: stages measured by an earlier one count as reused. Sequential and greedy
// always run (Comparison::best()), and side by side for several networks, unless a stop comes first. A request for all
// kinds of schedules includes those of several networks, if the graph has several.
//
// A stop ends the running search, keeps its best schedule so far if it solved any part, skips later searches, and
// still runs each schedule once; on a measuring device as far as a second allows, with a notice that names the rest.
// CompareContext::abandon ends that last run, too. Verification comes at the end; a stop skips the rest of it. Errors:
// a schedule kind that is not made here, an option out of range, a given schedule or warm start that is not legal, the
// device's, a stop before anything could run, and "abandoned".
Result<Comparison> compare(const Graph& graph, Device& device, const CompareOptions& options, const JobContext& job,
                           const CompareContext& context = {});

// Returns the notice of a comparison that a stop left no time for these schedules, by their titles.
Message stopped_before(const std::vector<std::string>& titles);

// Runs one schedule end to end with stage latencies and a trace, and verifies it on request. Errors: the
// schedule is not legal for the graph, the device's, a stop before the end. `reference` as in CompareContext.
Result<ScheduleResult> evaluate(const Graph& graph, const GivenSchedule& given, Device& device, std::int64_t batch,
                                const TimingOptions& timing, const JobContext& job, bool verify = false,
                                Device* reference = nullptr);

}  // namespace iosx
