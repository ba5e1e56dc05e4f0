#pragma once

#include <QString>
#include <QStringList>

namespace iosx {

// One RFC 4180 record: fields quoted where they need it, ended by CR LF.
QString csv_record(const QStringList& fields);
// The records with one more field, which is `name` in the first of them and `value` in the others.
QString csv_with_column(const QString& records, const QString& name, const QString& value);
// A number that reads back to the same double's shortest form, with a point.
QString csv_number(double value);

}  // namespace iosx
