#pragma once

#include <cstddef>
#include <memory>

#include "core/search/search.h"
#include "core/search/state_space.h"

namespace iosx {

// Search that measures little: it plans with what is known and what is predicted of the rest, measures the stages of
// the plan that nobody measured yet, learns from them, and plans again until a plan holds nothing new; then it polishes
// what it found, and doubts its predictions. All parts learn from one another, and isomorphic parts are one.
//
// Example: a diamond, unit 0 before 1 and 2, these before 3, where a stage takes 1 ms for each unit of its longest
// group. With groups of at most three units there are 11 stages. The search asks for 6 of them:
//
//   asked for        learned
//   0, 1, 2, 3       units by themselves: 4 ms, one after another
//   1 beside 2       the first plan has it: 0, then 1 beside 2, then 3 take 3 ms
//   0, 1 and 2       in one group: 3 ms, no better
//
// It ends at 3 ms, and the bound, which is made of the units' times, says that nothing takes less: a gap of 0.
//
// It is deterministic: the same answers lead to the same result.
class LazySearch {
 public:
  // All must outlive it. The budget is that of each part.
  LazySearch(const Graph& graph, LatencySource& latencies, const SearchOptions& options, const JobContext& job,
             const SearchWatch& watch = {}, const SpaceBudget& budget = {});
  ~LazySearch();
  LazySearch(const LazySearch&) = delete;
  LazySearch& operator=(const LazySearch&) = delete;

  // Lists the candidates; run() does it too. False: stopped. Errors: a part that is too large.
  Result<bool> enumerate();
  std::size_t candidates() const;

  // Errors: as enumerate(), and the source's.
  Result<SearchResult> run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace iosx
