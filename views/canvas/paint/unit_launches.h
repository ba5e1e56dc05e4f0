#pragma once

#include <QString>
#include <cstddef>
#include <vector>

namespace iosx {

struct ScheduleResult;

namespace canvas {

// Says where one of a unit's kernels runs in a schedule without barriers; both from 0.
struct UnitLaunch {
  std::size_t lane = 0;
  std::size_t launch = 0;  // of all of the plan's
  friend bool operator==(const UnitLaunch&, const UnitLaunch&) = default;
};

// Holds the launches of every unit, in order; a unit whose tensors lie in place has none.
using UnitLaunches = std::vector<std::vector<UnitLaunch>>;

// Returns those of a result that has lanes, for a graph of so many units; empty for one with stages.
UnitLaunches unit_launches(const ScheduleResult& result, std::size_t units);

// Returns "2 \u00B7 14": lane and launch, from 1, of the first one, with "+" where there are more; empty of none.
QString launch_badge(const std::vector<UnitLaunch>& launches);
// Returns "lane 2, launch 14; lane 3, launch 15".
QString launch_words(const std::vector<UnitLaunch>& launches);

}  // namespace canvas
}  // namespace iosx
