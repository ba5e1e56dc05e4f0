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
// Deterministic: the same answers, the same result.
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
