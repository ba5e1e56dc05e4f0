#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>

#include "core/analysis/compare/comparison.h"
#include "views/app_model/selection.h"
#include "views/compare/stage_bars.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

namespace iosx {

// Shows stage latencies of the schedules as segmented bars on one axis. A click selects the stage; the arrow keys move.
class StageLatencyChart final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit StageLatencyChart(SelectionModel* selection, QWidget* parent = nullptr);  // the model must outlive the chart

  void setComparison(std::shared_ptr<const Comparison> comparison);
  void setTheme(const Theme& theme);
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
