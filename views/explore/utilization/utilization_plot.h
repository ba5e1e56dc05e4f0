#pragma once

#include <qcustomplot.h>

#include <QPointF>
#include <optional>
#include <vector>

#include "views/app_model/selection.h"
#include "views/explore/utilization/utilization_data.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"

namespace iosx {

class StepArea;

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
  static constexpr int kMinRowHeight = 43;
  static constexpr int kAxisHeight = 36;
  static constexpr int kTopMargin = 9;

  explicit UtilizationPlot(QCustomPlot& plot) : plot_(&plot) {}

  // Replaces the content of the plot. `top` is the end of the scale of all rows, also hidden ones (common_top).
  // `font` gives the family; sizes are ours. With `caption`, the quantity of the vertical axes is below the texts.
  void build(std::vector<UtilizationRow> rows, double top, const Theme& theme, const QFont& font, bool caption = true);
  void set_margins(PlotMargins margins, double height);  // height of the whole plot
  void set_range(TimeRange range);
  // `leading` is the comparison whose graph's units are selected (TracksOnAxis); it may be null.
  void set_selection(const Comparison* leading, const Selection& selection);
  // Sets the marks over the curves. replot_marks() draws only these.
  void set_marks(std::optional<Micros> cursor, std::optional<Micros> playhead, std::optional<TimeMeasure> measure);
  void replot_marks();

  const std::vector<UtilizationRow>& rows() const { return rows_; }
  TimeAxis axis() const;
  std::optional<std::size_t> row_at(QPointF point) const;

 private:
  void add_row(std::size_t index);
  void add_marks(QCPAxisRect* rect);
  void add_curve(QCPAxisRect* rect, const UtilizationRow& row, const QColor& color);
  void show_values(std::size_t index);  // the visible part of the curve, in the plot's pixels
  void show_highlights();
  void add_texts(QCPAxisRect* rect, const UtilizationRow& row, const QColor& color);
  void add_caption();  // the quantity of the vertical axes, once
  QCPItemText* add_line(QCPItemText* above, const QString& text);
  void style(QCPAxis* axis) const;
  QFont font(int pixels, bool bold = false) const;
  QFont small_font() const;

  QCustomPlot* plot_;
  Theme theme_ = Theme::light();
  QFont font_;
  std::vector<UtilizationRow> rows_;
  std::vector<std::vector<TimeRange>> selected_;  // in each row, by begin
  Selection selection_;
  std::vector<QCPAxisRect*> rects_;  // owned by the plot, like all below
  std::vector<QCPGraph*> boundaries_;
  std::vector<StepArea*> curves_;
  std::vector<StepArea*> idle_;
  std::vector<QCPItemLine*> cursors_;
  std::vector<QCPItemLine*> playheads_;
  std::vector<QCPItemRect*> measures_;
  std::vector<QCPItemRect*> highlights_;
  QSharedPointer<QCPAxisTickerText> ticker_;
  double top_ = 1;
  TimeRange range_{Micros(0), Micros(1)};
  PlotMargins margins_;
};

}  // namespace iosx
