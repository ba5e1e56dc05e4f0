#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "views/style/theme.h"
#include "views/timeline/timeline_scene.h"

class QPainter;

namespace iosx {

// Two ends of a measurement on the time axis.
struct TimeMeasure {
  Micros from{0};
  Micros to{0};
};

// Draws a scene, for the view and for its figure. Uses no clipping (SVG has none): nothing is drawn left or right of
// the axis.
class TimelinePainter {
 public:
  static constexpr double kRulerHeight = 23;
  static constexpr double kTickSpacing = 80;

  TimelinePainter(const TimelineScene& scene, const Comparison& comparison, const Theme& theme, const TimeAxis& axis,
                  const Selection& selection, const QFont& font);

  std::optional<SpanRef> current;  // has the keyboard focus
  bool arrows = false;             // of collapsible bands

  void ruler(QPainter& painter, const QRectF& area) const;
  // The bands of the content between y = top and bottom; the content's y = 0 is at the painter's origin.
  void bands(QPainter& painter, double top, double bottom) const;
  void measure(QPainter& painter, const TimeMeasure& measure, double top, double bottom) const;
  void cursor(QPainter& painter, Micros time, double top, double bottom) const;

 private:
  void header(QPainter& painter, const TimelineBand& band) const;
  // Two lines: name and speed-up, latency and badge. Returns where the second one ends.
  double header_texts(QPainter& painter, const TimelineBand& band, double x, double right) const;
  QString speed_up_label(const TimelineBand& band) const;  // empty without a baseline
  void strip(QPainter& painter, const TimelineBand& band) const;
  void stage(QPainter& painter, const TimelineBand& band, std::size_t index, const QRectF& segment) const;
  void lanes(QPainter& painter, const TimelineBand& band) const;
  void spans(QPainter& painter, const TimelineBand& band, std::size_t lane,
             const std::vector<std::size_t>& selected) const;
  void selection_marks(QPainter& painter, const TimelineBand& band, const std::vector<std::size_t>& selected) const;
  void end_marker(QPainter& painter, const TimelineBand& band) const;
  bool stage_selected(const TimelineBand& band, std::size_t stage) const;
  QRectF between(Micros begin, Micros end, double top, double height) const;  // cut to the axis; may be empty

  const TimelineScene& scene_;
  const Comparison& comparison_;
  const Theme& theme_;
  TimeAxis axis_;
  const Selection& selection_;
  QFont font_;        // 12 px
  QFont small_font_;  // 11 px
  QFont bold_font_;   // 13 px
};

}  // namespace iosx
