#include "views/window/base/table_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMetaMethod>
#include <algorithm>

#include "views/tables/cell_roles.h"
#include "views/tables/tsv.h"
#include "views/tables/word_filter.h"
#include "views/window/base/cell_delegate.h"

namespace iosx {
namespace {

constexpr int kLeastStretched = 52;   // pixels
constexpr int kRoomyStretched = 180;  // to have that much, optional columns go
constexpr int kAroundLine = 10;       // pixels above and below a row's text together

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
  setItemDelegate(new CellDelegate(this));
  setRowHeightOfFont();
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setResizeContentsPrecision(100);
  // A row that the program has selected can be chosen too: nothing changes in the table then, but elsewhere.
  connect(this, &QTableView::clicked, this, &TableView::tellRows);
}

void TableView::copy() const {
  const QModelIndexList cells = selectionModel() ? selectionModel()->selectedIndexes() : QModelIndexList();
  if (!cells.isEmpty()) QApplication::clipboard()->setText(tsv(*model(), cells));
}

void TableView::copyAsCsv() const {
  const QModelIndexList cells = selectionModel() ? selectionModel()->selectedIndexes() : QModelIndexList();
  if (!cells.isEmpty()) QApplication::clipboard()->setText(csv(*model(), cells));
}

void TableView::setRowHeightOfFont() { verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kAroundLine); }

bool TableView::event(QEvent* event) {
  if (event->type() == QEvent::FontChange) {
    setRowHeightOfFont();
    stretch();
  }
  return QTableView::event(event);
}

void TableView::setWrapping() {
  wrap_ = true;
  setItemDelegate(new WrapDelegate(this));
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
  if (!selecting_) tellRows();
}

void TableView::tellRows() {
  std::vector<int> rows;
  for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  emit rowsChosen(rows);
}

void TableView::fitColumns(int widest) {
  horizontalHeader()->ensurePolished();  // before it is shown, its cells would lack the style's margins
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
  const int usual = verticalHeader()->defaultSectionSize();
  const int columns = model()->columnCount();
  for (int row = 0; row < model()->rowCount(); ++row) {
    int height = usual;
    for (int column = 0; column < columns; ++column) {
      const int span = columnSpan(row, column);
      int width = 0;
      for (int within = column; within < column + span; ++within) width += columnWidth(within);
      const QModelIndex index = model()->index(row, column);
      const auto bold = index.data(Qt::FontRole);
      const QFont font = bold.isValid() ? bold.value<QFont>().resolve(this->font()) : this->font();
      // A cell with a bar has two lines, whatever its text.
      const bool bar = index.data(cell::kFigure).isValid();
      const QString text = bar ? QStringLiteral("x\nx") : index.data().toString();
      height = std::max(height, WrapDelegate::heightFor(text, font, width));
      column += span - 1;
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
  // Where no line filters the rows, other receivers may find something.
  static const QMetaMethod find = QMetaMethod::fromSignal(&TableView::findAsked);
  if (event->matches(QKeySequence::Find) && isSignalConnected(find)) return emit findAsked();
  QTableView::keyPressEvent(event);
}

void TableView::fillMenu(QMenu& menu) {
  const bool any = selectionModel() != nullptr && selectionModel()->hasSelection();
  menu.addAction(tr("&Copy as tab-separated text"), this, &TableView::copy)->setEnabled(any);
  menu.addAction(tr("Copy as CS&V"), this, &TableView::copyAsCsv)->setEnabled(any);
  menu.addAction(tr("Select &all"), this, &TableView::selectAll)
      ->setEnabled(selectionMode() == QAbstractItemView::ExtendedSelection && model()->rowCount() > 0);
  if (!further_) return;
  menu.addSeparator();
  further_(menu);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  fillMenu(menu);
  menu.exec(event->globalPos());
}

WordFilter* sorted(QAbstractItemModel* model, QObject* parent) {
  auto* proxy = new WordFilter(parent);
  proxy->setSourceModel(model);
  return proxy;
}

QLineEdit* filter_line(WordFilter* proxy, TableView* table, const QString& what) {
  auto* line = new QLineEdit;
  line->setPlaceholderText(what);
  line->setAccessibleName(what);
  line->setClearButtonEnabled(true);
  QObject::connect(line, &QLineEdit::textChanged, proxy, &WordFilter::setWords);
  QObject::connect(table, &TableView::findAsked, line, [line] {
    line->setFocus(Qt::ShortcutFocusReason);
    line->selectAll();
  });
  auto* leave = new QAction(line);
  leave->setShortcut(Qt::Key_Escape);
  leave->setShortcutContext(Qt::WidgetShortcut);
  line->addAction(leave);
  QObject::connect(leave, &QAction::triggered, line, [line, table] {
    line->clear();
    table->setFocus();
  });
  return line;
}

}  // namespace iosx

#include "moc_table_view.cpp"
