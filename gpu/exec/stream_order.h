#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx::gpu {

// Says what has to happen between streams so that some kernels of a plan run in its order: those of all stages, or of
// one. Before them everything is joined to the origin, stream 0, and after them again. Waits that others imply are left
// out.
struct StreamOrder {
  struct Launch {
    KernelId kernel;
    bool fork = false;            // the first on its lane: after what the origin had before all this
    std::vector<KernelId> waits;  // for their events
    bool event = false;           // somebody waits for it
  };
  std::vector<Launch> launches;
  std::vector<KernelId> joins;  // the origin waits for their events at the end
};

// `kernels` must be in the plan's order.
StreamOrder stream_order(const ExecutionPlan& plan, std::span<const KernelId> kernels);

}  // namespace iosx::gpu
