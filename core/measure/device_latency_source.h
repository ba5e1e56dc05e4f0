#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cost/latency_source.h"
#include "core/cost/signature.h"
#include "core/device/device.h"

namespace iosx {

// Asks a device, once for every stage structure (stage_signature), always with the groups in canonical order, so that
// a latency does not depend on what was asked before. The graph and the device must outlive it.
class DeviceLatencySource final : public LatencySource {
 public:
  DeviceLatencySource(const Graph& graph, Device& device, std::int64_t batch, const TimingOptions& timing = {});
  DeviceLatencySource(const DeviceLatencySource&) = delete;
  DeviceLatencySource& operator=(const DeviceLatencySource&) = delete;

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override;
  // How to time what is not known yet; what is known stays.
  void set_timing(const TimingOptions& timing) { timing_ = timing; }
  std::int64_t measurements() const override { return measurements_; }
  void start_tally() override;
  StageTally tally() const override { return tally_; }

 private:
  struct Answer {
    std::optional<Latency> latency;  // empty only while being measured
    std::int64_t tallied = 0;        // the number of the last tally that it counts in
  };
  using Known = std::map<std::string, Answer>;  // by signature
  // Adds the latencies of the stages, a prefix where a stop or an error came between.
  Result<void> answer(std::span<const Stage> stages, const JobContext& job, std::vector<Latency>& latencies);

  const Graph& graph_;
  Device& device_;
  ConcatPlaces places_;  // as the device wants them
  SignatureOptions structure_;
  std::int64_t batch_;
  TimingOptions timing_;
  std::int64_t measurements_ = 0;
  std::int64_t tally_number_ = 1;
  StageTally tally_;
  Known known_;
};

}  // namespace iosx
