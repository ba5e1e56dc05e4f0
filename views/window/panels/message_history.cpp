#include "views/window/panels/message_history.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <array>

#include "views/text/plain_tip.h"
#include "views/window/base/toasts.h"

namespace iosx {
namespace {

enum MessageColumn { kWhenColumn, kKindColumn, kTextColumn, kMessageColumns };

QString kind_text(bool error) { return error ? MessageHistory::tr("Error") : MessageHistory::tr("Note"); }

QString as_text(const std::vector<Toasts::Message>& messages) {
  QString text;
  for (const Toasts::Message& message : messages) {
    text +=
        QStringLiteral("%1  %2: %3\n").arg(message.when.toString(Qt::ISODate), kind_text(message.error), message.text);
  }
  return text;
}

}  // namespace

MessageHistory::MessageHistory(const Toasts& toasts, QWidget* window)
    : QDialog(window), toasts_(toasts), table_(new QTableWidget(0, kMessageColumns)) {
  setWindowTitle(tr("Messages"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(720, 420);
  table_->setObjectName(QStringLiteral("message-table"));
  table_->setAccessibleName(tr("Messages, the newest first"));
  table_->setHorizontalHeaderLabels({tr("When"), tr("Kind"), tr("Message")});
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->verticalHeader()->hide();
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* copy = buttons->addButton(tr("&Copy all"), QDialogButtonBox::ActionRole);
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(as_text(toasts_.history())); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->addWidget(table_);
  column->addWidget(buttons);
  connect(&toasts_, &Toasts::said, this, &MessageHistory::refresh);
  refresh();
}

void MessageHistory::refresh() {
  const auto& messages = toasts_.history();
  table_->setRowCount(static_cast<int>(messages.size()));
  int row = 0;
  for (auto message = messages.rbegin(); message != messages.rend(); ++message, ++row) {
    const std::array texts{message->when.toString(QStringLiteral("HH:mm:ss")), kind_text(message->error),
                           message->text};
    for (int column = 0; column < kMessageColumns; ++column) {
      auto* item = new QTableWidgetItem(texts[static_cast<std::size_t>(column)]);
      item->setToolTip(plain_tip(item->text().left(2000)));
      item->setTextAlignment(Qt::AlignLeft | Qt::AlignTop);
      table_->setItem(row, column, item);
    }
  }
  table_->resizeColumnToContents(kWhenColumn);
  table_->resizeColumnToContents(kKindColumn);
  table_->resizeRowsToContents();
}

MessageButton::MessageButton(const Toasts& toasts, QWidget* parent) : QToolButton(parent), toasts_(toasts) {
  setObjectName(QStringLiteral("messages"));
  setAutoRaise(true);
  setFocusPolicy(Qt::TabFocus);
  setToolTip(tr("Show everything that was said"));
  connect(&toasts_, &Toasts::said, this, &MessageButton::refresh);
  refresh();
}

void MessageButton::refresh() {
  const auto count = static_cast<int>(toasts_.history().size());
  setText(tr("Messages: %1").arg(count));
  setAccessibleName(text());
  setVisible(count > 0);
}

}  // namespace iosx

#include "moc_message_history.cpp"
