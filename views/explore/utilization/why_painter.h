#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <limits>
#include <vector>

#include "views/explore/utilization/why_panel.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"

class QPainter;

namespace iosx {

inline constexpr std::size_t kMostInFlight = 8;  // told apart in the bars: eight and more are one

// A piece of a run's bar: the time with so many kernels in flight.
struct WhySegment {
  std::size_t in_flight = 0;
  Micros begin{0};  // on the bar
  Micros length{0};
};
std::vector<WhySegment> why_segments(const WhyRun& run);  // without empty ones; they are as long as the run

// Returns the grey of so many kernels in flight, at least one: each further from the background than the one before.
QColor in_flight_color(std::size_t in_flight, const Theme& theme);

// About a pixel of a plot: the mean of every run in it, 0 where a run has none.
struct WhyColumn {
  double left = 0;
  double right = 0;
  std::vector<double> values;
};
// Returns the visible columns, from left to right, to the end of the longest run on the axis.
std::vector<WhyColumn> why_columns(const WhyPanel& panel, const WhyPlot& plot, const TimeAxis& axis);

// What is drawn of a panel, and how.
struct WhyPicture {
  TimeAxis axis;                                               // of the plots
  double left = 0;                                             // edge of the panel
  TimeRange extent;                                            // of the bars, which do not zoom
  bool whole = true;                                           // all parts; else head, bars and the first plot
  std::size_t first = 0;                                       // plot in sight
  std::size_t most = std::numeric_limits<std::size_t>::max();  // plots in sight, if there is room
  bool open = true;                                            // false: one line
  bool controls = false;                                       // with a fold arrow
};

// The places of the parts; those without room are empty or left out, the least important ones first.
struct WhyLayout {
  QRectF head;
  QRectF bars_title;
  std::vector<QRectF> bars;   // one a run: its row from the left edge to the right one
  std::vector<QRectF> plots;  // from WhyPicture::first on
  QRectF scale;               // of the time
};

// Draws a panel: a head, two bars and plots below one another, with texts left of the axis. It uses no clipping.
class WhyPainter {
 public:
  static constexpr double kLine = 21;  // pixels, of a closed panel
  static constexpr double kPlot = 62;  // of the only plot of a panel that is not whole
  static constexpr double kMostPlot = 130;
  static constexpr double kLeastPlot = 50;
  static constexpr double kLeastFirst = 34;  // of that one
  static constexpr double kLeastWhole = 160;

  WhyPainter(const WhyPanel& panel, const WhyPicture& picture, const Theme& theme, const QFont& font);

  // Returns the height of head and bars of a panel that is not whole.
  double least() const;
  double height(double plot) const;  // of a whole panel with plots of this height
  WhyLayout layout(const QRectF& area) const;
  void paint(QPainter& painter, const QRectF& area) const;
  // Returns what is to be said about the point of a panel in the area; plain text.
  QString tip(const QRectF& area, QPointF at) const;

 private:
  QString bar_tip(const WhyRun& run, double x) const;
  QString plot_tip(const WhyPlot& plot, double x) const;
  double head_height(bool ratios) const;
  double bars_height() const;
  double wrapped(const QString& text, const QFont& font) const;  // its height
  QColor ink(std::size_t run) const;                             // of lines
  QColor fill(std::size_t run) const;                            // of areas
  bool narrow() const;                                           // the head's texts are below the title, not beside it
  double head_width() const;
  double left() const { return picture_.controls ? 26 : 12; }
  void head(QPainter& painter, const QRectF& area) const;
  void bar(QPainter& painter, const QRectF& row, std::size_t run) const;
  void bars_note(QPainter& painter, const WhyLayout& places) const;
  void plot(QPainter& painter, const QRectF& row, const WhyPlot& plot) const;
  void plot_texts(QPainter& painter, const QRectF& row, const WhyPlot& plot) const;
  void curves(QPainter& painter, const QRectF& box, const WhyPlot& plot) const;
  void work(QPainter& painter, const QRectF& box) const;
  void head_start(QPainter& painter, const QRectF& box) const;  // how much earlier half the work is done
  void ends(QPainter& painter, const QRectF& box) const;
  void scale(QPainter& painter, const QRectF& row) const;
  Micros end_of(const WhyRun& run) const;  // on the axis

  const WhyPanel& panel_;
  WhyPicture picture_;
  const Theme& theme_;
  QFont small_;
  QFont small_bold_;
  QFont bold_;
};

}  // namespace iosx
