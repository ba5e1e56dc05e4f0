#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace iosx {

// A line under the tool bar that says something without stopping the user. An error stays until it is closed or
// replaced; a hint, which may offer a button, gives way to it.
class MessageBar final : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  void showError(const QString& text);
  void showNote(const QString& text);  // closed like an error
  // Below the error or note that is shown, if any; nothing where it says so already.
  void addNote(const QString& text);
  // A button beside the error or note that is shown, for as long as it is; `offerClicked` says that it was pressed.
  void offer(const QString& button);
  // Shown while no error or note is. An empty text takes it away.
  void setHint(const QString& text, const QString& button);
  void dismiss();  // the error or note; the hint returns

  QString text() const;
  bool showsError() const { return error_; }

 signals:
  void hintClicked();
  void offerClicked();

 private:
  void refresh();

  QLabel* label_;
  QPushButton* action_;
  QPushButton* close_;
  QString message_;
  QString offer_;
  QString hint_;
  QString hint_button_;
  bool error_ = false;
};

}  // namespace iosx
