#pragma once

#include "core/search/lazy/certificates.h"
#include "core/search/lazy/lazy_state.h"
#include "core/search/lazy/windows.h"

namespace iosx {

// Returns unmeasured candidates that would make the path cheaper at `hope` of their expected latency: joining two
// neighbouring stages, splitting one, or moving one unit to a neighbouring stage.
std::vector<LazyPart::Candidate> promising_changes(const LazyPart& part, const LazyPart::Path& path,
                                                   const InterStageOverhead& overhead, double hope);

// Tries small changes of every part's best schedule while one helps. It tries a change if its stages may cost at most
// `hope` of the prediction: a smaller value tries more.
class Polisher {
 public:
  // State and progress must outlive it.
  Polisher(LazyState& state, LazyProgress& progress) : state_(state), progress_(progress) {}

  // Measures promising_changes() until there are none. A stop ends it early. Errors are the source's.
  Result<void> polish(double hope);

 private:
  LazyState& state_;
  LazyProgress& progress_;
};

// Makes the result depend on refined latencies alone where the source first answers with quick estimates: stages
// chosen for a lucky estimate lose their place, and competing stages hidden by an unlucky one are measured.
class Refiner {
 public:
  // The state must outlive it.
  explicit Refiner(LazyState& state) : state_(state) {}

  // Refines the stages of every cheapest path, then of competing paths, until neither changes. A spent budget ends
  // only the latter; a stop by the user ends both. Errors are the source's.
  Result<void> run();

 private:
  Result<bool> refine(const std::vector<LazyState::Wanted>& wanted);
  std::vector<LazyState::Wanted> rivals();
  void apply(const LazyState::Wanted& wanted, double ms);

  LazyState& state_;
};

// Closes the gap between the result and the lower bound of all schedules, where SearchEffort::epsilon asks for that,
// and certifies the final gap.
class Gap {
 public:
  // All must outlive it.
  Gap(LazyState& state, Certificates& certificates, LazyProgress& progress)
      : state_(state), certificates_(certificates), progress_(progress) {}

  // Returns whether nothing is left to close: no epsilon, a gap within it, or a cheapest conceivable schedule that is
  // fully measured. A graph with cut parts has nothing to close: measuring does not raise a longest path.
  bool is_closed();
  // Measures the stages of the cheapest conceivable schedule until the gap is closed. A stop ends it early. Errors
  // are the source's.
  Result<void> close();

  // Returns the state's report with the final bounds, gaps and tasks, and reports it to the watch.
  LazyReport certify(const SearchResult& found, const CutParts& cut);

 private:
  LazyState& state_;
  Certificates& certificates_;
  LazyProgress& progress_;
};

}  // namespace iosx
