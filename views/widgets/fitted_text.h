#pragma once

#include <QComboBox>
#include <QLabel>

namespace iosx {

// Shows the beginning and end of a text that is wider than the box, "Seque…tch 32", because the differences of such
// texts are at their ends.
class ElidedComboBox : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

// A line of plain text that ends with "…" where its room ends.
class ElidedLabel final : public QLabel {
 public:
  ElidedLabel();
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

// A label with plain, wrapping text that always keeps its full height: a QLabel cuts off the last lines in a small
// space.
class WrappedLabel final : public QLabel {
 public:
  WrappedLabel() {
    setTextFormat(Qt::PlainText);  // it may contain untrusted names
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
