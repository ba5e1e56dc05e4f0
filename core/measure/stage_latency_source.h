#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/function_ref.h"
#include "core/cost/latency_source.h"
#include "core/plan/stage_planner.h"

namespace iosx {

// Asks once for every stage key, however often a search names the stage. Where the answers come from is its heirs'
// part. The graph must outlive it.
class StageLatencySource : public LatencySource {
 public:
  StageLatencySource(const Graph& graph, std::int64_t batch, const LowerOptions& wishes)
      : planner_(graph, batch, wishes) {}
  StageLatencySource(const StageLatencySource&) = delete;
  StageLatencySource& operator=(const StageLatencySource&) = delete;

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override;
  void start_tally() override;
  StageTally tally() const override { return tally_; }

  // Measures stages once more and answers with that from now on. Who takes the least sum of many noisy latencies takes
  // those that happened to be low; measured anew they are what they are. Only what was measured since this was made,
  // and not anew yet: what was recalled, or is deterministic, stays. Not in the tally. On a stop the rest stays as it
  // was.
  Result<void> measure_anew(std::span<const Stage> stages, const JobContext& job);

  // How many stages it answered for, ever, and how many of these spread over more than `spread` of their median.
  struct Noise {
    std::int64_t known = 0;
    std::int64_t noisy = 0;
  };
  Noise noise(double spread) const;

  // What makes its plans: runs of a schedule that it judged come from here too.
  StagePlanner& planner() { return planner_; }

 protected:
  using Asked = std::span<const StagePlanner::Canonical>;
  // What is kept of these stages, none of which was answered before, in order; nothing is measured for it.
  virtual std::vector<std::optional<Latency>> recall(Asked stages) = 0;
  // Tells of what recall() did not know: calls `take` with the latencies of a run of these stages after another, from
  // the first on. On a stop request it ends early.
  using Take = FunctionRef<void(std::span<const Latency>)>;
  virtual Result<void> measure(Asked stages, const JobContext& job, Take take) = 0;

 private:
  struct Answer {
    std::optional<Latency> latency;  // empty only while being asked for
    std::int64_t tallied = 0;        // the number of the last tally that it counts in
    bool may_be_lucky = false;       // measured once: a search may have chosen it for its noise
  };
  // Adds the latencies of the stages, a prefix where a stop or an error came between.
  Result<void> answer(std::span<const Stage> stages, const JobContext& job, std::vector<Latency>& latencies);

  StagePlanner planner_;
  std::int64_t tally_number_ = 1;
  StageTally tally_;
  std::unordered_map<StageKey, Answer> known_;
};

}  // namespace iosx
