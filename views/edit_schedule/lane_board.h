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

// Shows lanes without barriers as they are changed by hand: lanes as rows over time, kernels as bars. Kernels are
// dragged between lanes and along them; what a need forbids is hatched meanwhile and says which, and every place that
// is allowed says what the whole would take there, as soon as that is known. Arrow keys go from kernel to kernel, with
// Alt they move the one under the cursor to the next place that is allowed.
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
  // These rectangles and points are in the viewport, in pixels.
  QRect rectOf(KernelId kernel) const;
  QPoint pointOf(KernelId dragged, const LaneDraft::Place& place) const;  // where one is dropped to come there
  const std::optional<KernelId>& cursor() const { return cursor_; }
  QString nameOf(KernelId kernel) const;
  QString words(KernelId kernel) const;  // for who does not see it
  void selectKernel(KernelId kernel);
  void reveal(KernelId kernel);
  bool dragging() const { return drag_.has_value(); }
  const QString& reason() const { return reason_; }  // why what is dragged cannot be put where it is; empty: it can
  // Returns the places where what is dragged cannot be put, with what is written there.
  struct Forbidden {
    QRectF box;
    QString label;
  };
  std::vector<Forbidden> forbiddenShown() const;
  QString dropText() const;                // what the whole takes where what is dragged is dropped
  double scale() const { return scale_; }  // pixels of a microsecond
  QSize sizeHint() const override { return {960, 320}; }

 public slots:
  void zoomIn();
  void zoomOut();
  void zoomToFit();
  void ownLane();    // puts the kernel under the cursor on a lane of its own
  void bestPlace();  // puts it where the whole takes least, once every place is known
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
    QPointF at;  // of the board
    std::vector<LaneDraft::Reach> reaches;
    LaneDraft::Place place;
  };
  class KernelTool;  // lane_board_input.cpp has it

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
  std::shared_ptr<const LaneKernels> kernels_;  // that names_ and scale_ are of
  QStringList names_;                           // by kernel
  lanes::Layout layout_;
  double scale_ = 0;     // 0: not chosen yet
  bool rescale_ = true;  // it is to be chosen
  bool zoomed_ = false;  // by hand
  bool order_ = false;   // bars say what comes before what, and nothing of time
  std::optional<KernelId> cursor_;
  std::optional<KernelId> hovered_;
  std::optional<KernelId> seeks_best_;  // the kernel whose best place is being found
  canvas::ToolHand hand_;
  std::optional<Drag> drag_;
  QString reason_;
  QTimer* scroll_;
  bool focus_ring_ = false;
};

}  // namespace iosx
