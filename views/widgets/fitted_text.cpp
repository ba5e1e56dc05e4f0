#include <QStyleOptionComboBox>
#include <QStylePainter>

#include "views/widgets/fitted_text.h"

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

}  // namespace iosx
