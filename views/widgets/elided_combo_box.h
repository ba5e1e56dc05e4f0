#pragma once

#include <QComboBox>

namespace iosx {

// Shows the beginning and end of a text that is wider than the box, "Seque…tch 32", because the differences of such
// texts are at their ends.
class ElidedComboBox : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace iosx
