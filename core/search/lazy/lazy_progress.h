#pragma once

#include <functional>
#include <vector>

#include "core/search/lazy/certificates.h"
#include "core/search/lazy/lazy_state.h"

namespace iosx {

// Records a lazy search's progress in the state's report and notifies the watch. Bound and tasks take time, so they
// are updated only as often as that costs a small share of the search's time.
class LazyProgress {
 public:
  // State and certificates must outlive it; the watch may be empty. `best_schedule` makes the best schedule from known
  // stages.
  LazyProgress(LazyState& state, Certificates& certificates, SearchWatch watch, std::function<Schedule()> best_schedule)
      : state_(state),
        certificates_(certificates),
        watch_(std::move(watch)),
        best_schedule_(std::move(best_schedule)) {}

  // Computes the cost of the best schedule of measured stages; records and reports it where it is the first or
  // improves.
  void note_best();
  // Discards the recorded best schedule and takes the current one.
  void note_best_anew();
  void tell(const Schedule* better = nullptr) const;
  // Reports the end of the search with its final bound and the report's tasks.
  void tell_end(Millis found, Millis bound);

  // Returns the parts with their current costs.
  std::vector<SearchTask> tasks();
  // Returns by part of the state, in ms, how much of the run may be gained there; while that is unknown, the time
  // of its units.
  std::vector<double> worth() const;

 private:
  SearchMoment now() const;
  bool look_closer();  // true: it had time

  LazyState& state_;
  Certificates& certificates_;
  const SearchWatch watch_;
  const std::function<Schedule()> best_schedule_;
  Seconds looking_{0};  // spent on look_closer()
};

// Reports progress, then requests the latencies of these stages, from which all parts learn. Returns false if stopped
// before the end. Errors are the source's.
Result<bool> measure(LazyState& state, const LazyProgress& progress, std::vector<LazyState::Wanted> wanted);

}  // namespace iosx
