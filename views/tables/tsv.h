#pragma once

#include <QModelIndexList>
#include <QString>

class QAbstractItemModel;

namespace iosx {

// Returns the rows and columns of the indexes as tab-separated text, header line first, for the clipboard. Cells in
// between that are not in the list stay empty. The text is empty for an empty list.
QString tsv(const QAbstractItemModel& model, const QModelIndexList& indexes);
// Returns the same as CSV after RFC 4180.
QString csv(const QAbstractItemModel& model, const QModelIndexList& indexes);

}  // namespace iosx
