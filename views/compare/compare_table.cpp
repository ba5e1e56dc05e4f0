#include "views/compare/compare_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>

#include "views/tables/tsv.h"

namespace iosx {
namespace {

constexpr int kTableRowHeight = 26;
constexpr int kRowsLookedAt = 100;
constexpr int kWidestColumn = 260;
constexpr int kNarrowestColumn = 56;
constexpr int kRoomForBold = 10;

}  // namespace

CompareTable::CompareTable(const QString& accessible_name, QWidget* parent) : QTableView(parent) {
  setAccessibleName(accessible_name);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setTextElideMode(Qt::ElideRight);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setCornerButtonEnabled(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(kTableRowHeight);
  horizontalHeader()->setResizeContentsPrecision(kRowsLookedAt);
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setHighlightSections(false);
}

void CompareTable::fitColumns(bool stretch_last) {
  if (model() == nullptr) return;
  horizontalHeader()->setStretchLastSection(false);
  resizeColumnsToContents();
  for (int column = 0; column < model()->columnCount(); ++column) {
    // Titles may turn bold.
    setColumnWidth(
        column, std::clamp(columnWidth(column) + kRoomForBold, kNarrowestColumn, widest_.value(column, kWidestColumn)));
  }
  horizontalHeader()->setStretchLastSection(stretch_last);
}

int CompareTable::heightOf(int rows) const {
  return horizontalHeader()->sizeHint().height() + rows * kTableRowHeight + 2 * frameWidth() + 14;
}

void CompareTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy) && model() != nullptr && selectionModel()->hasSelection()) {
    QGuiApplication::clipboard()->setText(tsv(*model(), selectionModel()->selectedIndexes()));
    return;
  }
  QTableView::keyPressEvent(event);
}

}  // namespace iosx

#include "moc_compare_table.cpp"
