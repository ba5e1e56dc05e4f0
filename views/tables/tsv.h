#pragma once

#include <QModelIndexList>
#include <QString>

class QAbstractItemModel;

namespace iosx {

// The rows and columns of the indexes as tab-separated text, header line first, for the clipboard. Cells in between
// that are not in the list stay empty. Empty for an empty list.
QString tsv(const QAbstractItemModel& model, const QModelIndexList& indexes);
// The same as CSV after RFC 4180.
QString csv(const QAbstractItemModel& model, const QModelIndexList& indexes);

}  // namespace iosx
