#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/function_ref.h"
#include "core/model/cost/latency_source.h"
#include "core/model/plan/stage_planner.h"

namespace iosx {

// Asks once for every stage key, however often a search names the stage. Where the answers come from is its heirs'
// part. The graph must outlive it.
class StageLatencySource : public LatencySource {
 public:
  StageLatencySource(const Graph& graph, std::int64_t batch, const LowerOptions& wishes)
      : planner_(graph, batch, wishes) {}
  ~StageLatencySource() override = default;
  StageLatencySource(const StageLatencySource&) = delete;
  StageLatencySource& operator=(const StageLatencySource&) = delete;

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override;
  // What was a quick estimate is measured anew: who takes the least sum of many noisy latencies takes those that
  // happened to be low, and measured once more they are what they are. They do not count in the tally unless nothing
  // was known.
  Result<std::vector<Latency>> refined_latencies(std::span<const Stage> stages, const JobContext& job) override;
  Result<std::vector<std::optional<Latency>>> known_latencies(std::span<const Stage> stages) override;
  // The words are taken together with the structure of every unit of the graph.
  std::optional<std::int64_t> searched_before(std::string_view words) override;
  void note_searched(std::string_view words, std::int64_t stages) override;
  void start_tally() override;
  StageTally tally() const override { return tally_; }
  // Counts the quick estimates that were measured anew, ever.
  std::int64_t refined() const { return refined_; }

  // Counts the stages whose refined latencies it has, and those of them that spread over more than `spread` of their
  // median.
  struct Noise {
    std::int64_t known = 0;
    std::int64_t noisy = 0;
  };
  Noise noise(double spread) const;

  // Returns what makes its plans: runs of a schedule that it judged come from here too.
  StagePlanner& planner() { return planner_; }

 protected:
  // These answer whether a search is written down as ended, and write it down.
  virtual std::optional<std::int64_t> recall_search(const StageKey& /*search*/) { return std::nullopt; }
  virtual void keep_search(const StageKey& /*search*/, std::int64_t /*stages*/) {}
  // Says how thoroughly it measures, in words: a search that trusted less is another one.
  virtual std::string thoroughness() const { return {}; }

  using Asked = std::span<const StagePlanner::Canonical>;
  struct Known {
    Latency latency;
    bool refined = true;  // false: a quick estimate
  };
  // Returns what is kept of these stages, none of which was answered before, in order; nothing is measured for it.
  virtual std::vector<std::optional<Known>> recall(Asked stages) = 0;
  enum class Look { kQuick, kThorough };
  // Tells of what recall() did not know, or not well: calls `take` with the latencies of a run of these stages after
  // another, from the first on. On a stop request it ends early.
  using Take = FunctionRef<void(std::span<const Latency>)>;
  virtual Result<void> measure(Asked stages, Look look, const JobContext& job, Take take) = 0;

 private:
  struct Answer {
    std::optional<Latency> latency;  // empty only while being asked for
    bool refined = false;
    std::int64_t tallied = 0;  // the number of the last tally that it counts in
  };
  Result<std::vector<Latency>> answer_all(std::span<const Stage> stages, Look look, const JobContext& job);
  // Adds the latencies of the stages, a prefix where a stop or an error came between.
  Result<void> answer(std::span<const Stage> stages, Look look, const JobContext& job, std::vector<Latency>& latencies);

  StageKey search_key(std::string_view words);

  StagePlanner planner_;
  std::unordered_map<StageKey, std::int64_t> searched_;
  std::unordered_set<StageKey> nowhere_;  // what recall() did not know
  std::int64_t tally_number_ = 1;
  StageTally tally_;
  std::int64_t refined_ = 0;
  std::unordered_map<StageKey, Answer> known_;
};

// Says which of these latencies, of a schedule's stages, is left out (Latency::left_out()); empty: none. Sums are of
// those alone that are not.
Message left_out_among(std::span<const Latency> latencies, const std::string& schedule);

}  // namespace iosx
