#pragma once

#include "core/search/lazy/certificates.h"
#include "core/search/lazy/lazy_progress.h"
#include "core/search/lazy/lazy_state.h"
#include "core/search/lazy/windows.h"

namespace iosx {

// The gap between what was found and what any schedule costs at least: closes it where SearchEffort::epsilon asks for
// that, and certifies in the end how large it is.
class Gap {
 public:
  // All must outlive it.
  Gap(LazyState& state, Certificates& certificates, LazyProgress& progress)
      : state_(state), certificates_(certificates), progress_(progress) {}

  // Whether nothing is left to close: there is no epsilon, the gap is within it, or all that the cheapest conceivable
  // schedule holds was measured. A graph with cut parts has nothing to close: measuring does not raise a longest path.
  bool is_closed();
  // Measures what the cheapest conceivable schedule holds until the gap is closed. A stop ends it early. The error is
  // the source's.
  Result<void> close();

  // The state's report with bounds, gaps and tasks as they are in the end; told to whoever watches.
  LazyReport certify(const SearchResult& found, const CutParts& cut);

 private:
  LazyState& state_;
  Certificates& certificates_;
  LazyProgress& progress_;
};

}  // namespace iosx
