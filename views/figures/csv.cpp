#include "views/figures/csv.h"

#include <QLocale>

#include "core/base/text_table.h"

namespace iosx {

QString csv_record(const QStringList& fields) {
  QStringList quoted;
  for (const QString& field : fields) quoted << QString::fromStdString(csv_field(field.toStdString()));
  return quoted.join(QLatin1Char(',')) + QStringLiteral("\r\n");
}

QString csv_with_column(const QString& records, const QString& name, const QString& value) {
  QString wider;
  QString field = name;
  bool quoted = false;  // a line break in quotes ends no record
  for (const QChar c : records) {
    if (c == QLatin1Char('"')) quoted = !quoted;
    if (c == QLatin1Char('\r') && !quoted) {
      wider += QLatin1Char(',') + csv_record({field}).chopped(2);
      field = value;
    }
    wider += c;
  }
  return wider;
}

QString csv_number(double value) { return QString::number(value, 'g', QLocale::FloatingPointShortest); }

}  // namespace iosx
