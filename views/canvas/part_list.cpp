#include "views/canvas/part_list.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace iosx::canvas {
namespace {

constexpr int kListWidth = 320;
constexpr int kListHeight = 380;

}  // namespace

PartList::PartList(QWidget* parent) : QFrame(parent, Qt::Popup), line_(new QLineEdit), list_(new QListWidget) {
  setObjectName(QStringLiteral("canvas-parts"));
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("Parts of the network"));
  line_->setPlaceholderText(tr("Go to part…"));
  line_->setAccessibleName(tr("Filter the parts"));
  list_->setAccessibleName(tr("Parts of the network"));
  list_->setUniformItemSizes(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 4, 4, 4);
  column->addWidget(line_);
  column->addWidget(list_);
  resize(kListWidth, kListHeight);
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
  if (watched == line_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool down = key->key() == Qt::Key_Down;
    if (down || key->key() == Qt::Key_Up) {
      for (int i = list_->currentRow() + (down ? 1 : -1); i >= 0 && i < list_->count(); i += down ? 1 : -1) {
        if (list_->item(i)->isHidden()) continue;
        list_->setCurrentRow(i);
        break;
      }
      return true;
    }
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace iosx::canvas

#include "moc_part_list.cpp"
