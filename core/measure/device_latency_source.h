#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
  using Known = std::map<std::string, std::optional<Latency>>;  // by signature; empty only while being measured
  // Adds the latencies of the stages, a prefix where a stop or an error came between.
  Result<void> answer(std::span<const Stage> stages, const JobContext& job, std::vector<Latency>& latencies);

  const Graph& graph_;
  Device& device_;
  std::int64_t batch_;
  std::int64_t measurements_ = 0;
  Known known_;
};

}  // namespace iosx
