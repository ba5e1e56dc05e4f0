#include "views/models/tsv.h"

#include <QAbstractItemModel>
#include <QStringList>
#include <set>

#include "core/base/printable.h"
#include "core/base/text_table.h"

namespace iosx {
namespace {

QString cell(QString text) {
  text.replace(QLatin1Char('\t'), QLatin1Char(' '));
  text.replace(QLatin1Char('\n'), QLatin1Char(' '));
  text.remove(QChar(0x2009));  // digit grouping: a spreadsheet wants the bare number
  return QString::fromStdString(printable(no_formula(text.toStdString())));
}

}  // namespace

QString tsv(const QAbstractItemModel& model, const QModelIndexList& indexes) {
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
  text += line.join(QLatin1Char('\t')) + QLatin1Char('\n');
  for (const int row : rows) {
    line.clear();
    for (const int column : columns) {
      line << (chosen.contains({row, column}) ? cell(model.index(row, column).data().toString()) : QString());
    }
    text += line.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  return text;
}

}  // namespace iosx
