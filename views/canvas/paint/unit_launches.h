#pragma once

#include <QString>
#include <cstddef>
#include <vector>

namespace iosx {

struct ScheduleResult;

namespace canvas {

// The place of one of a unit's kernels in a barrier-free schedule; both from 0.
struct UnitLaunch {
  std::size_t lane = 0;
  std::size_t launch = 0;  // among all of the plan's
  friend bool operator==(const UnitLaunch&, const UnitLaunch&) = default;
};

// The launches of every unit, in order; a unit with tensors in place has none.
using UnitLaunches = std::vector<std::vector<UnitLaunch>>;

// Returns those of a result with lanes, for a graph with that many units; empty with stages.
UnitLaunches unit_launches(const ScheduleResult& result, std::size_t units);

// Returns "2 \u00B7 14": lane and launch, from 1, of the first one, with "+" for more; empty without launches.
QString launch_badge(const std::vector<UnitLaunch>& launches);
// Returns "lane 2, launch 14; lane 3, launch 15".
QString launch_words(const std::vector<UnitLaunch>& launches);

}  // namespace canvas
}  // namespace iosx
