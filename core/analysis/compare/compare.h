#pragma once

#include <cstdint>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Makes the schedules, then runs all of them end to end, interleaved, so that drift of the device hits each alike. One
// latency source serves all searches: what an earlier one measured counts as reused. Sequential
// and greedy are always run (Comparison::best()), and of several networks side by side, unless a stop comes first.
// Where all kinds of schedules are asked for, those of several networks are, too, if the graph is of several.
//
// A stop ends the running search, keeps its best schedule so far if it solved any part, leaves out the searches after
// it, and still runs once what it has, as far as a second allows on a device that measures: the rest is left out, with
// a notice that names it. CompareContext::abandon ends that last run, too. Schedules are verified at the end; a stop
// then leaves the rest unverified. Errors: a schedule kind that is not made here, an option out of range, a given
// schedule or a warm start that is not legal, the device's, a stop before anything could be run, and "abandoned".
Result<Comparison> compare(const Graph& graph, Device& device, const CompareOptions& options, const JobContext& job,
                           const CompareContext& context = {});

// Runs one schedule end to end with stage latencies and a trace, and verifies it if asked for. The error is the
// schedule's (not legal for the graph), the device's, or that a stop came before the end. `reference` as in
// CompareContext.
Result<ScheduleResult> evaluate(const Graph& graph, const GivenSchedule& given, Device& device, std::int64_t batch,
                                const TimingOptions& timing, const JobContext& job, bool verify = false,
                                Device* reference = nullptr);

}  // namespace iosx
