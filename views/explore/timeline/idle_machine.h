#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/compare/idle_fill.h"
#include "core/model/cost/latency.h"
#include "views/explore/timeline/timeline_scene.h"

namespace iosx {

// Holds how much of the device one run has in use over time.
struct IdleArea {
  std::size_t track = 0;  // of the scene's
  StepSeries share;       // of what the device can hold, 0 to 1, in the run's own time
  double mean = 0;        // over the run
};

// Holds what two runs use of the device, to be drawn over one another: the one that is looked at, and the baseline.
struct IdleMachine {
  IdleArea schedule;
  std::optional<IdleArea> baseline;  // none where the schedule is the baseline itself, or its run was not counted
  std::optional<IdleFill> fill;      // as the baseline
  double top = 1;                    // where the scale ends, 0 to 1: what is beyond it for short is cut off
  double most = 0;                   // the largest share of both
  QString quantity;                  // "active warps", in the window's language
  QString sentence;                  // "IOS-Flow fills 12 % of the warps that Sequential leaves idle"
  QString caption;                   // what is counted: "active warps, % of 5,120"
  QString source;                    // "simulated": where the counts come from
  Origin origin = Origin::kSimulated;
};

// Says what the tracks, of which one is looked at, use of the device. None where that one's run was not counted.
std::optional<IdleMachine> idle_machine(const std::vector<TimelineTrack>& tracks, std::optional<std::size_t> baseline,
                                        std::optional<std::size_t> schedule);

// Returns where a scale of shares of these runs ends: the least of 1, 2, 5, 10, 20, 50 and 100 % that no run exceeds
// for more than a tenth of its time, and that is above every mean.
double useful_top(const std::vector<const StepSeries*>& shares);

// Holds about a pixel of the picture: what is in use on average meanwhile, as shares.
struct IdleColumn {
  double left = 0;
  double right = 0;
  double schedule = 0;
  double baseline = 0;
};
// Returns the columns of what is visible, from left to right, as far as any of the runs goes.
std::vector<IdleColumn> idle_columns(const IdleMachine& machine, const TimelineScene& scene, const TimeAxis& axis);

}  // namespace iosx
