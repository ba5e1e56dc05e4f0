#include "app/gui/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

#include "views/style/style.h"

namespace iosx {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), label_(new QLabel), action_(new QPushButton), close_(new QPushButton(tr("Close"))) {
  setAccessibleName(tr("Message"));
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label_->setAccessibleName(tr("Message text"));
  action_->setProperty(kAccent, "go");
  close_->setAccessibleName(tr("Close the message"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 6, 8, 6);
  row->addWidget(label_, 1);
  row->addWidget(action_);
  row->addWidget(close_);
  connect(close_, &QPushButton::clicked, this, &MessageBar::dismiss);
  connect(action_, &QPushButton::clicked, this,
          [this] { message_.isEmpty() ? emit hintClicked() : emit offerClicked(); });
  refresh();
}

void MessageBar::showError(const QString& text) {
  message_ = text;
  offer_.clear();
  error_ = true;
  refresh();
}

void MessageBar::showNote(const QString& text) {
  message_ = text;
  offer_.clear();
  error_ = false;
  refresh();
}

void MessageBar::addNote(const QString& text) {
  if (message_.isEmpty()) return showNote(text);
  if (message_.split(QLatin1Char('\n')).contains(text)) return;
  message_ += QLatin1Char('\n') + text;
  refresh();
}

void MessageBar::offer(const QString& button) {
  if (message_.isEmpty()) return;
  offer_ = button;
  refresh();
}

void MessageBar::setHint(const QString& text, const QString& button) {
  hint_ = text;
  hint_button_ = button;
  refresh();
}

void MessageBar::dismiss() {
  message_.clear();
  offer_.clear();
  error_ = false;
  refresh();
}

QString MessageBar::text() const { return message_.isEmpty() ? hint_ : message_; }

void MessageBar::refresh() {
  const bool hint = message_.isEmpty();
  label_->setText(text());
  const QString& button = hint ? hint_button_ : offer_;
  action_->setText(button);
  action_->setVisible(!button.isEmpty());
  close_->setVisible(!hint);
  setProperty("message", error_ ? "error" : "hint");
  style()->unpolish(this);
  style()->polish(this);
  setVisible(!text().isEmpty());
}

}  // namespace iosx
