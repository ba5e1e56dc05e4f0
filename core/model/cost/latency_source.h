#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/model/cost/inter_stage_overhead.h"
#include "core/model/cost/latency.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Distinct stage structures, however often each was asked for.
struct StageTally {
  std::int64_t needed = 0;
  std::int64_t measured = 0;                                 // of these, the ones that nobody knew before
  std::int64_t reused() const { return needed - measured; }  // the others: asked before, or kept in a store
  friend bool operator==(const StageTally&, const StageTally&) = default;
};

// Answers what a search asks: how long do these stages take, each on its own? Bound to one graph, device and batch
// size by whoever makes it.
class LatencySource {
 public:
  virtual ~LatencySource() = default;

  // One latency a stage, in order. On a stop request it returns the answers it has, a prefix. The error is the
  // device's. Where measuring takes time this may be a quick estimate: few samples, because most of what a search asks
  // for does not matter.
  virtual Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) = 0;
  // The same, measured with all the care that was asked for: for the stages that a choice rests on. From now on
  // stage_latencies() answers so too.
  virtual Result<std::vector<Latency>> refined_latencies(std::span<const Stage> stages, const JobContext& job) {
    return stage_latencies(stages, job);
  }
  // Whether refined_latencies() may differ from stage_latencies().
  virtual bool estimates_quickly() const { return false; }

  // Whether it can find out what nobody knows yet. If not, to ask for that is an error, and known_latencies() says what
  // is there.
  virtual bool measures() const { return true; }
  // Returns what is known of each stage without measuring anything.
  virtual Result<std::vector<std::optional<Latency>>> known_latencies(std::span<const Stage> stages) {
    return std::vector<std::optional<Latency>>(stages.size());
  }

  // Returns what a model guesses that each stage takes, in ms, without anything being measured: as good as what it was
  // learned from, so that a search measures what it chooses all the same. Empty where there is no such model.
  virtual std::vector<double> guesses(std::span<const Stage> /*stages*/) { return {}; }

  // Whether a search of these words, which say what is searched and how, came to its end before, and how many stages it
  // knew then: if they are still known there is nothing more to ask for. Devices, batches and how thoroughly is
  // measured are the source's own matter.
  virtual std::optional<std::int64_t> searched_before(std::string_view /*words*/) { return std::nullopt; }
  virtual void note_searched(std::string_view /*words*/, std::int64_t /*stages*/) {}

  // Returns what a run adds between stages.
  virtual InterStageOverhead overhead() const = 0;

  // Counts what was answered since start_tally(), or since the source was made.
  virtual void start_tally() = 0;
  virtual StageTally tally() const = 0;
};

}  // namespace iosx
