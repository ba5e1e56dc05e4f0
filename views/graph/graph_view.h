#pragma once

#include <QPointer>
#include <QWidget>
#include <memory>
#include <optional>
#include <span>

#include "views/bridge/selection.h"
#include "views/export/figure.h"
#include "views/graph/camera.h"
#include "views/graph/graph_legend.h"
#include "views/graph/hit.h"
#include "views/graph/layout_runner.h"
#include "views/graph/overlay.h"
#include "views/style/theme.h"

class QTimer;

namespace iosx {

// The graph canvas: the units of a network part by part, with a schedule's stages as bands. Drag or scroll to pan,
// wheel to zoom at the cursor, F fits everything, Z the selection, arrow keys go to neighbours, a double click on a
// part's header shows that part alone or all again. Layouts are made in the background; the old one stays until the
// new one is ready.
class GraphView final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(GraphView)

 public:
  explicit GraphView(QWidget* parent = nullptr);
  ~GraphView() override;

  void setGraph(std::shared_ptr<const Graph> graph);  // null: none; drops the schedule
  // Copied. One latency a stage, or none. Null, or a schedule that is illegal for the graph: no stages.
  void setSchedule(const Schedule* schedule, std::span<const Latency> stage_latencies,
                   canvas::ScheduleLabel label = {});
  void setSelectionModel(SelectionModel* selection);  // must outlive the view or be null
  void setTheme(const Theme& theme);
  void setOverlay(canvas::Overlay overlay);
  void setExpandedPart(std::optional<PartId> part);  // only this part is open; none: all are
  std::optional<PartId> expandedPart() const { return expanded_; }

  // The whole graph as the canvas shows it: same stages, overlay and open parts. `context` as in graph_figure().
  std::unique_ptr<Figure> figure(const QString& context = {}) const;

  // What is on the screen; null before the first layout.
  const canvas::Layout* layoutShown() const { return shown_.drawing ? &shown_.drawing->layout : nullptr; }
  const canvas::Camera& camera() const { return camera_; }
  bool layoutPending() const { return runner_.busy(); }
  QSize sizeHint() const override { return {960, 640}; }

 public slots:
  void zoomToFit();
  void zoomToSelection();  // fits everything where nothing is selected
  void revealSelection();  // scrolls as little as needed
  void zoomBy(double factor);
  void setLegendVisible(bool visible);

 signals:
  void layoutChanged(bool final);  // final is false when a better layout will follow
  void expandedPartChanged();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  // What the screen shows: a model and the layout that was made for it.
  struct Shown {
    std::shared_ptr<const canvas::Model> model;
    std::shared_ptr<const canvas::Drawing> drawing;
  };

  void requestLayout();
  void rearrange();  // if the window has taken another shape
  void showLayout(std::shared_ptr<const canvas::Drawing> drawing, bool final);
  std::optional<UnitId> anchor() const;  // the unit that should stay in place when the layout changes
  void selectAt(const QPointF& at, bool add);
  void selectUnits(std::vector<UnitId> units, std::optional<std::size_t> stage, bool named);
  bool goTo(canvas::Direction direction);
  bool upToDate() const { return shown_.drawing && wanted_ && shown_.model->graph == wanted_->graph; }
  const Selection& selection() const;
  canvas::Rect selectionBounds() const;
  canvas::Hit hitAt(const QPointF& at) const;
  void hover(const QPointF& at);
  double legendHeight() const;       // of the strip along the bottom edge; 0 without one
  canvas::Rect drawingArea() const;  // the window without the strip
  void describeSelection();          // for assistive technology
  void viewChanged();

  canvas::TextStyle style_;
  std::shared_ptr<const canvas::Model> wanted_;  // the newest; null without a graph
  Shown shown_;
  canvas::OverlayScale scale_;
  canvas::GraphLegend legend_;
  canvas::Overlay overlay_ = canvas::Overlay::kNone;
  Theme theme_ = Theme::light();
  QPointer<SelectionModel> selection_;
  std::optional<PartId> expanded_;
  canvas::Camera camera_;
  bool fitted_ = true;  // the user has not moved the view since it was fitted
  bool legend_visible_ = true;
  double aspect_ = 1.6;  // that the frames of the newest layout were arranged for
  std::optional<std::size_t> hovered_;
  QPointF press_;
  QPointF last_;
  bool dragging_ = false;
  QTimer* rearrange_;  // runs while the window is being resized
  bool space_ = false;
  bool focus_ring_ = false;  // focus came by the keyboard
  canvas::LayoutRunner runner_;
};

}  // namespace iosx
