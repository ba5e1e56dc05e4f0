#pragma once

#include <QAbstractScrollArea>
#include <QList>
#include <QPointer>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "views/app_model/selection.h"
#include "views/canvas/canvas_tool.h"
#include "views/edit_schedule/drag_marks.h"
#include "views/edit_schedule/lane_layout.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/style/theme.h"

class QTimer;

namespace iosx {

// Edits barrier-free lanes by hand: lanes as rows over time, kernels as bars. Kernels are dragged between lanes and
// along them; places that a need forbids are hatched meanwhile with the reason, and every allowed place shows the
// resulting latency once known. Arrow keys go from kernel to kernel, with Alt they move the current one to the next
// allowed place.
class LaneBoard final : public QAbstractScrollArea {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(LaneBoard)

 public:
  explicit LaneBoard(ScheduleController& controller, QWidget* parent = nullptr);  // the controller must outlive it
  ~LaneBoard() override;

  void setSelectionModel(SelectionModel* selection);  // may be null
  void setTheme(const Theme& theme);

  const lanes::Layout& layoutShown() const { return layout_; }
  const SelectionModel* selectionModel() const { return selection_; }
  // Rectangles and points in the viewport, in pixels.
  QRect rectOf(KernelId kernel) const;
  QPoint pointOf(KernelId dragged, const LaneDraft::Place& place) const;  // its drop point for that place
  const std::optional<KernelId>& cursor() const { return cursor_; }
  QString nameOf(KernelId kernel) const;
  QString words(KernelId kernel) const;  // for screen readers
  void selectKernel(KernelId kernel);
  void reveal(KernelId kernel);
  bool dragging() const { return drag_.has_value(); }
  const QString& reason() const { return reason_; }  // why the dragged kernel cannot be dropped here; empty: it can
  // The forbidden places of the dragged kernel, with their texts.
  struct Forbidden {
    QRectF box;
    QString label;
  };
  std::vector<Forbidden> forbiddenShown() const;
  QString dropText() const;                // the latency after a drop here
  double scale() const { return scale_; }  // pixels per microsecond
  QSize sizeHint() const override { return {960, 320}; }

 public slots:
  void zoomIn();
  void zoomOut();
  void zoomToFit();
  void ownLane();    // moves the current kernel to a lane of its own
  void bestPlace();  // moves it to the fastest place, once all are known
  void revealSelection();

 signals:
  void selectionShown();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  struct Drag {
    KernelId kernel;
    QPointF at;  // on the board
    std::vector<LaneDraft::Reach> reaches;
    LaneDraft::Place place;
  };
  class KernelTool;  // in lane_board_input.cpp

  // lane_board.cpp
  const LaneDraft* draft() const { return controller_.lanes(); }
  void showDraft();
  void rearrange();
  void followSelection();
  QPointF offset() const;
  void setScale(double pixels_per_us, double around);
  bool isSelected(KernelId kernel) const;
  void paintRow(QPainter& painter, std::size_t lane, const QRectF& view);
  void paintBar(QPainter& painter, const lanes::Bar& bar, const QRectF& view);
  void paintNeeds(QPainter& painter, KernelId kernel);
  void paintAxis(QPainter& painter, const QRectF& view);
  void paintHeaders(QPainter& painter, const QRectF& view);
  void paintForbidden(QPainter& painter, const QRectF& view);
  void paintPlaces(QPainter& painter, const QRectF& view);
  void paintDrag(QPainter& painter, const QRectF& view);
  QList<board::DragLine> dragLines() const;

  // lane_board_input.cpp
  void startDrag(KernelId kernel);
  void dragTo(const QPoint& at);
  void drop();
  void endDrag();
  void scrollAtEdge();
  void moveCursor(int key);
  void moveKernel(int key);
  bool take(KernelId kernel, const LaneDraft::Place& to);
  void finishBest();

  ScheduleController& controller_;
  QPointer<SelectionModel> selection_;
  Theme theme_ = Theme::light();
  std::shared_ptr<const LaneKernels> kernels_;  // of names_ and scale_
  QStringList names_;                           // by kernel
  lanes::Layout layout_;
  double scale_ = 0;     // 0: not chosen yet
  bool rescale_ = true;  // to be chosen
  bool zoomed_ = false;  // by hand
  bool order_ = false;   // bars show only the order, no times
  std::optional<KernelId> cursor_;
  std::optional<KernelId> hovered_;
  std::optional<KernelId> seeks_best_;  // the kernel whose best place is searched
  canvas::ToolHand hand_;
  std::optional<Drag> drag_;
  QString reason_;
  QTimer* scroll_;
  bool focus_ring_ = false;
};

}  // namespace iosx
