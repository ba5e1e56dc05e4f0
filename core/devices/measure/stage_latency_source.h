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

// Requests the latency of every stage key once, however often a search names the stage. Derived classes provide
// the latencies. The graph must outlive it.
class StageLatencySource : public LatencySource {
 public:
  StageLatencySource(const Graph& graph, std::int64_t batch, const LowerOptions& wishes)
      : planner_(graph, batch, wishes) {}
  ~StageLatencySource() override = default;
  StageLatencySource(const StageLatencySource&) = delete;
  StageLatencySource& operator=(const StageLatencySource&) = delete;

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override;
  // Measures quick estimates again: the least sum of many noisy latencies picks those that happened to be low, and a
  // second measurement corrects that. They count in the tally only if nothing was known.
  Result<std::vector<Latency>> refined_latencies(std::span<const Stage> stages, const JobContext& job) override;
  Result<std::vector<std::optional<Latency>>> known_latencies(std::span<const Stage> stages) override;
  // The key joins the words with the structure of every unit of the graph.
  std::optional<std::int64_t> searched_before(std::string_view words) override;
  void note_searched(std::string_view words, std::int64_t stages) override;
  void start_tally() override;
  StageTally tally() const override { return tally_; }
  // Returns how many quick estimates were measured again, in total.
  std::int64_t refined() const { return refined_; }

  // How many stages have refined latencies, and how many of these spread over more than `spread` of their median.
  struct Noise {
    std::int64_t known = 0;
    std::int64_t noisy = 0;
  };
  Noise noise(double spread) const;

  // Returns the planner of its plans, for runs of the chosen schedule.
  StagePlanner& planner() { return planner_; }

 protected:
  // Look up and record whether a search came to its end.
  virtual std::optional<std::int64_t> recall_search(const StageKey& /*search*/) { return std::nullopt; }
  virtual void keep_search(const StageKey& /*search*/, std::int64_t /*stages*/) {}
  // Returns in words how thoroughly it measures: a search with less care is another search.
  virtual std::string thoroughness() const { return {}; }

  using Asked = std::span<const StagePlanner::Canonical>;
  struct Known {
    Latency latency;
    bool refined = true;  // false: a quick estimate
  };
  // Returns the kept latencies of these stages, which were not requested before, in order. Measures nothing.
  virtual std::vector<std::optional<Known>> recall(Asked stages) = 0;
  enum class Look { kQuick, kThorough };
  // Provides the latencies that recall() did not know or not well: calls `take` with those of consecutive stages,
  // from the first on. Ends early on a stop.
  using Take = FunctionRef<void(std::span<const Latency>)>;
  virtual Result<void> measure(Asked stages, Look look, const JobContext& job, Take take) = 0;

 private:
  struct Answer {
    std::optional<Latency> latency;  // empty only during the request
    bool refined = false;
    std::int64_t tallied = 0;  // number of the last tally that includes it
  };
  Result<std::vector<Latency>> answer_all(std::span<const Stage> stages, Look look, const JobContext& job);
  // Appends the latencies of the stages; a prefix where a stop or an error came between.
  Result<void> answer(std::span<const Stage> stages, Look look, const JobContext& job, std::vector<Latency>& latencies);

  StageKey search_key(std::string_view words);

  StagePlanner planner_;
  std::unordered_map<StageKey, std::int64_t> searched_;
  std::unordered_set<StageKey> nowhere_;  // unknown to recall()
  std::int64_t tally_number_ = 1;
  StageTally tally_;
  std::int64_t refined_ = 0;
  std::unordered_map<StageKey, Answer> known_;
};

// Returns which of these latencies of a schedule's stages is left out (Latency::left_out()); empty: none. Only
// latencies without one may be summed.
Message left_out_among(std::span<const Latency> latencies, const std::string& schedule);

}  // namespace iosx
