#pragma once

#include <functional>
#include <vector>

#include "core/search/lazy/certificates.h"
#include "core/search/lazy/lazy_state.h"

namespace iosx {

// Notes how far a lazy search has come, in the state's report, and tells whoever watches. Bound and tasks, which take
// time, are worked out again as often as that takes a small share of the search's time.
class LazyProgress {
 public:
  // State and certificates must outlive it; the watch may be empty. `best_schedule` makes the best schedule of what is
  // known.
  LazyProgress(LazyState& state, Certificates& certificates, SearchWatch watch, std::function<Schedule()> best_schedule)
      : state_(state),
        certificates_(certificates),
        watch_(std::move(watch)),
        best_schedule_(std::move(best_schedule)) {}

  // Works out what the best schedule of measured stages costs; if that is less than before, or the first, it is noted
  // and told.
  void note_best();
  // What was believed of the best schedule no longer holds: what is there now is the best.
  void note_best_anew();
  void tell(const Schedule* better = nullptr) const;
  // The search's last moment, with the bound that it ends with and the tasks of the report.
  void tell_end(Millis found, Millis bound);

  // The parts with their costs as they are now.
  std::vector<SearchTask> tasks();
  // By part of the state, in ms: how much of the run may be gained there, or what its units take as long as nobody
  // knows that.
  std::vector<double> worth() const;

 private:
  SearchMoment now() const;
  bool look_closer();  // true: there was time for it

  LazyState& state_;
  Certificates& certificates_;
  const SearchWatch watch_;
  const std::function<Schedule()> best_schedule_;
  Seconds looking_{0};  // spent on look_closer()
};

// Says how far the search is, then asks for the latencies of these stages, which all parts learn from. False: stopped
// before the end. The error is the source's.
Result<bool> measure(LazyState& state, const LazyProgress& progress, std::vector<LazyState::Wanted> wanted);

}  // namespace iosx
