#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QStringList>
#include <QTimer>
#include <deque>
#include <functional>
#include <utility>

namespace iosx::test {

// Gives a user's answers to the modal dialogs that appear, one per dialog, in order.
class Answers {
 public:
  Answers() {
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { giveNext(); });
    timer_.start(5);
  }

  void press(QMessageBox::StandardButton button) {
    answers_.emplace_back([this, button](QWidget* dialog) {
      auto* box = qobject_cast<QMessageBox*>(dialog);
      if (box == nullptr || box->button(button) == nullptr) return false;
      asked_ << box->text();
      box->button(button)->click();
      return true;
    });
  }
  void press(const QString& button) {
    answers_.emplace_back([this, button](QWidget* dialog) {
      const auto* box = qobject_cast<QMessageBox*>(dialog);
      if (box == nullptr) return false;
      for (QAbstractButton* each : box->buttons()) {
        if (each->text() != button) continue;
        asked_ << box->text();
        each->click();
        return true;
      }
      return false;
    });
  }
  void typeFile(const QString& path) {
    answers_.emplace_back([path](QWidget* dialog) {
      auto* box = qobject_cast<QFileDialog*>(dialog);
      if (box == nullptr) return false;
      box->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
      static_cast<QDialog*>(box)->accept();
      return true;
    });
  }
  void cancelFile() {
    answers_.emplace_back([](QWidget* dialog) {
      auto* box = qobject_cast<QFileDialog*>(dialog);
      if (box != nullptr) box->reject();
      return box != nullptr;
    });
  }

  bool given() const { return answers_.empty() && !failed_; }  // all of them, each to a dialog of its kind
  const QStringList& asked() const { return asked_; }          // the boxes' texts

 private:
  // Queued: a dialog may open another one while it takes an answer.
  void giveNext() {
    QWidget* dialog = QApplication::activeModalWidget();
    if (dialog == nullptr || giving_) return;
    giving_ = true;
    QMetaObject::invokeMethod(
        &timer_,
        [this, dialog] {
          giving_ = false;
          if (dialog != QApplication::activeModalWidget()) return;
          if (answers_.empty()) return refuse(dialog);
          const auto answer = std::exchange(answers_.front(), {});
          answers_.pop_front();
          if (!answer(dialog)) refuse(dialog);
        },
        Qt::QueuedConnection);
  }
  // An unexpected dialog: the test goes on, and fails.
  void refuse(QWidget* dialog) {
    failed_ = true;
    dialog->close();
  }

  QTimer timer_;
  std::deque<std::function<bool(QWidget*)>> answers_;
  QStringList asked_;
  bool giving_ = false;
  bool failed_ = false;
};

}  // namespace iosx::test
