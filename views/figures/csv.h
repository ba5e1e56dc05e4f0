#pragma once

#include <QString>
#include <QStringList>

namespace iosx {

// Returns one line of CSV: csv_line().
QString csv_record(const QStringList& fields);
// Returns the records with one more field: `name` in the first, `value` in the others.
QString csv_with_column(const QString& records, const QString& name, const QString& value);
// Returns the shortest text that reads back as the same double, with a decimal point.
QString csv_number(double value);

}  // namespace iosx
