#pragma once

#include <QAbstractScrollArea>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/selection.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"

class QPainter;

namespace iosx {

struct StageRef {
  std::size_t result = 0;
  std::size_t stage = 0;
  friend bool operator==(const StageRef&, const StageRef&) = default;
};

// One row per schedule, one segment per stage with its latency as the length: geometry, hit testing and painting,
// without a widget. It keeps a reference to the comparison, which must outlive it.
class StageBars {
 public:
  static constexpr double kHeaderWidth = 200;  // less in a narrow figure
  static constexpr double kMinRowHeight = 58;
  static constexpr double kMaxRowHeight = 92;
  static constexpr double kBarTop = 10;
  static constexpr double kAxisHeight = 46;
  static constexpr double kLegendHeight = 26;

  StageBars() = default;
  explicit StageBars(const Comparison& comparison);

  // Rows grow, within limits, to fill the available height.
  void fill_height(double available);
  // Returns the axis from 0 to the longest stage sum or end-to-end latency.
  TimeAxis axis(double width) const;
  double rows_height() const { return row_height_ * static_cast<double>(ends_.size()); }

  QRectF segment(StageRef ref, const TimeAxis& axis) const;
  std::optional<StageRef> hit(QPointF point, const TimeAxis& axis) const;
  // Move along the row (step in stages), or to the stage at the same place of another row. They stop at the ends.
  StageRef along(StageRef from, int step) const;
  StageRef across(StageRef from, int step) const;

  void paint_rows(QPainter& painter, double width, const Theme& theme, const QFont& font,
                  const Selection& selection) const;
  void paint_axis(QPainter& painter, double top, double width, const Theme& theme, const QFont& font) const;
  double legend_height(double width, const QFont& font) const;  // kLegendHeight per row
  void paint_legend(QPainter& painter, double top, double width, const Theme& theme, const QFont& font) const;

 private:
  void paint_header(QPainter& painter, std::size_t row, double header, const Theme& theme, const QFont& font) const;
  void paint_segment(QPainter& painter, StageRef ref, const TimeAxis& axis, const Theme& theme,
                     const QFont& font) const;
  double bar_height() const { return row_height_ - 24; }
  void paint_selection(QPainter& painter, std::size_t row, const TimeAxis& axis, const Theme& theme,
                       const Selection& selection) const;
  void paint_end(QPainter& painter, std::size_t row, const TimeAxis& axis, const Theme& theme) const;

  const Comparison* comparison_ = nullptr;
  std::vector<std::vector<Micros>> ends_;  // cumulated stage latencies, one row per result
  std::vector<std::vector<bool>> merges_;  // whether stages are merge stages
  Micros longest_{0};
  double row_height_ = kMinRowHeight;
};

// Shows stage latencies of the schedules as segmented bars on one axis. A click selects the stage; the arrow keys move.
class StageLatencyChart final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit StageLatencyChart(SelectionModel* selection, QWidget* parent = nullptr);  // must outlive it

  void setComparison(std::shared_ptr<const Comparison> comparison);
  std::unique_ptr<Figure> figure() const;

  const StageBars& bars() const { return bars_; }
  std::optional<StageRef> stageAt(QPointF viewport) const;
  QPointF viewportCenterOf(StageRef stage) const;

  QSize sizeHint() const override { return {900, 380}; }
  QSize minimumSizeHint() const override { return {380, 160}; }

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  void select(StageRef stage);
  std::optional<StageRef> selected() const;

  SelectionModel* selection_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const Comparison> comparison_;
  StageBars bars_;
};

std::unique_ptr<Figure> make_stage_latency_figure(std::shared_ptr<const Comparison> comparison);

}  // namespace iosx
