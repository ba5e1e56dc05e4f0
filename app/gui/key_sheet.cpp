#include "app/gui/key_sheet.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>
#include <utility>
#include <vector>

namespace iosx {
namespace {

void add_row(QTableWidget* table, const QString& keys, const QString& what) {
  const int row = table->rowCount();
  table->insertRow(row);
  table->setItem(row, 0, new QTableWidgetItem(keys));
  table->setItem(row, 1, new QTableWidgetItem(what));
}

void add_heading(QTableWidget* table, const QString& text) {
  add_row(table, text, {});
  QFont bold = table->font();
  bold.setBold(true);
  table->item(table->rowCount() - 1, 0)->setFont(bold);
  table->setSpan(table->rowCount() - 1, 0, 1, 2);
}

}  // namespace

KeySheet::KeySheet(QWidget* window) : QDialog(window) {
  setWindowTitle(tr("Keys"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(560, 640);
  auto* table = new QTableWidget(0, 2);
  table->setAccessibleName(tr("Keyboard shortcuts"));
  table->setHorizontalHeaderLabels({tr("Keys"), tr("What they do")});
  table->horizontalHeader()->setStretchLastSection(true);
  table->verticalHeader()->hide();
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setShowGrid(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);

  add_heading(table, tr("Everywhere"));
  for (const QAction* action : window->actions()) {
    if (action->shortcut().isEmpty()) continue;
    add_row(table, action->shortcut().toString(QKeySequence::NativeText), action->statusTip());
  }
  const std::vector<std::pair<QString, std::vector<std::pair<QString, QString>>>> views{
      {tr("Timeline and utilization"),
       {{tr("W, S or wheel"), tr("Zoom in, out; the wheel at the cursor")},
        {tr("A, D, or Ctrl + drag"), tr("Move left, right")},
        {tr("F"), tr("Show everything")},
        {tr("Z"), tr("Zoom to the selection")},
        {tr(". and ,"), tr("Next and previous kernel")},
        {tr("Page up, page down"), tr("Previous and next stage")},
        {tr("Drag"), tr("Measure a time, snapping to edges, with statistics; Ctrl+C copies them")},
        {tr("Space"), tr("Play in slow motion, pause")},
        {tr("Shift + left, right"),
         tr("Move the playhead to the previous or next edge; it can be dragged in the ruler")},
        {tr("U"), tr("Show or hide the utilization plots")},
        {tr("P"), tr("Keep the schedule at the top while the others scroll")},
        {tr("Esc"), tr("Take the measure, the playhead or the selection away")}}},
      {tr("Tables"), {{tr("Ctrl+C"), tr("Copy the selected rows as tab-separated text")}}},
  };
  for (const auto& [title, rows] : views) {
    add_heading(table, title);
    for (const auto& [keys, what] : rows) add_row(table, keys, what);
  }
  table->resizeColumnToContents(0);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(table);
  layout->addWidget(buttons);
}

}  // namespace iosx
