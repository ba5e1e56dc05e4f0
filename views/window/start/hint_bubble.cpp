#include "views/window/start/hint_bubble.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "views/style/style.h"

namespace iosx {
namespace {

constexpr int kHintWidth = 300;
constexpr int kHintArrow = 12;           // length, and half of the base
constexpr int kHintMargin = kHintArrow;  // to the window's edges: the arrow may be on any side

}  // namespace

BubblePlace place_bubble(const QRect& target, const QSize& bubble, const QRect& window) {
  const QRect inside = window.adjusted(kHintMargin, kHintMargin, -kHintMargin, -kHintMargin);
  const QPoint middle = target.center();
  const auto kept = [&](QPoint at) {
    at.setX(std::clamp(at.x(), inside.left(), std::max(inside.left(), inside.right() + 1 - bubble.width())));
    at.setY(std::clamp(at.y(), inside.top(), std::max(inside.top(), inside.bottom() + 1 - bubble.height())));
    return QRect(at, bubble);
  };
  const int across = middle.y() - bubble.height() / 2;
  const int along = middle.x() - bubble.width() / 2;
  const std::array<QRect, 4> wishes{
      QRect(QPoint(target.right() + 1 + kHintArrow, across), bubble),
      QRect(QPoint(target.left() - kHintArrow - bubble.width(), across), bubble),
      QRect(QPoint(along, target.bottom() + 1 + kHintArrow), bubble),
      QRect(QPoint(along, target.top() - kHintArrow - bubble.height()), bubble),
  };
  for (std::size_t side = 0; side < wishes.size(); ++side) {
    const bool beside = side < 2;
    const QRect wish = wishes[side];
    // Beside a target at the window's top or bottom, as in a tool bar, it would cover its neighbours.
    const bool level = wish.top() >= inside.top() && wish.bottom() <= inside.bottom();
    const bool fits = beside ? level && wish.left() >= inside.left() && wish.right() <= inside.right()
                             : wish.top() >= inside.top() && wish.bottom() <= inside.bottom();
    if (!fits) continue;
    const QRect place = kept(wish.topLeft());
    const double y = std::clamp<double>(middle.y(), place.top() + 2 * kHintArrow, place.bottom() - 2 * kHintArrow);
    const double x = std::clamp<double>(middle.x(), place.left() + 2 * kHintArrow, place.right() - 2 * kHintArrow);
    switch (side) {
      case 0: return {place, QPointF(target.right() + 1, middle.y()), QPointF(place.left(), y)};
      case 1: return {place, QPointF(target.left(), middle.y()), QPointF(place.right() + 1, y)};
      case 2: return {place, QPointF(middle.x(), target.bottom() + 1), QPointF(x, place.top())};
      default: return {place, QPointF(middle.x(), target.top()), QPointF(x, place.bottom() + 1)};
    }
  }
  // A target as large as the window: on it, pointing at its middle.
  const QRect place = kept(QPoint(along, middle.y() + kHintArrow));
  return {place, QPointF(middle), QPointF(middle.x(), place.top())};
}

HintBubble::HintBubble(QWidget* window) : QWidget(window), text_(new QLabel) {
  setObjectName(QStringLiteral("hint"));
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setObjectName(QStringLiteral("hint-text"));
  auto* next = new QPushButton(tr("Got it"));
  next->setObjectName(QStringLiteral("hint-next"));
  auto* enough = new QPushButton(tr("No more hints"));
  enough->setObjectName(QStringLiteral("hint-enough"));
  enough->setFlat(true);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(next);
  buttons->addWidget(enough);
  buttons->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kHintArrow + 12, kHintArrow + 10, kHintArrow + 12, kHintArrow + 10);
  column->addWidget(text_);
  column->addLayout(buttons);
  connect(next, &QPushButton::clicked, this, &HintBubble::understood);
  connect(enough, &QPushButton::clicked, this, &HintBubble::enough);
  hide();
}

QString HintBubble::text() const { return text_->text(); }

void HintBubble::point(const QString& text, const QRect& target) {
  const bool news = text != text_->text() || !isVisible();
  text_->setText(text);
  setAccessibleName(tr("Hint: %1").arg(text));
  text_->setFixedWidth(kHintWidth);
  layout()->activate();
  const QSize whole = sizeHint();
  const QSize body = whole - QSize(2 * kHintArrow, 2 * kHintArrow);
  const BubblePlace place = place_bubble(target, body, parentWidget()->rect());
  setGeometry(QRect(place.bubble.topLeft() - QPoint(kHintArrow, kHintArrow), whole));
  body_ = QRect(QPoint(kHintArrow, kHintArrow), body);
  const QPointF base = place.base - QPointF(pos());
  const QPointF tip = place.tip - QPointF(pos());
  const bool upright = base.x() > body_.left() + 1 && base.x() < body_.right();
  const QPointF half = upright ? QPointF(kHintArrow * 0.7, 0) : QPointF(0, kHintArrow * 0.7);
  arrow_ = target.isEmpty() ? QPolygonF() : QPolygonF({base - half, tip, base + half});
  show();
  raise();
  update();
  if (!news) return;
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void HintBubble::paintEvent(QPaintEvent*) {
  const Theme theme = theme_of(palette());
  QPainterPath shape;
  shape.addRoundedRect(QRectF(body_).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
  if (!arrow_.isEmpty()) {
    QPainterPath arrow;
    arrow.addPolygon(arrow_);
    arrow.closeSubpath();
    shape = shape.united(arrow);
  }
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.selection, 1.5));
  painter.setBrush(theme.panel);
  painter.drawPath(shape);
}

void HintBubble::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit understood();
  QWidget::keyPressEvent(event);
}

}  // namespace iosx

#include "moc_hint_bubble.cpp"
