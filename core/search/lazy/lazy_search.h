#pragma once

#include <cstddef>
#include <memory>

#include "core/search/search.h"
#include "core/search/state_space.h"

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
  // All must outlive it. The budget applies to each part.
  LazySearch(const Graph& graph, LatencySource& latencies, const SearchOptions& options, const JobContext& job,
             const SearchWatch& watch = {}, const SpaceBudget& budget = {});
  ~LazySearch();
  LazySearch(const LazySearch&) = delete;
  LazySearch& operator=(const LazySearch&) = delete;

  // Lists the candidates; run() calls it too. Returns false if stopped. Errors: a part that is too large.
  Result<bool> enumerate();
  std::size_t candidates() const;

  // Errors: those of enumerate(), and the source's.
  Result<SearchResult> run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace iosx
