#pragma once

#include <qcustomplot.h>

#include <QPointF>
#include <optional>
#include <vector>

#include "views/bridge/selection.h"
#include "views/style/theme.h"
#include "views/utilization/utilization_data.h"

namespace iosx {

class StepArea;

// "↑ active warps, % of 8,448": what the row shows, and what its shares are of.
QString caption_text(const UtilizationRow& row);

// Where the plotted range lies, in pixels from the sides of the plot.
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

  // Replaces what the plot shows. `scale` is that of all rows, those left out too. `font` gives the family; sizes are
  // ours.
  // `caption`: what the vertical axes show stands below the texts.
  void build(const Comparison& comparison, std::vector<UtilizationRow> rows, const Scale& scale, const Theme& theme,
             const QFont& font, bool caption = true);
  void set_margins(PlotMargins margins, double height);  // height of the whole plot
  void set_range(TimeRange range);
  void set_selection(const Comparison& comparison, const Selection& selection);
  void set_cursor(std::optional<Micros> time);

  const std::vector<UtilizationRow>& rows() const { return rows_; }
  TimeAxis axis() const;
  std::optional<std::size_t> row_at(QPointF point) const;

 private:
  void add_row(const Comparison& comparison, std::size_t index);
  void add_curve(QCPAxisRect* rect, const UtilizationRow& row, const QColor& color);
  // What of a row is above the scale: cut off where it is wide enough to be seen, else only a tick at the top edge.
  void show_values(std::size_t index);
  void add_texts(QCPAxisRect* rect, const Comparison& comparison, const UtilizationRow& row, const QColor& color);
  void add_caption();  // what the vertical axes show, once
  QCPItemText* add_line(QCPItemText* above, const QString& text);
  void style(QCPAxis* axis) const;
  QFont font(int pixels, bool bold = false) const;
  QFont small_font() const;

  QCustomPlot* plot_;
  Theme theme_ = Theme::light();
  QFont font_;
  std::vector<UtilizationRow> rows_;
  std::vector<QCPAxisRect*> rects_;  // owned by the plot, as all below
  std::vector<QCPGraph*> boundaries_;
  std::vector<StepArea*> curves_;
  std::vector<QCPGraph*> peaks_;
  std::vector<QCPItemLine*> cursors_;
  std::vector<QCPItemRect*> highlights_;
  QSharedPointer<QCPAxisTickerText> ticker_;
  Scale scale_;
  TimeRange range_{Micros(0), Micros(1)};
  PlotMargins margins_;
};

}  // namespace iosx
