#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace iosx {

// Makes the keys of the timeline (U, I, Space) and Ctrl+F work with any focus, unless the focused widget uses them: a
// line of text, a button, a check box. Lists and tables, which would search for an entry with that letter, do not
// count. A tap of Space on a canvas plays; held down it drags the drawing. Inactive below the start page.
class KeysAnywhere final : public QObject {
  Q_OBJECT

 public:
  explicit KeysAnywhere(QWidget* window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool take(const QKeyEvent& event);  // false: no visible widget uses it
  void followSpace(QObject* watched, const QEvent& event);

  QWidget* window_;
  bool sending_ = false;         // keys that the timeline ignores return to the window
  QObject* space_on_ = nullptr;  // the canvas on which Space is down, without a drag so far
};

}  // namespace iosx
