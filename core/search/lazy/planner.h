#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/search/lazy/lazy_progress.h"
#include "core/search/lazy/lazy_state.h"

namespace iosx {

// Plans with one doubt. A plan is the cheapest path of every part where a measured stage costs its latency and any
// other one what is predicted of it, less the doubt (0.02 is 2 %): the more it doubts, the more stages it asks for. The
// stages of the plan that nobody measured are measured, which teaches the predictions, and it plans again.
class Planner {
 public:
  // State and progress must outlive it.
  Planner(LazyState& state, LazyProgress& progress, double doubt);

  // Goes on until a plan holds nothing new, or what it measures no longer brings anything. A stop ends it early. The
  // error is the source's.
  Result<void> plan();
  // Measures one plan with predictions that are off by their usual error, at random but the same for every seed.
  Result<void> attempt(std::uint64_t seed);

 private:
  // How planning a part goes on.
  struct Course {
    double best;                          // ms, of the plans that were measured
    std::size_t since = 0;                // stages measured since a plan was better by kGain
    std::uint64_t finished;               // LazyPart::version() for which a plan held nothing new, 0: none
    InterStageOverhead::ByWidth first{};  // the overhead before the part then
  };
  bool is_finished(std::size_t p) const;
  std::vector<LazyState::Wanted> unknown_on(const LazyState::Paths& paths);
  // Takes note of what the part's plan brought, after measuring.
  void note_cost(std::size_t p, const LazyPart::Path& path);

  LazyState& state_;
  LazyProgress& progress_;
  const double doubt_;
  std::vector<Course> courses_;  // by part of the state
};

}  // namespace iosx
