#pragma once

#include <vector>

#include "core/search/lazy/lazy_progress.h"
#include "core/search/lazy/lazy_state.h"

namespace iosx {

// Candidates that nobody measured and that would make the path cheaper, were they `hope` of what is expected: those of
// a path with two neighbouring stages joined, one split in two, or one unit moved to the stage beside it.
std::vector<LazyPart::Candidate> promising_changes(const LazyPart& part, const LazyPart::Path& path,
                                                   const InterStageOverhead& overhead, double hope);

// Tries small changes of every part's best schedule, as long as one helps. `hope`, of predictions, is what the stages
// of a change may cost for it to be tried: the less, the more is tried.
class Polisher {
 public:
  // State and progress must outlive it.
  Polisher(LazyState& state, LazyProgress& progress) : state_(state), progress_(progress) {}

  // Measures promising_changes() until there are none. A stop ends it early. The error is the source's.
  Result<void> polish(double hope);

 private:
  LazyState& state_;
  LazyProgress& progress_;
};

}  // namespace iosx
