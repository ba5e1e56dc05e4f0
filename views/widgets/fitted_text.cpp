#include "views/widgets/fitted_text.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <algorithm>

namespace iosx {

void ElidedComboBox::paintEvent(QPaintEvent* event) {
  constexpr int kMargin = 6;  // pixels around the text and between it and an icon
  if (currentIndex() < 0) return QComboBox::paintEvent(event);
  QStylePainter painter(this);
  painter.setPen(palette().color(QPalette::Text));
  QStyleOptionComboBox option;
  initStyleOption(&option);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  int room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
  room -= kMargin + (option.currentIcon.isNull() ? 0 : option.iconSize.width() + kMargin);
  option.currentText = option.fontMetrics.elidedText(option.currentText, Qt::ElideMiddle, room);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

ElidedLabel::ElidedLabel() { setTextFormat(Qt::PlainText); }

QSize ElidedLabel::minimumSizeHint() const {
  constexpr int kLetters = 8;
  const QSize whole = sizeHint();
  return {std::min(whole.width(), kLetters * fontMetrics().averageCharWidth()), whole.height()};
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QRect room = contentsRect();
  style()->drawItemText(&painter, room, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine),
                        palette(), isEnabled(), fontMetrics().elidedText(text(), Qt::ElideRight, room.width()),
                        foregroundRole());
}

}  // namespace iosx
