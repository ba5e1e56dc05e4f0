#include "gpu/device/gpu_trace.h"

#include <algorithm>
#include <vector>

namespace iosx::gpu {
namespace {

// Counts how many kernels run at a time.
Counter kernels_in_flight(const Trace& trace) {
  Counter counter{said("kernels in flight"), said("kernels"), 0, {}, {}, trace.source};
  std::vector<std::pair<Micros, int>> changes;
  for (const KernelSpan& span : trace.kernels) {
    changes.emplace_back(span.begin, 1);
    changes.emplace_back(span.end, -1);
  }
  std::ranges::sort(changes);  // what ends before what begins at the same time
  counter.times.emplace_back(0);
  counter.values.push_back(0);
  int running = 0;
  for (const auto& [time, change] : changes) {
    running += change;
    if (time > counter.times.back()) {
      counter.times.push_back(time);
      counter.values.push_back(running);
    } else {
      counter.values.back() = running;
    }
  }
  return counter;
}

}  // namespace

Trace trace_of(const ExecutionPlan& plan, std::span<const KernelTime> kernels, Micros duration, std::string source) {
  Trace trace;
  trace.lanes = plan.lane_count();
  trace.source = std::move(source);
  Micros reached{0};  // the end of the stages before
  if (plan.barrier_free) {
    std::vector<Micros> lanes(trace.lanes, Micros{0});
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
      const Kernel& kernel = plan.kernels[k];
      const Micros begin = std::max(kernels[k].first, lanes[kernel.lane]);
      lanes[kernel.lane] = std::max(kernels[k].second, begin);
      trace.kernels.push_back({kernel.name, KernelId(k), kernel.lane, kernel.stage, begin, lanes[kernel.lane]});
      reached = std::max(reached, lanes[kernel.lane]);
    }
    trace.stages = overlapping_stages(plan, trace.kernels);
  }
  for (std::size_t s = 0; s < plan.stages.size() && !plan.barrier_free; ++s) {
    StageSpan stage{reached, reached};
    bool first = true;
    for (const std::vector<KernelId>& lane : plan.stages[s].lanes) {
      Micros lane_reached = reached;
      for (const KernelId id : lane) {
        const Kernel& kernel = plan.kernel(id);
        const auto& [began, ended] = kernels[id.index()];
        const Micros begin = std::max(began, lane_reached);
        lane_reached = std::max(ended, begin);
        trace.kernels.push_back({kernel.name, id, kernel.lane, s, begin, lane_reached});
        stage.begin = std::exchange(first, false) ? begin : std::min(stage.begin, begin);
        stage.end = std::max(stage.end, lane_reached);
      }
    }
    reached = stage.end;
    trace.stages.push_back(stage);
  }
  std::ranges::stable_sort(trace.kernels, {}, &KernelSpan::begin);
  trace.duration = std::max(duration, reached);
  trace.counters.push_back(kernels_in_flight(trace));
  return trace;
}

}  // namespace iosx::gpu
