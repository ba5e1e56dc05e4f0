#pragma once

#include <QLabel>

namespace iosx {

// This label's text is plain and wraps, and the label is never less high than that makes it: where there is little
// room, a QLabel's last lines are cut off.
class WrappedLabel final : public QLabel {
 public:
  WrappedLabel() {
    setTextFormat(Qt::PlainText);  // there may be anybody's names in it
    setWordWrap(true);
  }
  QSize minimumSizeHint() const override {
    return {QLabel::minimumSizeHint().width(), text().isEmpty() ? 0 : heightForWidth(width())};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    updateGeometry();
  }
};

}  // namespace iosx
