#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/cost/latency_source.h"

namespace iosx::test {

// Answers from a function; remembers what it was asked.
class FakeLatencies final : public LatencySource {
 public:
  explicit FakeLatencies(std::function<double(const Stage&)> latency_ms) : latency_ms_(std::move(latency_ms)) {}

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override;
  std::int64_t measurements() const override { return static_cast<std::int64_t>(asked_.size()); }

  // Every answer counts as a structure of its own.
  void start_tally() override { tallied_ = measurements(); }
  StageTally tally() const override { return {measurements() - tallied_, measurements() - tallied_}; }

  // Asks for a stop once it has answered this many stages.
  void stop_after(std::size_t answers, std::stop_source stop) { stop_ = Stop{answers, std::move(stop)}; }
  // Fails from this many answers on.
  void fail_after(std::size_t answers) { fail_after_ = answers; }

  const std::vector<Stage>& asked() const { return asked_; }
  std::int64_t requests() const { return requests_; }

 private:
  struct Stop {
    std::size_t answers;
    std::stop_source source;
  };

  std::function<double(const Stage&)> latency_ms_;
  std::optional<Stop> stop_;
  std::optional<std::size_t> fail_after_;
  std::vector<Stage> asked_;
  std::int64_t requests_ = 0;
  std::int64_t tallied_ = 0;  // answers before the tally
};

// A latency that is arbitrary but always the same for a stage, in any order of its groups.
double arbitrary_latency(const Stage& stage);

}  // namespace iosx::test
