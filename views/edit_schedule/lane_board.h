#pragma once

#include <QList>
#include <QRectF>
#include <QStringList>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/draft/draft_evaluation.h"
#include "core/model/plan/lanes/lane_draft.h"
#include "views/edit_schedule/drag_board.h"

namespace iosx::lanes {

// The places of the pieces of barrier-free lanes on the lane board: lanes as rows over time, kernels as bars, and the
// gaps between them as drop places.

inline constexpr double kHeaderWidth = 92;  // names of lanes; stays visible while bars scroll
inline constexpr double kAxisHeight = 26;   // likewise, of the axis
inline constexpr double kRowHeight = 44;
inline constexpr double kBarTop = 4;  // in a row
inline constexpr double kBarHeight = 24;
inline constexpr double kSpareHeight = 34;  // below the lanes: drop place for a new lane
inline constexpr double kEndRoom = 90;      // right of the last bar: drop place after it
inline constexpr double kLeastBar = 3;      // minimum width of a kernel in pixels

struct Bar {
  QRectF box;
  KernelId kernel;
};

struct Row {
  QRectF box;
  std::vector<Bar> bars;
};

struct Layout {
  std::vector<Row> rows;
  QRectF spare;    // a new lane
  double end = 0;  // of the run
  QSizeF size;
};

// `times` are by kernel. Rows are at least `width` wide.
Layout arrange(const LaneDraft& draft, std::span<const KernelTime> times, double pixels_per_us, double width);

std::optional<KernelId> bar_at(const Layout& layout, const QPointF& at);

// Returns the drop place of a dragged kernel: the lane under the point (the nearest one), before the first of its
// other bars whose middle is right of the point.
LaneDraft::Place place_at(const Layout& layout, KernelId dragged, const QPointF& at);
// Returns the gap of a place, from left to right: from the end of the bar before it to the beginning of the one
// after it, which may be further left; both equal at the ends of a lane.
std::pair<double, double> gap_of(const Layout& layout, KernelId dragged, const LaneDraft::Place& place);

// A forbidden range of a lane: place_at() returns a forbidden place for each of its points.
struct Zone {
  QRectF box;
  KernelId need;        // the reason
  bool before = false;  // the need is the dragged kernel's reader; else its own need
};
// `reaches` are those of LaneDraft::where_may().
std::vector<Zone> forbidden(const Layout& layout, KernelId dragged, std::span<const LaneDraft::Reach> reaches);

// Return the pixels per microsecond for a run as wide as the view, and initial ones for readable bars: most have some
// letters, but the run is no wider than a few views.
double fitting_scale(std::span<const KernelTime> times, double width);
double first_scale(std::span<const KernelTime> times, double width);

}  // namespace iosx::lanes

namespace iosx {

// Shows lanes without barriers as they are changed by hand: lanes as rows over time, kernels as bars. Kernels are
// dragged between lanes and along them; what a need forbids is hatched meanwhile and says which, and every place that
// is allowed says what the whole would take there, as soon as that is known. Arrow keys go from kernel to kernel, with
// Alt they move the one under the cursor to the next place that is allowed.
class LaneBoard final : public board::DragBoard<KernelId> {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(LaneBoard)

 public:
  explicit LaneBoard(ScheduleController& controller, QWidget* parent = nullptr);  // outlives it
  ~LaneBoard() override;

  const lanes::Layout& layoutShown() const { return layout_; }
  // These rectangles and points are in the viewport, in pixels.
  std::vector<KernelId> items() const override;  // lane by lane, in launch order
  QRect rectOf(const KernelId& kernel) const override;
  std::optional<KernelId> itemAt(const QPoint& at) const override;
  QPoint pointOf(KernelId dragged, const LaneDraft::Place& place) const;  // where one is dropped to come there
  QString nameOf(KernelId kernel) const;
  QString words(const KernelId& kernel) const override;
  bool isMarked(const KernelId& kernel) const override { return cursor_ == kernel; }
  void press(const KernelId& kernel) override;
  void selectKernel(KernelId kernel);
  void reveal(KernelId kernel);
  bool dragging() const override { return drag_.has_value(); }
  // Returns the places where what is dragged cannot be put, with what is written there.
  struct Forbidden {
    QRectF box;
    QString label;
  };
  std::vector<Forbidden> forbiddenShown() const;
  QString dropText() const;                // what the whole takes where what is dragged is dropped
  double scale() const { return scale_; }  // pixels of a microsecond

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
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void followSelection() override;
  void dragTo(const QPoint& at) override;
  QPointF dragPoint() const override { return drag_->at; }
  bool keepsKey(const QKeyEvent& key) const override;

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
  void setScale(double pixels_per_us, double around);
  void zoomTo(double pixels_per_us);  // around what the cursor is on
  bool isSelected(KernelId kernel) const;
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
  void drop();
  void endDrag();
  void moveCursor(int key);
  void moveKernel(int key);
  bool take(KernelId kernel, const LaneDraft::Place& to);
  void finishBest();

  std::shared_ptr<const LaneKernels> kernels_;  // that names_ and scale_ are of
  QStringList names_;                           // by kernel
  lanes::Layout layout_;
  double scale_ = 0;                    // 0: not chosen yet
  bool rescale_ = true;                 // it is to be chosen
  bool zoomed_ = false;                 // by hand
  bool order_ = false;                  // bars say what comes before what, and nothing of time
  std::optional<KernelId> seeks_best_;  // the kernel whose best place is being found
  std::optional<Drag> drag_;
};

}  // namespace iosx
