#pragma once

#include <QRectF>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/draft/lane_evaluation.h"
#include "core/model/plan/lanes/lane_draft.h"

// These types say where the pieces of lanes without barriers stand on the lane board: lanes as rows over time, kernels
// as bars, and between them the gaps into which one is dropped.
namespace iosx::lanes {

inline constexpr double kHeaderWidth = 92;  // names of lanes; stays in sight while bars are scrolled
inline constexpr double kAxisHeight = 26;   // the same of the axis
inline constexpr double kRowHeight = 44;
inline constexpr double kBarTop = 4;  // in a row
inline constexpr double kBarHeight = 24;
inline constexpr double kSpareHeight = 34;  // below the lanes: where a lane of its own is dropped
inline constexpr double kEndRoom = 90;      // right of the last bar: where something is put after it
inline constexpr double kLeastBar = 3;      // pixels of a kernel however short

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
  QRectF spare;    // a lane of its own
  double end = 0;  // of the run
  QSizeF size;
};

// `times` are by kernel. Rows are at least `width` wide.
Layout arrange(const LaneDraft& draft, std::span<const KernelTime> times, double pixels_per_us, double width);

std::optional<KernelId> bar_at(const Layout& layout, const QPointF& at);

// Says where what is dragged would go: the lane under the point (the nearest one), before the first of its other bars
// whose middle is right of the point.
LaneDraft::Place place_at(const Layout& layout, KernelId dragged, const QPointF& at);
// Returns where the gap of a place is, from left to right: from the end of the bar before it to the beginning of the
// one after it, which may be left of that; both the same at the ends of a lane.
std::pair<double, double> gap_of(const Layout& layout, KernelId dragged, const LaneDraft::Place& place);

// A zone is a stretch of a lane where a kernel may not be put, every point of which place_at() takes for such a place.
struct Zone {
  QRectF box;
  KernelId need;        // that forbids it
  bool before = false;  // it is needed there; else it needs what is dragged
};
// `reaches` are those of LaneDraft::where_may().
std::vector<Zone> forbidden(const Layout& layout, KernelId dragged, std::span<const LaneDraft::Reach> reaches);

// Returns the pixels of a microsecond with which all of the run is as wide as the view, and those with which bars can
// be read to begin with: most of them have some letters, but the run is no wider than a few views.
double fitting_scale(std::span<const KernelTime> times, double width);
double first_scale(std::span<const KernelTime> times, double width);

}  // namespace iosx::lanes
