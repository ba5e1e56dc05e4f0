#pragma once

#include <QAbstractItemModel>

#include "views/tables/cell_roles.h"

namespace iosx::test {

// Returns the column that documents call so, of a table's model or a proxy of it; -1 where there is none.
inline int column_of(const QAbstractItemModel& model, const char* id) {
  for (int column = 0; column < model.columnCount(); ++column) {
    if (model.headerData(column, Qt::Horizontal, cell::kExact).toString() == QLatin1String(id)) return column;
  }
  return -1;
}

}  // namespace iosx::test
