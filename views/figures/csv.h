#pragma once

#include <QString>
#include <QStringList>

namespace iosx {

// Returns one line of CSV: csv_line().
QString csv_record(const QStringList& fields);
// Returns the records with one more field, which is `name` in the first of them and `value` in the others; unchanged
// where they have a field of that name.
QString csv_with_column(const QString& records, const QString& name, const QString& value);
// Returns the shortest text that reads back as the same double, with a decimal point.
QString csv_number(double value);

}  // namespace iosx
