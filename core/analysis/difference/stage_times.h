#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/difference/subject.h"

namespace iosx {

// Returns each kernel's share of the traced run: concurrent kernels share the time equally, and idle time counts for
// the kernel that begins next. The first kernel of a stage that waited at a barrier counts from the stage's begin, if
// the trace has its stages, and the run's first one without the time that the run takes beyond its stages. Without
// barriers the shares add up to the end of the last kernel. Empty without a trace.
//
// Example, without barriers: a runs from 0 to 4 µs, b from 2 to 6, c from 7 to 8. a takes 2 + 1, b 1 + 2, c 1 + 1 µs.
std::vector<Micros> kernel_shares(const ScheduleResult& result);

// Returns each stage's latency in a schedule. Without barriers it is the share of its kernels in the traced run,
// scaled so that the trace is as long as the latency. All are of the batch. Empty where neither is known.
std::vector<Latency> stage_times(const Subject& subject);

// Returns a schedule's times for sets of its units. `set_of_unit` gives each unit's set, of `sets`, or none. Stages
// inside one set count as in stage_times(); a stage of several is divided by its kernels' shares in the trace. The
// result is one list per set, of times that add up; none where a kernel, or a stage without a trace, belongs to
// several sets.
std::vector<std::optional<std::vector<Latency>>> times_of_sets(const Subject& subject,
                                                               std::span<const std::optional<std::size_t>> set_of_unit,
                                                               std::size_t sets);

}  // namespace iosx
