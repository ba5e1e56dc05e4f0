#pragma once

#include <QDialog>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QMainWindow;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace iosx {

class KeyBindings;

// Lists every action of the window with its keys, menu by menu, and the keys that views handle themselves. The
// actions' keys can be changed: select one and press others; a conflict is shown first.
class KeySheet final : public QDialog {
  Q_OBJECT

 public:
  KeySheet(KeyBindings& bindings, QMainWindow* window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addActions(const QMainWindow& window);
  void addViews();
  QTreeWidgetItem* addGroup(const QString& title);
  void addAction(QTreeWidgetItem* group, QAction* action, const QString& menu = {});
  void filter(const QString& words);
  QAction* current() const;  // null for a view's key
  void showCurrent();
  void showKeys();  // of all actions
  void showTyped();
  void set();

  KeyBindings& bindings_;
  QLineEdit* filter_;
  QTreeWidget* tree_;
  QKeySequenceEdit* keys_;
  QLabel* said_;
  QPushButton* set_;
  QPushButton* none_;
  QPushButton* reset_;
};

}  // namespace iosx
