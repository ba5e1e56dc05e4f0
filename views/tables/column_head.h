#pragma once

#include <QString>
#include <QVariant>

namespace iosx {

// The head of a table's column.
struct ColumnHead {
  QString title;
  QString help;  // the tool tip
};

// Returns Qt::TextAlignmentRole of a column's cells and of its head: words are left-aligned, numbers right-aligned.
QVariant column_alignment(bool words);
// Returns headerData() for an existing column; none for roles that our tables do not use.
QVariant column_head_data(const ColumnHead& head, bool words, int role);

}  // namespace iosx
