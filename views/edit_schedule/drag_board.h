#pragma once

#include <QAbstractScrollArea>
#include <QApplication>
#include <QColor>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QList>
#include <QMouseEvent>
#include <QPointF>
#include <QPointer>
#include <QRectF>
#include <QScrollBar>
#include <QString>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/duration.h"
#include "views/app_model/selection.h"
#include "views/canvas/canvas_widget.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/figures/paint.h"
#include "views/style/theme.h"
#include "views/text/qstring.h"
#include "views/widgets/painted_view.h"

// Shared by boards with dragging.
namespace iosx::board {

// Returns "▲ +12.3 µs" for a longer time, "▼ −12.3 µs"; empty where no difference can be shown.
QString change_text(Millis change);
QColor change_color(const Theme& theme, Millis change);  // of that text; muted without one

// Scrolls where the pointer is near a border of the viewport. Returns false without movement.
bool scroll_at_edge(QAbstractScrollArea& area, const QPoint& at);

// Hatches a forbidden drop place.
void paint_forbidden(QPainter& painter, const QRectF& box, const Theme& theme);

// Paints a text beside the cursor, inside the view: the dragged thing, or with `refused` why it cannot be dropped
// there. A long line is wrapped.
struct DragLine {
  QString text;
  QColor color = {};  // invalid: the text colour
};
void paint_drag_label(QPainter& painter, const QRectF& view, const QPointF& cursor, const QList<DragLine>& lines,
                      bool refused, const Theme& theme, const QFont& font);

// Is the base of the two boards that edit a schedule: an area with scroll bars on which items are pressed, dragged and
// reached by keys. A board says where its items are and what a drag does. The base handles hovering, tips, the wheel,
// scrolling at the border, the focus ring, and which keys the board keeps from the shortcuts of the window.
template <typename Item>
class DragBoard : public QAbstractScrollArea {
  Q_DISABLE_COPY_MOVE(DragBoard)

 public:
  void setSelectionModel(SelectionModel* selection) {  // may be null
    if (selection_) disconnect(selection_, nullptr, this, nullptr);
    selection_ = selection;
    if (selection_) connect(selection_, &SelectionModel::changed, this, [this] { followSelection(); });
  }
  void setTheme(const Theme& theme) {
    theme_ = theme;
    viewport()->update();
  }

  const SelectionModel* selectionModel() const { return selection_; }
  const std::optional<Item>& cursor() const { return cursor_; }
  const QString& reason() const { return reason_; }  // why what is dragged cannot be put where it is; empty: it can
  virtual bool dragging() const = 0;
  QSize sizeHint() const override { return {960, 320}; }

  virtual std::vector<Item> items() const = 0;                     // in reading order
  virtual QRect rectOf(const Item& item) const = 0;                // in the viewport, in pixels
  virtual std::optional<Item> itemAt(const QPoint& at) const = 0;  // of the viewport
  virtual QString words(const Item& item) const = 0;               // describes it in one line
  virtual bool isMarked(const Item& item) const = 0;               // it is selected
  virtual void press(const Item& item) = 0;                        // selects and reveals it

 protected:
  DragBoard(ScheduleController& controller, QWidget* parent)  // the controller must outlive it
      : QAbstractScrollArea(parent),
        controller_(controller),
        hand_(QApplication::startDragDistance() - 0.5),
        scroll_(new QTimer(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    setMinimumHeight(170);
    scroll_->setInterval(30);
    connect(scroll_, &QTimer::timeout, this, [this] { scrollAtEdge(); });
    follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
  }

  virtual void followSelection() = 0;
  virtual void dragTo(const QPoint& at) = 0;              // of the viewport; something is dragged
  virtual QPointF dragPoint() const = 0;                  // where it is, of the board
  virtual bool keepsKey(const QKeyEvent& key) const = 0;  // from shortcuts, besides arrows with Alt
  virtual bool keepsEscape() const { return dragging(); }
  virtual QString tip(const Item& item) const { return plain_tip(words(item)); }

  QPointF offset() const { return QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value()); }

  // The size of all that is painted, and how far the wheel scrolls down.
  void setExtent(const QSizeF& size, double step) {
    const auto span = [](QScrollBar* bar, double whole, int page) {
      bar->setRange(0, std::max(0, static_cast<int>(whole) - page));
      bar->setPageStep(page);
    };
    span(horizontalScrollBar(), size.width(), viewport()->width());
    span(verticalScrollBar(), size.height(), viewport()->height());
    horizontalScrollBar()->setSingleStep(40);
    verticalScrollBar()->setSingleStep(static_cast<int>(step));
    viewport()->update();
  }

