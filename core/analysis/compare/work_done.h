#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// The share of a run's work that is done over time. A unit weighs its kernel time in the baseline's run, so all runs of
// a network do the same work, and the curve's slope is the pace. A kernel does its work evenly from begin to end.
struct WorkDone {
  struct Point {
    Micros time{0};
    double share = 0;  // 0 to 1
  };
  // From nothing at 0 to everything at the end of the run, straight in between; neither time nor share decreases.
  std::vector<Point> points;

  double at(Micros time) const;        // 0 before the run, 1 after it
  Micros reached(double share) const;  // when it was first that much
};

// `counterpart` has for each unit of the run the baseline's; empty: they have the same units. A kernel's time is shared
// out equally among its units, and a unit's weight among its kernels by their time. Returns none where the two have no
// work in common.
std::optional<WorkDone> work_done(const ScheduleResult& baseline, const ScheduleResult& run,
                                  std::span<const std::optional<UnitId>> counterpart = {});

}  // namespace iosx
