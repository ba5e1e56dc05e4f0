#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/devices/device.h"
#include "core/devices/measure/stage_latency_source.h"

namespace iosx {

// Latencies of stages by what they compute, of one device and batch: what was asked for one version of a graph serves
// the next one.
using StageMemory = std::unordered_map<StageKey, Latency>;

// Asks the memory, then a device that always answers the same, and remembers that. All must outlive it.
class RememberingSource final : public StageLatencySource {
 public:
  RememberingSource(const Graph& graph, Device& device, std::int64_t batch, StageMemory& memory);

  InterStageOverhead overhead() const override { return device_.info().overhead; }

 private:
  std::vector<std::optional<Known>> recall(Asked stages) override;
  Result<void> measure(Asked stages, Look look, const JobContext& job, Take take) override;

  Device& device_;
  StageMemory& memory_;
};

}  // namespace iosx
