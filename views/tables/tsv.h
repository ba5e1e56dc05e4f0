#pragma once

#include <QModelIndexList>
#include <QString>

class QAbstractItemModel;

namespace iosx {

// Returns the rows and columns of the indexes as tab-separated text, header line first, for the clipboard. Cells in
// between that are not in the list stay empty. The text is empty for an empty list.
QString tsv(const QAbstractItemModel& model, const QModelIndexList& indexes);
// Returns the same as CSV, with the columns' names and the exact values of documents where the model has them
// (cell::kExact).
QString csv(const QAbstractItemModel& model, const QModelIndexList& indexes);

}  // namespace iosx
