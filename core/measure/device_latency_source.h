#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/cost/latency_source.h"
#include "core/device/device.h"

namespace iosx {

// Asks a device, once for every stage structure (stage_signature). The graph and the device must outlive it.
class DeviceLatencySource final : public LatencySource {
 public:
  DeviceLatencySource(const Graph& graph, Device& device, std::int64_t batch);

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override;
  std::int64_t measurements() const override { return measurements_; }

 private:
  const Graph& graph_;
  Device& device_;
  std::int64_t batch_;
  std::int64_t measurements_ = 0;
  std::unordered_map<std::string, Latency> known_;  // by signature
};

}  // namespace iosx
