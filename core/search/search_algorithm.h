#pragma once

#include <cstdint>
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

// What an algorithm found for a part.
struct PartSolution {
  std::vector<Stage> stages;  // in the order in which they run; empty: nothing was found before the stop
  Millis cost{0};
  bool complete = false;  // false: stopped before every stage that matters had a latency
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
