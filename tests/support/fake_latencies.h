#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/model/cost/latency.h"
#include "core/search/solver.h"

namespace iosx::test {

// Answers from a function, and records requests.
class FakeLatencies final : public LatencySource {
 public:
  explicit FakeLatencies(std::function<double(const Stage&)> latency_ms) : latency_ms_(std::move(latency_ms)) {}

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override;
  // Makes a stage's first answer this one; refined and later requests get the function's. First answers
  // spread by this fraction.
  void look_first(std::function<double(const Stage&)> first_ms, double spread = 0) {
    first_ms_ = std::move(first_ms);
    spread_ = spread;
  }
  Result<std::vector<Latency>> refined_latencies(std::span<const Stage> stages, const JobContext& job) override;
  bool estimates_quickly() const override { return static_cast<bool>(first_ms_); }
  bool refined(const Stage& stage) const;
  // Returns the present answer.
  double latency_ms(const Stage& stage) const {
    return first_ms_ && !refined(stage) ? first_ms_(stage) : latency_ms_(stage);
  }

  InterStageOverhead overhead() const override { return overhead_; }
  void set_overhead(const InterStageOverhead& overhead) { overhead_ = overhead; }

  // Every answer counts as a separate structure.
  void start_tally() override { tallied_ = asked_.size(); }
  StageTally tally() const override {
    const auto since = static_cast<std::int64_t>(asked_.size() - tallied_);
    return {since, since};
  }

  // Requests a stop after this many answers.
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
  std::function<double(const Stage&)> first_ms_;
  double spread_ = 0;
  std::vector<Stage> refined_;
  std::optional<Stop> stop_;
  std::optional<std::size_t> fail_after_;
  std::vector<Stage> asked_;
  std::int64_t requests_ = 0;
  std::size_t tallied_ = 0;  // answers before the tally
  InterStageOverhead overhead_;
};

// Returns an arbitrary latency, always the same for a stage, with groups in any order.
double arbitrary_latency(const Stage& stage);

// Calls solve() with one latency per ending, for any width, without overhead.
std::optional<Solution> solve_isomorphic(const StateSpace& space, std::span<const Millis> latencies);

}  // namespace iosx::test
