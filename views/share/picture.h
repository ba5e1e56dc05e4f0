#pragma once

#include <QRectF>
#include <QString>
#include <cstddef>
#include <memory>
#include <optional>

#include "core/analysis/compare/comparison.h"
#include "views/canvas/paint/graph_figure.h"
#include "views/time/time_axis.h"

class QPainter;

namespace iosx {

// Two schedules of one comparison for a picture: one, and its reference.
struct Rivals {
  std::shared_ptr<const Comparison> comparison;  // never null, with its graph
  std::size_t shown = 0;                         // indices into its results
  std::size_t against = 0;

  const ScheduleResult& one() const { return comparison->results[shown]; }
  const ScheduleResult& other() const { return comparison->results[against]; }
  // Returns one sentence: "IOS-Flow is 1.74× as fast as Sequential: 3.83 ms instead of 6.67 ms"; where noise or too
  // few runs leave the order open, it claims nothing.
  QString sentence() const;
};

// Returns the shown schedule against the baseline (default: sequential); where the baseline itself is shown, the best
// schedule against it. None without a comparison, without a second schedule, and where either has no timeline.
std::optional<Rivals> rivals_of(const std::shared_ptr<const Comparison>& comparison, std::size_t shown,
                                std::optional<std::size_t> baseline = {});

// Makes one picture for a colleague: how many times as fast, against what, on which device, simulated or measured; the
// network as the schedule runs it; both schedules on one time axis. The network is laid out on the calling thread,
// which takes seconds for large ones.
std::unique_ptr<Figure> make_card_figure(const Rivals& rivals);

namespace card {

inline constexpr double kMargin = 24;
inline constexpr double kHead = 92;  // height of the title lines, where they fit beside the speed-up

// The network as one schedule runs it, with its layout.
struct Laid {
  std::shared_ptr<const canvas::Model> model;
  std::shared_ptr<const canvas::Drawing> drawing;
};
// Lays out the network for about that width and height, with room for saving texts of `figure` pixels. Takes
// seconds for large ones. Any thread that may measure fonts may call it.
Laid laid_out(const Rivals& rivals, std::size_t result, const QSizeF& room);

// Makes a figure of both runs on one time axis, the other one above: with a line at a time, or else with the idle
// device of the shown one.
std::unique_ptr<Figure> timelines(const Rivals& rivals, TimeRange range, std::optional<Micros> at = {});

// Paints a figure into the middle of the area, as large as it fits.
void paint_within(QPainter& painter, const QRectF& area, const Figure& figure, const Theme& theme);

// Returns the height of what paint_head() paints in this width: kHead, or more where the lines are below the speed-up.
double head_height(const Rivals& rivals, double width);
// Paints how many times as fast, the sentence, and which network on which device; a badge shows whether that
// was simulated or measured.
void paint_head(QPainter& painter, const QRectF& area, const Rivals& rivals, const Theme& theme);

}  // namespace card
}  // namespace iosx
