#include "views/edit_schedule/lane_board.h"

#include <algorithm>

namespace iosx::lanes {
namespace {

constexpr double kReadable = 46;    // pixels of a bar
constexpr double kMostViews = 4;    // that a run is wide at first
constexpr double kLeastView = 100;  // pixels

// Returns the bars of a lane without the dragged one; none of a lane of its own.
std::vector<const Bar*> others(const Layout& layout, KernelId dragged, std::size_t lane) {
  std::vector<const Bar*> bars;
  if (lane >= layout.rows.size()) return bars;
  for (const Bar& bar : layout.rows[lane].bars) {
    if (bar.kernel != dragged) bars.push_back(&bar);
  }
  return bars;
}

Micros end_of(std::span<const KernelTime> times) {
  Micros end{0};
  for (const KernelTime& time : times) end = std::max(end, time.end);
  return end;
}

}  // namespace

Layout arrange(const LaneDraft& draft, std::span<const KernelTime> times, double pixels_per_us, double width) {
  Layout layout;
  layout.end = kHeaderWidth + end_of(times).count() * pixels_per_us;
  layout.size.setWidth(std::max(width, layout.end + kEndRoom));
  double y = kAxisHeight;
  for (const std::vector<KernelId>& kernels : draft.rows()) {
    Row row{.box = QRectF(kHeaderWidth, y, layout.size.width() - kHeaderWidth, kRowHeight), .bars = {}};
    for (const KernelId kernel : kernels) {
      const KernelTime& time = times[kernel.index()];
      const double left = kHeaderWidth + time.begin.count() * pixels_per_us;
      const double wide = std::max(kLeastBar, (time.end - time.begin).count() * pixels_per_us);
      row.bars.push_back({QRectF(left, y + kBarTop, wide, kBarHeight), kernel});
    }
    layout.rows.push_back(std::move(row));
    y += kRowHeight;
  }
  layout.spare = QRectF(kHeaderWidth, y, layout.size.width() - kHeaderWidth, kSpareHeight);
  layout.size.setHeight(layout.spare.bottom());
  return layout;
}

std::optional<KernelId> bar_at(const Layout& layout, const QPointF& at) {
  for (const Row& row : layout.rows) {
    if (at.y() < row.box.top() || at.y() >= row.box.bottom()) continue;
    // The first one there: what a short bar covers of the next one is its own.
    for (const Bar& bar : row.bars) {
      if (bar.box.contains(at)) return bar.kernel;
    }
  }
  return std::nullopt;
}

LaneDraft::Place place_at(const Layout& layout, KernelId dragged, const QPointF& at) {
  LaneDraft::Place place;
  while (place.lane < layout.rows.size() && at.y() >= layout.rows[place.lane].box.bottom()) ++place.lane;
  for (const Bar* bar : others(layout, dragged, place.lane)) {
    if (bar->box.center().x() > at.x()) break;
    ++place.position;
  }
  return place;
}

std::pair<double, double> gap_of(const Layout& layout, KernelId dragged, const LaneDraft::Place& place) {
  const std::vector<const Bar*> bars = others(layout, dragged, place.lane);
  if (bars.empty()) return {kHeaderWidth, kHeaderWidth};
  if (place.position == 0) return {bars.front()->box.left(), bars.front()->box.left()};
  const double left = bars[place.position - 1]->box.right();
  return {left, place.position < bars.size() ? bars[place.position]->box.left() : left};
}

std::vector<Zone> forbidden(const Layout& layout, KernelId dragged, std::span<const LaneDraft::Reach> reaches) {
  std::vector<Zone> zones;
  for (std::size_t lane = 0; lane < layout.rows.size() && lane < reaches.size(); ++lane) {
    const LaneDraft::Reach& reach = reaches[lane];
    const std::vector<const Bar*> bars = others(layout, dragged, lane);
    QRectF left = layout.rows[lane].box;
    QRectF right = left;
    if (reach.before) {
      left.setRight(bars[reach.first - 1]->box.center().x());
      zones.push_back({left, reach.before->need, true});
    }
    if (reach.after) {
      right.setLeft(bars[reach.last]->box.center().x());
      zones.push_back({right, reach.after->need, false});
    }
  }
  return zones;
}

double fitting_scale(std::span<const KernelTime> times, double width) {
  const double end = end_of(times).count();
  return end > 0 ? std::max(kLeastView, width - kHeaderWidth - kEndRoom) / end : 1;
}

double first_scale(std::span<const KernelTime> times, double width) {
  std::vector<double> lengths;
  for (const KernelTime& time : times) lengths.push_back((time.end - time.begin).count());
  const double fit = fitting_scale(times, width);
  if (lengths.empty()) return fit;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::ranges::nth_element(lengths, middle);
  return *middle > 0 ? std::clamp(kReadable / *middle, fit, kMostViews * fit) : fit;
}

}  // namespace iosx::lanes
