#include "app/gui/table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMenu>
#include <algorithm>

#include "views/models/tsv.h"

namespace iosx {
namespace {

constexpr int kLeastStretched = 52;   // pixels
constexpr int kRoomyStretched = 180;  // to have that much, optional columns go
constexpr int kLeastWrapped = 140;    // narrower columns would break after every word
constexpr int kMostLines = 4;
constexpr int kCellPadding = 16;  // left and right of a cell's text

}  // namespace

TableView::TableView(const QString& accessible_name, int stretched, QWidget* parent)
    : QTableView(parent), stretched_(stretched) {
  setAccessibleName(accessible_name);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setResizeContentsPrecision(100);
}

void TableView::copy() const {
  const QModelIndexList cells = selectionModel() ? selectionModel()->selectedIndexes() : QModelIndexList();
  if (!cells.isEmpty()) QApplication::clipboard()->setText(tsv(*model(), cells));
}

void TableView::selectRows(const std::vector<int>& rows) {
  QItemSelection selection;
  const int last = model()->columnCount() - 1;
  for (const int row : rows) selection.select(model()->index(row, 0), model()->index(row, last));
  selecting_ = true;
  selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  if (!rows.empty()) {
    selectionModel()->setCurrentIndex(model()->index(rows.front(), 0), QItemSelectionModel::NoUpdate);
    scrollTo(model()->index(rows.front(), 0));
  }
  selecting_ = false;
}

void TableView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
  QTableView::selectionChanged(selected, deselected);
  if (selecting_) return;
  std::vector<int> rows;
  for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  emit rowsChosen(rows);
}

void TableView::fitColumns(int widest) {
  for (const int column : optional_) setColumnHidden(column, false);
  resizeColumnsToContents();
  for (int column = 0; column < model()->columnCount(); ++column) {
    if (!isColumnHidden(column)) setColumnWidth(column, std::min(columnWidth(column), widest));
  }
  stretch();
}

void TableView::setOptionalColumns(std::vector<int> columns) { optional_ = std::move(columns); }

// A hidden column has no width, but the header remembers the one it had.
void TableView::dropColumns() {
  for (const int column : optional_) setColumnHidden(column, false);
  int needed = 0;
  for (int column = 0; column < model()->columnCount(); ++column) {
    needed += column == stretched_ ? kRoomyStretched : columnWidth(column);
  }
  for (const int column : optional_) {
    if (needed <= viewport()->width()) return;
    needed -= columnWidth(column);
    setColumnHidden(column, true);
  }
}

void TableView::stretch() {
  if (model() == nullptr) return;
  dropColumns();
  if (stretched_ < 0) return;
  int others = 0;
  for (int column = 0; column < model()->columnCount(); ++column) {
    if (column != stretched_) others += columnWidth(column);
  }
  setColumnWidth(stretched_, std::max(kLeastStretched, viewport()->width() - others));
  if (wrap_) wrapRows();
}

void TableView::wrapRows() {
  const int width = columnWidth(stretched_) - kCellPadding;
  const QFontMetrics metrics = fontMetrics();
  const int usual = verticalHeader()->defaultSectionSize();
  const bool wide = columnWidth(stretched_) >= kLeastWrapped;
  setWordWrap(wide);
  for (int row = 0; row < model()->rowCount(); ++row) {
    int height = usual;
    const QString text = wide ? model()->index(row, stretched_).data().toString() : QString();
    if (metrics.horizontalAdvance(text) > width) {
      const QRect box = metrics.boundingRect(QRect(0, 0, width, kMostLines * usual), Qt::TextWordWrap, text);
      height += std::min(box.height(), kMostLines * metrics.lineSpacing()) - metrics.height();
    }
    if (rowHeight(row) != height) setRowHeight(row, height);
  }
}

void TableView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  stretch();
}

void TableView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  QTableView::keyPressEvent(event);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu;
  QAction* copy_action = menu.addAction(tr("Copy as tab-separated text"));
  QAction* all_action = menu.addAction(tr("Select all"));
  const QAction* chosen = menu.exec(event->globalPos());
  if (chosen == copy_action) copy();
  if (chosen == all_action) selectAll();
}

}  // namespace iosx
