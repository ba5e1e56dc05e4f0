#pragma once

#include <QLabel>

namespace iosx::editor {

// This label's text is plain and wraps, and the label is as high as that makes it: in the rows of a form a QLabel's
// last lines are cut off.
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

}  // namespace iosx::editor
