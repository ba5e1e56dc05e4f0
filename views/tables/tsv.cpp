#include "views/tables/tsv.h"

#include <QAbstractItemModel>
#include <QStringList>
#include <set>

#include "core/base/printable.h"
#include "core/base/text_table.h"

namespace iosx {
namespace {

QString bare(QString text) {
  text.replace(QLatin1Char('\t'), QLatin1Char(' '));
  text.replace(QLatin1Char('\n'), QLatin1Char(' '));
  text.remove(QChar(0x2009));  // digit grouping: a spreadsheet wants the bare number
  return text;
}

QString tsv_cell(const QString& text) {
  return QString::fromStdString(printable(no_formula(bare(text).toStdString())));
}
QString csv_cell(const QString& text) { return QString::fromStdString(csv_field(bare(text).toStdString())); }

QString separated(const QAbstractItemModel& model, const QModelIndexList& indexes, QString (*cell)(const QString&),
                  QLatin1Char between, const QString& end) {
  std::set<int> rows;
  std::set<int> columns;
  std::set<std::pair<int, int>> chosen;
  for (const QModelIndex& index : indexes) {
    rows.insert(index.row());
    columns.insert(index.column());
    chosen.emplace(index.row(), index.column());
  }
  if (chosen.empty()) return {};
  QString text;
  QStringList line;
  for (const int column : columns) line << cell(model.headerData(column, Qt::Horizontal).toString());
  text += line.join(between) + end;
  for (const int row : rows) {
    line.clear();
    for (const int column : columns) {
      line << (chosen.contains({row, column}) ? cell(model.index(row, column).data().toString()) : QString());
    }
    text += line.join(between) + end;
  }
  return text;
}

}  // namespace

QString tsv(const QAbstractItemModel& model, const QModelIndexList& indexes) {
  return separated(model, indexes, tsv_cell, QLatin1Char('\t'), QStringLiteral("\n"));
}

QString csv(const QAbstractItemModel& model, const QModelIndexList& indexes) {
  return separated(model, indexes, csv_cell, QLatin1Char(','), QStringLiteral("\r\n"));
}

}  // namespace iosx
