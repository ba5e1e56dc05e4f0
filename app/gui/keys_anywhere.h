#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace iosx {

// Lets the keys of the timeline (U, I, Space) and Ctrl+F work wherever the focus is, as long as what has it does not
// take them: no line of text, no button for Space. Lists and tables leave them these keys. A tap of Space on a canvas
// plays; held down it drags the drawing.
class KeysAnywhere final : public QObject {
  Q_OBJECT

 public:
  explicit KeysAnywhere(QWidget* window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool take(const QKeyEvent& event);  // false: nothing in sight has a use for it
  void followSpace(QObject* watched, const QEvent& event);

  QWidget* window_;
  QObject* space_on_ = nullptr;  // the canvas on which Space is down, with nothing done meanwhile
};

}  // namespace iosx
