#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/search/search.h"
#include "core/search/stage_candidates.h"
#include "core/search/state_space.h"

namespace iosx {

// One part, enumerated: all that an algorithm needs but latencies.
struct PartProblem {
  PartGraph part;
  StateSpace space;
  std::vector<StageCandidate> candidates;
};

// One way to run a part.
struct PartPath {
  std::vector<Stage> stages;  // in the order in which they run
  Millis cost{0};             // of the stages, and of the overhead before each of them
};

// Holds what an algorithm found for a part. What its first stage costs depends on the stage before the part, and what
// comes after the part depends on its last stage, so there is a path for each.
struct PartSolution {
  using ByLast = std::array<std::optional<PartPath>, 2>;  // by StageWidth of the last stage
  ByLast at_start;                                        // nothing runs before the part
  std::array<ByLast, 2> after;                            // by StageWidth of the stage before the part
  bool complete = false;  // false: stopped before every stage that matters had a latency
  bool knew_all = true;   // see SearchResult

  const ByLast& paths(std::optional<StageWidth> before) const {
    return before ? after[static_cast<std::size_t>(*before)] : at_start;
  }
};

// Decides which stages get a latency, and solves. Stateless; the enumeration before it and the schedule after it are
// the same for every algorithm.
class SearchAlgorithm {
 public:
  virtual ~SearchAlgorithm() = default;

  // Reports the stages of this part that have a latency. The error is the latency source's.
  virtual Result<PartSolution> solve(const PartProblem& problem, LatencySource& latencies,
                                     const JobContext& job) const = 0;
};

// Asks for the latency of every candidate once, in coarse batches, the smaller endings first.
class ExhaustiveSearch final : public SearchAlgorithm {
 public:
  Result<PartSolution> solve(const PartProblem& problem, LatencySource& latencies,
                             const JobContext& job) const override;
};

// search() with any algorithm. The budget is that of each part.
Result<SearchResult> search_with(const SearchAlgorithm& algorithm, const Graph& graph, LatencySource& latencies,
                                 const SearchOptions& options, const JobContext& job, const SpaceBudget& budget = {});

}  // namespace iosx
