#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/difference/subject.h"

namespace iosx {

// Returns what each of the plan's kernels takes of its traced run: kernels that run at the same time share that time
// alike, and while nothing runs the time counts for the kernel that begins next; of the first one of a stage that
// waited at a barrier only from where the stage begins, if the trace has its stages, and of the run's first one without
// what the run takes beyond its stages. Without barriers the shares add up to the end of the last kernel. Empty where
// there is no trace.
//
// Example, without barriers: a runs from 0 to 4 µs, b from 2 to 6, c from 7 to 8. a takes 2 + 1, b 1 + 2, c 1 + 1 µs.
std::vector<Micros> kernel_shares(const ScheduleResult& result);

// Returns what each stage of a schedule takes: its latency. Of a schedule without barriers it is what the kernels that
// the stage chose take of the traced run, scaled so that the trace is as long as the latency. All are of the batch.
// Empty where neither is known.
std::vector<Latency> stage_times(const Subject& subject);

// Returns what a schedule takes for some of its units. `set_of_unit` says for each unit to which of `sets` sets it
// belongs; none: to none of them. Stages that lie in one set count as in stage_times(); what a stage of several takes
// is parted as its kernels' shares in the trace are. The answer is one list a set, of times that add up; none where a
// kernel, or a stage without a trace, is of several sets.
std::vector<std::optional<std::vector<Latency>>> times_of_sets(const Subject& subject,
                                                               std::span<const std::optional<std::size_t>> set_of_unit,
                                                               std::size_t sets);

}  // namespace iosx
