#pragma once

#include <QComboBox>

namespace iosx {

// Is a combo box that shows begin and end of a text that is wider than it is: "Seque…tch 32". What tells such texts
// apart stands at their ends.
class ElidedComboBox : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace iosx
