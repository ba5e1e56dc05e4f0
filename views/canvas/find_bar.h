#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;
class QLineEdit;
class QToolButton;
class QListWidget;

namespace iosx::canvas {

// The search line over the canvas: text, number of matching units, the current one, next and previous.
class FindBar final : public QFrame {
  Q_OBJECT

 public:
  explicit FindBar(QWidget* parent);

  // Sets what may be typed, if not the query language for units.
  void setHint(const QString& placeholder, const QString& name, const QString& tip);

  QString text() const;
  void setText(const QString& text);
  void open();  // shows it with the text selected and the focus
  // `current` counts from 0; -1 before the first visit.
  void showCount(int current, int count);
  void showError(const QString& error);  // plain text
  void showNothing() { showError({}); }  // without a query

 signals:
  void queryChanged(const QString& text);
  void next();
  void previous();
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void say(const QString& text, bool error);

  QLineEdit* line_;
  QLabel* count_;
  QToolButton* previous_ = nullptr;
  QToolButton* next_ = nullptr;
};

// The list of the network's parts, opened over the canvas; typing filters it.
class PartList final : public QFrame {
  Q_OBJECT

 public:
  explicit PartList(QWidget* parent);

  // Titles and details are plain text; `current` is -1 for none.
  void open(const QStringList& titles, const QStringList& details, int current, const QPoint& global);

 signals:
  void chosen(int index);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void choose();

  QLineEdit* line_;
  QListWidget* list_;
};

}  // namespace iosx::canvas
