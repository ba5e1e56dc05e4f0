#pragma once

#include <qcustomplot.h>
#include <QString>
#include <QVector>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "views/figures/figure.h"
#include "views/style/theme.h"
#include "views/time/step_series.h"
#include "views/time/time_axis.h"
#include "views/time/timeline_track.h"

namespace iosx {

class StepArea;

// A counter of a schedule's run over time: active warps, busy cores. Times are µs on the axis.
struct UtilizationRow {
  TimelineTrack track;
  TimeWarp warp;
  QVector<double> times;       // values[i] holds from times[i] to times[i + 1]; ends with 0 at the end of the run
  QVector<double> values;      // in `unit`, like peak and mean
  std::vector<Micros> stages;  // begins of the stages
  Micros duration{0};          // end of the run, on the axis
  std::shared_ptr<const StepSeries> series = {};  // the same values, for pictures of any width
  QString quantity;                               // "active warps"
  QString unit;                                   // "warps"
  std::string counter;                            // its name in the trace
  QString source;                                 // "simulated": source of the values
  double peak = 0;                                // the device's maximum
  double mean = 0;                                // over the run
  double mean_error = 0;                          // its standard error; 0: exact, or unknown
  double area = 0;                                // unit · µs
  std::optional<double> mean_ratio;               // to sequential's
  std::optional<double> area_ratio;
};

// Returns one row per track that has the counter of that name (empty: its main one); all rows show the same quantity,
// that of the first one. Where parts are aligned, waiting times count as unused.
std::vector<UtilizationRow> utilization_rows(const std::vector<WarpedTrack>& tracks, const std::string& counter = {});

// Returns the row within the range. Mean, area and series stay those of the whole run.
UtilizationRow cropped(const UtilizationRow& row, TimeRange range);

// Returns the end of the rows' common scale, in their unit: above all values, and for few cores above their number.
double common_top(const std::vector<UtilizationRow>& rows);

// Returns the row's quantity and the base of its shares: "↑ active warps, % of 8,448".
QString caption_text(const Counter& counter);

// The place of the plotted range, in pixels from the sides of the plot.
struct PlotMargins {
  double left = 220;
  double right = 12;
};

// Draws utilization rows into a QCustomPlot: one axis rectangle each, common axes, texts in the left margin.
class UtilizationPlot {
 public:
  static constexpr int kAxisHeight = 48;
  static constexpr int kTopMargin = 9;

  explicit UtilizationPlot(QCustomPlot& plot) : plot_(&plot) {}

  // Replaces the content of the plot. `top` is the end of the scale of all rows, also hidden ones (common_top).
  // `font` gives the family; sizes are ours.
  void build(std::vector<UtilizationRow> rows, double top, const Theme& theme, const QFont& font);
  void set_margins(PlotMargins margins, double height);  // height of the whole plot
  void set_range(TimeRange range);

 private:
  TimeAxis axis() const;
  void add_row(std::size_t index);
  void add_curve(QCPAxisRect* rect, const UtilizationRow& row, const QColor& color);
  void show_values(std::size_t index);  // the visible part of the curve, in the plot's pixels
  void add_texts(QCPAxisRect* rect, const UtilizationRow& row, const QColor& color);
  void add_caption();  // the quantity of the vertical axes, once
  QCPItemText* add_line(QCPItemText* above, const QString& text);
  void style(QCPAxis* axis) const;
  QFont small_font() const;

  QCustomPlot* plot_;
  Theme theme_ = Theme::light();
  QFont font_;
  std::vector<UtilizationRow> rows_;
  std::vector<QCPAxisRect*> rects_;  // owned by the plot, like all below
  std::vector<QCPGraph*> boundaries_;
  std::vector<StepArea*> curves_;
  QSharedPointer<QCPAxisTickerText> ticker_;
  double top_ = 1;
  TimeRange range_{Micros(0), Micros(1)};
  PlotMargins margins_;
};

// Makes a figure of some results (indices) of a comparison over a range of time. An empty range shows everything, an
// empty name the main counter.
std::unique_ptr<Figure> make_utilization_figure(const std::shared_ptr<const Comparison>& comparison,
                                                const std::vector<std::size_t>& shown, TimeRange range,
                                                const std::string& counter = {});

}  // namespace iosx
