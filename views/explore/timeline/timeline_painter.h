#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "views/explore/timeline/timeline_scene.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"

class QFontMetricsF;
class QPainter;

namespace iosx {

// Draws a scene, for the view and its figure. It uses no clipping (SVG has none): nothing is drawn left or right of the
// axis.
class TimelinePainter {
 public:
  static constexpr double kRulerHeight = 23;
  static constexpr double kTickSpacing = 80;

  TimelinePainter(const TimelineScene& scene, const Theme& theme, const TimeAxis& axis, const Selection& selection,
                  const QFont& font);

  std::optional<SpanRef> current;     // has the keyboard focus
  std::optional<std::size_t> active;  // the track in the other views
  bool controls = false;              // bands have fold and pin buttons

  void ruler(QPainter& painter, const QRectF& area) const;
  // Draws the bands of the content between y = top and bottom; the content's y = 0 is at the painter's origin.
  // With `pinned`, either only the pinned ones or only the others.
  void bands(QPainter& painter, double top, double bottom, std::optional<bool> pinned = {}) const;
  // Draws a kernel's waits and those for it, over the bands; nothing for a run with stages.
  void waits_of(QPainter& painter, SpanRef span) const;
  // Draws a dashed outline around the kernels of these units, over the track's band.
  void pointed(QPainter& painter, std::size_t track, std::span<const UnitId> units) const;
  void measure(QPainter& painter, const TimeMeasure& measure, double top, double bottom) const;
  void cursor(QPainter& painter, Micros time, double top, double bottom) const;
  // Draws a line from the ruler down, with a handle and the time.
  void playhead(QPainter& painter, Micros time, double top, double bottom) const;

 private:
  void grid(QPainter& painter, double top, double bottom) const;
  void band(QPainter& painter, const TimelineBand& band) const;
  void header(QPainter& painter, const TimelineBand& band) const;
  QColor color_of(const TimelineBand& band) const;
  void controls_of(QPainter& painter, const TimelineBand& band) const;
  // Draws two lines: name and speed-up, latency and badge. Returns the second one's right end.
  double header_texts(QPainter& painter, const TimelineBand& band, double x, double right) const;
  QString speed_up_label(const TimelineBand& band) const;  // empty without a baseline
  void lanes_line(QPainter& painter, const TimelineBand& band) const;
  void strip(QPainter& painter, const TimelineBand& band) const;
  std::size_t end_of_run(const std::vector<TimeRange>& stages, std::size_t first) const;
  QColor band_tone(std::size_t stage) const;
  // Draws a folded run in one line: its stages as a stripe, and its lanes below at minimum height.
  void folded(QPainter& painter, const TimelineBand& band) const;
  void more(QPainter& painter) const;  // the line about hidden schedules
  void stage(QPainter& painter, const TimelineBand& band, std::size_t index, const QRectF& segment) const;
  void lanes(QPainter& painter, const TimelineBand& band) const;
  void heat(QPainter& painter, const TimelineBand& band) const;
  void gaps(QPainter& painter, const TimelineBand& band) const;
  void spans(QPainter& painter, const TimelineBand& band, std::size_t lane) const;
  void fill(QPainter& painter, const DrawnSpan& drawn, const QRectF& box) const;
  void span(QPainter& painter, const KernelSpan& span, const DrawnSpan& drawn, const QRectF& box,
            const QFontMetricsF& metrics, double below) const;  // `below`: pixels in use below
  void selection_marks(QPainter& painter, const TimelineBand& band) const;
  void network_ends(QPainter& painter, const TimelineBand& band) const;  // the end of each of several networks
  void end_marker(QPainter& painter, const TimelineBand& band) const;
  struct EndLabel {
    QString text;
    QRectF box;  // right of the marker, or left of it without room
  };
  EndLabel end_label(const TimelineBand& band) const;
  void waits(QPainter& painter, const TimelineBand& band) const;
  void wait(QPainter& painter, const TimelineBand& band, const SpanWait& wait, const QPen& pen) const;
  void gain(QPainter& painter, const TimelineBand& band) const;  // how much earlier it ends than its stages
  bool stage_selected(const TimelineBand& band, std::size_t stage) const;
  QRectF between(TimeRange range, double top, double height) const;  // cut to the axis; may be empty
  double lanes_bottom(const TimelineBand& band) const;

  const TimelineScene& scene_;
  const Theme& theme_;
  TimeAxis axis_;
  const Selection& selection_;
  QFont font_;                                  // 12 px
  QFont small_font_;                            // 11 px
  QFont bold_font_;                             // 13 px
  std::array<QColor, kOperatorClasses> fills_;  // of spans, by class
  std::array<QColor, kOperatorClasses> edges_;
  std::array<Hatch, kOperatorClasses> hatches_{};
};

}  // namespace iosx
