#pragma once

#include "core/search/lazy/lazy_state.h"
#include "core/search/lazy/polish.h"

namespace iosx {

// Finds a schedule with few measurements. It plans with known and predicted latencies, measures the unmeasured stages
// of the plan, learns from them, and plans again until a plan has nothing new. Then it polishes the result with
// optimistic predictions. All parts learn from one another, and isomorphic parts are one.
//
// Example: a diamond, unit 0 before 1 and 2, these before 3, where a stage takes 1 ms per unit of its longest
// group. Groups of at most three units give 11 stages. The search requests 6 of them:
//
//   asked for        learned
//   0, 1, 2, 3       units by themselves: 4 ms, one after another
//   1 beside 2       the first plan has it: 0, then 1 beside 2, then 3 take 3 ms
//   0, 1 and 2       in one group: 3 ms, no better
//
// It ends at 3 ms. The bound, made from the units' times, says that nothing takes less: a gap of 0.
//
// It is deterministic: equal latencies lead to equal results.
class LazySearch {
 public:
  // All must outlive it.
  LazySearch(const Graph& graph, LatencySource& latencies, const SearchOptions& options, const JobContext& job,
             const SearchWatch& watch = {}, const SpaceBudget& budget = {});
  LazySearch(const LazySearch&) = delete;
  LazySearch& operator=(const LazySearch&) = delete;

  // Lists the candidates; run() calls it too. Returns false if stopped. Errors: a part that is too large.
  Result<bool> enumerate();
  std::size_t candidates() const;

  // Errors: those of enumerate(), and the source's.
  Result<SearchResult> run();

 private:
  Result<void> search();
  // Goes on until nothing new is found among the stages that there are.
  Result<void> search_space();
  Result<void> plan_and_polish();
  Result<void> refine();
  // Returns the best schedule of what is known; parts of which nothing is known run sequentially.
  SearchResult result();

  LazyState state_;
  Certificates certificates_{state_.knowledge, state_.parts};
  LazyProgress progress_;
  Polisher polisher_{state_, progress_};
  Gap gap_{state_, certificates_, progress_};
};

}  // namespace iosx
