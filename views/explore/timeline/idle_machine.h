#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/compare/profile.h"
#include "core/model/cost/latency.h"
#include "views/explore/timeline/timeline_scene.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx {

// How much of the device one run uses over time.
struct IdleArea {
  std::size_t track = 0;  // in the scene
  StepSeries share;       // of the device's maximum, 0 to 1, in the run's own time
  double mean = 0;        // over the run
};

// The device use of two runs in one drawing: the current one and the baseline.
struct IdleMachine {
  IdleArea schedule;
  std::optional<IdleArea> baseline;  // none where the schedule is the baseline itself, or its run has no counter
  double top = 1;                    // end of the scale, 0 to 1: short peaks beyond it are cut
  double most = 0;                   // the largest share of both
  QString quantity;                  // "active warps", in the window's language
  QString title;                     // "Why it is faster" beside a baseline
  QString sentence;                  // "1.96 times as many kernels in flight, …", without a baseline what is idle
  QString caption;                   // the counter: "active warps, % of 5,120"
  QString source;                    // "simulated": source of the counter
  Origin origin = Origin::kSimulated;
};

// Returns the device use of the tracks' current one and baseline. None where the current run has no counter.
std::optional<IdleMachine> idle_machine(const std::vector<TimelineTrack>& tracks, std::optional<std::size_t> baseline,
                                        std::optional<std::size_t> schedule);

// Returns the end of a scale for shares of these runs: the least of 1, 2, 5, 10, 20, 50 and 100 % that no run
// exceeds for more than a tenth of its time, and that is above every mean.
double useful_top(const std::vector<const StepSeries*>& shares);

// About a pixel of the picture: mean use in it, as shares.
struct IdleColumn {
  double left = 0;
  double right = 0;
  double schedule = 0;
  double baseline = 0;
};
// Returns the visible columns, from left to right, to the end of the longest run.
std::vector<IdleColumn> idle_columns(const IdleMachine& machine, const TimelineScene& scene, const TimeAxis& axis);

inline constexpr double kIdleLine = 21;     // pixels, of the closed panel with its sentence
inline constexpr double kIdleLeast = 76;    // the least for a readable open one
inline constexpr double kIdleHeight = 118;  // with enough room

// Draws the panel below the tracks, on their axis. Closed, it is a line with the sentence. `controls`: with its fold
// arrow.
void paint_idle_machine(QPainter& painter, const QRectF& area, const IdleMachine& machine, const TimelineScene& scene,
                        const TimeAxis& axis, const Theme& theme, const QFont& font, bool open, bool controls);

}  // namespace iosx
