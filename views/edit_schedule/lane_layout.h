#pragma once

#include <QRectF>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/draft/draft_evaluation.h"
#include "core/model/plan/lanes/lane_draft.h"

// The places of the pieces of barrier-free lanes on the lane board: lanes as rows over time, kernels as bars, and the
// gaps between them as drop places.
namespace iosx::lanes {

inline constexpr double kHeaderWidth = 92;  // names of lanes; stays visible while bars scroll
inline constexpr double kAxisHeight = 26;   // likewise, of the axis
inline constexpr double kRowHeight = 44;
inline constexpr double kBarTop = 4;  // in a row
inline constexpr double kBarHeight = 24;
inline constexpr double kSpareHeight = 34;  // below the lanes: drop place for a new lane
inline constexpr double kEndRoom = 90;      // right of the last bar: drop place after it
inline constexpr double kLeastBar = 3;      // minimum width of a kernel in pixels

struct Bar {
  QRectF box;
  KernelId kernel;
};

struct Row {
  QRectF box;
  std::vector<Bar> bars;
};

struct Layout {
  std::vector<Row> rows;
  QRectF spare;    // a new lane
  double end = 0;  // of the run
  QSizeF size;
};

// `times` are by kernel. Rows are at least `width` wide.
Layout arrange(const LaneDraft& draft, std::span<const KernelTime> times, double pixels_per_us, double width);

std::optional<KernelId> bar_at(const Layout& layout, const QPointF& at);

// Returns the drop place of a dragged kernel: the lane under the point (the nearest one), before the first of its
// other bars whose middle is right of the point.
LaneDraft::Place place_at(const Layout& layout, KernelId dragged, const QPointF& at);
// Returns the gap of a place, from left to right: from the end of the bar before it to the beginning of the one
// after it, which may be further left; both equal at the ends of a lane.
std::pair<double, double> gap_of(const Layout& layout, KernelId dragged, const LaneDraft::Place& place);

// A forbidden range of a lane: place_at() returns a forbidden place for each of its points.
struct Zone {
  QRectF box;
  KernelId need;        // the reason
  bool before = false;  // the need is the dragged kernel's reader; else its own need
};
// `reaches` are those of LaneDraft::where_may().
std::vector<Zone> forbidden(const Layout& layout, KernelId dragged, std::span<const LaneDraft::Reach> reaches);

// Return the pixels per microsecond for a run as wide as the view, and initial ones for readable bars: most have some
// letters, but the run is no wider than a few views.
double fitting_scale(std::span<const KernelTime> times, double width);
double first_scale(std::span<const KernelTime> times, double width);

}  // namespace iosx::lanes
