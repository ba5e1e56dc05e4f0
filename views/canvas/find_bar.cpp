#include "views/canvas/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/canvas/paint/unit_query.h"
#include "views/widgets/dialog_parts.h"

namespace iosx::canvas {

FindBar::FindBar(QWidget* parent) : QFrame(parent), line_(new QLineEdit), count_(new QLabel) {
  setObjectName(QStringLiteral("canvas-find"));
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setAccessibleName(tr("Find in the graph"));
  line_->setPlaceholderText(tr("Find: type:conv kernel:3x3 stage:29 name:/mixed_5.*/"));
  line_->setAccessibleName(tr("Find units by name, type, stage, attribute"));
  line_->setToolTip(tr("Words that must all match, for example\n"
                       "  conv        text anywhere in the name, type, part or operators\n"
                       "  /_[12]$/    a regular expression\n"
                       "  type:conv name:/mixed_5.*/ kernel:3x3 stage:20-30 flops:>1G\n"
                       "  -type:pool  what must not match\n"
                       "Before a colon: %1")
                        .arg(UnitQuery::keys().join(QStringLiteral(", "))));
  line_->setClearButtonEnabled(true);
  count_->setTextFormat(Qt::PlainText);
  count_->setWordWrap(true);
  count_->setAccessibleName(tr("Matches"));
  auto* row = put_into(inset(new QHBoxLayout(this), {6, 4, 6, 4}, 4), {{line_, 3}, {count_, 2}});
  const auto button = [&](QChar sign, const QString& name, const QString& tip) {
    auto* made = new QToolButton;
    made->setText(QString(sign));
    made->setAccessibleName(name);
    made->setToolTip(tip);
    made->setAutoRaise(true);
    row->addWidget(made);
    return made;
  };
  previous_ = button(QChar(0x2191), tr("Previous match"), tr("Previous match (Shift+F3)"));
  next_ = button(QChar(0x2193), tr("Next match"), tr("Next match (F3, Enter)"));
  const QToolButton* close = button(QChar(0x00D7), tr("Close the search"), tr("Close (Escape)"));
  connect(line_, &QLineEdit::textChanged, this, &FindBar::queryChanged);
  connect(previous_, &QToolButton::clicked, this, &FindBar::previous);
  connect(next_, &QToolButton::clicked, this, &FindBar::next);
  connect(close, &QToolButton::clicked, this, &FindBar::closed);
  setFocusProxy(line_);
}

void FindBar::setHint(const QString& placeholder, const QString& name, const QString& tip) {
  line_->setPlaceholderText(placeholder);
  line_->setAccessibleName(name);
  line_->setToolTip(tip);
}

QString FindBar::text() const { return line_->text(); }

void FindBar::setText(const QString& text) { line_->setText(text); }

void FindBar::open() {
  show();
  raise();
  line_->setFocus(Qt::ShortcutFocusReason);
  line_->selectAll();
}

void FindBar::say(const QString& text, bool error) {
  QPalette palette = this->palette();
  if (error) palette.setColor(QPalette::WindowText, palette.color(QPalette::BrightText));
  count_->setPalette(palette);
  count_->setText(text);
  count_->setToolTip(text.toHtmlEscaped());
}

void FindBar::showCount(int current, int count) {
  previous_->setEnabled(count > 0);
  next_->setEnabled(count > 0);
  if (count == 0) {
    say(tr("no match"), false);
  } else if (current < 0) {
    say(count == 1 ? tr("1 match") : tr("%1 matches").arg(count), false);
  } else {
    say(tr("%1 of %2").arg(current + 1).arg(count), false);
  }
}

void FindBar::showError(const QString& error) {
  previous_->setEnabled(false);
  next_->setEnabled(false);
  say(error, !error.isEmpty());
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  const bool back = event->modifiers().testFlag(Qt::ShiftModifier);
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F3: back ? emit previous() : emit next(); return;
    case Qt::Key_Escape: emit closed(); return;
    default: QFrame::keyPressEvent(event);
  }
}

PartList::PartList(QWidget* parent) : QFrame(parent, Qt::Popup), line_(new QLineEdit), list_(new QListWidget) {
  setObjectName(QStringLiteral("canvas-parts"));
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("Parts of the network"));
  line_->setPlaceholderText(tr("Go to part…"));
  line_->setAccessibleName(tr("Filter the parts"));
  list_->setAccessibleName(tr("Parts of the network"));
  list_->setUniformItemSizes(true);
  put_into(inset(new QVBoxLayout(this), {4, 4, 4, 4}), {line_, list_});
  resize(320, 380);
  setFocusProxy(line_);
  line_->installEventFilter(this);
  connect(line_, &QLineEdit::textChanged, this, &PartList::filter);
  connect(line_, &QLineEdit::returnPressed, this, &PartList::choose);
  connect(list_, &QListWidget::itemActivated, this, &PartList::choose);
  connect(list_, &QListWidget::itemClicked, this, &PartList::choose);
}

void PartList::open(const QStringList& titles, const QStringList& details, int current, const QPoint& global) {
  line_->clear();
  list_->clear();
  for (qsizetype i = 0; i < titles.size(); ++i) {
    auto* item = new QListWidgetItem(titles[i] + QStringLiteral("   ") + details[i], list_);
    item->setData(Qt::UserRole, static_cast<int>(i));
  }
  list_->setCurrentRow(current < 0 ? 0 : current);
  move(global);
  show();
  line_->setFocus();
}

void PartList::filter(const QString& text) {
  int first = -1;
  for (int i = 0; i < list_->count(); ++i) {
    const bool shown = list_->item(i)->text().contains(text, Qt::CaseInsensitive);
    list_->item(i)->setHidden(!shown);
    if (shown && first < 0) first = i;
  }
  list_->setCurrentRow(first);
}

void PartList::choose() {
  const QListWidgetItem* item = list_->currentItem();
  if (!isVisible() || item == nullptr || item->isHidden()) return;
  const int index = item->data(Qt::UserRole).toInt();
  hide();
  emit chosen(index);
}

// The arrow keys walk through the list while the line has the focus.
bool PartList::eventFilter(QObject* watched, QEvent* event) {
  const bool pressed = watched == line_ && event->type() == QEvent::KeyPress;
  const int key = pressed ? static_cast<QKeyEvent*>(event)->key() : 0;
  if (key != Qt::Key_Down && key != Qt::Key_Up) return QFrame::eventFilter(watched, event);
  const int step = key == Qt::Key_Down ? 1 : -1;
  int row = list_->currentRow() + step;
  while (row >= 0 && row < list_->count() && list_->item(row)->isHidden()) row += step;
  if (row >= 0 && row < list_->count()) list_->setCurrentRow(row);
  return true;
}

}  // namespace iosx::canvas

#include "moc_find_bar.cpp"
