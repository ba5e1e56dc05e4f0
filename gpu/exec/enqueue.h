#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/exec/prepared_plan.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Timers that an enqueued plan marks have this index or a higher one; those below are for whoever times it.
constexpr std::size_t kFirstPlanTimer = 16;

// Says what an enqueued plan notes; of several copies the last one's stages and kernels count.
struct Marks {
  bool stages = false;   // begin and end of every stage that has kernels, on the origin stream
  bool kernels = false;  // begin and end of every kernel, on its own stream
  bool nodes = false;    // the launches of every kernel, in a capture only
};
struct Marked {
  TimerId begin;  // of the whole plan; marked if anything is
  TimerId end;
  std::vector<std::pair<TimerId, TimerId>> stages;   // by stage; invalid ids for a stage without kernels
  std::vector<std::pair<TimerId, TimerId>> kernels;  // by KernelId
  std::vector<std::vector<GraphNode>> nodes;         // by KernelId; one or a few each
};

// Gives the plan to the streams: lane i to stream i, what starts without waiting for another lane forked off the
// origin, stream 0, and at the end all joined back to it. Kernel::waits become events; nothing waits on the host.
// `copies` run one after another, each after all of the one before. A mark of a stage joins all lanes before and forks
// them after it, so that it costs a little; without marks only the plan's own waits order anything. Uses events from 0
// on.
Marked enqueue(const PreparedPlan& plan, Runtime& runtime, const Marks& marks = {}, int copies = 1);

struct Captured {
  std::unique_ptr<CapturedGraph> graph;
  Marked marked;
};
// Captures the same as one graph. The plan must have run once before, so that the library has loaded what it needs.
Captured capture(const PreparedPlan& plan, Runtime& runtime, const Marks& marks = {}, int copies = 1);

}  // namespace iosx::gpu
