#pragma once

#include <QKeyEvent>
#include <QWheelEvent>

#include "views/widgets/elided_combo_box.h"

namespace iosx {

// A combo box for costly choices: keys and wheel do not change the entry while it is closed. A key opens the
// list, where Return or a click chooses.
class ChoiceBox final : public ElidedComboBox {
  Q_OBJECT

 public:
  using ElidedComboBox::ElidedComboBox;

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    switch (event->key()) {
      case Qt::Key_Tab:
      case Qt::Key_Backtab:
      case Qt::Key_Escape: return QComboBox::keyPressEvent(event);
      default: break;
    }
    const bool other = (event->modifiers() & (Qt::ControlModifier | Qt::MetaModifier)) != 0;
    if (other || (event->text().isEmpty() && !opens(event->key()))) return event->ignore();
    showPopup();
    event->accept();
  }
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }

 private:
  static bool opens(int key) {
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown ||
           key == Qt::Key_Home || key == Qt::Key_End || key == Qt::Key_F4;
  }
};

}  // namespace iosx
