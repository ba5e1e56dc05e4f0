#include "core/analysis/live/remembering_source.h"

#include <algorithm>

namespace iosx {

RememberingSource::RememberingSource(const Graph& graph, Device& device, std::int64_t batch, StageMemory& memory)
    : StageLatencySource(graph, batch, device.info().lowering), device_(device), memory_(memory) {}

std::vector<std::optional<StageLatencySource::Known>> RememberingSource::recall(Asked stages) {
  std::vector<std::optional<Known>> latencies(stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto known = memory_.find(stages[i].key);
    if (known != memory_.end()) latencies[i] = Known{known->second};
  }
  return latencies;
}

Result<void> RememberingSource::measure(Asked stages, Look /*look*/, const JobContext& job, Take take) {
  const std::size_t at_once = std::max<std::size_t>(device_.info().plans_at_once, 1);
  for (std::size_t done = 0; done < stages.size() && !job.stopped();) {
    const Asked some = stages.subspan(done, std::min(at_once, stages.size() - done));
    IOS_TRY(const auto measured, device_.measure(planner().plans(some), {}, job));
    for (std::size_t i = 0; i < measured.size(); ++i) memory_.insert_or_assign(some[i].key, measured[i]);
    take(measured);
    done += measured.size();
    if (measured.size() < some.size()) break;
  }
  return {};
}

}  // namespace iosx
