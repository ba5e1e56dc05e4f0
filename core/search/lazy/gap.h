#pragma once

#include "core/search/lazy/certificates.h"
#include "core/search/lazy/lazy_progress.h"
#include "core/search/lazy/lazy_state.h"
#include "core/search/lazy/windows.h"

namespace iosx {

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
