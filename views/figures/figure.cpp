#include "views/figures/figure.h"
#include "core/tables/render.h"

namespace iosx {

QString csv_record(const QStringList& fields) {
  std::vector<std::string> list;
  for (const QString& field : fields) list.push_back(field.toStdString());
  return QString::fromStdString(csv_line(list));
}

QString csv_with_column(const QString& records, const QString& name, const QString& value) {
  const QString head = records.section(QLatin1Char('\n'), 0, 0);
  if (head.split(QLatin1Char(',')).contains(name)) return records;
  QString wider;
  QString field = name;
  for (const QString& record : records.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    wider += record + QLatin1Char(',') + csv_record({field});
    field = value;
  }
  return wider;
}

QString csv_number(double value) { return QString::fromStdString(shortest_digits(value)); }

}  // namespace iosx
