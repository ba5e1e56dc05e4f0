#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/search_watcher.h"

namespace iosx {

// Names what a search has spent when it has found something: stages asked for, or seconds.
enum class SearchEffortAxis { kStages, kSeconds };
double effort(const SearchMoment& moment, SearchEffortAxis axis);

// Tells how one search came to its schedule.
struct SearchCurve {
  QString id;     // of its schedule
  QString title;  // for people
  ScheduleKind schedule_kind = ScheduleKind::kIosBoth;
  bool running = false;
  bool exhaustive = false;  // asked for every stage and found the best at its end: one moment
  // Neither elapsed nor needed ever falls; a best that is 0 (none yet) has no moment.
  std::vector<SearchMoment> moments = {};

  Millis best() const { return moments.back().best; }
  // Returns the last bound that was worked out; 0: none.
  Millis bound() const;
};

// Holds the searches of a comparison and those of the running job, to be drawn in one plot.
struct Convergence {
  QString context;   // network, device, batch
  QString recorded;  // Comparison::recorded
  Origin origin = Origin::kSimulated;
  std::vector<SearchCurve> curves = {};  // none without a moment
};

// Either may be null. A running search takes the place of the comparison's of the same schedule kind; where the job's
// network, device or batch are others than the comparison's, only its own are there.
Convergence convergence_of(const Comparison* comparison, const LiveSearches* live);

// Returns one sentence of the search that runs now: "IOS-Both is searching: 412 stages asked for in 3.2 s, best so far
// 14.3 ms, certified bound 12.1 ms." It must have told something already.
QString running_sentence(const LiveSearches& live);

}  // namespace iosx
