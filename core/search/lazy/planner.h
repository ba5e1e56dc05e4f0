#pragma once

#include "core/search/lazy/lazy_state.h"

namespace iosx {

// Plans with one optimism discount. A plan is the cheapest path of every part, where a measured stage costs its latency
// and any other its prediction less the discount (0.02 is 2 %): a larger discount requests more stages. Unmeasured
// stages of the plan are measured, the predictions learn from them, and it plans again.
class Planner {
 public:
  // State and progress must outlive it.
  Planner(LazyState& state, LazyProgress& progress, double discount);

  // Goes on until a plan has nothing new, or its measurements stop helping. A stop ends it early. Errors are the
  // source's.
  Result<void> plan();
  // Measures one plan with random prediction errors of the usual size, the same for a given seed.
  Result<void> attempt(std::uint64_t seed);

 private:
  // How far the planning of a part is.
  struct Course {
    double best;                          // ms, over the measured plans
    std::size_t since = 0;                // stages measured since a plan improved by kGain
    std::uint64_t finished;               // LazyPart::version() for which a plan had nothing new; 0: none
    InterStageOverhead::ByWidth first{};  // the overhead before the part at that time
  };
  bool is_finished(std::size_t p) const;
  std::vector<LazyState::Wanted> unknown_on(const LazyState::Paths& paths);
  // Records the cost of the part's plan after measuring.
  void note_cost(std::size_t p, const LazyPart::Path& path);

  LazyState& state_;
  LazyProgress& progress_;
  const double discount_;
  std::vector<Course> courses_;  // by part of the state
};

}  // namespace iosx
