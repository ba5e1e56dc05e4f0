#pragma once

#include <QPoint>
#include <QPointF>
#include <QRect>
#include <QWidget>

class QLabel;

namespace iosx {

// The place of a bubble beside its target, and the tip of its arrow; in the window's coordinates.
struct BubblePlace {
  QRect bubble;  // without the arrow
  QPointF tip;   // on the edge of the target
  QPointF base;  // middle of the arrow's base, on the edge of the bubble
};

// Places the bubble beside the target where there is room: right, left, below, above, in that order; always inside the
// window.
BubblePlace place_bubble(const QRect& target, const QSize& bubble, const QRect& window);

// A hint that points at something in the window: text, a button to go on, a button to dismiss all. It takes no focus
// and blocks nothing; Escape closes it while it has the keyboard.
class HintBubble final : public QWidget {
  Q_OBJECT

 public:
  explicit HintBubble(QWidget* window);

  // Shows the text beside the target, which is in the window's coordinates; without an arrow for an empty target.
  void point(const QString& text, const QRect& target);
  QString text() const;

 signals:
  void understood();
  void enough();  // no more hints, ever

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QLabel* text_;
  QPolygonF arrow_;  // in this widget's coordinates
  QRect body_;
};

}  // namespace iosx
