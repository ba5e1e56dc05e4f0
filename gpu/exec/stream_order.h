#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/plan/execution_plan.h"

namespace iosx::gpu {

// The synchronisation between streams that runs some kernels of a plan (of all stages, or of one) in its order.
// Everything before and after them is joined to the origin, stream 0. Redundant waits are left out.
struct StreamOrder {
  struct Launch {
    KernelId kernel;
    bool fork = false;            // the first on its lane: after the origin's earlier work
    std::vector<KernelId> waits;  // on their events
    bool event = false;           // another kernel waits for it
  };
  std::vector<Launch> launches;
  std::vector<KernelId> joins;  // the origin waits for their events at the end
};

// `kernels` must be in the plan's order.
StreamOrder stream_order(const ExecutionPlan& plan, std::span<const KernelId> kernels);

}  // namespace iosx::gpu
