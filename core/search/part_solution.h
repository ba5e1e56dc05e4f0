#pragma once

#include <stop_token>

#include "core/base/function_ref.h"
#include "core/search/search.h"
#include "core/search/solver.h"
#include "core/search/stage_candidates.h"
#include "core/search/state_space.h"

namespace iosx {

// One enumerated part: all that an algorithm needs except latencies.
struct PartProblem {
  PartGraph part;
  StateSpace space;
  std::vector<StageCandidate> candidates;
};

// One schedule of a part.
struct PartPath {
  std::vector<Stage> stages;  // in execution order
  Millis cost{0};             // stages and the overhead before each
};

// An algorithm's result for a part. The cost of its first stage depends on the stage before the part, and the cost
// after it on its last stage, so there is a path for each.
struct PartSolution {
  using ByLast = std::array<std::optional<PartPath>, 2>;  // by StageWidth of the last stage
  ByLast at_start;                                        // for a part at the start of the run
  std::array<ByLast, 2> after;                            // by StageWidth of the stage before the part
  bool complete = false;                                  // false: stopped before every relevant stage had a latency
  bool knew_all = true;                                   // as in SearchResult

  const ByLast& paths(std::optional<StageWidth> before) const {
    return before ? after[static_cast<std::size_t>(*before)] : at_start;
  }
};

// Returns the cheapest paths of a part, for any neighbouring parts. `stage` is the fastest of an ending in that width.
PartSolution cheapest_paths(const StateSpace& space, std::span<const LatencyByWidth> latency,
                            const InterStageOverhead& overhead, FunctionRef<Stage(const SolvedStage&)> stage);
// Visits the endings on these paths, some more than once.
void visit_cheapest_paths(const StateSpace& space, std::span<const LatencyByWidth> latency,
                          const InterStageOverhead& overhead, FunctionRef<void(const SolvedStage&)> visit);

// Requests the latency of every candidate once, in coarse batches, smaller endings first, and solves. Reports the
// stages of this part with a latency. Errors are the latency source's.
Result<PartSolution> solve_exhaustively(const PartProblem& problem, LatencySource& latencies, const JobContext& job);

// Runs search() exhaustively. The budget applies to each part.
Result<SearchResult> search_exhaustively(const Graph& graph, LatencySource& latencies, const SearchOptions& options,
                                         const JobContext& job, const SpaceBudget& budget = {});

// Returns a part's search space and candidates; none after a stop. Returns an error where they exceed the budget.
Result<std::optional<PartProblem>> enumerate_part(const Graph& graph, const Part& part, const SearchOptions& options,
                                                  const SpaceBudget& budget, const std::stop_token& stop);

// Returns the error for a part that is too large, with a remedy.
Error too_large(const Part& part, Message what);

// Combines the parts' solutions: one path per part, with the least sum. The cost of a part's first stage depends on the
// last stage of the part before.
class PartChain {
 public:
  static bool usable(const PartSolution& solution);

  void add(PartSolution solution);
  // Adds an unsolved part: one stage of one group, of unknown cost.
  void add_sequential(const Part& part);

  // Sets the schedule, the parts' costs and their sum.
  void choose(SearchResult& result) const;

 private:
  // The cheapest path to the end of a part, for one width of its last stage.
  struct Reached {
    bool reachable = false;
    Millis cost{0};
    std::size_t stages = 0;
    std::size_t before = 0;  // width of the last stage of the previous part
  };
  using Front = std::array<Reached, 2>;  // by width
  struct Link {
    PartSolution solution;
    Front reached;
  };
  static bool better(const Reached& a, const Reached& b);

  std::vector<Link> links_;  // by part
  Front front_;
};

}  // namespace iosx
