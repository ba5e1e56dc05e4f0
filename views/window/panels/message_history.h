#pragma once

#include <QDialog>
#include <QToolButton>

class QTableWidget;

namespace iosx {

class Toasts;

// Lists all messages since the program's start, the newest first, to read and copy.
class MessageHistory final : public QDialog {
  Q_OBJECT

 public:
  explicit MessageHistory(const Toasts& toasts, QWidget* window);

 private:
  void refresh();

  const Toasts& toasts_;
  QTableWidget* table_;
};

// Shows the number of messages in the status bar, and opens the history.
class MessageButton final : public QToolButton {
  Q_OBJECT

 public:
  explicit MessageButton(const Toasts& toasts, QWidget* parent = nullptr);

 private:
  void refresh();

  const Toasts& toasts_;
};

}  // namespace iosx
