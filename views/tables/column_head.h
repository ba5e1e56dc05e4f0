#pragma once

#include <QString>
#include <QVariant>

namespace iosx {

// Holds what stands over a column of a table.
struct ColumnHead {
  QString title;
  QString help;  // the tool tip
};

// Returns Qt::TextAlignmentRole of a column's cells and of its head: words begin at the left, numbers end at the right.
QVariant column_alignment(bool words);
// Returns what a model's headerData() answers for a column that it has; nothing for roles that no table of ours has.
QVariant column_head_data(const ColumnHead& head, bool words, int role);

}  // namespace iosx