  void paintFocusRing(QPainter& painter, double radius) const {
    paint_box(painter, QPen(theme_.text, 1.5, Qt::DotLine), Qt::NoBrush,
              QRectF(rectOf(*cursor_)).translated(offset()).adjusted(-2, -2, 2, 2), radius);
  }
  void clearSelection() {
    if (selection_) selection_->clear();
  }
  // Units may be in any order, and several times.
  void selectUnits(std::vector<UnitId> units) {
    std::ranges::sort(units);
    units.erase(std::unique(units.begin(), units.end()), units.end());
    if (selection_) selection_->select({std::move(units), {}, {}, {}});
  }
  static bool isArrow(const QKeyEvent& key) { return key.key() >= Qt::Key_Left && key.key() <= Qt::Key_Down; }

  // A drag begins and ends with these.
  void grip() {
    hovered_.reset();
    viewport()->setCursor(Qt::ClosedHandCursor);
    setFocus(Qt::MouseFocusReason);
    scroll_->start();
  }
  void letGo() {
    if (dragging()) viewport()->setCursor(Qt::ArrowCursor);
    reason_.clear();
    scroll_->stop();
    viewport()->update();
  }

  void mouseMoveEvent(QMouseEvent* event) override {
    if (hand_.move(*event)) return;
    const auto item = itemAt(event->pos());
    if (item == hovered_) return;
    hovered_ = item;
    viewport()->setCursor(item ? Qt::OpenHandCursor : Qt::ArrowCursor);
    viewport()->update();
  }
  void mouseReleaseEvent(QMouseEvent* event) override {
    if (event->button() == Qt::LeftButton) hand_.release(*event);
  }
  void wheelEvent(QWheelEvent* event) override {
    const QPoint turned = event->angleDelta();
    const bool across =
        turned.x() == 0 && (verticalScrollBar()->maximum() == 0 || event->modifiers() & Qt::ShiftModifier);
    if (!across) return QAbstractScrollArea::wheelEvent(event);
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - turned.y());
    event->accept();
  }
  void focusInEvent(QFocusEvent* event) override {
    QAbstractScrollArea::focusInEvent(event);
    focus_ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                  event->reason() == Qt::ShortcutFocusReason;
    viewport()->update();
  }
  void focusOutEvent(QFocusEvent* event) override {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
  }
  // Its keys are the board's while it has the focus, whatever shortcuts the window has.
  bool event(QEvent* event) override {
    if (event->type() == QEvent::ShortcutOverride) {
      const auto& key = static_cast<const QKeyEvent&>(*event);
      const bool moves = isArrow(key) && key.modifiers() & Qt::AltModifier;
      if (keepsKey(key) || moves || (key.key() == Qt::Key_Escape && keepsEscape())) {
        event->accept();
        return true;
      }
    }
    return QAbstractScrollArea::event(event);
  }
  bool viewportEvent(QEvent* event) override {
    if (event->type() == QEvent::Leave && hovered_) {
      hovered_.reset();
      viewport()->update();
    }
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const auto item = itemAt(help.pos());
    if (item && !dragging()) {
      QToolTip::showText(help.globalPos(), tip(*item), viewport(), rectOf(*item));
    } else {
      QToolTip::hideText();
    }
    return true;
  }

  ScheduleController& controller_;
  QPointer<SelectionModel> selection_;
  Theme theme_ = Theme::light();
  std::optional<Item> cursor_;
  std::optional<Item> hovered_;
  canvas::ToolHand hand_;
  QString reason_;
  bool focus_ring_ = false;

 private:
  void scrollAtEdge() {
    if (!dragging()) return scroll_->stop();
    const QPoint at = (dragPoint() - offset()).toPoint();
    if (scroll_at_edge(*this, at)) dragTo(at);
  }

  QTimer* scroll_;
};

// Lets assistive technology walk through a board: its children are the items, with their words as names, their place on
// the screen and whether they are selected; pressing one selects it.
template <typename Board>
class BoardItems final : public PaintedItems {
 public:
  explicit BoardItems(Board& board) : board_(board) {}

  std::size_t count() const override { return board_.items().size(); }
  QString name(std::size_t item) const override { return board_.words(board_.items()[item]); }
  QRect rect(std::size_t item) const override { return board_.rectOf(board_.items()[item]); }
  bool selected(std::size_t item) const override { return board_.isMarked(board_.items()[item]); }
  std::optional<std::size_t> focused() const override { return place(board_.cursor()); }
  std::optional<std::size_t> itemAt(const QPoint& at) const override { return place(board_.itemAt(at)); }
  void press(std::size_t item) override { board_.press(board_.items()[item]); }

 private:
  template <typename Item>
  std::optional<std::size_t> place(const std::optional<Item>& item) const {
    const std::vector<Item> all = board_.items();
    const auto found = item ? std::ranges::find(all, *item) : all.end();
    return found != all.end() ? std::optional(static_cast<std::size_t>(found - all.begin())) : std::nullopt;
  }

  Board& board_;
};

}  // namespace iosx::board
