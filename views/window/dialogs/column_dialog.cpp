#include "views/window/dialogs/column_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QStringList>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr int kColumnDialogWidth = 460;
constexpr qsizetype kMostColumnTitle = 60;  // letters

QString column_title(const std::string& title) {
  const QString shown = shown_name(title);
  return shown.size() <= kMostColumnTitle ? shown : shown.left(kMostColumnTitle) + QChar(0x2026);
}

}  // namespace

MatchedColumn column_of(const ReadTable& read, std::size_t column, ColumnJoin join) {
  MatchedColumn made = column_of_units(read.table, column, join, read.matches, *read.graph);
  made.column.file = read.file;
  return made;
}

QString tally_text(const ColumnTally& tally, const ReadTable& read) {
  QStringList lines;
  for (const Message& sentence : tally_sentences(tally, read.file, *read.graph)) {
    lines << message_sentence(sentence) + QLatin1Char('.');
  }
  return lines.join(QLatin1Char('\n'));
}

ColumnDialog::ColumnDialog(std::shared_ptr<const ReadTable> read, QWidget* parent)
    : QDialog(parent), read_(std::move(read)), column_(new QComboBox), join_(new QComboBox), found_(new QLabel) {
  setWindowTitle(tr("Colour by my column"));
  setMinimumWidth(kColumnDialogWidth);
  auto* note =
      new QLabel(tr("Which column of %1 shall the colours of the graph say?")
                     .arg(column_title(QFileInfo(QString::fromStdString(read_->file)).fileName().toStdString())));
  note->setTextFormat(Qt::PlainText);
  note->setWordWrap(true);
  for (const ValueColumn& column : read_->table.columns) column_->addItem(column_title(column.title));
  column_->setObjectName(QStringLiteral("column"));
  column_->setAccessibleName(tr("Column"));
  join_->addItem(tr("their values add up"));
  join_->addItem(tr("the value farthest from zero counts"));
  join_->setObjectName(QStringLiteral("join"));
  join_->setAccessibleName(tr("A unit of several operators"));
  join_->setToolTip(tr("Bytes, energy and times add up; an error, a share or a temperature does not"));
  found_->setObjectName(QStringLiteral("found"));
  found_->setTextFormat(Qt::PlainText);
  found_->setWordWrap(true);
  auto* form = new QFormLayout;
  form->addRow(tr("&Column"), column_);
  form->addRow(tr("&Of a unit's operators"), join_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(column_, &QComboBox::currentIndexChanged, this, &ColumnDialog::guessJoin);
  connect(join_, &QComboBox::currentIndexChanged, this, &ColumnDialog::tell);
  auto* rows = new QVBoxLayout(this);
  rows->addWidget(note);
  rows->addLayout(form);
  rows->addWidget(found_, 1);
  rows->addWidget(buttons);
  guessJoin();
}

void ColumnDialog::guessJoin() {
  const ColumnJoin join = join_of(read_->table.columns[static_cast<std::size_t>(column_->currentIndex())].title);
  join_->setCurrentIndex(static_cast<int>(join));
  tell();
}

void ColumnDialog::tell() { found_->setText(tally_text(chosen().tally, *read_)); }

MatchedColumn ColumnDialog::chosen() const {
  return column_of(*read_, static_cast<std::size_t>(std::max(0, column_->currentIndex())),
                   kColumnJoins.at(static_cast<std::size_t>(std::max(0, join_->currentIndex()))));
}

}  // namespace iosx

#include "moc_column_dialog.cpp"
