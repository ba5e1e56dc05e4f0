#pragma once

#include <QDialog>

namespace iosx {

// Every keyboard shortcut: the actions of the window, and the keys of the drawings. Not modal.
class KeySheet final : public QDialog {
  Q_OBJECT

 public:
  explicit KeySheet(QWidget* window);  // lists the window's actions()
};

}  // namespace iosx
