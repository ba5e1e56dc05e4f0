#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace iosx {

// Lets the keys of the timeline (U, I, Space) and Ctrl+F work wherever the focus is, as long as what has it has no use
// for them: a line of text, a button, a box to tick keep theirs. Lists and tables, which would look for an entry that
// begins with the letter, do not. A tap of Space on a canvas plays; held down it drags the drawing. Nothing is done
// below the start page.
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
  bool sending_ = false;         // what the timeline does not take comes back to the window
  QObject* space_on_ = nullptr;  // the canvas on which Space is down, with nothing done meanwhile
};

}  // namespace iosx
