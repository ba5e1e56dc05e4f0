#pragma once

#include <QDateTime>
#include <QDialog>
#include <QFrame>
#include <QPointer>
#include <QToolButton>
#include <functional>
#include <vector>

class QTableWidget;
class QTimer;
class QWidget;

namespace iosx {

// A button beside a message, and its effect. Without a text there is none.
struct Offer {
  QString button = {};
  std::function<void()> take = {};
};

// One message on the screen: a text, possibly an offer, and a close button. Escape closes it too.
class Toast final : public QFrame {
  Q_OBJECT

 public:
  Toast(const QString& shown, bool error, std::size_t number, const Offer& offer, QWidget* parent);

  bool isError() const { return error_; }
  bool hasOffer() const { return offers_; }
  std::size_t number() const { return number_; }  // among all messages, from 1
  void focusButton();                             // the offer's, or else the close button
  // Closes by itself after this time, except while the pointer or the keyboard is on it.
  bool closesByItself() const;
  void closeAfter(int millis);

 signals:
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void closeUnlessUsed();

  bool error_;
  std::size_t number_;
  bool offers_;
  QTimer* life_;
  QWidget* button_;
};

// Shows messages without moving the window's content: notes, which disappear by themselves, and errors and
// offers, which stay until closed or accepted; errors also disappear after a success. A history keeps all messages.
class Toasts final : public QObject {
  Q_OBJECT

 public:
  struct Message {
    QDateTime when;
    QString text;
    bool error = false;
  };
  static constexpr std::size_t kMostAtOnce = 4;  // the oldest one is then removed
  static constexpr std::size_t kMostRemembered = 1000;

  // Messages are over the lower left corner of `anchor` while visible, else of the window. Both outlive this.
  Toasts(QWidget* window, QWidget* anchor);
  void setAnchor(QWidget* anchor);
  // Shows messages over the lower end of this widget instead, which covers nothing that matters, while they fit there.
  void setAside(QWidget* aside);
  // Keeps a line at the anchor's bottom readable: while it is visible, messages are above it.
  void keepClear(QWidget* line);

  // A text that is already on the screen is not repeated.
  void showNote(const QString& text, const Offer& offer = {});
  void showError(const QString& text, const Offer& offer = {});
  std::size_t newest() const { return said_; }  // number of the last message
  void dismissErrors(std::size_t up_to);        // those before the present success
  void dismissNotes();                          // including offers
  void dismiss();                               // all
  void closeNewest();
  void focusNewest();  // its first button, for the keyboard

  QString text() const;  // of all messages on the screen, the oldest first, one per line
  bool showsError() const;
  const std::vector<Toast*>& shown() const { return shown_; }  // the oldest first
  const std::vector<Message>& history() const { return history_; }

 signals:
  void said();  // history() has a new one

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void say(const QString& text, bool error, const Offer& offer);
  void remove(Toast* toast);
  void place();
  bool placeIn(const QRect& area, bool only_if_they_fit);

  QWidget* window_;
  QWidget* anchor_;
  QPointer<QWidget> aside_;
  std::vector<QPointer<QWidget>> lines_;  // kept clear
  std::vector<Toast*> shown_;
  std::vector<QString> texts_;  // of shown_
  std::vector<Message> history_;
  std::size_t said_ = 0;
};

// Lists everything that was said since the program started, the newest first, to read and copy.
class MessageHistory final : public QDialog {
  Q_OBJECT

 public:
  explicit MessageHistory(const Toasts& toasts, QWidget* window);

 private:
  void refresh();

  const Toasts& toasts_;
  QTableWidget* table_;
};

// Says in the status bar how many messages there were, and opens the history.
class MessageButton final : public QToolButton {
  Q_OBJECT

 public:
  explicit MessageButton(const Toasts& toasts, QWidget* parent = nullptr);

 private:
  void refresh();

  const Toasts& toasts_;
};

}  // namespace iosx
