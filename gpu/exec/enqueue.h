#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "gpu/exec/prepared_plan.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// The first timer index for marks of enqueued plans; lower ones are for timing code.
constexpr std::size_t kFirstPlanTimer = 16;

// What an enqueued plan records; of several copies, the stages and kernels of the last one.
struct Marks {
  bool stages = false;   // begin and end of every stage with kernels, on the origin stream
  bool kernels = false;  // begin and end of every kernel, on its own stream
  bool nodes = false;    // the launches of every kernel, in captures only
};
struct Marked {
  TimerId begin;  // of the whole plan; marked if anything is
  TimerId end;
  std::vector<std::pair<TimerId, TimerId>> stages;   // by stage; invalid ids for a stage without kernels
  std::vector<std::pair<TimerId, TimerId>> kernels;  // by KernelId
  std::vector<std::vector<GraphNode>> nodes;         // by KernelId; one or a few each
};

// Enqueues the plan: lane i on stream i. Kernels that wait for no other lane are forked off the origin, stream 0; at
// the end all lanes are joined back to it. Kernel::waits become events; nothing waits on the host. `copies` run one
// after another, each after all of the one before. A stage's mark joins all lanes before it and forks them after it,
// which costs a little; without marks only the plan's own waits order anything. Uses events from 0 on.
Marked enqueue(const PreparedPlan& plan, Runtime& runtime, const Marks& marks = {}, int copies = 1);

struct Captured {
  std::unique_ptr<CapturedGraph> graph;
  Marked marked;
};
// Captures the same as one graph. The plan must have run once before, so that the library has loaded its code.
Captured capture(const PreparedPlan& plan, Runtime& runtime, const Marks& marks = {}, int copies = 1);

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
