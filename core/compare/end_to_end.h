#pragma once

#include <span>
#include <vector>

#include "core/device/device.h"

namespace iosx {

// A whole plan, timed by itself, and a trace of one of its runs.
struct EndToEnd {
  Latency latency;
  Trace trace;
};

// How often each plan is run: every round times it by itself. A simulated device is deterministic and always does one
// run in one round.
struct Timing {
  int rounds = 7;
  TimingOptions round = {};
};

// Times the plans in rounds, one run request for every plan a round, so that a slow drift of the device (clock,
// temperature) does not favour one of them. The error is the
// device's, or that a stop came before every plan had one round; later rounds are left out on a stop.
Result<std::vector<EndToEnd>> run_interleaved(Device& device, std::span<const ExecutionPlan* const> plans,
                                              const Timing& timing, const JobContext& job);

// One latency out of several rounds' latencies (at least one): the median of their medians; as spread the larger of
// their median spread and half the range of their medians, so that drift between rounds counts as noise.
Latency combine_rounds(std::span<const Latency> rounds);

}  // namespace iosx
