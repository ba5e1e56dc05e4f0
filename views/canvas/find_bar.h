#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;
class QToolButton;

namespace iosx::canvas {

// A line to search with lies over the canvas: it has text, how many units match and which of them is shown, next and
// previous.
class FindBar final : public QFrame {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(FindBar)

 public:
  explicit FindBar(QWidget* parent);

  // Says what may be typed, where that is not the language of queries for units.
  void setHint(const QString& placeholder, const QString& name, const QString& tip);

  QString text() const;
  void setText(const QString& text);
  void open();  // shown, with the text selected and the focus
  // `current` counts from 0; it is -1 while none is gone to yet.
  void showCount(int current, int count);
  void showError(const QString& error);  // plain text
  void showNothing();                    // no query

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
  QToolButton* previous_;
  QToolButton* next_;
  QToolButton* close_;
};

}  // namespace iosx::canvas
