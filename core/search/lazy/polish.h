#pragma once

#include <vector>

#include "core/search/lazy/lazy_progress.h"
#include "core/search/lazy/lazy_state.h"

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

}  // namespace iosx
